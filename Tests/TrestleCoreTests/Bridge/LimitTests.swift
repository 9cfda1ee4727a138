import Dispatch
@testable import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// What a bridge keeps scripts from, beside the limits of the engine.
@Suite struct LimitTests {
  /// Turns that wait in a long row are not begun one by one.
  @Test func anInterruptingCloseBeginsNoMoreTurns() async throws {
    let began = Lock(0)
    let module = ModuleDefinition("Row", make: { _ in Nothing() }) {
      Member<Nothing>.void("begin") { _ in began.withLock { $0 += 1 } }
    }
    try await withBridge([module]) {
      $0.limits = ExecutionLimits(isInterruptible: true)
    } _: { bridge, _ in
      try await bridge.evaluate("globalThis.run = () => { NativeModules.Row.begin(); trestle.flush(); for (;;); }")
      let calls = (0..<500).map { _ in Task { try await bridge.call("run", as: Int?.self) } }
      while began.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
      #expect(await bridge.close(within: patience, interrupting: true))
      for call in calls { await #expect(throws: (any Error).self) { try await call.value } }
      #expect(began.withLock { $0 } < 100)
    }
  }

  @Test(arguments: Wire.allCases) func refusesMoreOutstandingCallsThanAllowed(wire: Wire) async throws {
    let replies = Lock<[Reply]>([])
    let slow = ModuleDefinition("Slow", make: { _ in Nothing() }) {
      Member<Nothing>._method("wait", .promise) { _ in
        { (call) throws(ConversionError) in
          let reply = call.reply()
          replies.withLock { $0.append(reply) }
        }
      }
      Member<Nothing>._method("tell", .callbacks, [.callback("success", Int.self)]) { _ in
        { (call) throws(ConversionError) in try call.callback(Int.self)(1) }
      }
    }
    try await withBridge([slow], wire: wire) {
      $0.callLimit = 3
    } _: { bridge, log in
      try await bridge.evaluate(
        "var failures = []; for (let i = 0; i < 5; i++) NativeModules.Slow.wait().catch(e => failures.push(e.code))")
      let failures = try await bridge.evaluate("failures.join()", as: String.self)
      #expect(failures == "ERR_LIMIT,ERR_LIMIT")
      // Over React Native's wire it comes to light when the batch goes over.
      let text = "ERR_LIMIT more than 3 calls would wait for an answer"
      let thrown = try await bridge.evaluate(
        "try { NativeModules.Slow.tell(() => {}) } catch (e) { `${e.code} ${e.message}` }", as: String?.self)
      #expect(thrown == (wire == .shared ? text : nil))
      for reply in replies.withLock({ $0 }) { reply.resolve(7) }
      let told = try await bridge.evaluate("new Promise(done => NativeModules.Slow.tell(done))", as: Int.self)
      #expect(told == 1)
      // With the place of the call where the batch went over at once.
      #expect(log.texts.count == (wire == .shared ? 0 : 1))
      #expect(log.texts.allSatisfy { $0.hasPrefix("Error: more than 3 calls would wait for an answer") })
    }
  }

  /// Those of a bridge and of those that have their limits of it; what one holds is free again once it is closed, however it ends.
  @Test func callsOfSeveralBridgesAreCountedTogether() async throws {
    let replies = Lock<[Reply]>([])
    let slow = ModuleDefinition("Slow", make: { _ in Nothing() }) {
      Member<Nothing>._method("wait", .promise) { _ in
        { (call) throws(ConversionError) in
          let reply = call.reply()
          replies.withLock { $0.append(reply) }
        }
      }
    }
    func refused(_ count: Int, on bridge: Bridge) async throws -> Int {
      try await bridge.evaluate(
        """
        var refused = 0;
        for (let i = 0; i < \(count); i++) NativeModules.Slow.wait().catch((error) => { if (error.code === 'ERR_LIMIT') refused++; });
        """)
      return try await bridge.evaluate("refused", as: Int.self)
    }
    try await withBridge([slow]) {
      $0.callLimit = 10
    } _: { bridge, _ in
      #expect(try await refused(4, on: bridge) == 0)
      var configuration = BridgeConfiguration()
      try await bridge.scriptLimits.narrow(&configuration)
      let worker = try await Bridge(modules: .definitions([slow]), configuration: configuration)
      var ofItsOwn = BridgeConfiguration()
      ofItsOwn.callLimit = 2
      try await worker.scriptLimits.narrow(&ofItsOwn)
      let narrower = try await Bridge(modules: .definitions([slow]), configuration: ofItsOwn)
      #expect(try await refused(3, on: narrower) == 1)
      #expect(try await refused(6, on: worker) == 2)
      #expect(try await refused(1, on: bridge) == 1)
      for bridge in [worker, narrower] { #expect(await bridge.close(within: patience)) }
      #expect(try await refused(7, on: bridge) == 1)
      for reply in replies.withLock({ $0 }) { reply.resolve(1) }
      await bridge.waitUntilIdle()
      replies.withLock { $0 = [] }
      #expect(try await refused(11, on: bridge) == 1)
    }
  }

  /// No turn begins meanwhile that would meet the limit.
  @Test(arguments: Wire.allCases) func memoryIsLookedAtWhileScriptsWait(wire: Wire) async throws {
    let replies = Lock<[Reply]>([])
    let slow = ModuleDefinition("Slow", make: { _ in Nothing() }) {
      Member<Nothing>._method("wait", .promise) { _ in
        { (call) throws(ConversionError) in
          let reply = call.reply()
          replies.withLock { $0.append(reply) }
        }
      }
    }
    try await withBridge([slow], wire: wire) { _ in
    } _: { bridge, log in
      try await bridge.evaluate("globalThis.wait = () => NativeModules.Slow.wait()")
      let call = Task { try await bridge.call("wait", as: Int?.self) }
      while replies.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
      try await bridge.setLimits(ExecutionLimits(residentMemory: 1))
      let error = await #expect(throws: BridgeError.self) { try await call.value }
      #expect(error?.exceeded == .residentMemory)
      while log.texts.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      #expect(log.texts[0].contains("more than its memory"))
      try await bridge.setLimits(nil)
      for reply in replies.withLock({ $0 }) { reply.resolve(7) }
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
    }
  }

  /// Of each call Swift has a copy of its own, and one step of the engine makes all calls of a batch. (The limit is passed in the middle
  /// of the turn: what other tests take meanwhile is no matter then.)
  @Test func aBatchOfLargeCallsEndsAtTheMemory() async throws {
    let (kept, lowered) = (Lock<[[UInt8]]>([]), Lock<Bridge?>(nil))
    let module = ModuleDefinition("Store", make: { _ in Nothing() }) {
      Member<Nothing>.void("keep", "bytes") { (_, bytes: [UInt8]) in kept.withLock { $0.append(bytes) } }
      Member<Nothing>.sync("lower") { _ in
        let bridge = lowered.withLock { $0 }
        bridge?.assumeIsolated { try? $0.setLimits(ExecutionLimits(residentMemory: 1)) }
      }
    }
    try await withBridge([module]) {
      $0.limits = ExecutionLimits(residentMemory: 1 << 40)
    } _: { bridge, log in
      lowered.withLock { $0 = bridge }
      let script = """
        const { Store } = NativeModules, bytes = new Uint8Array(20 << 20);
        Store.lower();
        for (let i = 0; i < 20; i++) Store.keep(bytes);
        """
      var told: [String] = []
      do { try await bridge.evaluate(script) } catch { told.append("\(error)") }
      try await bridge.setLimits(nil)
      #expect(kept.withLock { $0.count } < 5)
      told += log.texts
      #expect(told.contains { $0.contains("more than its memory") }, "\(told)")
      lowered.withLock { $0 = nil }
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
    }
  }

  /// A module that keeps the bridge from being idle.
  private static func busy(_ activity: Lock<Activity?>) -> ModuleDefinition {
    ModuleDefinition("Busy", make: { context in context }) {
      Member<BridgeContext>.sync("begin") { (own: BridgeContext) in activity.withLock { $0 = own.beginActivity() } }
    }
  }

  /// What the host keeps while scripts have nothing to do is no affair of theirs; nor is it told again and again.
  @Test func memoryIsToldOfOnce() async throws {
    let activity = Lock<Activity?>(nil)
    try await withBridge([Self.busy(activity)]) { _ in
    } _: { bridge, log in
      try await bridge.setLimits(ExecutionLimits(residentMemory: 1))
      try await Task.sleep(for: .milliseconds(100))
      #expect(log.texts == [])
      try await bridge.setLimits(ExecutionLimits(residentMemory: 1 << 40))
      // From then on it looks, and the limit is passed meanwhile.
      try await bridge.evaluate("NativeModules.Busy.begin()")
      try await bridge.setLimits(ExecutionLimits(residentMemory: 1))
      while log.texts.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      try await Task.sleep(for: .milliseconds(100))
      #expect(log.texts.count == 1)
      activity.withLock { $0.take() }?.end()
      try await bridge.setLimits(nil)
    }
  }

  /// With a limit, too: a timer for ever would keep the processor from its sleep.
  @Test func anIdleLoopSleeps() async throws {
    let activity = Lock<Activity?>(nil)
    try await withBridge([Self.busy(activity)]) {
      $0.limits = ExecutionLimits(residentMemory: 1 << 40)
    } _: { bridge, _ in
      let timers = { try await bridge.withContext { $0.loop.pendingTimerCount } }
      let before = try await timers()
      try await bridge.evaluate("NativeModules.Busy.begin()")
      #expect(try await timers() == before + 1)
      activity.withLock { $0.take() }?.end()
      while try await timers() != before { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  /// Nothing ends its loops.
  @Test(arguments: Wire.allCases) func webAssemblyIsWithheldWhereLimitsAre(wire: Wire) async throws {
    let script = "typeof WebAssembly"
    for (limits, isAllowed, type) in [
      (nil, false, "object"), (ExecutionLimits(time: .seconds(60)), false, "undefined"),
      (ExecutionLimits(time: .seconds(60)), true, "object"),
    ] {
      try await withBridge([], wire: wire) {
        $0.limits = limits
        $0.allowsWebAssembly = isAllowed
      } _: { bridge, _ in
        #expect(try await bridge.evaluate(script, as: String.self) == type)
        try await bridge.setLimits(ExecutionLimits(isInterruptible: true))
        #expect(try await bridge.evaluate(script, as: String.self) == (isAllowed ? "object" : "undefined"))
        // No script gets at the other realm; one that did would find none there either.
        let isInOther = try await bridge.withContext { try $0.ownRealm.evaluate("'WebAssembly' in globalThis").boolean }
        #expect(isInOther == false)
      }
    }
  }

  /// One total time for bridges that share it.
  @Test func limitsAreInherited() async throws {
    try await withBridge([]) {
      $0.limits = ExecutionLimits(time: .seconds(20), totalTime: .milliseconds(300), residentMemory: 1 << 40)
      $0.callLimit = 7
      $0.messageLimit = 1 << 20
      ($0.sharedMemoryLimit, $0.stringLimit, $0.nestingLimit) = (1 << 20, 1 << 10, 9)
    } _: { bridge, _ in
      var configuration = BridgeConfiguration()
      configuration.limits = ExecutionLimits(time: .seconds(10), isInterruptible: true)
      configuration.callLimit = 9
      configuration.messageLimit = 1 << 16
      configuration.allowsWebAssembly = true
      let limits = try await bridge.scriptLimits
      limits.narrow(&configuration)
      #expect(configuration.limits?.time == .seconds(10) && configuration.limits?.residentMemory == 1 << 40)
      #expect(configuration.limits?.isInterruptible == true && !configuration.allowsWebAssembly)
      #expect(configuration.sharedMemoryLimit == 1 << 20)
      #expect(configuration.stringLimit == 1 << 10 && configuration.nestingLimit == 9)
      #expect(configuration.callLimit == 7 && configuration.messageLimit == 1 << 16)
      let worker = try await Bridge(modules: .none, configuration: configuration)
      let error = await #expect(throws: BridgeError.self) { try await worker.evaluate("for (;;);") }
      #expect(error?.exceeded == .totalTime)
      // What the one has used the other has not.
      let same = await #expect(throws: BridgeError.self) { try await bridge.evaluate("for (;;);") }
      #expect(same?.exceeded == .totalTime)
      let left = try await bridge.withContext { context in context.sharedLimits?.sharedTotal?.left }
      #expect(left == .zero)
      await worker.close()
    }
  }

  private let echo = ModuleDefinition("Echo", make: { _ in Nothing() }) {
    Member<Nothing>.promise("text", "value") { (_, value: String) in value.utf16.count }
    Member<Nothing>.promise("json", "value") { (_, value: JSONValue) in value }
    Member<Nothing>.sync("texts", "values") { (_, values: [String]) in values.count }
  }

  /// Inside the buffer and beside it, of flat arguments and in trees.
  @Test(arguments: Wire.allCases, [10, 1500]) func refusesLongStrings(wire: Wire, limit: Int) async throws {
    try await withBridge([echo], wire: wire) {
      $0.stringLimit = limit
    } _: { bridge, log in
      let lengths = try await bridge.evaluate(
        """
        const { Echo } = NativeModules;
        const long = 'x'.repeat(\(limit)), tooLong = long + 'x', failures = [];
        const attempt = async (body) => { try { return await body() } catch (error) { failures.push(`${error.code} ${error.message}`) } };
        (async () => [
          await attempt(() => Echo.text(long)), await attempt(() => Echo.text(tooLong)),
          await attempt(() => Echo.texts([long])), await attempt(() => Echo.texts([long, tooLong])),
          await attempt(async () => (await Echo.json({ [long]: long }))[long].length), await attempt(() => Echo.json({ [tooLong]: 1 })),
          await attempt(() => Echo.text(long)),
        ].map(value => value ?? -1))()
        """, as: [Int].self)
      #expect(lengths == [limit, -1, 1, -1, limit, -1, limit])
      let text = "ERR_LIMIT a string of \(limit + 1) units is longer than the limit of \(limit) units"
      let isSaid = try await bridge.evaluate(
        "failures.length === 3 && failures.every(failure => failure === '\(text)')", as: Bool.self)
      #expect(isSaid)
      #expect(log.texts == [])
    }
  }

  /// Answers to calls of Swift's too; errors are told of, cut.
  @Test(arguments: Wire.allCases) func refusesLongStringsOfAnswers(wire: Wire) async throws {
    try await withBridge([], wire: wire) {
      $0.stringLimit = 20
    } _: { bridge, log in
      let answer = await #expect(throws: JavaScriptError.self) {
        try await bridge.evaluate("'x'.repeat(21)", as: String.self)
      }
      #expect(answer?.message == "a string of 21 units" && answer?.code == "ERR_LIMIT")
      let thrown = await #expect(throws: JavaScriptError.self) {
        try await bridge.evaluate(
          "Promise.reject(Object.assign(new Error('y'.repeat(30)), { more: 'z'.repeat(30) }))", as: String.self)
      }
      #expect(thrown?.message == String(repeating: "y", count: 20))
      let longest = try await bridge.evaluate("'x'.repeat(20)", as: String.self)
      #expect(longest.count == 20)
      #expect(log.texts == [])
    }
  }

  /// Whatever the limits are: to tell of one takes a bounded time and memory.
  @Test(
    arguments: Wire.allCases,
    ["throw error", "throw text", "throw { toString: () => text }", "Promise.reject(error)", "Promise.reject(text)"])
  func cutsLongErrors(wire: Wire, end: String) async throws {
    try await withBridge([], wire: wire) { bridge, log in
      let error = try await #require(throws: JavaScriptError.self) {
        try await bridge.evaluate(
          """
          {
            const text = 'é'.repeat(3e6), error = new Error(text, { cause: new Error(text) });
            Object.assign(error, { name: text, code: text, stack: text, more: text });
            \(end)
          }
          """, as: Int.self)
      }
      for text in [error.message, error.name, error.code, error.stack] {
        #expect(text?.utf16.count ?? 0 <= 1 << 20)
      }
      if !end.contains("toString") { #expect(error.message.hasPrefix("éé") && error.message.hasSuffix("é…")) }
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func refusesDeepNesting(wire: Wire) async throws {
    try await withBridge([echo], wire: wire) {
      $0.nestingLimit = 4
    } _: { bridge, log in
      let outcome = try await bridge.evaluate(
        """
        const nested = depth => depth === 0 ? 1 : [nested(depth - 1)];
        (async () => {
          const texts = [JSON.stringify(await NativeModules.Echo.json(nested(4)))];
          await NativeModules.Echo.json(nested(5)).catch(error => texts.push(`${error.code} ${error.message}`));
          return [...texts, JSON.stringify(await NativeModules.Echo.json(nested(4)))];
        })()
        """, as: [String].self)
      #expect(
        outcome == [
          "[[[[1]]]]",
          "ERR_ARGUMENT Echo.json, argument 1 'value[0][0][0][0]': expected at most 4 levels of nesting, got more",
          "[[[[1]]]]",
        ])
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
        } catch let error as BridgeError { #expect(error.exceeded == .interruption) }
      }
      let sum = try await bridge.evaluate("1 + 1", as: Int.self)
      #expect(sum == 2)
      #expect(log.texts == [])
    }
  }
}

extension LimitTests {
  /// What waits for its turn behind the one that is ended gets its own.
  @Test(.timeLimit(.minutes(5))) func whatWaitsBehindAnInterruptedTurnIsAnswered() async throws {
    for _ in 0..<20 {
      let begun = DispatchSemaphore(value: 0)
      let stage = ModuleDefinition("Stage", make: { _ in Nothing() }) {
        Member<Nothing>.sync("begin") { _ in begun.signal() }
      }
      try await withBridge([stage]) {
        $0.limits = ExecutionLimits(isInterruptible: true)
      } _: { bridge, _ in
        let loop = Task { try await bridge.evaluate("NativeModules.Stage.begin(); for (;;);") }
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            begun.wait()
            continuation.resume()
          }
        }
        async let sum = bridge.evaluate("2 + 3", as: Int.self)
        async let later = bridge.evaluate("Promise.resolve(4 + 5)", as: Int.self)
        async let entry = bridge.enter("6 + 7", .run)
        try await Task.sleep(for: .milliseconds(10))
        bridge.interrupt()
        await #expect(throws: BridgeError.self) { try await loop.value }
        let answers = try await (sum, later, entry)
        #expect(answers == (5, 9, "13"))
      }
    }
  }
}

extension Bridge {
  var scriptLimits: ScriptLimits { get throws { try openRuntime().scriptLimits } }
}
