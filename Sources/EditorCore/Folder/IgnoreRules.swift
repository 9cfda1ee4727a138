import Glibc

/// What is left out below a folder: its own lists, then those of the folders above. Of the lines of one list the last that fits decides.
final class IgnoreRules: Sendable {
  private static let largestFile = 1 << 20

  private let patterns: [IgnorePattern]
  /// How much of a path leads to the folder of the list.
  private let baseCount: Int
  private let outer: IgnoreRules?

  private init(_ patterns: [IgnorePattern], baseCount: Int, outer: IgnoreRules?) {
    (self.patterns, self.baseCount, self.outer) = (patterns, baseCount, outer)
  }

  /// - Parameters:
  ///   - path: From the root that all lists count from.
  ///   - nameStart: Where its last part begins.
  func ignores(_ path: [UInt8], nameStart: Int, isFolder: Bool) -> Bool {
    var rules: IgnoreRules? = self
    while let list = rules {
      for pattern in list.patterns.reversed()
      where pattern.matches(path[list.baseCount...], name: path[nameStart...], isFolder: isFolder) {
        return !pattern.isNegated
      }
      rules = list.outer
    }
    return false
  }

  /// With the list in a file, which counts more than those before; without one, as before.
  static func adding(file: String, baseCount: Int, to outer: IgnoreRules?) -> IgnoreRules? {
    let patterns = read(file).split(separator: 0x0A).compactMap(IgnorePattern.init)
    return patterns.isEmpty ? outer : IgnoreRules(patterns, baseCount: baseCount, outer: outer)
  }

  /// Empty where there is none, or it cannot be read, or is no plain file.
  static func read(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= largestFile else {
      return []
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(count, 0)))
  }
}

/// The repository of git that a folder is in.
struct Repository {
  /// The absolute path of its work tree.
  let root: String
  /// Where `info/exclude` is.
  private let gitFolder: String

  /// - Parameter folder: An absolute path.
  init?(around folder: String) {
    var root = folder
    while access(root + "/.git", F_OK) != 0 {
      guard let slash = root.utf8.lastIndex(of: UInt8(ascii: "/")), root != "/" else { return nil }
      root = String(root[..<slash])
    }
    self.root = root
    gitFolder = Self.gitFolder(of: root)
  }

  /// In another work tree of a repository, or a module, `.git` is a file that says where it is.
  private static func gitFolder(of root: String) -> String {
    let git = root + "/.git"
    let line = String(decoding: IgnoreRules.read(git), as: UTF8.self).prefix { $0 != "\n" }
    guard line.hasPrefix("gitdir: ") else { return git }
    let place = String(line.dropFirst("gitdir: ".count))
    let own = place.isAbsolutePath ? place : root + "/" + place
    let common = String(decoding: IgnoreRules.read(own + "/commondir"), as: UTF8.self).prefix { $0 != "\n" }
    if common.isEmpty { return own }
    return String(common).isAbsolutePath ? String(common) : own + "/" + common
  }

  /// What holds in all of it: the user's list, then the repository's.
  var rules: IgnoreRules? {
    let user = Self.userList.flatMap { IgnoreRules.adding(file: $0, baseCount: 0, to: nil) }
    return IgnoreRules.adding(file: gitFolder + "/info/exclude", baseCount: 0, to: user)
  }

  /// `core.excludesFile`, or where it is by default.
  private static var userList: String? {
    let home = getenv("HOME").map { String(cString: $0) }
    let folder = getenv("XDG_CONFIG_HOME").map { String(cString: $0) } ?? home.map { $0 + "/.config" }
    let files = [home.map { $0 + "/.gitconfig" }, folder.map { $0 + "/git/config" }].compactMap(\.self)
    let named = files.lazy.compactMap {
      excludesFile(inSettings: String(decoding: IgnoreRules.read($0), as: UTF8.self))
    }
    guard let named = named.first else { return folder.map { $0 + "/git/ignore" } }
    return named.hasPrefix("~/") ? home.map { $0 + named.dropFirst() } : named
  }

  private static func excludesFile(inSettings text: String) -> String? {
    var (isCore, found) = (false, String?.none)
    for line in text.split(separator: "\n") {
      let line = line.trimmed
      if line.first == "[" { isCore = line.lowercased().hasPrefix("[core]") }
      guard isCore, let sign = line.firstIndex(of: "=") else { continue }
      let value = line[line.index(after: sign)...].trimmed
      if line[..<sign].trimmed.lowercased() == "excludesfile" {
        found = String(
          value.first == "\"" && value.count > 1 && value.last == "\"" ? value.dropFirst().dropLast() : value)
      }
    }
    return found
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    return start.lastIndex { $0 != " " && $0 != "\t" && $0 != "\r" }.map { start[...$0] } ?? ""
  }
}
