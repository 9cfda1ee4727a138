import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

private typealias Adder = ScriptFunction<Int, Int, Int>
private typealias Listener = ScriptFunction<String, Undefined>

/// Keeps what scripts give it.
private final class Holder: Sendable {
  let adder = Lock<Adder?>(nil)
  let listeners = Lock<[Listener]>([])
}

@Suite struct ScriptFunctionTests {
  private let holder = Holder()

  private var module: ModuleDefinition {
    ModuleDefinition("Holder", make: { [holder] _ in holder }) {
      Member<Holder>.void("keep", "add") { (holder, add: Adder) in holder.adder.withLock { $0 = add } }
      Member<Holder>.void("listen", "listener") { (holder, listener: Listener) in
        holder.listeners.withLock { $0.append(listener) }
      }
      Member<Holder>.void("drop") { holder in
        holder.adder.withLock { $0 = nil }
        holder.listeners.withLock { $0 = [] }
      }
      Member<Holder>.sync("take", "function", "maybe") { (_, _: Listener, maybe: Listener?) in maybe != nil }
    }
  }

  private func add() throws -> Adder { try #require(holder.adder.withLock { $0 }) }

  @Test(arguments: Wire.allCases) func isCalledAgainAndAgain(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate("NativeModules.Holder.keep((a, b) => a + b)")
      for number in 0..<100 { #expect(try await add()(number, 1) == number + 1) }
      try await bridge.evaluate("NativeModules.Holder.keep(async (a, b) => { await null; return a * b; })")
      #expect(try await add()(6, 7) == 42)
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func callsFromManyThreadsAreAllAnswered(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate("NativeModules.Holder.keep((a, b) => a + b)")
      let add = try add()
      let sum = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<500 { group.addTask { try await add(number, number) } }
        return try await group.reduce(0, +)
      }
      #expect(sum == 500 * 499)
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func notificationsArriveInOrder(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate("globalThis.seen = []; NativeModules.Holder.listen(text => { seen.push(text) })")
      let listener = try #require(holder.listeners.withLock { $0.first })
      for number in 0..<1000 { listener.notify("\(number)") }
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("seen", as: [String].self) == (0..<1000).map(String.init))
      #expect(log.texts == [])
    }
  }

  /// Not a turn each.
  @Test func thoseThatAreLetGoOfTogetherTakeOneTurn() async throws {
    let metrics = MetricsRecorder()
    try await withBridge([module]) {
      $0.metrics = metrics
    } _: { bridge, log in
      try await bridge.evaluate("for (let i = 0; i < 1000; i++) NativeModules.Holder.listen(() => i)")
      let before = metrics.metrics.turns.count
      try await bridge.evaluate("NativeModules.Holder.drop()")
      // Behind what the loop was handed.
      for _ in 0..<3 { try await bridge.evaluate("0") }
      #expect(metrics.metrics.turns.count - before < 20)
      #expect(log.texts == [])
    }
  }

  @Test func whatItThrowsIsTheErrorOfTheCall() async throws {
    try await withBridge([module]) { bridge, log in
      try await bridge.evaluate("NativeModules.Holder.keep((a, b) => { throw new RangeError(`not ${a}`) })")
      let failing = try add()
      let error = await #expect(throws: JavaScriptError.self) { try await failing(3, 4) }
      #expect(error?.name == "RangeError" && error?.message == "not 3")
      failing.notify(5, 6)
      await bridge.waitUntilIdle()
      #expect(log.texts == ["RangeError: not 5 ([eval]:1:59)"])
      try await bridge.evaluate("NativeModules.Holder.keep(() => 'text')")
      let texts = try add()
      let mismatch = await #expect(throws: BridgeError.self) { try await texts(1, 2) }
      #expect(mismatch?.message.contains("expected an integer") == true || mismatch?.message.contains("64-bit") == true)
    }
  }

  @Test func aCancelledTaskDoesNotWaitForIt() async throws {
    try await withBridge([module]) { bridge, log in
      try await bridge.evaluate(
        "NativeModules.Holder.keep(() => { globalThis.asked = 1; return new Promise(() => {}) })")
      let never = try add()
      let task = Task { try await never(1, 2) }
      _ = try await awaitGlobal("asked", of: bridge, as: Int.self)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test(arguments: [
    ("NativeModules.Holder.keep(1)", "Holder.keep, argument 1 'add': expected function, got number 1"),
    ("NativeModules.Holder.keep({})", "Holder.keep, argument 1 'add': expected function, got object"),
    (
      "NativeModules.Holder.take(() => {}, 'a')", "Holder.take, argument 2 'maybe': expected function, got string \"a\""
    ),
  ])
  func whatIsNoFunctionIsRefused(call: String, message: String) async throws {
    try await withBridge([module]) { bridge, _ in
      let thrown = try await bridge.evaluate(
        "(() => { try { \(call) } catch (error) { return error.message } })()", as: String?.self)
      #expect(thrown == message)
    }
  }

  @Test func optionalFunctions() async throws {
    try await withBridge([module]) { bridge, log in
      let answers = try await bridge.evaluate(
        "[undefined, null, () => {}].map(maybe => NativeModules.Holder.take(() => {}, maybe))", as: [Bool].self)
      #expect(answers == [false, false, true])
    }
  }

  @Test func afterTheEndItThrows() async throws {
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("NativeModules.Holder.keep((a, b) => a + b)")
      await bridge.close()
    }
    let add = try add()
    add.notify(1, 2)
    let error = await #expect(throws: BridgeError.self) { try await add(1, 2) }
    #expect(error?.code == .closed)
  }

  /// Two hundred thousand functions, kept and dropped: the collector takes them.
  @Test func whatIsDroppedIsCollected() async throws {
    try await withBridge([module]) { bridge, log in
      try await bridge.evaluate(
        "globalThis.collected = 0; const registry = new FinalizationRegistry(() => { collected++ })")
      for _ in 0..<20 {
        try await bridge.evaluate(
          """
          for (let i = 0; i < 10000; i++) { const f = () => i; if (i % 100 === 0) registry.register(f); NativeModules.Holder.listen(f); }
          NativeModules.Holder.drop();
          """)
      }
      let collected = try await awaitCollection(of: 1900, in: bridge)
      #expect(collected >= 1900)
      #expect(log.texts == [])
    }
  }
}
