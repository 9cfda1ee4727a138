import EventLoop
import Foundation
import TestSupport
import Testing
import Trestle
import TrestleModules

/// A bridge with the standard modules whose console is kept.
struct ModuleBridge {
  /// What a console was told.
  struct Line: Equatable, Sendable {
    var isError: Bool
    var text: String
  }

  let bridge: Bridge
  private let lines: Lock<[Line]>
  private let errors: Lock<[String]>

  init(
    _ modules: ModuleSelection = .none, capabilities: Set<Capability> = [], wire: BridgeConfiguration.Wire = .shared,
    _ configure: (inout BridgeConfiguration) -> Void = { _ in }
  ) async throws {
    let lines = Lock<[Line]>([])
    let errors = Lock<[String]>([])
    var configuration = BridgeConfiguration()
    configuration.capabilities = capabilities
    configuration.wire = wire
    configuration.onError = { error in
      errors.withLock {
        $0.append((error as? JavaScriptError)?.message ?? "\(error)")
      }
    }
    let output = ConsoleOutput { stream, text in
      lines.withLock { $0.append(Line(isError: stream == .error, text: text)) }
    }
    configure(&configuration)
    bridge = try await Bridge(
      modules: .definitions([.console(to: output), .timers, .web]) + modules, configuration: configuration)
    self.lines = lines
    self.errors = errors
  }

  /// Runs a script until nothing is left to do.
  func run(_ script: String) async throws {
    try await bridge.evaluate(script, sourceURL: "test.js")
    await bridge.waitUntilIdle()
  }

  var all: [Line] { lines.withLock { $0 } }
  /// What was written to the standard output, as one text.
  var output: String { all.filter { !$0.isError }.map(\.text).joined() }
  /// What `onError` was told.
  var uncaught: [String] { errors.withLock { $0 } }

  /// What `console.log` writes of the expressions of `arguments`, without the line's end.
  static func logged(_ arguments: String) async throws -> String {
    let bridge = try await ModuleBridge()
    try await bridge.run("console.log(\(arguments))")
    await bridge.bridge.close()
    #expect(bridge.uncaught == [])
    return String(bridge.output.dropLast())
  }

  /// What an asynchronous function of that body logs, line by line; where it fails also the error's name and message.
  static func lines(of body: String) async throws -> [String] {
    let bridge = try await ModuleBridge()
    try await bridge.run("(async () => { \(body) })().catch((error) => console.log(error.name, error.message))")
    #expect(bridge.uncaught == [])
    await bridge.bridge.close()
    return bridge.output.split(separator: "\n").map(String.init)
  }
}

/// Runs the body of an async function that has `Files` and a folder of its own, `folder`; gives what it returns, as text.
///
/// - Parameter meanwhile: is called with the folder once the script has told its answer; the bridge is closed behind that.
func filesResult(
  of body: String, meanwhile: (_ folder: String) async throws -> Void = { _ in }
) async throws -> String {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let bridge = try await ModuleBridge(.files, capabilities: [.files])
  let script = """
    (async () => { const { Files } = NativeModules, folder = '\(folder)'; \(body) })()
      .then(value => JSON.stringify(value), error => error.message)
    """
  let text = try await bridge.bridge.evaluate(script, as: String.self)
  try await meanwhile(folder)
  await bridge.bridge.close()
  return text
}

extension ModuleDefinition {
  /// Gives scripts `isForeign`.
  static var foreignCheck: ModuleDefinition {
    var script = ModuleScript(sourceURL: "foreign.js") {
      "(module, border) => { border.define(border.intrinsics.globalThis, 'isForeign', \(TestSupport.foreignCheck), true); }"
    }
    script.realm = .own
    return ModuleDefinition("A", script: script)
  }
}
