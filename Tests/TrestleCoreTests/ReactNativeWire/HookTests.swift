import EventLoop
import JSON
import Testing
import TrestleReactNative

@testable import TrestleCore

/// The globals that React Native's executor installs beside the queue.
@Suite struct HookTests {
  @Test func whatIsLoggedReachesTheHost() async throws {
    let lines = Lock<[String]>([])
    try await withBridge(
      [], wire: .reactNative { level, text in lines.withLock { $0.append("\(level) \(text)") } }
    ) {
      bridge, log in
      try await bridge.evaluate(
        """
        nativeLoggingHook('a', 0); nativeLoggingHook('b', 1); nativeLoggingHook('c', 2); nativeLoggingHook('d', 3);
        nativeLoggingHook('e', -1); nativeLoggingHook('f', 99); nativeLoggingHook({toString: () => 'g'}, NaN);
        """)
      #expect(log.texts == [])
    }
    #expect(lines.withLock { $0 } == ["trace a", "info b", "warning c", "error d", "trace e", "error f", "error g"])
  }

  @Test(arguments: [
    ("nativeLoggingHook('a')", "nativeLoggingHook: expected 2 arguments, got 1"),
    ("nativeLoggingHook('a', 'b')", #"nativeLoggingHook, argument 2 'level': expected number, got string "b""#),
    ("nativeLoggingHook({toString() { throw new Error('mine') }}, 1)", "mine"),
    ("globalEvalWithSourceUrl(5)", "globalEvalWithSourceUrl, argument 1 'code': expected string, got number 5"),
    ("globalEvalWithSourceUrl('throw new Error(`mine`)')", "mine"),
    ("globalEvalWithSourceUrl('(', 'x.js')", "Unexpected end of script"),
    ("nativeModuleProxy.Sample = {}", "native modules cannot be assigned"),
    ("Object.defineProperty(nativeModuleProxy, 'Sample', {value: 1})", "native modules cannot be assigned"),
  ])
  func mistakesAreThrown(script: String, message: String) async throws {
    try await withBridge([wireSample()], wire: .reactNative) { bridge, log in
      let found = try await bridge.evaluate(
        "'use strict'; (() => { try { \(script); return 'nothing' } catch (error) { return error.message } })()",
        as: String.self)
      #expect(found == message)
      #expect(log.texts == [])
    }
  }

  @Test func codeIsRunWithItsName() async throws {
    try await withBridge([], wire: .reactNative) { bridge, _ in
      let shown = try await bridge.evaluate(
        """
        [globalEvalWithSourceUrl('var here = 6 * 7; here'), here,
          globalEvalWithSourceUrl('(() => new Error().stack)()', 'http://host/part.js').includes('http://host/part.js:1')]
        .map(String)
        """, as: [String].self)
      #expect(shown == ["42", "42", "true"])
    }
  }

  @Test func theClockGoesOn() async throws {
    try await withBridge([], wire: .reactNative) { bridge, _ in
      let before = Double(MonotonicTime.now.nanoseconds) / 1e6
      let times = try await bridge.evaluate("[nativePerformanceNow(), nativePerformanceNow()]", as: [Double].self)
      #expect(before <= times[0] && times[0] <= times[1] && times[1] <= Double(MonotonicTime.now.nanoseconds) / 1e6)
      #expect(try await bridge.evaluate("typeof __jsiExecutorDescription", as: String.self) == "string")
    }
  }

  @Test func theSharedWireHasNoneOfThem() async throws {
    let found = try await withBridge([]) { bridge, _ in
      try await bridge.evaluate(
        """
        ['nativeModuleProxy', 'nativeFlushQueueImmediate', 'nativeCallSyncHook', 'nativeLoggingHook', 'nativePerformanceNow',
          '__fbBatchedBridge', '__fbBatchedBridgeConfig'].filter(name => name in globalThis)
        """, as: [String].self)
    }
    #expect(found == [])
  }
}
