import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// Native code trusts nothing in the arrays: what is wrong is told, and the bridge goes on.
@Suite struct HostileBatchTests {
  /// A queue that never says what it has is not asked again and again while nothing else happens.
  @Test(arguments: [
    "Object.defineProperty(globalThis, '__fbBatchedBridge', { get() { asked++; for (;;); }, configurable: true })",
    """
    globalThis.__fbBatchedBridge = {
      callFunctionReturnFlushedQueue() { return null }, invokeCallbackAndReturnFlushedQueue() { return null }, flushedQueue() { asked++; for (;;); }
    }
    """,
  ])
  func anEndlessQueueIsGivenUp(script: String) async throws {
    try await withBridge([wireSample()], wire: .reactNative) {
      $0.limits = .ofProcessor(.milliseconds(5))
    } _: { bridge, log in
      try? await bridge.evaluate("globalThis.asked = 0; \(script)")
      // It ends by itself.
      await bridge.waitUntilIdle()
      // One or another turn may have been under way, of the engine's own, too.
      var (before, now) = (-1, log.texts.count)
      let deadline = ContinuousClock.now + patience
      while now != before, ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(200))
        (before, now) = (now, log.texts.count)
      }
      #expect(now == before)
      try await bridge.setLimits(.ofProcessor(.seconds(60)))
      try await bridge.evaluate(
        """
        Object.defineProperty(globalThis, '__fbBatchedBridge', {
          value: { callFunctionReturnFlushedQueue: () => null, invokeCallbackAndReturnFlushedQueue: () => null, flushedQueue: () => null },
        });
        """)
      #expect(try await bridge.evaluate("asked > 0", as: Bool.self))
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
    }
  }

  /// What the hooks throw at their caller.
  @Test(arguments: [
    ("nativeFlushQueueImmediate()", "nativeFlushQueueImmediate: expected 1 argument, got 0"),
    ("nativeFlushQueueImmediate(null, 1)", "nativeFlushQueueImmediate: expected 1 argument, got 2"),
    ("nativeFlushQueueImmediate(5)", "the members of a batch are no array: got number 5"),
    ("nativeFlushQueueImmediate({length: 3})", "the members of a batch are no array: got object"),
    ("nativeFlushQueueImmediate([])", "a batch has 0 members"),
    ("nativeFlushQueueImmediate([[0], [0], [[]], 0, 0])", "a batch has 5 members"),
    ("nativeFlushQueueImmediate([{length: 1}, [0], [[]], 0])", "the module IDs of a batch are no array: got object"),
    ("nativeFlushQueueImmediate([[0], 'x', [[]], 0])", "the method IDs of a batch are no array: got string \"x\""),
    ("nativeFlushQueueImmediate([[0], [0], undefined, 0])", "the params of a batch are no array: got undefined"),
    ("nativeFlushQueueImmediate([[0, 0], [0], [[]], 0])", "the three arrays of a batch differ in length"),
    ("nativeFlushQueueImmediate(new Proxy([], {get() { throw new Error('mine') }}))", "mine"),
    (
      "nativeFlushQueueImmediate(new Proxy([], {get: (_, key) => key === 'length' ? 3.5 : []}))",
      "the members of a batch are no array: got array"
    ),
    ("nativeCallSyncHook(0, 5)", "nativeCallSyncHook: expected 3 arguments, got 2"),
    ("nativeCallSyncHook(9, 5, [])", "there is no module 9"),
    ("nativeCallSyncHook('0', 5, [])", "a module ID is string \"0\""),
    ("nativeCallSyncHook(0, 1e300, [])", "a method ID of module 0 is number 1e+300"),
    ("nativeCallSyncHook(0, 0, ['a'])", "Sample.log is not synchronous"),
    ("nativeCallSyncHook(0, 5, 'a')", "the params of Sample.quote are no array: got string \"a\""),
    ("nativeCallSyncHook(0, 5, [])", "Sample.quote: expected 1 argument, got 0"),
    ("nativeCallSyncHook(0, 5, [1])", "Sample.quote, argument 1 'text': expected string, got number 1"),
  ])
  func whatIsThrown(script: String, message: String) async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      let found = try await bridge.evaluate(
        "(() => { try { \(script); return 'nothing' } catch (error) { return error.message } })()", as: String.self)
      #expect(found == message)
      #expect(try await bridge.evaluate("NativeModules.Sample.query(7)", as: Int.self) == 7)
      #expect(log.texts == [])
    }
  }

  /// What the host is told of a batch that is one, but whose calls are none.
  @Test(
    arguments: [
      ("[['x'], [0], [[]], 0]", "a module ID is string \"x\"; the rest of the batch is dropped"),
      ("[[NaN], [0], [[]], 0]", "a module ID is number NaN; the rest of the batch is dropped"),
      ("[Array(4294967295), Array(4294967295), Array(4294967295), 0]", "a module ID is undefined; the rest"),
      ("[[-2], [0], [[]], 0]", "a module ID is number -2"),
      ("[[9], [0], [[]], 0]", "there is no module 9"),
      ("[[2 ** 53 - 1], [0], [[]], 0]", "there is no module 9007199254740991"),
      ("[[0], [-1], [[]], 0]", "a method ID of module 0 is number -1"),
      ("[[0], [{valueOf: () => 0}], [[]], 0]", "a method ID of module 0 is object"),
      ("[[0], [9], [[]], 0]", "module 'Sample' has no method 9"),
      ("[[0], [0], [5], 0]", "the params of Sample.log are no array: got number 5"),
      ("[[0], [0], [{length: 1, 0: 'a'}], 0]", "the params of Sample.log are no array: got object"),
      ("[[0], [0], [[]], 0]", "Sample.log: expected 1 argument, got 0"),
      ("[[0], [0], [[5]], 0]", "Sample.log, argument 1 'line': expected string, got number 5"),
      (
        "[[0], [0], [new Proxy(['a'], {get: (it, key) => key === 'length' ? 1e9 : it[key]})], 0]",
        "Sample.log: expected 1 argument, got 1000000000"
      ),
      ("[[0], [3], [[1]], 0]", "the params of Sample.query lack the IDs of its promise"),
      ("[[0], [3], [[1, 'a', 3]], 0]", "a callback ID of Sample.query is string \"a\""),
      ("[[0], [2], [[1, () => {}]], 0]", "Sample.later, argument 2 'success': expected function, got function"),
      ("[[0], [5], [['a']], 0]", "Sample.quote is synchronous, and was called in a batch"),
      ("[[0], [0], {get 0() { throw new Error('mine') }, __proto__: [1]}, 0]", nil),
      ("[[0], [0], Object.defineProperty([], 0, {get() { throw new Error('mine') }}), 0]", "mine"),
      ("[[0], [0], [Object.defineProperty([], 0, {get() { throw new Error('mine') }})], 0]", "mine"),
      (
        "[[0], [7], [['other']], 0]",
        "Sample.addListener, argument 1 'event': expected an event of the module, got string"
      ),
      ("[[0], [7], [[]], 0]", "Sample.addListener: expected 1 argument, got 0"),
      ("[[0], [8], [['changed']], 0]", "Sample.removeListeners, argument 1 'count': expected number, got string"),
      // No answer to a call of native code is in a batch: a script could forge it.
      ("[[-1], [0], [[1, 1]], 0]", "a module ID is number -1"),
    ] as [(String, String?)])
  func whatIsReported(batch: String, text: String?) async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      try await bridge.evaluate("try { nativeFlushQueueImmediate(\(batch)) } catch {}")
      #expect(try await bridge.evaluate("NativeModules.Sample.query(7)", as: Int.self) == 7)
      #expect(log.texts.count == (text == nil ? 0 : 1))
      if let text { #expect(log.texts.first?.contains(text) == true, "\(log.texts)") }
    }
  }

  @Test func acallThatIsNoneLeavesTheOthers() async throws {
    let lines = Lock<[String]>([])
    try await withBridge([wireSample(lines)], wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        "nativeFlushQueueImmediate([[0, 9, 0, 0, 0], [0, 0, 99, 0, 0], [['a'], ['b'], ['c'], [1], ['d']], 0])")
      #expect(lines.withLock { $0 } == ["a", "d"])
      #expect(log.texts.count == 3)
    }
  }

  @Test(arguments: [
    "null", "5", "{}", "{flushedQueue() { throw 1 }}",
    "{callFunctionReturnFlushedQueue: 1, invokeCallbackAndReturnFlushedQueue: 2, flushedQueue: 3}",
    "new Proxy({}, {get() { throw new Error('mine') }})",
  ])
  func aBatchedBridgeThatIsNoneIsPassedOver(value: String) async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, _ in
      try await bridge.evaluate("globalThis.__fbBatchedBridge = \(value)")
      #expect(try await bridge.evaluate("NativeModules.Sample.query(7)", as: Int.self) == 7)
    }
  }

  @Test(arguments: ["() => { throw new Error('mine') }", "() => 5", "() => [1, 2, 3]", "() => [[9], [0], [[]], 0]"])
  func entriesOfABatchedBridgeThatMisbehave(entry: String) async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        """
        const {Sample} = NativeModules;
        globalThis.__fbBatchedBridge = {callFunctionReturnFlushedQueue: () => null,
          invokeCallbackAndReturnFlushedQueue: \(entry), flushedQueue: () => null};
        nativeFlushQueueImmediate([[0], [3], [[1, 40, 41]], 0]);
        """)
      #expect(try await bridge.evaluate("Sample.query(7)", as: Int.self) == 7)
      #expect(log.texts.count == 1)
    }
  }

  /// What is thrown amid arguments may be a proxy, whose trap would be given an object of the realm that sets a member of it.
  @Test func whatIsThrownAmidABatchIsNotWrittenTo() async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      try await bridge.installForeignCheck()
      try await bridge.evaluate(
        """
        globalThis.found = [];
        const trap = (target, key, descriptor) => { found.push(`foreign ${isForeign(descriptor)}`); return Reflect.defineProperty(target, key, descriptor); };
        const thrown = new Proxy({ message: 'mine' }, { defineProperty: trap });
        NativeModules.Sample;
        globalThis.__fbBatchedBridge = {
          callFunctionReturnFlushedQueue: () => null, flushedQueue: () => null, getCallableModule: () => null,
          invokeCallbackAndReturnFlushedQueue(id, [error]) { found.push(id, error.code, error.message, isForeign(error)); return null; },
        };
        const params = new Proxy([0, 2, 4], { get(target, key) { if (key === '0') throw thrown; return target[key]; } });
        nativeFlushQueueImmediate([[0], [3], [params]]);
        """)
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("found.join()", as: String.self) == "foreign false,4,EUNSPECIFIED,mine,false")
      #expect(log.texts == [])
    }
  }
}
