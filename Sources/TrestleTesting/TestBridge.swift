import EventLoop
import TrestleCore

/// A real bridge in a test, with what its `onError` was told and what went over its queue.
///
/// ```swift
/// try await withTestBridge(.definitions([Files.moduleDefinition])) { test in
///   #expect(try await test.bridge.evaluate("NativeModules.Files.exists('/')", as: Bool.self))
///   #expect(test.queue.lines == [#"Files.exists("/")"#, "Files.exists → true"])
///   #expect(test.errors.isEmpty)
/// }
/// ```
public struct TestBridge: Sendable {
  public let bridge: Bridge
  public let queue: QueueSpy
  private let log: ErrorLog

  /// - Parameter configuration: its `onError` is called too.
  public init(_ modules: ModuleSelection, configuration: BridgeConfiguration = BridgeConfiguration()) async throws {
    var configuration = configuration
    let (queue, log, onError) = (QueueSpy(), ErrorLog(), configuration.onError)
    configuration.observers.append(queue)
    configuration.onError = { error in
      log.errors.withLock { $0.append(error) }
      onError(error)
    }
    bridge = try await Bridge(modules: modules, configuration: configuration)
    (self.queue, self.log) = (queue, log)
  }

  /// What `onError` was told so far.
  public var errors: [any Error] { log.errors.withLock { $0 } }
  /// The same in words.
  public var errorTexts: [String] { errors.map { "\($0)" } }

  /// Runs a script and all that comes of it, until nothing is left to do.
  public func run(_ script: String, sourceURL: String? = nil) async throws {
    try await bridge.evaluate(script, sourceURL: sourceURL)
    await bridge.waitUntilIdle()
  }

  private final class ErrorLog: Sendable {
    let errors = Lock<[any Error]>([])
  }
}

/// Opens a bridge for `body` and closes it afterwards, however `body` ends.
///
/// - Throws: what opening the bridge or `body` throws.
public func withTestBridge<Result: Sendable>(
  _ modules: ModuleSelection, configuration: BridgeConfiguration = BridgeConfiguration(),
  _ body: (TestBridge) async throws -> Result
) async throws -> Result {
  let test = try await TestBridge(modules, configuration: configuration)
  do {
    let result = try await body(test)
    await test.bridge.close()
    return result
  } catch {
    await test.bridge.close()
    throw error
  }
}
