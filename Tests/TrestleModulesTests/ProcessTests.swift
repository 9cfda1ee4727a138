import EventLoop
import Testing
import Trestle

@testable import TrestleModules

/// `Process` of JavaScript, over lines of the tests' own.
@Suite struct ProcessTests {
  /// A limit may end a turn in the middle of a question for lines: who asks next has them.
  @Test(.timeLimit(.minutes(1)), arguments: BridgeConfiguration.Wire.allCases, ["readLine", "readInput"])
  func turnsThatEndWhileLinesAreAskedFor(wire: BridgeConfiguration.Wire, read: String) async throws {
    let bridge = Lock<Bridge?>(nil)
    let input = Lock(["first\n", "second\n"])
    /// Interrupts a bridge, once, in the middle of the call.
    @Sendable func reading<Text: BridgeEncodable & Sendable>(
      _ name: String, _ read: @escaping @Sendable () -> Text
    ) -> Member<Nothing> {
      ._method(
        name, .callbacks,
        [.init("number", Int.self), .callback("failure", (any Error).self), .callback("success", Text.self)]
      ) { _ in
        { (call) throws(ConversionError) in
          _ = try call.next(Int.self)
          _ = try call.callback((any Error).self)
          let success = try call.callback(Text.self)
          bridge.withLock { $0.take() }?.interrupt()
          success(read())
        }
      }
    }
    let process = ModuleDefinition("Process", make: { _ in Nothing() }) {
      Member<Nothing>.sync("exit") { _ in }
      reading("readLines") { input.withLock { $0.isEmpty ? [] : [$0.removeFirst()] } }
      reading("readRest") {
        input.withLock { lines in
          defer { lines = [] }
          return lines.joined()
        }
      }
    }
    let modules = try await ModuleBridge(
      .definitions([process.with(script: .process)]), wire: wire
    ) { $0.limits = ExecutionLimits(isInterruptible: true) }
    bridge.withLock { $0 = modules.bridge }
    await #expect(throws: BridgeError.self) {
      try await modules.bridge.evaluate(
        """
        // A call is handed over at once when it comes late in a turn.
        const wait = time => { for (const end = performance.now() + time; performance.now() < end;); };
        wait(300);
        NativeModules.Process.\(read)();
        wait(10_000);
        """, as: String.self)
    }
    let lines = try await modules.bridge.evaluate(
      "(async () => [await NativeModules.Process.readLine(), await NativeModules.Process.readLine()].join())()",
      as: String.self)
    #expect(lines == "first,second")
    await modules.bridge.close()
  }

  private struct Nothing: Sendable {}
}
