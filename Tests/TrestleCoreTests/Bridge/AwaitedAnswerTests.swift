import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// Whatever a script does, and whatever a limit says: what Swift awaits ends.
@Suite struct AwaitedAnswerTests {
  private static let functions = [
    "() => { for (;;); }",
    "async () => { await 0; for (;;); }",
    "() => { const again = () => Promise.resolve().then(again); again(); return new Promise(() => {}) }",
    "() => ({ get x() { for (;;); } })",
    "() => ({ then() { for (;;); } })",
    "() => { throw { get message() { for (;;); } } }",
    "() => { throw new Proxy(new Error('x'), { get() { for (;;); } }) }",
    "() => { throw new Proxy(new Error('x'), { ownKeys() { throw new Error('y') } }) }",
    "() => { throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 }, ownKeys() { throw 3 } }) }",
    "() => { throw new Proxy({}, { getPrototypeOf() { throw new Proxy({}, { getPrototypeOf() { throw 1 } }) } }) }",
    "() => Array.from({ length: 50000 }, (_, i) => i + 0.5)",
    "() => { throw Object.assign(new Error('x'.repeat(50000)), { big: Array.from({ length: 50000 }, String) }) }",
    """
    () => {
      const promise = Promise.resolve(1);
      Object.defineProperty(promise, 'constructor', { get() { throw new Error('c') } });
      return promise;
    }
    """,
    "() => ({ get then() { throw new Error('then') } })",
    "() => { const f = () => f(); return f() }",
  ]

  @Test(arguments: Wire.allCases, functions) func everyCallEnds(wire: Wire, function: String) async throws {
    try await withBridge([], wire: wire) {
      $0.messageLimit = 100_000
    } _: { bridge, _ in
      try await bridge.evaluate("globalThis.hostile = \(function)")
      try await bridge.setLimits(.ofProcessor(.milliseconds(100)))
      let isOver = Lock(false)
      let call = Task {
        defer { isOver.withLock { $0 = true } }
        do { _ = try await bridge.call("hostile", as: Int.self) } catch let error as BridgeError {
          #expect(error.code != .closed)
        } catch {}
      }
      let deadline = ContinuousClock.now + patience
      while !isOver.withLock({ $0 }), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(2)) }
      #expect(isOver.withLock { $0 }, "it is still awaited")
      try await bridge.setLimits(nil)
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
      await bridge.close()
      await call.value
    }
  }

  /// The signal that a script is given is of the runtime's own making, and so is its end.
  @Test(arguments: Wire.allCases) func endlessControllersEnd(wire: Wire) async throws {
    try await withBridge([], wire: wire) {
      $0.limits = .ofProcessor(.milliseconds(50))
    } _: { bridge, _ in
      try await bridge.evaluate(
        """
        globalThis.AbortController = globalThis.AbortSignal = new Proxy(class {}, { construct() { for (;;); }, get() { for (;;); } });
        globalThis.hostile = (signal) => {
          globalThis.isCalled = true;
          if (signal !== undefined) signal.onabort = () => { for (;;); };
          return new Promise(() => {});
        };
        """)
      let call = Task { try await bridge.call("hostile", AbortSignal(), as: Int.self) }
      #expect(try await awaitGlobal("isCalled", of: bridge, as: Bool.self))
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      try await bridge.setLimits(nil)
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
    }
  }

  @Test func aMessageLimitIsOneThatMessagesCanHave() async throws {
    var configuration = BridgeConfiguration()
    configuration.messageLimit = 0
    #expect(configuration.messageLimit == 4096)
    configuration.messageLimit = .max
    #expect(configuration.messageLimit == 2 << 30)
    try await withBridge([]) {
      $0.messageLimit = .max
    } _: { (bridge, _) throws in
      #expect(try await bridge.evaluate("[1, 2]", as: [Int].self) == [1, 2])
    }
    try await withBridge([]) {
      $0.messageLimit = 0
    } _: { (bridge, _) throws in
      let error = await #expect(throws: JavaScriptError.self) {
        try await bridge.evaluate("Array.from({ length: 1000 }, (_, i) => i + 0.5)", as: [Double].self)
      }
      #expect(error?.code == "ERR_LIMIT")
    }
  }

  @Test func closingNamesWhatWasAwaited() async throws {
    try await withBridge([]) { bridge, _ in
      try await bridge.evaluate("globalThis.never = () => { globalThis.isCalled = true; return new Promise(() => {}) }")
      let call = Task { try await bridge.call("never", as: Int.self) }
      #expect(try await awaitGlobal("isCalled", of: bridge, as: Bool.self))
      await bridge.close()
      let error = await #expect(throws: BridgeError.self) { try await call.value }
      #expect(error?.code == .closed && error?.place == "never")
    }
  }

  @Test func waitingForIdlenessObeysItsTask() async throws {
    try await withBridge([]) { bridge, _ in
      try await bridge.evaluate("globalThis.never = () => { globalThis.isCalled = true; return new Promise(() => {}) }")
      let call = Task { try await bridge.call("never", as: Int.self) }
      #expect(try await awaitGlobal("isCalled", of: bridge, as: Bool.self))
      let waiting = Task { await bridge.waitUntilIdle() }
      waiting.cancel()
      await waiting.value
      call.cancel()
      _ = await call.result
      await bridge.waitUntilIdle()
    }
  }
}
