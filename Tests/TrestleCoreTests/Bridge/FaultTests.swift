import EventLoop
import Glibc
@testable import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// A module that answers at once, later, twice or never, and one that sleeps.
private let faulty = ModuleDefinition("Faulty", make: { _ in Keeper() }) {
  Member<Keeper>.promise("echo", "value") { (_, value: Double) in value }
  Member<Keeper>._method("never", .promise) { keeper in
    { (call) throws(ConversionError) in
      let reply = call.reply()
      keeper.replies.withLock { $0.append(reply) }
    }
  }
  Member<Keeper>._method("forget", .promise) { _ in { (call) throws(ConversionError) in _ = call.reply() } }
  Member<Keeper>._method("again", .promise, result: Int.self) { _ in
    { (call) throws(ConversionError) in
      let reply = call.reply()
      reply.resolve(1)
      reply.resolve(2)
    }
  }
  Member<Keeper>._method("drop", .callbacks, [.callback("failure", JSFailure.self), .callback("success", Int.self)]) {
    _ in
    { (call) throws(ConversionError) in
      _ = try call.callback(JSFailure.self)
      _ = try call.callback(Int.self)
    }
  }
  Member<Keeper>._method("keep", .callbacks, [.callback("failure", JSFailure.self), .callback("success", Int.self)]) {
    keeper in
    { (call) throws(ConversionError) in
      _ = try call.callback(JSFailure.self)
      _ = try call.callback(Int.self)
      let reply = call.reply()
      keeper.replies.withLock { $0.append(reply) }
    }
  }
  Member<Keeper>._method("twice", .callbacks, [.callback("success", Int.self)]) { _ in
    { (call) throws(ConversionError) in
      let success = try call.callback(Int.self)
      success(1)
      success(2)
    }
  }
  Member<Keeper>._method("later", .callbacks, [Parameter("value", Int.self), .callback("success", Int.self)]) { _ in
    { (call) throws(ConversionError) in
      let value = try call.next(Int.self)
      try call.callback(Int.self)(value)
    }
  }
  Member<Keeper>._method("fail", .void) { _ in
    { (call) throws(ConversionError) in call.complete { throw JSFailure() } }
  }
  Member<Keeper>.promise("reject") { (_) throws -> Int in throw JSFailure() }
  Member<Keeper>._method("sleep", .sync) { _ in
    { (call) throws(ConversionError) in call.complete { usleep(2000) } }
  }
  Member<Keeper>._method("elsewhere", .promise, [Parameter("value", Double.self)], result: Double.self) { _ in
    { (call) throws(ConversionError) in
      let value = try call.next(Double.self)
      let reply = call.reply()
      Thread.detach { reply.answer { value } }
    }
  }
}

/// Has the replies that are never given.
private final class Keeper: Sendable {
  let replies = Lock<[Reply]>([])
}

private struct JSFailure: Error {}

@Suite struct FaultTests {
  @Test(
    arguments: Wire.allCases,
    [
      "for (;;);",
      "/(a+)+$/.test('a'.repeat(60) + 'b')",
      "(function again() { Promise.resolve().then(again) })()",
      "(async () => { for (;;) await null })()",
      "try { for (;;); } finally { for (;;); }",
      "for (;;) NativeModules.Faulty.sleep()",
      "for (;;) NativeModules.Faulty.never()",
    ])
  func aScriptWithoutEndIsEndedAndTheBridgeGoesOn(wire: Wire, script: String) async throws {
    try await withBridge([faulty], wire: wire) { bridge, _ in
      // What the script was owed before is still paid.
      try await bridge.evaluate("NativeModules.Faulty.elsewhere(7).then(value => { globalThis.paid = value })")
      // A limit also counts the time that this process has to wait for its processor: only this script gets one.
      try await bridge.setLimits(ExecutionLimits(time: .milliseconds(200)))
      await #expect(throws: BridgeError.self) { try await bridge.evaluate(script) }
      try await bridge.setLimits(nil)
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
      #expect(try await bridge.evaluate("NativeModules.Faulty.echo(3)", as: Int.self) == 3)
      #expect(try await awaitGlobal("paid", of: bridge, as: Int.self) == 7)
    }
  }

  @Test(arguments: Wire.allCases) func aScriptThatAllocatesWithoutEndIsEndedAndTheBridgeGoesOn(wire: Wire) async throws
  {
    try await withBridge([faulty], wire: wire) { bridge, _ in
      try await bridge.evaluate("NativeModules.Faulty.elsewhere(7).then(value => { globalThis.paid = value })")
      // It counts the whole process, in which other tests run.
      let enough = try await bridge.withContext { _ in residentBytes() + 200 << 20 }
      try await bridge.setLimits(ExecutionLimits(residentMemory: enough))
      await #expect(throws: BridgeError.self) {
        try await bridge.evaluate("let all = []; for (;;) all.push(new Array(1000).fill(all.length));")
      }
      try await bridge.setLimits(nil)
      try await bridge.evaluate("all = undefined")
      #expect(try await bridge.evaluate("NativeModules.Faulty.echo(3)", as: Int.self) == 3)
      #expect(try await awaitGlobal("paid", of: bridge, as: Int.self) == 7)
    }
  }

  @Test(arguments: Wire.allCases) func aCallbackWithoutEndLosesNoOtherAnswer(wire: Wire) async throws {
    try await withBridge([faulty], wire: wire) { bridge, log in
      // Enough for the turn that only makes the calls.
      try await bridge.setLimits(.ofProcessor(.seconds(3)))
      // Callbacks are called one by one, as their answers are read: what comes after the endless one comes all the same.
      try await bridge.evaluate(
        """
        globalThis.calls = [];
        const {later} = NativeModules.Faulty;
        for (let i = 0; i < 10; i++) later(i, value => { calls.push(value); if (value === 4) for (;;); });
        """)
      try await bridge.setLimits(nil)
      #expect(try await bridge.evaluate("calls", as: [Int].self) == Array(0..<10))
      #expect(log.texts.contains { $0.contains("more than its time") })
    }
  }

  @Test(arguments: Wire.allCases) func droppedCallbacksFailWithTheNameOfTheMethod(wire: Wire) async throws {
    try await withBridge([faulty], wire: wire) { bridge, _ in
      let text = try await bridge.evaluate(
        "new Promise(resolve => NativeModules.Faulty.drop(e => resolve(e.code + ' ' + e.message), resolve))",
        as: String.self)
      #expect(text.contains("ERR_DROPPED") && text.contains("Faulty.drop"))
    }
  }

  @Test(arguments: Wire.allCases) func aDroppedReplyFailsWithTheNameOfTheMethod(wire: Wire) async throws {
    try await withBridge([faulty], wire: wire) { bridge, _ in
      let text = try await bridge.evaluate(
        "NativeModules.Faulty.forget().catch(error => error.code + ' ' + error.message)", as: String.self)
      #expect(text.contains("ERR_DROPPED") && text.contains("Faulty.forget"))
    }
  }

  @Test(arguments: Wire.allCases) func aSecondAnswerReachesNoOtherCall(wire: Wire) async throws {
    try await withBridge([faulty], wire: wire) { bridge, log in
      let sum = try await bridge.evaluate(
        """
        (async () => {
          let sum = 0;
          for (let i = 0; i < 100; i++) {
            sum += await NativeModules.Faulty.again();
            sum += await NativeModules.Faulty.elsewhere(10);
          }
          return sum;
        })()
        """, as: Int.self)
      #expect(sum == 1100)
      #expect(log.texts.count { $0.contains("ERR_ANSWERED_TWICE") && $0.contains("Faulty.again") } == 100)
    }
  }

  @Test(arguments: Wire.allCases) func aSecondCallbackIsASoftError(wire: Wire) async throws {
    try await withBridge([faulty], wire: wire) { bridge, log in
      let first = try await bridge.evaluate(
        "new Promise(resolve => NativeModules.Faulty.twice(resolve))", as: Int.self)
      #expect(first == 1)
      #expect(log.texts.contains { $0.contains("ERR_ANSWERED_TWICE") && $0.contains("Faulty.twice") })
    }
  }

  @Test(arguments: Wire.allCases) func anErrorKeepsItsIdentityThroughSwift(wire: Wire) async throws {
    try await withBridge([faulty], wire: wire) { bridge, _ in
      try await bridge.evaluate(
        "globalThis.thrown = Object.assign(new TypeError('mine'), {code: 'E_MINE'}); globalThis.fail = () => { throw thrown }"
      )
      let error = try await #require(throws: JavaScriptError.self) { try await bridge.call("fail", as: Int.self) }
      #expect(error.name == "TypeError" && error.message == "mine" && error.code == "E_MINE")
      #expect(error.stack?.isEmpty == false)
      let thrower = ModuleDefinition("Thrower", make: { _ in Nothing() }) {
        Member<Nothing>.promise("again") { (_) throws -> Int in throw error }
      }
      try await bridge.register(thrower)
      #expect(
        try await bridge.evaluate("NativeModules.Thrower.again().catch(error => error === thrown)", as: Bool.self))
    }
  }

  @Test(arguments: Wire.allCases) func anErrorOfAnotherBridgeIsAnErrorLikeIt(wire: Wire) async throws {
    let script = "globalThis.thrown = new TypeError('mine'); globalThis.fail = () => { throw thrown }"
    let error = try await withBridge([], wire: wire) { bridge, _ in
      try await bridge.evaluate(script)
      return try await #require(throws: JavaScriptError.self) { try await bridge.call("fail", as: Int.self) }
    }
    try await withBridge([], wire: wire) { bridge, _ in
      try await bridge.evaluate(script.replacing("mine", with: "its own"))
      let own = try await #require(throws: JavaScriptError.self) { try await bridge.call("fail", as: Int.self) }
      #expect(own.identity?.number == error.identity?.number)
      let thrower = ModuleDefinition("Thrower", make: { _ in Nothing() }) {
        Member<Nothing>.promise("again") { (_) throws -> Int in throw error }
      }
      try await bridge.register(thrower)
      #expect(
        try await bridge.evaluate(
          "NativeModules.Thrower.again().catch(error => `${error.message} ${error === thrown}`)", as: String.self)
          == "mine false")
    }
  }

  @Test(arguments: Wire.allCases) func developmentModeTellsWhereTheCallWasMade(wire: Wire) async throws {
    try await withBridge([faulty], wire: wire, { $0.isDevelopment = true }) { bridge, _ in
      try await bridge.evaluate(
        "function callSite() { return NativeModules.Faulty.reject() }", sourceURL: "calls.js")
      let stack = try await bridge.evaluate("callSite().catch(error => error.stack)", as: String.self)
      #expect(stack.contains("callSite@calls.js"))
    }
  }

  @Test(arguments: Wire.allCases) func aVoidMethodThatFailsTellsTheHost(wire: Wire) async throws {
    try await withBridge([faulty], wire: wire) { bridge, log in
      try await bridge.evaluate("NativeModules.Faulty.fail()")
      #expect(log.texts.contains { $0.contains("Faulty.fail") && $0.contains("JSFailure") })
    }
  }

  @Test(arguments: Wire.allCases) func closingSettlesEverything(wire: Wire) async throws {
    let log = ErrorLog()
    var configuration = BridgeConfiguration()
    configuration.onError = { log.append($0) }
    configuration.wire = wire
    let bridge = try await Bridge(modules: .definitions([faulty]), configuration: configuration)
    try await bridge.evaluate(
      "NativeModules.Faulty.never().catch(error => { throw new Error('seen ' + error.code) })")
    let waiting = Task {
      try await bridge.evaluate("globalThis.asked = true; NativeModules.Faulty.never()", as: Int.self)
    }
    _ = try await awaitGlobal("asked", of: bridge, as: Bool.self)
    #expect(await bridge.close(within: patience))
    await #expect(throws: BridgeError.self) { _ = try await waiting.value }
    #expect(log.texts.contains { $0.contains("seen ERR_CLOSED") })
    await #expect(throws: BridgeError.self) { try await bridge.evaluate("1") }
    #expect(await bridge.close(within: patience))
  }

  @Test(arguments: Wire.allCases) func closingFromInsideACallback(wire: Wire) async throws {
    var configuration = BridgeConfiguration()
    configuration.wire = wire
    let bridge = try await Bridge(modules: .definitions([faulty]), configuration: configuration)
    let closer = ModuleDefinition("Closer", make: { _ in Nothing() }) {
      Member<Nothing>._method("close", .void) { _ in
        { (call) throws(ConversionError) in call.complete { bridge.assumeIsolated { $0.shutDown() } } }
      }
    }
    try await bridge.register(closer)
    try await bridge.evaluate("NativeModules.Closer.close(); trestle.flush(); globalThis.still = 'running'")
    await #expect(throws: BridgeError.self) { try await bridge.evaluate("1") }
    #expect(await bridge.close(within: patience))
  }

  @Test(arguments: [
    "NativeModules.Faulty.never().catch(() => { for (;;); })",
    "(async () => { for (;;) try { await NativeModules.Faulty.never() } catch {} })()",
    "NativeModules.Faulty.keep(() => { for (;;); }, () => {}); NativeModules.Faulty.never().catch(() => { for (;;); })",
    "NativeModules.Faulty.never().finally(() => { for (;;) NativeModules.Faulty.sleep() })",
  ])
  func aScriptThatWillNotLetItsBridgeCloseIsEnded(script: String) async throws {
    let bridge = try await Bridge(modules: .definitions([faulty]))
    try await bridge.evaluate(script)
    #expect(await bridge.close(within: patience))
  }

  @Test func closingWaitsNoLongerThanItSaysForAScriptWithoutLimits() async throws {
    let asked = Lock(0)
    let goesOn = Lock(true)
    let watched = ModuleDefinition("Watched", make: { _ in Nothing() }) {
      Member<Nothing>.sync("goesOn") { _ in
        asked.withLock { $0 += 1 }
        return goesOn.withLock { $0 }
      }
    }
    let bridge = try await Bridge(modules: .definitions([watched]))
    let running = Task { try await bridge.evaluate("while (NativeModules.Watched.goesOn());") }
    while asked.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(await bridge.close(within: .milliseconds(20)) == false)
    goesOn.withLock { $0 = false }
    try await running.value
    #expect(await bridge.close(within: patience))
  }

  @Test func closingUnderLoad() async throws {
    for _ in 0..<20 {
      let bridge = try await Bridge(modules: .definitions([faulty]))
      try await bridge.evaluate(
        "(async () => { for (;;) { NativeModules.Faulty.elsewhere(1); await NativeModules.Faulty.elsewhere(2); } })()")
      #expect(await bridge.close(within: patience))
    }
  }

  @Test func aMillionCallsOutstanding() async throws {
    let log = try await withBridge([faulty]) { bridge, log in
      try await bridge.evaluate(
        """
        let closed = 0;
        for (let i = 0; i < 1e6; i++) NativeModules.Faulty.never().catch(error => {
          if (error.code === 'ERR_CLOSED' && ++closed === 1e6) throw new Error('all are settled');
        });
        """)
      #expect(try await bridge.evaluate("NativeModules.Faulty.echo(5)", as: Int.self) == 5)
      await bridge.close(within: patience)
      return log
    }
    #expect(log.texts.count { $0.contains("all are settled") } == 1)
  }

  @Test(arguments: Wire.allCases) func answersFromManyThreadsAllArrive(wire: Wire) async throws {
    try await withBridge([faulty], wire: wire) { bridge, log in
      let sum = try await bridge.evaluate(
        """
        (async () => {
          let sum = 0;
          const all = [];
          for (let i = 0; i < 200; i++) all.push(NativeModules.Faulty.elsewhere(i).then(value => { sum += value }));
          await Promise.all(all);
          return sum;
        })()
        """, as: Int.self)
      #expect(sum == 19_900)
      #expect(log.texts == [])
    }
  }
}
