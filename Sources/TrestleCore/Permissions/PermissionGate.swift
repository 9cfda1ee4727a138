import EventLoop
import Glibc
import JSON

/// What everything asks that a script has done by native code: one for each bridge. From any thread.
package final class PermissionGate: Sendable {
  /// Nothing is ever refused.
  package let isOpen: Bool
  private let permissions: Permissions
  private let paths: [Permissions.Kind: PathGrant]
  private let names: [Permissions.Kind: [String]]
  /// Of the bridge that started this one.
  private let parent: PermissionGate?
  /// What was granted since.
  private let added = Lock<[Permissions.Kind: Added]>([:])
  /// One question at a time, and what was answered.
  private let asking = Lock<[PermissionRequest: Bool]>([:])

  /// For who asks where there is no bridge.
  package static let open = PermissionGate(.all)

  package init(_ permissions: Permissions, within parent: PermissionGate? = nil) {
    self.permissions = permissions
    self.parent = parent?.isOpen == true ? nil : parent
    isOpen = permissions.isAll && self.parent == nil
    names = [.run: Self.names(permissions.run), .environment: Self.names(permissions.environment)]
    paths = isOpen ? [:] : permissions.paths ?? PathGrant.all(of: permissions)
  }

  /// Those with a slash are paths.
  private static func names(_ grant: Permissions.Grant) -> [String] {
    guard case .only(let names) = grant else { return [] }
    return names.map { $0.utf8.contains(UInt8(ascii: "/")) ? FileModuleLoader.normalized($0) : $0 }
  }

  private struct Added {
    var paths = PathGrant(.none)
    var names: [String] = []
  }

  // MARK: Paths

  /// Whether a path may be used so.
  ///
  /// - Parameters:
  ///   - path: absolute, without links, `.` and `..`.
  ///   - isOfKernel: as far as that is known from elsewhere than its name.
  package func covers(_ kind: Permissions.Kind, _ path: String, isOfKernel: Bool = false) -> Bool {
    if isOpen { return true }
    guard parent?.covers(kind, path, isOfKernel: isOfKernel) != false else { return false }
    return paths[kind]?.covers(path, isOfKernel: isOfKernel) == true
      || added.withLock { $0[kind]?.paths.covers(path, isOfKernel: isOfKernel) == true }
  }

  /// Whether a script may learn what is at a path: it is covered, or on the way to what is.
  package func mayLook(_ kind: Permissions.Kind, at path: String) -> Bool {
    if isOpen { return true }
    guard parent?.mayLook(kind, at: path) != false else { return false }
    return paths[kind]?.isOnTheWay(path) == true || added.withLock { $0[kind]?.paths.isOnTheWay(path) == true }
  }

  /// Whether a path is, or has below it, what was granted by its name when the bridge opened, or a link that this goes by.
  package func holdsGrant(_ path: String) -> Bool {
    paths.values.contains { $0.goes(by: path) } || parent?.holdsGrant(path) == true
  }

  /// What may read and write all may have links lead anywhere: who comes later follows them.
  package var mayMakeLinks: Bool { isOpen || covers(.read, "/") && covers(.write, "/") }

  package func checkMayMakeLinks() throws(PermissionError) {
    for kind: Permissions.Kind in [.read, .write] { try check(kind, path: "/") }
  }

  /// What was granted stays what and where it is, be there anything or not: a later run follows what stands in its place. Nobody is asked,
  /// as it would be for everything.
  ///
  /// - Parameter path: of what is to go; absolute and without links.
  package func checkHoldsNoGrant(_ path: String) throws(PermissionError) {
    guard holdsGrant(path) else { return }
    for kind: Permissions.Kind in [.read, .write] where !covers(kind, "/") {
      throw error(PermissionRequest(kind, "/"))
    }
  }

  /// For what has been found out without telling anything of it.
  ///
  /// - Parameter path: absolute, without links, `.` and `..`.
  package func check(_ kind: Permissions.Kind, path: String) throws(PermissionError) {
    if !covers(kind, path) { try demand(PermissionRequest(kind, path)) }
    // What was granted may have come from a path that leads elsewhere by now.
    guard covers(kind, path) else { throw error(PermissionRequest(kind, path)) }
  }

  // MARK: Names

  /// - Parameter name: of a program, or of a variable.
  package func covers(_ kind: Permissions.Kind, name: String) -> Bool {
    guard parent?.covers(kind, name: name) != false else { return false }
    guard case .only = permissions[kind] else { return true }
    // By bytes: the system knows no other likeness of names.
    return (names[kind, default: []] + added.withLock { $0[kind]?.names ?? [] }).contains {
      $0.utf8.elementsEqual(name.utf8)
    }
  }

  package func check(_ kind: Permissions.Kind, name: String) throws(PermissionError) {
    if !covers(kind, name: name) { try demand(PermissionRequest(kind, name)) }
  }

  /// Whether all of a kind is granted.
  package func grantsAll(_ kind: Permissions.Kind) -> Bool {
    permissions[kind] == .all && parent?.grantsAll(kind) != false
  }

  // MARK: What is refused

  /// Has what is refused granted.
  ///
  /// - Throws: if nobody grants it.
  package func demand(_ request: PermissionRequest) throws(PermissionError) {
    guard permissions.onRefusal != nil || parent == nil else {
      try parent?.demand(request)
      return
    }
    // Nobody is asked about a path that can be none: it would be a long question.
    let mayBe = !request.isOfPath || request.subject.utf8.count < Int(PATH_MAX)
    guard let onRefusal = permissions.onRefusal, mayBe else { throw error(request) }
    let isGranted = asking.withLock { answers in
      // Nobody is asked the same again; somebody else may have waited for that very answer.
      if let answer = answers[request] { return answer }
      var question = request
      if request.isOfPath {
        let real = PathGrant.withoutLinks(request.subject)
        question.destination = real == request.subject ? nil : real
      }
      let answer = onRefusal(question)
      answers[request] = answer
      if answer { add(question) }
      return answer
    }
    guard isGranted else { throw error(request) }
  }

  private func add(_ request: PermissionRequest) {
    added.withLock { added in
      if request.isOfPath {
        added[request.kind, default: Added()].paths.add(
          request.subject, real: request.destination ?? request.subject)
      } else {
        added[request.kind, default: Added()].names.append(request.subject)
      }
    }
  }

  package func error(_ request: PermissionRequest) -> PermissionError {
    let advice = permissions.advice ?? parent?.permissions.advice
    return PermissionError(request, advice: advice?(request))
  }
}

/// Which paths are granted.
package struct PathGrant: Sendable {
  private var isAll = false
  /// What the host has named, absolute.
  private var named: [String] = []
  /// The same without links.
  private var real: [String] = []
  /// Those that lie in the kernel's file systems, wherever these are mounted.
  private var kernels: [String] = []
  /// The links that lead there, and where they end: each in the folder that it really is in.
  private var steps: [String] = []

  var json: JSONValue { .array([named, real, steps].map { .array($0.map { .string($0) }) }) }

  init?(_ json: JSONValue, isAll: Bool) {
    let lists = json.array?.map { $0.array?.compactMap(\.string) ?? [] }
    guard let lists, lists.count == 3, lists[0].count == lists[1].count else { return nil }
    (self.isAll, named, real, steps) = (isAll, lists[0], lists[1], lists[2])
    kernels = real.filter(Self.isOfKernel)
  }

  /// Those of each kind; of programs those that are granted by their paths.
  static func all(of permissions: Permissions) -> [Permissions.Kind: PathGrant] {
    var grants = [Permissions.Kind.read: PathGrant(permissions.read), .write: PathGrant(permissions.write)]
    if case .only(let programs) = permissions.run {
      grants[.run] = PathGrant(.only(programs.filter { $0.utf8.contains(UInt8(ascii: "/")) }))
    }
    return grants
  }

  init(_ grant: Permissions.Grant) {
    switch grant {
    case .all: isAll = true
    case .only(let paths): for path in paths { add(path) }
    }
  }

  /// An empty path is none: it would be the working folder.
  mutating func add(_ path: String) {
    guard !path.isEmpty, !path.utf8.contains(0) else { return }
    let place = path.begins(with: "/") ? path : FileModuleLoader.join(FileModuleLoader.normalized("."), path)
    add(FileModuleLoader.normalized(place), real: Self.withoutLinks(place))
    steps += Self.steps(of: place)
  }

  mutating func add(_ path: String, real: String) {
    named.append(path)
    self.real.append(real)
    if Self.isOfKernel(real) { kernels.append(real) }
  }

  private static func isOfKernel(_ path: String) -> Bool {
    if kernelFolders.contains(where: { lies(path, in: $0) }) { return true }
    let descriptor = open(path, LinuxFile.pathOnly | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return KernelFiles.contain(descriptor)
  }

  /// Of what is not there yet, those on the way to it are followed. A path of so many names asks the system a few times, not once each.
  package static func withoutLinks(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let parts = FileModuleLoader.normalized(path).utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    // So many of its folders are there, and no more.
    var (there, missing, real) = (0, parts.count, "/")
    while missing - there > 1 {
      let middle = (there + missing) / 2
      if let found = realpath("/" + parts[..<middle].joined(separator: "/"), nil) {
        real = String(cString: found)
        free(found)
        there = middle
      } else {
        missing = middle
      }
    }
    return FileModuleLoader.join(real, parts[there...].joined(separator: "/"))
  }

  private static func steps(of path: String) -> [String] {
    func names(_ path: String) -> [String] {
      path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }.reversed()
    }
    // The next one last.
    var (left, folder, steps) = (names(path), "/", [String]())
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    while let name = left.popLast() {
      if name == ".." {
        folder = FileModuleLoader.parent(of: folder)
        continue
      }
      let place = FileModuleLoader.join(folder, name)
      let count = readlink(place, &buffer, buffer.count - 1)
      guard count > 0 else {
        folder = place
        continue
      }
      steps.append(place)
      // As many as Linux follows.
      guard steps.count <= 40 else { break }
      let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if target.begins(with: "/") { folder = "/" }
      left += names(target)
    }
    return steps + [folder]
  }

  /// - Parameter path: absolute and without links.
  func goes(by path: String) -> Bool { (named + real + steps).contains { Self.lies($0, in: path) } }

  /// - Parameter path: absolute and without links.
  func covers(_ path: String, isOfKernel: Bool) -> Bool {
    guard path.begins(with: "/") else { return false }
    let isOfKernel = isOfKernel || Self.kernelFolders.contains { Self.lies(path, in: $0) }
    // The kernel's are granted by their names, not with a folder in which they are mounted.
    if isOfKernel { return kernels.contains { Self.lies(path, in: $0) } }
    return isAll || real.contains { Self.lies(path, in: $0) }
  }

  func isOnTheWay(_ path: String) -> Bool {
    covers(path, isOfKernel: false)
      || (named + real).contains { $0 != "/" && Self.lies(path, in: $0) || Self.lies($0, in: path) }
  }

  private static let kernelFolders = ["/proc", "/sys"]

  /// By whole names, and by bytes: the system knows no other likeness of names.
  static func lies(_ path: String, in folder: String) -> Bool {
    guard path.begins(with: folder) else { return false }
    let rest = path.utf8.dropFirst(folder.utf8.count)
    return folder == "/" || rest.isEmpty || rest.first == UInt8(ascii: "/")
  }
}
