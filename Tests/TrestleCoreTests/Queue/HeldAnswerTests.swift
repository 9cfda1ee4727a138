import Dispatch
import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// Answers of a batch that cross together.
@Suite struct HeldAnswerTests {
  private final class Gate: Sendable {
    let executor = ModuleExecutor()
    let isOpen = DispatchSemaphore(value: 0)
  }

  private let gate = ModuleDefinition("Gate", home: { .executor($0.executor) }, make: { _ in Gate() }) {
    Member<Gate>.promiseAtHome("quick", "number") { (_, number: Int) in number }
    Member<Gate>.promiseAtHome("wait") { gate in
      gate.isOpen.wait(timeout: .now() + .seconds(120)) == .success ? "opened" : "not opened"
    }
    Member<Gate>.void("open") { gate in _ = gate.isOpen.signal() }
  }

  /// The call behind it in its batch ends only when the first answer has come.
  @Test(arguments: Wire.allCases) func anAnswerDoesNotWaitForASlowCall(wire: Wire) async throws {
    try await withBridge([gate], wire: wire) { bridge, log in
      let answers = try await bridge.evaluate(
        """
        const {Gate} = NativeModules;
        Promise.all([Gate.quick(1).then(n => { Gate.open(); return n; }), Gate.wait(), Gate.quick(2)])
        """, as: JSONValue.self)
      #expect(answers == .array([.integer(1), .string("opened"), .integer(2)]))
      #expect(log.texts == [])
    }
  }

  /// The same again and again, with answers that come while earlier ones are handed over.
  @Test func batchesWithoutEndAreAnswered() async throws {
    try await withBridge([gate]) { bridge, log in
      let sum = try await bridge.evaluate(
        """
        (async () => {
          const {Gate} = NativeModules;
          let sum = 0;
          for (let round = 0; round < 300; round++) {
            const calls = [];
            for (let i = 0; i < 1 + round % 7; i++) calls.push(Gate.quick(1).then(n => { sum += n; return Gate.quick(n); }));
            if (round % 10 === 0) calls.push(Gate.quick(1).then(() => Gate.open()), Gate.wait());
            await Promise.all(calls);
          }
          return sum;
        })()
        """, as: Int.self)
      #expect(sum == (0..<300).reduce(0) { $0 + 1 + $1 % 7 })
      #expect(log.texts == [])
    }
  }
}
