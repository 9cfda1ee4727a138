import Testing

@testable import TrestleCore

/// What surrounds the entries of the queue: `ErrorUtils`, and the functions that run in place of microtasks.
@Suite struct GuardTests {
  private static let errorUtils = """
    globalThis.seen = [];
    globalThis.ErrorUtils = {reportFatalError(error) { seen.push(error.message); if (error.message === 'again') throw error }};
    __fbBatchedBridge.registerCallableModule('Plain', {fail(text) { throw new Error(text) }});
    """

  @Test func whatEntriesThrowGoesToErrorUtils() async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        Self.errorUtils + """
          __fbBatchedBridge.callFunctionReturnFlushedQueue('Plain', 'fail', ['one']);
          NativeModules.Sample.later(1, () => { throw new Error('two') });
          __fbBatchedBridge.setReactNativeMicrotasksCallback(() => {
            __fbBatchedBridge.setReactNativeMicrotasksCallback(null);
            throw new Error('three');
          });
          """)
      #expect(try await bridge.evaluate("seen.sort()", as: [String].self) == ["one", "three", "two"])
      #expect(log.texts == [])
    }
  }

  /// As React Native's own handler does if nobody has set another.
  @Test func whatErrorUtilsThrowReachesTheHost() async throws {
    try await withBridge([], wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        Self.errorUtils + """
          __fbBatchedBridge.callFunctionReturnFlushedQueue('Plain', 'fail', ['again']);
          globalThis.ErrorUtils = {};
          __fbBatchedBridge.callFunctionReturnFlushedQueue('Plain', 'fail', ['no function']);
          Object.defineProperty(globalThis, 'ErrorUtils', {get() { throw new Error('getter') }});
          __fbBatchedBridge.callFunctionReturnFlushedQueue('Plain', 'fail', ['hidden']);
          """)
      #expect(log.texts.count == 3, "\(log.texts)")
      for (text, part) in zip(log.texts, ["again", "no function", "getter"]) { #expect(text.contains(part)) }
    }
  }

  /// Calls that are made in microtasks of the engine, left by a function that runs in place of some, go with the same turn.
  @Test(arguments: ["__fbBatchedBridge", "other"], [0, 1, 2])
  func microtasksLeaveNothingBehind(half: String, turnsBefore: Int) async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      for _ in 0..<turnsBefore { try await bridge.evaluate("0") }
      let sum = try await bridge.evaluate(
        """
        const ours = __fbBatchedBridge;
        const other = {...ours, flushedQueue() { run(); return null }};
        let immediates = [];
        const run = () => { const due = immediates; immediates = []; due.forEach(it => it()); };
        if ('\(half)' === 'other') globalThis.__fbBatchedBridge = other;
        else ours.setReactNativeMicrotasksCallback(run);
        new Promise(resolve => immediates.push(async () => {
          await undefined;
          await undefined;
          NativeModules.Sample.log('burst');
          NativeModules.Sample.later(5, resolve);
        }))
        """, as: Int.self)
      #expect(sum == 5)
      #expect(log.texts == [])
    }
  }
}
