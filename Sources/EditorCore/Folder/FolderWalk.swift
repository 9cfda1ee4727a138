import Glibc

/// All files below a folder, but for what is ignored or hidden. On any thread.
struct FolderWalk {
  private static let deepest = 200

  private let folder: String
  /// From the root of the repository to the folder, with a slash behind it: where ignoring counts from.
  private let prefix: [UInt8]
  private let rules: IgnoreRules?
  private let hasRepository: Bool
  private let found: (String) -> Bool

  /// - Parameters:
  ///   - folder: An absolute path without links.
  ///   - found: Told the path of a file from the folder; false ends the walk.
  init(_ folder: String, _ found: @escaping (String) -> Bool) {
    self.folder = folder == "/" ? "" : folder
    self.found = found
    let repository = Repository(around: self.folder)
    hasRepository = repository != nil
    var rules = repository?.rules
    guard let root = repository?.root, root != self.folder else {
      (prefix, self.rules) = ([], rules)
      return
    }
    prefix = Array(self.folder.utf8.dropFirst(root.utf8.count + 1)) + [UInt8(ascii: "/")]
    var above = root
    for part in self.folder.utf8.dropFirst(root.utf8.count + 1).split(separator: UInt8(ascii: "/")) {
      rules = Self.adding(above, baseCount: above.utf8.count - root.utf8.count, hasRepository, to: rules)
      above += "/" + String(decoding: part, as: UTF8.self)
    }
    self.rules = rules
  }

  /// With the lists of a folder. `baseCount` has its slash.
  private static func adding(
    _ folder: String, baseCount: Int, _ hasRepository: Bool, to outer: IgnoreRules?
  ) -> IgnoreRules? {
    let git = hasRepository ? IgnoreRules.adding(file: folder + "/.gitignore", baseCount: baseCount, to: outer) : outer
    return IgnoreRules.adding(file: folder + "/.ignore", baseCount: baseCount, to: git)
  }

  /// - Returns: How many names are no text: nothing is told of such files and folders.
  func run() -> Int {
    var namelessCount = 0
    _ = walk("", rules, depth: 0, &namelessCount)
    return namelessCount
  }

  /// - Parameter path: From the folder, with a slash behind it; empty for itself.
  /// - Returns: Whether to go on.
  private func walk(_ path: String, _ outer: IgnoreRules?, depth: Int, _ namelessCount: inout Int) -> Bool {
    guard depth < Self.deepest, let entries = entries(of: path) else { return true }
    namelessCount += entries.namelessCount
    var rules = outer
    if entries.hasLists {
      rules = Self.adding(
        folder + "/" + path.dropLast(), baseCount: prefix.count + path.utf8.count, hasRepository, to: outer)
    }
    var whole = prefix + path.utf8
    let start = whole.count
    func isIgnored(_ name: String, isFolder: Bool) -> Bool {
      guard let rules else { return false }
      whole.replaceSubrange(start..., with: name.utf8)
      return rules.ignores(whole, nameStart: start, isFolder: isFolder)
    }
    for name in entries.files where !isIgnored(name, isFolder: false) {
      if !found(path + name) { return false }
    }
    for name in entries.folders where !isIgnored(name, isFolder: true) {
      if !walk(path + name + "/", rules, depth: depth + 1, &namelessCount) { return false }
    }
    return true
  }

  private struct Entries {
    var files: [String] = []
    var folders: [String] = []
    var hasLists = false
    var namelessCount = 0
  }

  /// Sorted, without those that are hidden or are neither file nor folder; nil where they cannot be had.
  private func entries(of path: String) -> Entries? {
    guard let stream = opendir(folder + "/" + path) else { return nil }
    defer { closedir(stream) }
    var entries = Entries()
    while let entry = readdir(stream) {
      let (kind, name) = Self.read(entry)
      guard let name else {
        // Whether it is ignored cannot be asked.
        if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { entries.namelessCount += 1 }
        continue
      }
      if name.utf8.first == UInt8(ascii: ".") {
        if name == ".gitignore" || name == ".ignore" { entries.hasLists = true }
        continue
      }
      switch kind {
      case UInt8(DT_REG): entries.files.append(name)
      case UInt8(DT_DIR): entries.folders.append(name)
      case UInt8(DT_LNK), UInt8(DT_UNKNOWN): examine(path + name, name, isLink: kind == UInt8(DT_LNK), &entries)
      default: break
      }
    }
    entries.files.sort()
    entries.folders.sort()
    return entries
  }

  private static func read(_ entry: UnsafeMutablePointer<dirent>) -> (kind: UInt8, name: String?) {
    withUnsafePointer(to: &entry.pointee.d_name) { name in
      name.withMemoryRebound(to: CChar.self, capacity: 256) {
        (entry.pointee.d_type, String(validatingCString: $0))
      }
    }
  }

  /// A link to a file is a file; what a link to a folder has is, as a rule, elsewhere in the list.
  private func examine(_ path: String, _ name: String, isLink: Bool, _ entries: inout Entries) {
    var status = stat()
    let whole = folder + "/" + path
    guard (isLink ? stat(whole, &status) : lstat(whole, &status)) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG: entries.files.append(name)
    case S_IFLNK where !isLink: examine(path, name, isLink: true, &entries)
    case S_IFDIR where !isLink: entries.folders.append(name)
    default: break
    }
  }
}
