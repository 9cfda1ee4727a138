import Dispatch
import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// What a bridge keeps scripts from, beside the limits of the engine.
@Suite struct LimitTests {
  @Test func refusesMoreOutstandingCallsThanAllowed() async throws {
    let replies = Lock<[Reply]>([])
    let slow = ModuleDefinition("Slow", make: { _ in Nothing() }) {
      Member<Nothing>.method("wait", .promise) { _ in
        { (call) throws(ConversionError) in
          let reply = call.reply()
          replies.withLock { $0.append(reply) }
        }
      }
      Member<Nothing>.method("tell", .callbacks, [.callback("success", Int.self)]) { _ in
        { (call) throws(ConversionError) in try call.callback(Int.self)(1) }
      }
    }
    try await withBridge([slow]) {
      $0.callLimit = 3
    } _: { bridge, log in
      try await bridge.evaluate(
        "var failures = []; for (let i = 0; i < 5; i++) NativeModules.Slow.wait().catch(e => failures.push(e.code))")
      let failures = try await bridge.evaluate("failures.join()", as: String.self)
      #expect(failures == "ERR_LIMIT,ERR_LIMIT")
      let thrown = try await bridge.evaluate(
        "try { NativeModules.Slow.tell(() => {}) } catch (e) { `${e.code} ${e.message}` }", as: String.self)
      #expect(thrown == "ERR_LIMIT more than 3 calls would wait for an answer")
      for reply in replies.withLock({ $0 }) { reply.resolve(7) }
      let told = try await bridge.evaluate("new Promise(done => NativeModules.Slow.tell(done))", as: Int.self)
      #expect(told == 1)
      #expect(log.texts == [])
    }
  }

  @Test func interruptsTheScriptThatRuns() async throws {
    let begun = DispatchSemaphore(value: 0)
    let stage = ModuleDefinition("Stage", make: { _ in Nothing() }) {
      Member<Nothing>.sync("begin") { _ in begun.signal() }
    }
    try await withBridge([stage]) {
      $0.limits = ExecutionLimits(isInterruptible: true)
    } _: { bridge, log in
      for script in ["for (;;);", "for (;;) NativeModules.Stage.begin()"] {
        DispatchQueue.global().async {
          begun.wait()
          bridge.interrupt()
        }
        do {
          try await bridge.evaluate("NativeModules.Stage.begin(); \(script)")
          Issue.record("the script ended by itself")
        } catch let error as JSException { #expect(error.code == .terminated(.interruption)) }
      }
      let sum = try await bridge.evaluate("1 + 1", as: Int.self)
      #expect(sum == 2)
      #expect(log.texts == [])
    }
  }
}
