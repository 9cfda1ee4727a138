import CEngineTraps
import CJavaScriptCore
import Dispatch
import EventLoop
import Glibc
import Testing

@testable import JSEngine

@Suite struct TurnTests {
  /// The other way can end the process: see `EngineProcess`.
  @Test func runningScriptsLookForTheirEnd() async throws {
    try await withContext { _ in
      var polls: CInt = 0
      #expect(jsc_options_get_boolean("usePollingTraps", &polls) == 1)
      #expect(polls == 1)
    }
  }

  /// Otherwise the engine aborts, rarely, when two timers run out one right after the other: see `CEngineTraps`.
  @Test func noRunOutTimerAsksForAStopThatNobodyMakes() async throws {
    try await withContext { context throws in
      context.limits = ExecutionLimits(time: .milliseconds(1))
      let before = engine_traps_left_out()
      #expect(throws: JSException.self) { try context.evaluate("for (;;);") }
      #expect(engine_traps_left_out() > before)
    }
  }

  /// Many timers of many threads, due at about the same time, and scripts that look at them meanwhile.
  @Test func timersMayRunOutAtTheSameTime() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          try await withContext { context throws in
            for turn in 0..<60 {
              context.limits = ExecutionLimits(time: .milliseconds(1 + (turn * 7 + number) % 5))
              #expect(throws: JSException.self) { try context.evaluate("for (;;);") }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func heapsFirstCollectAtThreeMegabytes() async throws {
    try await withContext { _ in
      var size: CUnsignedInt = 0
      #expect(jsc_options_get_uint("smallHeapSize", &size) == 1)
      #expect(size == 3 << 20)
    }
  }

  @Test(arguments: Collecting.allCases) func drainsMicrotasksAtItsEnd(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      for limits in [nil, ExecutionLimits(time: .seconds(60))] {
        context.limits = limits
        try context.turn {
          try context.evaluate("var n = 0; Promise.resolve().then(() => n++).then(() => n += 10)")
          #expect(try context.evaluate("n").number == 0)
        }
        #expect(try context.evaluate("n").number == 11)
      }
    }
  }

  @Test func withLockHoldsMicrotasksBack() async throws {
    try await withContext { context throws in
      try context.withLock {
        try context.evaluate("var n = 0; Promise.resolve().then(() => n++)")
        #expect(try context.evaluate("n").number == 0)
      }
      #expect(try context.evaluate("n").number == 1)
    }
  }

  @Test func closingWaitsForTheLock() async throws {
    try await withContext { context throws in
      try context.withLock {
        try context.turn { context.close() }
        #expect(!context.isClosed)
        context.close()
        #expect(try context.evaluate("1 + 1").number == 2)
      }
      #expect(context.isClosed)
    }
  }

  @Test func nestsInsideHostFunctions() async throws {
    try await withContext { context throws in
      try context.globalObject.set(
        "nested",
        context.makeFunction { call in
          try call.context.turn { try call.context.evaluate("Promise.resolve().then(() => log.push('micro')); 7") }
        })
      let script = "var log = []; log.push(nested()); log.push('after'); log"
      let log = try context.turn { try context.evaluate(script) }
      #expect(try log.toString() == "7,after,micro")
    }
  }

  @Test func throwsWhatItsBodyThrows() async throws {
    struct Failure: Error {}
    try await withContext { context throws in
      for limits in [nil, ExecutionLimits(time: .seconds(60))] {
        context.limits = limits
        #expect(throws: Failure.self) { try context.turn { throw Failure() } }
        #expect(throws: JSException.self) { try context.turn { try context.evaluate("throw 1") } }
        #expect(try context.turn { 5 } == 5)
      }
    }
  }

  /// Scripts without end, by the way they do not end.
  static let endless = [
    "for (;;);",
    "try { for (;;); } finally { for (;;); }",
    "for (;;) try { for (;;); } catch {}",
    "(function f() { try { f() } finally { f() } })()",
    "function f() { Promise.resolve().then(f) } f()",
    "(async () => { for (;;) await null })()",
    "Promise.resolve().then(() => { for (;;); })",
    "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    "for (;;) sleep()",
    "for (;;) try { sleep() } catch {}",
    "for (;;) try { nested() } catch {}",
    "async function g() { for (;;) { await null; sleep() } } g()",
    "new Proxy({}, { get() { for (;;); } }).x",
    "`${{ toString() { for (;;); } }}`",
    "[3, 1, 2].sort(() => { for (;;); })",
    "JSON.stringify({ toJSON() { for (;;); } })",
    "function* g() { for (;;) yield 1 } for (const x of g());",
  ]

  @Test(arguments: endless) func endsAtItsTimeLimit(_ script: String) async throws {
    try await withContext { context throws in
      try context.globalObject.set(
        "sleep",
        context.makeFunction { _ in
          usleep(2000)
          return nil
        })
      try context.globalObject.set("nested", context.makeFunction { try $0.context.evaluate("for (;;);") })
      context.limits = ExecutionLimits(time: .milliseconds(20))
      for round in 0..<2 {
        let error = try exception { try context.turn { try context.evaluate(script) } }
        #expect(error.code == .terminated(.time), "round \(round)")
        try context.turn { () throws in
          #expect(try context.evaluate("var n = 0; Promise.resolve().then(() => n = 1); 1 + 1").number == 2)
        }
        #expect(try context.evaluate("n").number == 1)
      }
      // Without a turn of the caller's as well.
      #expect(try exception { try context.evaluate(script) }.code == .terminated(.time))
      #expect(try context.evaluate("1").number == 1)
    }
  }

  @Test func nativeCodeCannotSwallowATermination() async throws {
    try await withContext { context throws in
      context.limits = ExecutionLimits(time: .milliseconds(50))
      try context.globalObject.set(
        "swallow",
        context.makeFunction { call in
          let error = try exception { try call.context.evaluate("for (;;);") }
          #expect(error.code == .terminated(.time))
          #expect(throws: JSException.self) { try call.context.evaluate("1") }
          return nil
        })
      var reached = false
      try context.globalObject.set(
        "reached",
        context.makeFunction { _ in
          reached = true
          return nil
        })
      let error = try exception { try context.evaluate("swallow(); for (;;); reached()") }
      #expect(error.code == .terminated(.time))
      #expect(!reached)
      let outer = try exception { try context.turn { _ = try? context.evaluate("for (;;);") } }
      #expect(outer.code == .terminated(.time))
    }
  }

  @Test func noTerminationLeaksIntoTheNextTurn() async throws {
    try await withContext { context throws in
      try context.globalObject.set("nap", context.makeFunction { _ in throw JSException(.thrown, "nap") })
      context.limits = ExecutionLimits(time: .milliseconds(1))
      let scripts = ["for (;;) try { nap() } catch {}", "for (;;);", "async function f() { for (;;) await nap } f()"]
      for round in 0..<90 {
        #expect(throws: JSException.self) { try context.turn { try context.evaluate(scripts[round % scripts.count]) } }
        context.limits = ExecutionLimits(time: .seconds(60))
        #expect(
          try context.turn { try context.evaluate("var n = 0; for (let i = 0; i < 1000; i++) n++; n") }.number == 1000)
        context.limits = ExecutionLimits(time: .milliseconds(1))
      }
    }
  }

  @Test func usesUpItsTotalTime() async throws {
    try await withContext { context throws in
      context.limits = ExecutionLimits(totalTime: .milliseconds(60))
      let script = "{ const end = Date.now() + 5; while (Date.now() < end); }"
      var turns = 0
      while (try? context.evaluate(script)) != nil, turns < 10_000 { turns += 1 }
      #expect(turns > 2 && turns < 10_000)
      for script in ["for (;;);", "Promise.resolve().then(function f() { return Promise.resolve().then(f) })"] {
        #expect(try exception { try context.turn { try context.evaluate(script) } }.code == .terminated(.totalTime))
      }
      context.limits = ExecutionLimits(time: .milliseconds(20), totalTime: .seconds(60))
      #expect(try exception { try context.evaluate("for (;;);") }.code == .terminated(.time))
      #expect(try context.evaluate("1 + 1").number == 2)
    }
  }

  @Test(arguments: ["for (;;);", "(async () => { for (;;) await null })()", "for (;;) nothing()"])
  func isInterruptedFromAnotherThread(_ script: String) async throws {
    try await withContext { context throws in
      context.limits = ExecutionLimits(isInterruptible: true)
      let hasBegun = DispatchSemaphore(value: 0)
      try context.globalObject.set(
        "begin",
        context.makeFunction { _ in
          hasBegun.signal()
          return nil
        })
      try context.globalObject.set("nothing", context.makeFunction { _ in nil })
      for _ in 0..<3 {
        // Between turns it does nothing.
        context.interruption.endTurn()
        #expect(try context.evaluate("1 + 1").number == 2)
        DispatchQueue.global().async { [interruption = context.interruption] in
          hasBegun.wait()
          interruption.endTurn()
        }
        let error = try exception { try context.turn { try context.evaluate("begin(); \(script)") } }
        #expect(error.code == .terminated(.interruption))
      }
      context.interruption.endAllTurns()
      for _ in 0..<2 {
        #expect(try exception { try context.evaluate(script) }.code == .terminated(.interruption))
      }
    }
  }

  /// Who asked for the end of a turn does not want what it has left behind either, which may be as endless.
  @Test(arguments: [ExecutionLimits(isInterruptible: true), ExecutionLimits(time: .seconds(60), isInterruptible: true)])
  func whatAnInterruptedTurnLeavesIsEndedToo(_ limits: ExecutionLimits) async throws {
    try await withContext { context throws in
      context.limits = limits
      try context.globalObject.set(
        "interrupt",
        context.makeFunction { call in
          call.context.interruption.endTurn()
          return nil
        })
      for _ in 0..<3 {
        let error = try exception {
          try context.turn {
            try context.evaluate(
              "Promise.resolve().then(function again() { Promise.resolve().then(again) }); interrupt()")
          }
        }
        #expect(error.code == .terminated(.interruption))
        #expect(try context.evaluate("1 + 1").number == 2)
      }
    }
  }

  /// What the thread has used before is nobody's.
  @Test func aTotalThatIsSetAmidATurnBeginsThere() async throws {
    try await withContext { context throws in
      try context.evaluate("for (const end = Date.now() + 300; Date.now() < end;);")
      context.limits = ExecutionLimits(time: .seconds(60))
      try context.globalObject.set(
        "limit",
        context.makeFunction { call in
          call.context.limits = ExecutionLimits(totalTime: .milliseconds(250))
          return nil
        })
      try context.evaluate("limit()")
      #expect(try context.evaluate("1 + 1").number == 2)
    }
  }

  /// Each of them far shorter than the time between two looks.
  @Test func shortTurnsEndAtTheMemoryLimitToo() async throws {
    try await withContext { context throws in
      try context.evaluate("globalThis.keep = []")
      context.limits = ExecutionLimits(residentMemory: residentBytes() + (100 << 20))
      var isEnded = false
      for _ in 0..<2000 where !isEnded {
        do { try context.turn { try context.evaluate("keep.push(new Uint8Array(1 << 20).fill(1))") } } catch {
          #expect((error as? JSException)?.code == .terminated(.residentMemory))
          isEnded = true
        }
      }
      #expect(isEnded)
      context.limits = nil
      try context.evaluate("keep = undefined")
      context.collectGarbage()
    }
  }

  @Test func longWorkBelowTheLimitIsLeftAlone() async throws {
    try await withContext { context throws in
      context.limits = ExecutionLimits(time: .seconds(60), residentMemory: 1 << 40)
      let script = "{ let n = 0; const end = Date.now() + 150; while (Date.now() < end) n++; 'done' }"
      #expect(try context.evaluate(script).string == "done")
      context.limits = nil
      #expect(try context.evaluate(script).string == "done")
      #expect(context.limits == nil)
    }
  }

  @Test func endsAtItsMemoryLimit() async throws {
    try await withContext { context throws in
      context.limits = ExecutionLimits(time: .seconds(60), residentMemory: residentBytes() + (200 << 20))
      let script = "{ const keep = []; for (;;) keep.push(new Array(1000).fill(keep.length)) }"
      let error = try exception { try context.turn { try context.evaluate(script) } }
      #expect(error.code == .terminated(.residentMemory))
      // It counts the whole process, in which other tests run.
      context.limits = nil
      #expect(try context.evaluate("1").number == 1)
      context.collectGarbage()
    }
  }

  @Test func closesOnceTheScriptHasLeft() async throws {
    try await withContext { context throws in
      try context.globalObject.set(
        "close",
        context.makeFunction { call in
          call.context.close()
          #expect(!call.context.isClosed)
          return nil
        })
      #expect(try context.evaluate("close(); 'still running'").kind == .undefined)
      #expect(context.isClosed)
    }
  }
}
