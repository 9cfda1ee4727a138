import EventLoop
import Glibc

/// The folder that the files of modules lie in.
struct ModuleRoot: Sendable {
  /// As the host has named it, and without links: each ends with a slash.
  private let named: String
  private let real: String
  /// What of it may be looked at; nil for all.
  var sight: ModuleSight?

  init(_ folder: String) {
    let folder = FileModuleLoader.normalized(folder)
    named = Self.folder(folder)
    real = (try? Self.withoutLinks(folder).get()).map(Self.folder) ?? named
  }

  private static func folder(_ path: String) -> String { FileModuleLoader.join(path, "") }

  /// Whether a path without links lies in it.
  func holds(_ path: String) -> Bool { lies(path, in: real) }

  /// Whether an absolute path without `..` lies in it, by its text alone: links may still lead out.
  func covers(_ path: String) -> Bool { lies(path, in: named) || lies(path, in: real) }

  private func lies(_ path: String, in folder: String) -> Bool {
    path.utf8.starts(with: folder.utf8) || path.utf8.elementsEqual(folder.utf8.dropLast())
  }

  /// What is said of a file elsewhere.
  var refusal: String {
    if sight != nil { return "it may not be read" }
    return "it lies outside of \(named == "/" ? named : String(named.dropLast()))"
  }

  /// Whether anybody may look for it, as far as its name says.
  func shows(_ path: String) -> Bool { sight?.mayLook(path) != false }

  /// What a path leads to.
  enum Place {
    /// Its path without links.
    case file(String)
    case folder
    case missing
    case outside
    /// Nobody can tell; the system says why.
    case unreachable(String)
  }

  func place(of path: String) -> Place {
    guard mayFollow(path) else { return .outside }
    switch Self.withoutLinks(path) {
    case .success(let file):
      guard holds(file), shows(file) else { return .outside }
      var status = stat()
      guard stat(file, &status) == 0 else { return Self.place(Failure(number: errno)) }
      if status.st_mode & S_IFMT == S_IFDIR { return .folder }
      if path.ends(with: "/") { return .missing }
      guard sight?.mayRead(file) != false else {
        sight?.refused.withLock { $0 = file }
        return .outside
      }
      return .file(file)
    // Nothing is told of what lies elsewhere, not even whether it is there.
    case .failure(let failure): return leadsOut(path) ? .outside : Self.place(failure)
    }
  }

  /// Whether neither a path nor any link on it leads where nobody may look.
  private func mayFollow(_ path: String) -> Bool {
    guard let sight else { return true }
    let way = Self.follow(path, while: { sight.mayLook($0.isEmpty ? "/" : $0) })
    guard case .refused(let place) = way else { return true }
    sight.refused.withLock { $0 = place }
    return false
  }

  /// What Linux follows in one path.
  private static let mostLinks = 40

  /// Whether a path that leads to nothing would leave the root, itself or by a link on its way.
  private func leadsOut(_ path: String) -> Bool {
    guard real != "/" else { return false }
    switch Self.follow(path, while: { covers($0) || isAbove($0) }) {
    case .refused: return true
    case .endless: return false
    case .end(let place): return !covers(place)
    }
  }

  /// What comes of following a path and the links on it.
  enum Way {
    case end(String)
    /// What was not to be looked at, with what was left of the path.
    case refused(String)
    case endless
  }

  /// Goes along a path, be there anything or not.
  ///
  /// - Parameter mayLook: asked of each place before it is looked at.
  static func follow(_ path: String, while mayLook: (String) -> Bool) -> Way {
    let path = path.begins(with: "/") ? path : FileModuleLoader.join(FileModuleLoader.normalized("."), path)
    var rest = parts(of: path)
    var (place, links) = ("", 0)
    // The system follows no longer one.
    while let part = rest.popLast(), place.utf8.count <= PATH_MAX {
      switch part {
      case ".": continue
      case "..": place = folderAbove(place)
      default: place += "/" + part
      }
      guard mayLook(place) else {
        // Where the way goes up again what lies below is another.
        let below = rest.contains("..") ? [] : rest.reversed()
        return .refused(FileModuleLoader.normalized(([Substring(place)] + below).joined(separator: "/")))
      }
      guard let target = target(ofLink: place) else { continue }
      links += 1
      guard links <= mostLinks else { return .endless }
      place = target.begins(with: "/") ? "" : folderAbove(place)
      rest += parts(of: target)
    }
    return .end(place)
  }

  /// Empty for the topmost.
  private static func folderAbove(_ place: String) -> String {
    place.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(place[..<$0]) } ?? ""
  }

  /// The last one first.
  private static func parts(of path: String) -> [Substring] {
    path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { Substring($0) }
  }

  private func isAbove(_ place: String) -> Bool {
    let folder = place + "/"
    return real.begins(with: folder) || named.begins(with: folder)
  }

  private static func target(ofLink path: String) -> String? {
    guard let path = SystemPath(path) else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      count = buffer.baseAddress.map { start in max(path.pass { readlink($0, start, buffer.count) }, 0) } ?? 0
    }
    return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
  }

  private static func place(_ failure: Failure) -> Place {
    [ENOENT, ENOTDIR].contains(failure.number) ? .missing : .unreachable(failure.reason)
  }

  func file(at path: String) -> String? {
    if case .file(let file) = place(of: path) { file } else { nil }
  }

  private struct Failure: Error {
    let number: CInt
    var reason: String { String(cString: strerror(number)) }
  }

  private static func withoutLinks(_ path: String) -> Result<String, Failure> {
    // Nothing has a name with a NUL character.
    guard let path = SystemPath(path) else { return .failure(Failure(number: ENOENT)) }
    guard let real = path.pass(to: { realpath($0, nil) }) else { return .failure(Failure(number: errno)) }
    defer { free(real) }
    // One that is not UTF-8 can be no module's key.
    return String(validatingCString: real).map(Result.success) ?? .failure(Failure(number: EILSEQ))
  }
}

/// What of the files below a root the scripts of a bridge may learn of.
struct ModuleSight: Sendable {
  /// Whether something is there.
  let mayLook: @Sendable (String) -> Bool
  /// What is in it.
  let mayRead: @Sendable (String) -> Bool
  /// The last place that was not to be looked at.
  let refused = Lock<String?>(nil)
  /// The first that kept a search from what it was for.
  let missed = Lock<String?>(nil)
}

/// Looks for the first of several paths that leads to a file.
struct FileSearch {
  enum Obstacle {
    case outside
    case unreachable(String, reason: String)
  }

  private let root: ModuleRoot
  /// What kept it from the first path of which more is to be said than that nothing is there.
  private(set) var obstacle: Obstacle?

  init(in root: ModuleRoot) { self.root = root }

  mutating func file(at paths: [String]) -> String? {
    for path in paths { if case .file(let file) = look(at: path) { return file } }
    return nil
  }

  mutating func isFolder(_ path: String) -> Bool {
    if case .folder = look(at: path) { true } else { false }
  }

  private mutating func look(at path: String) -> ModuleRoot.Place {
    let place = root.place(of: path)
    switch place {
    case .outside:
      obstacle = obstacle ?? .outside
      if let sight = root.sight, let refused = sight.refused.withLock({ $0 }) {
        sight.missed.withLock { $0 = $0 ?? refused }
      }
    case .unreachable(let reason):
      obstacle = obstacle ?? .unreachable(FileModuleLoader.normalized(path), reason: reason)
    case .file, .folder, .missing: break
    }
    return place
  }
}
