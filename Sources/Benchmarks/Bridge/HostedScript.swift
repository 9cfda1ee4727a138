import EventLoop
import JSEngine
import Trestle

/// A bridge on the main thread and the JavaScript that drives it.
struct HostedScript {
  let bridge: Bridge
  let loop = Loop()

  init(
    modules: ModuleSelection, script: String, configuration: BridgeConfiguration = BridgeConfiguration()
  ) throws {
    bridge = try Bridge.hosted(on: loop, modules: modules, configuration: configuration)
    try bridge.assumeIsolated { bridge in try bridge.evaluate(script, sourceURL: "bench.js") }
  }

  func close() { bridge.assumeIsolated { $0.shutDown() } }

  /// Calls a global function, and lets the bridge do what comes of it on this thread.
  func call(_ function: String, _ arguments: Int...) {
    bridge.assumeIsolated { bridge in
      do {
        try bridge.withContext { context in
          let function = JSFunction(try context.globalObject.get(function))
          try function?.call(arguments.map { context.number(Double($0)) })
        }
      } catch { print("\(function): \(error)") }
    }
  }

  /// Calls a global function, and runs the loop until the promise that it returns is settled.
  func await(_ function: String, _ arguments: Int...) {
    let list = arguments.map(String.init).joined(separator: ", ")
    run { [bridge] in _ = try await bridge.evaluate("\(function)(\(list)).then(() => 1)", as: Int.self) }
  }

  /// Runs the loop until `body` has returned.
  func run(_ body: @escaping @Sendable () async throws -> Void) {
    let isDone = Lock(false)
    Task { [loop] in
      do { try await body() } catch { print(error) }
      isDone.withLock { $0 = true }
      loop.perform {}
    }
    while !isDone.withLock({ $0 }) { loop.iterate(waiting: true) }
  }
}
