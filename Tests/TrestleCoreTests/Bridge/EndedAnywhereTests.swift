import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// A limit may end a turn at any point, of the runtime's own code too, and again and again: what is begun there is done or undone,
/// and the engine still runs promises.
@Suite(.serialized) struct EndedAnywhereTests {
  @Test(arguments: Wire.allCases) func everythingWorksAfterwards(wire: Wire) async throws {
    let lab = Lab()
    try await withBridge([lab.module], wire: wire) { bridge, _ in
      try await bridge.evaluate(Lab.exercise)
      for round in 0..<150 {
        try await bridge.setLimits(ExecutionLimits(time: .milliseconds(1)))
        // Turns may all be shorter than that: then one of them is made longer. What is left of a round goes on without limits.
        await #expect(throws: BridgeError.self) {
          try await bridge.evaluate(
            """
            globalThis.round = \(round);
            for (let i = 0; i < \(round * 131 % 4001); i++);
            (async left => {
              while (globalThis.round === \(round)) {
                await exercise(NativeModules.Lab);
                if (left-- <= 0) for (const end = Date.now() + 100; Date.now() < end;);
                globalThis.registry = new FinalizationRegistry(() => {});
                registry.register({});
              }
            })(\(round % 8))
            """, as: String.self)
        }
        try await bridge.setLimits(nil)
        _ = lab.kept.withLock { $0.take() }
        let text = try await bridge.evaluate("exercise(NativeModules.Lab)", as: String.self)
        #expect(text == Lab.exerciseResult, "round \(round)")
        #expect(try await lab.kept.withLock { $0.take() }?(4) == 5, "round \(round)")
      }
    }
  }
}
