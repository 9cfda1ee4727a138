import EventLoop

/// A loader that asks whether files may be read.
package protocol PermittedModuleLoader: ModuleLoader {
  /// - Returns: the same, for the scripts of one bridge.
  func asking(_ gate: PermissionGate) -> any ModuleLoader
}

/// What of the files of modules the scripts of a bridge may import.
struct ImportPermissions: Sendable {
  let gate: PermissionGate
  /// What the main module imports by its text alone, before any of it has run, needs no permission if it is code in these folders, or of a
  /// package above: it is the program.
  private let program: [String]
  /// What is a part of it.
  private let code = Lock<Set<String>>([])

  init(_ gate: PermissionGate, program: [String]) {
    self.gate = gate
    // All that there is would be no program.
    self.program = program.map(PathGrant.withoutLinks).filter { $0 != "/" }
  }

  /// Asked before anybody looks whether there is anything, and of what was found.
  ///
  /// - Parameter path: absolute.
  func check(_ path: String, _ request: ModuleRequest) throws(PermissionError) {
    guard !gate.isOpen, !(request.isOfProgram && isOfProgram(path)) else { return }
    let files = Self.files(of: path).filter { gate.mayLook(.read, at: $0) }
    guard !files.isEmpty else {
      try gate.check(.read, path: path)
      return
    }
    for file in files { try checkWay(file) }
  }

  /// Links that lead out tell nothing of what is there.
  private func checkWay(_ path: String) throws(PermissionError) {
    for _ in 0..<Self.mostQuestions {
      let way = ModuleRoot.follow(path) { place in gate.mayLook(.read, at: place.isEmpty ? "/" : place) }
      guard case .refused(let place) = way else { return }
      try gate.demand(PermissionRequest(.read, place))
    }
    throw gate.error(PermissionRequest(.read, path))
  }

  /// What a search for a module may look at: what is granted, the program, and what leads there.
  var sight: ModuleSight? {
    guard !gate.isOpen else { return nil }
    return ModuleSight(
      mayLook: { path in
        isOfProgram(path) || gate.mayLook(.read, at: path)
          || program.contains { folder in
            PathGrant.lies(folder, in: path)
              || FileModuleLoader.lastPart(of: path) == "node_modules"
                && PathGrant.lies(folder, in: FileModuleLoader.parent(of: path))
          }
      }, mayRead: { isOfProgram($0) || gate.covers(.read, $0) })
  }

  /// Asks for what kept a search from what it was for, and has it begin anew.
  func search<Found>(_ sight: ModuleSight?, _ find: () throws(BridgeError) -> Found) throws -> Found {
    for _ in 0..<Self.mostQuestions {
      sight?.missed.withLock { $0 = nil }
      do throws(BridgeError) { return try find() } catch {
        guard let missed = sight?.missed.withLock({ $0 }) else { throw error }
        try gate.demand(PermissionRequest(.read, missed))
      }
    }
    return try find()
  }

  private static let mostQuestions = 8

  /// What a path may stand for.
  private static func files(of path: String) -> [String] {
    let path = String(Substring(path.utf8.dropLast(FileModuleLoader.suffix(of: path).utf8.count)))
    let stem = String(Substring(path.utf8.dropLast(FileModuleLoader.fileExtension(of: path).utf8.count)))
    let others = ["js", "cjs", "json", "ts", "mts", "cts", "tsx", "jsx"]
    return [path] + others.flatMap { ["\(path).\($0)", stem + $0] }
  }

  /// - Parameter key: of a file that was found, without links.
  func checkFound(_ key: String, _ request: ModuleRequest) throws(PermissionError) {
    guard !gate.isOpen else { return }
    if request.isOfProgram, isOfProgram(key), Self.isCode(key) {
      code.withLock { _ = $0.insert(key) }
    } else {
      try gate.check(.read, path: key)
    }
  }

  /// Whatever else can be read as code may be there for its content.
  private static func isCode(_ path: String) -> Bool {
    ["js", "mjs", "cjs", "ts", "mts", "cts", "tsx", "jsx", "json"].contains(FileModuleLoader.fileExtension(of: path))
  }

  /// - Parameter isData: scripts see its text as it is.
  func checkRead(_ path: String, isData: Bool) throws(PermissionError) {
    guard !gate.isOpen, isData || !code.withLock({ $0.contains(path) }) else { return }
    try gate.check(.read, path: path)
  }

  /// Without asking anybody.
  func mayRead(_ path: String) -> Bool {
    gate.isOpen || isOfProgram(path) || gate.covers(.read, PathGrant.withoutLinks(path))
  }

  private func isOfProgram(_ path: String) -> Bool {
    for folder in program {
      if PathGrant.lies(path, in: folder) { return true }
      var above = folder
      while above != "/" {
        above = FileModuleLoader.parent(of: above)
        if PathGrant.lies(path, in: FileModuleLoader.join(above, "node_modules")) { return true }
        // What they say holds for all below.
        for name in ["package.json", "tsconfig.json"]
        where path.utf8.elementsEqual(FileModuleLoader.join(above, name).utf8) {
          return true
        }
      }
    }
    return false
  }
}

extension FileModuleLoader: PermittedModuleLoader {
  package func asking(_ gate: PermissionGate) -> any ModuleLoader {
    guard !gate.isOpen else { return self }
    var loader = self
    loader.permissions = ImportPermissions(gate, program: program)
    loader.root.sight = loader.permissions.sight
    return loader
  }
}
