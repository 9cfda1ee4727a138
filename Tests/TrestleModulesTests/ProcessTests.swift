import EventLoop
import Testing
import Trestle

@testable import TrestleModules

/// `Process` of JavaScript, over lines of the tests' own.
@Suite struct ProcessTests {
  /// A limit may end a turn in the middle of a question for lines: who asks next has them.
  @Test(.timeLimit(.minutes(1)), arguments: BridgeConfiguration.Wire.allCases) func turnsThatEndWhileLinesAreAskedFor(
    wire: BridgeConfiguration.Wire
  ) async throws {
    let bridge = Lock<Bridge?>(nil)
    let lines = Lock(["first\n", "second\n"])
    let process = ModuleDefinition("Process", make: { _ in Nothing() }) {
      Member<Nothing>.sync("exit") { _ in }
      Member<Nothing>.promise("readRest") { _ in "" }
      Member<Nothing>._method(
        "readLines", .callbacks, [.callback("failure", (any Error).self), .callback("success", [String].self)]
      ) { _ in
        { (call) throws(ConversionError) in
          _ = try call.callback((any Error).self)
          let success = try call.callback([String].self)
          // Once, in the middle of the call.
          bridge.withLock { $0.take() }?.interrupt()
          success(lines.withLock { $0.isEmpty ? [] : [$0.removeFirst()] })
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
        for (const end = performance.now() + 50; performance.now() < end;);
        NativeModules.Process.readLine();
        for (;;);
        """, as: String.self)
    }
    let read = try await modules.bridge.evaluate(
      "(async () => [await NativeModules.Process.readLine(), await NativeModules.Process.readLine()].join())()",
      as: String.self)
    #expect(read == "first,second")
    await modules.bridge.close()
  }

  private struct Nothing: Sendable {}
}
