import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// When calls go over.
@Suite struct FlushTests {
  private let bridge = Lock<Bridge?>(nil)
  private let numbers = Lock<[Int]>([])

  private var module: ModuleDefinition {
    ModuleDefinition("Flush", make: { _ in Nothing() }) { [bridge, numbers] in
      Member<Nothing>._method("arrive", .void, [Parameter("number", Int.self)]) { _ in
        { (call) throws(ConversionError) in
          let number = try call.next(Int.self)
          call.complete {
            numbers.withLock { $0.append(number) }
            // Tells the script that is still running.
            try bridge.withLock { $0 }?.assumeIsolated { try $0.evaluate("globalThis.arrived = \(number)") }
          }
        }
      }
    }
  }

  private func evaluate<Value: BridgeDecodable & Sendable>(
    _ script: String, wire: Wire, as: Value.Type
  ) async throws -> Value {
    try await withBridge([module], wire: wire) { bridge, log in
      self.bridge.withLock { $0 = bridge }
      defer { self.bridge.withLock { $0 = nil } }
      let value = try await bridge.evaluate(script, as: Value.self)
      #expect(log.texts == [])
      return value
    }
  }

  /// Native code is told while the script that calls it goes on and on. Few calls: they never fill the buffer.
  @Test(arguments: Wire.allCases) func aLongScriptsCallsGoOverMeanwhile(wire: Wire) async throws {
    let script = """
      for (let i = 0, last = 0; i < 1000 && globalThis.arrived === undefined;) {
        if (Date.now() - last < 20) continue;
        last = Date.now();
        i++;
        NativeModules.Flush.arrive(1);
      }
      globalThis.arrived
      """
    #expect(try await evaluate(script, wire: wire, as: Int?.self) == 1)
  }

  @Test(arguments: Wire.allCases) func aScriptFlushesOnRequest(wire: Wire) async throws {
    let script = """
      NativeModules.Flush.arrive(1);
      NativeModules.Flush.arrive(2);
      trestle.flush();
      globalThis.arrived
      """
    #expect(try await evaluate(script, wire: wire, as: Int?.self) == 2)
  }

  @Test(arguments: Wire.allCases) func whatMicrotasksCallGoesOverInTheSameTurn(wire: Wire) async throws {
    let script = """
      (async () => { for (let i = 0; i < 20; i++) { await null; NativeModules.Flush.arrive(i); } })();
      0
      """
    _ = try await evaluate(script, wire: wire, as: Int.self)
    #expect(numbers.withLock { $0 } == Array(0..<20))
  }
}
