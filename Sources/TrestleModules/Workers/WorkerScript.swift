import Trestle

/// What a worker runs: a script, or a module where its bridge loads any.
struct WorkerScript: Sendable {
  private let script: Script
  /// What modules are called that import from it, and what its name says of its kind; nil where none are loaded.
  private let main: (key: String, source: ModuleSource)?

  private static let longestName = 100

  /// - Parameter folder: where code that is no file imports from.
  init(
    _ script: Script, isFile: Bool, folder: String, in configuration: BridgeConfiguration, _ gate: PermissionGate
  ) throws(BridgeError) {
    self.script = script
    guard configuration.moduleLoader != nil, configuration.wire == .shared else {
      main = nil
      return
    }
    // As much of its name as one reads: a script may give it any.
    let name = script.name.unicodeScalars.prefix(Self.longestName).map { $0 == "/" ? "_" : String($0) }.joined()
    let named = isFile ? script : Script(code: script.text, name: folder + "/" + name)
    main = try FileModuleLoader.main(named, isFile: isFile, gate, isProgram: false)
  }

  /// Has the worker's modules find it.
  func add(to configuration: inout BridgeConfiguration, _ sources: LoadedSources?) {
    guard let main, var loader = configuration.moduleLoader else { return }
    // It is not what somebody has run: a script has chosen it.
    if var files = loader as? FileModuleLoader {
      files.program = []
      loader = files
    }
    sources?.add(Script(code: script.text, name: main.key))
    configuration.moduleLoader = MainModuleLoader(key: main.key, source: main.source, others: loader)
  }

  /// Returns once it has run.
  ///
  /// - Throws: what it throws; `unsettled` where it waits for what only a message can bring.
  func run(on bridge: Bridge) async throws {
    guard let main else {
      try await bridge.evaluate(script.text, sourceURL: script.name)
      return
    }
    if try await bridge.runUnlessModule(script, main.source) { return }
    do { try await bridge.importMain(main.key) } catch let error as BridgeError where error.code == .unsettled {
      throw BridgeError(
        .unsettled, "an await at the top level waits for what nothing is left to do, and nothing listens to messages",
        at: script.name)
    }
  }
}

/// Loads what another loader does, and one module that is there already.
private struct MainModuleLoader: PermittedModuleLoader {
  let key: String
  let source: ModuleSource
  let others: any ModuleLoader

  func asking(_ gate: PermissionGate) -> any ModuleLoader {
    guard let others = others as? any PermittedModuleLoader else { return self }
    return MainModuleLoader(key: key, source: source, others: others.asking(gate))
  }

  func resolve(_ request: ModuleRequest) throws -> String {
    request.referrer == nil && request.specifier == key ? key : try others.resolve(request)
  }

  func load(_ key: String, type: String?) throws -> ModuleSource {
    key == self.key && type == nil ? source : try others.load(key, type: type)
  }

  func loadSourceMap(_ url: String, of key: String) -> String? { others.loadSourceMap(url, of: key) }
}
