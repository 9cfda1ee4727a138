import EventLoop
import Foundation
import Testing
import Trestle
import TrestleReactNative

/// A bridge on React Native's wire, booted by the example's `core.js`.
struct ReactNativeCore {
  let bridge: Bridge
  private let lines: Lock<[String]>
  private let errors: Lock<[any Error]>

  init(
    _ table: ModuleTable = .none, modules: [ModuleDefinition] = [], startingWith script: String = ""
  ) async throws {
    let lines = Lock<[String]>([])
    let errors = Lock<[any Error]>([])
    var configuration = BridgeConfiguration()
    configuration.wire = .reactNative(moduleTable: table) { level, text in
      lines.withLock { $0.append(level == .info ? text : "\(level) \(text)") }
    }
    configuration.onError = { error in errors.withLock { $0.append(error) } }
    bridge = try await Bridge(modules: .reactNative + .definitions(modules), configuration: configuration)
    self.lines = lines
    self.errors = errors
    try await bridge.evaluate(script)
    try await bridge.evaluate(file: Self.file)
  }

  private static let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("examples/react-native/core.js").path

  /// Runs a script until nothing is left to do.
  func run(_ script: String) async throws {
    try await bridge.evaluate(
      "(() => { const {NativeModules, NativeEventEmitter, DeviceEventEmitter, BatchedBridge} = ReactNative; \(script) })()",
      sourceURL: "test.js")
    await bridge.waitUntilIdle()
  }

  /// What was logged, the level before all but `info`.
  var output: [String] { lines.withLock { $0 } }
  /// What `onError` was told.
  var reported: [any Error] { errors.withLock { $0 } }
  var exceptions: [ReportedException] { reported.compactMap { $0 as? ReportedException } }

  /// Runs a script on a bridge of its own.
  /// - Returns: what it logged, if nothing went wrong.
  static func output(
    _ table: ModuleTable = .none, modules: [ModuleDefinition] = [], of script: String
  ) async throws -> [String] {
    let core = try await ReactNativeCore(table, modules: modules)
    try await core.run(script)
    await core.bridge.close()
    #expect(core.reported.map { "\($0)" } == [])
    return core.output
  }
}
