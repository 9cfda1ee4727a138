import EditorProtocol
import Glibc

/// A prompt for the path of a file; Tab completes it.
class PathPrompt: Prompt {
  init(_ editor: Editor, _ label: String, text: String = "") {
    super.init(editor, label, history: .path, text: text)
  }

  override func handleOwnKey(_ key: Key) -> Bool {
    guard key == Key(.tab) else { return false }
    complete()
    return true
  }

  /// Completes the path as far as it is clear; shows the choices when it is not.
  private func complete() {
    let typed = field.string
    let prefix = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let start = String(typed.dropFirst(prefix.count))
    let names = entries(of: prefix.isEmpty ? "." : prefix.expandingHome).filter {
      $0.hasPrefix(start) && (!start.isEmpty || !$0.hasPrefix("."))
    }
    guard let first = names.first else { return editor.show("No file starts like that") }
    let common = names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    field = TextField(prefix + common)
    if names.count > 1 { editor.show(names.prefix(40).joined(separator: "  ")) }
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

final class OpenPrompt: PathPrompt {
  init(_ editor: Editor) { super.init(editor, "Open") }

  override func accept(_ text: String) {
    if !text.isEmpty { editor.open(path: text.expandingHome) }
  }
}

/// Asks for the name that the shown text is saved under.
final class SavePrompt: PathPrompt {
  /// What is done when it is saved.
  private let finish: () -> Void

  init(_ editor: Editor, text: String = "", then finish: @escaping () -> Void = {}) {
    self.finish = finish
    super.init(editor, "Save as", text: text)
  }

  override func accept(_ text: String) {
    guard let view = editor.view, !text.isEmpty else { return }
    let path = text.expandingHome
    let policy: OverwritePolicy = path == view.path ? .ifUnchanged : .ifNew
    Save(editor: editor, view: view, path: path, policy: policy, finish: finish).start()
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
