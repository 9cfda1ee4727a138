import Glibc

extension String {
  /// `~` and `~/…` with the home folder of the user.
  var expandingHome: String {
    guard self == "~" || hasPrefix("~/"), let home = getenv("HOME") else { return self }
    return String(cString: home) + dropFirst()
  }
}

extension Editor {
  /// Completes the path as far as it is clear; shows the choices when it is not.
  func completePath(in prompt: inout Prompt) {
    let typed = prompt.field.string
    let prefix = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let start = String(typed.dropFirst(prefix.count))
    let names = entries(of: prefix.isEmpty ? "." : prefix.expandingHome).filter {
      $0.hasPrefix(start) && (!start.isEmpty || !$0.hasPrefix("."))
    }
    guard let first = names.first else { return show("No file starts like that") }
    let common = names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    prompt.field = TextField(prefix + common)
    if names.count > 1 { show(names.prefix(40).joined(separator: "  ")) }
  }

  /// The sorted names in a folder; folders end in `/`.
  private func entries(of folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let isFolder =
        switch CInt(entry.pointee.d_type) {
        case CInt(DT_DIR): true
        case CInt(DT_LNK), CInt(DT_UNKNOWN): (folder + "/" + name).isFolder
        default: false
        }
      if name != ".", name != ".." { names.append(isFolder ? name + "/" : name) }
    }
    return names.sorted()
  }
}

extension String {
  /// Links are followed.
  fileprivate var isFolder: Bool {
    var status = stat()
    return stat(self, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
