import Dispatch
import EventLoop
import Glibc
import TestSupport
import Testing
import TrestleReactNative

@testable import TrestleCore

typealias Wire = BridgeConfiguration.Wire

/// Opens a bridge, and closes it after `body`, which it must let happen. What goes to `onError` is collected.
func withBridge<Result: Sendable>(
  _ definitions: [ModuleDefinition], wire: Wire = .shared, _ configure: (inout BridgeConfiguration) -> Void = { _ in },
  _ body: (Bridge, ErrorLog) async throws -> Result
) async throws -> Result {
  var configuration = BridgeConfiguration()
  let log = ErrorLog()
  configuration.wire = wire
  configuration.onError = { error in log.append(error) }
  configure(&configuration)
  let bridge = try await Bridge(modules: .definitions(definitions), configuration: configuration)
  let result: Swift.Result<Result, any Error>
  do { result = .success(try await body(bridge, log)) } catch { result = .failure(error) }
  let hasClosed = await bridge.close(within: patience)
  #expect(hasClosed)
  return try result.get()
}

final class ErrorLog: Sendable {
  private let errors = Lock<[any Error]>([])

  func append(_ error: any Error) { errors.withLock { $0.append(error) } }
  var all: [any Error] { errors.withLock { $0 } }
  var texts: [String] { all.map { "\($0)" } }
}

/// What a script left under `globalThis[name]`, once it is there: the condition of a test that waits.
func awaitGlobal<Value: BridgeDecodable>(_ name: String, of bridge: Bridge, as: Value.Type) async throws -> Value {
  let deadline = ContinuousClock.now + patience
  while ContinuousClock.now < deadline {
    if let value = try await bridge.evaluate("globalThis[\"\(name)\"]", as: Value?.self) { return value }
    try await Task.sleep(for: .milliseconds(2))
  }
  throw BridgeError(.notFound, "globalThis.\(name) did not come")
}

/// A module without state, for definitions that need an instance of something.
struct Nothing: Sendable {}

/// A thread that runs `body` once.
enum Thread {
  static func detach(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: body)
  }
}

/// How many objects the script's registry has counted in `collected`, once there are so many: the condition of a test that
/// waits.
func awaitCollection(of count: Int, in bridge: Bridge) async throws -> Int {
  let deadline = ContinuousClock.now + patience
  var collected = 0
  while collected < count, ContinuousClock.now < deadline {
    try await bridge.withContext { $0.collectGarbage() }
    try await Task.sleep(for: .milliseconds(5))
    collected = try await bridge.evaluate("collected", as: Int.self)
  }
  return collected
}
