import Testing

@testable import TrestleCore

/// Synchronous methods that run JavaScript, which calls synchronous methods.
@Suite struct SynchronousCycleTests {
  private struct Caller: Sendable {
    let context: BridgeContext

    func run(_ script: String) throws {
      guard let bridge = context.bridge.value else { throw BridgeError(.closed, "the bridge is closed") }
      try bridge.assumeIsolated { try $0.evaluate(script) }
    }
  }

  private let caller = ModuleDefinition("Caller", make: Caller.init) {
    Member<Caller>.sync("ping") { caller in try caller.run("NativeModules.Caller.pong()") }
    Member<Caller>.sync("pong") { caller in try caller.run("NativeModules.Caller.ping()") }
    Member<Caller>.sync("countdown", "from") { (caller, from: Int) in
      if from > 0 { try caller.run("NativeModules.Caller.countdown(\(from - 1))") }
      return from
    }
  }

  @Test(arguments: Wire.allCases) func aCycleIsAnErrorThatNamesIt(wire: Wire) async throws {
    try await withBridge([caller], wire: wire) { bridge, _ in
      let text = try await bridge.evaluate(
        "try { NativeModules.Caller.ping() } catch (error) { `${error.code} ${error.message}` }", as: String.self)
      #expect(
        text
          == "ERR_LIMIT Caller.pong: synchronous calls 100 deep, each from a script that the one before runs: Caller.pong → Caller.ping → Caller.pong"
      )
      // The bridge is as before.
      let last = try await bridge.evaluate("NativeModules.Caller.countdown(0)", as: Int.self)
      #expect(last == 0)
    }
  }

  @Test(arguments: Wire.allCases) func nestingThatEndsIsFine(wire: Wire) async throws {
    try await withBridge([caller], wire: wire) { bridge, _ in
      for _ in 0..<3 {
        let first = try await bridge.evaluate("NativeModules.Caller.countdown(90)", as: Int.self)
        #expect(first == 90)
      }
    }
  }
}
