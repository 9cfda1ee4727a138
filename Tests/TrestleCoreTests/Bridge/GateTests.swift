import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// Scripts that the engine starts by itself are turns like others, and a bridge ends only when nobody is inside.
@Suite struct GateTests {
  /// What a finalizer calls.
  private struct Host: Sendable {
    let bridge = Lock<Bridge?>(nil)
    let notes = Lock<[String]>([])

    var definition: ModuleDefinition {
      ModuleDefinition("Host", make: { _ in self }) {
        Member<Host>.sync("quit") { host in host.bridge.withLock { $0 }?.assumeIsolated { $0.shutDown() } }
        Member<Host>.sync("one") { _ in 1.0 }
        Member<Host>.promise("ask") { _ in 2.0 }
        Member<Host>.void("note", "text") { (host, text: String) in host.notes.withLock { $0.append(text) } }
        Member<Host>.void("evaluate", "script") { (host, script: String) throws in
          try host.bridge.withLock { $0 }?.assumeIsolated { try $0.evaluate(script) }
        }
      }
    }

    /// Waits without touching the bridge.
    func noted(_ text: String) async throws -> Bool {
      let deadline = ContinuousClock.now + patience
      while ContinuousClock.now < deadline {
        if notes.withLock({ $0.contains(text) }) { return true }
        try await Task.sleep(for: .milliseconds(2))
      }
      return false
    }
  }

  /// Has `callback` called by the engine itself.
  private func finalize(
    in bridge: Bridge, calling callback: String, limits: ExecutionLimits? = nil
  ) async throws {
    try await bridge.evaluate(
      """
      NativeModules.Host.one();
      globalThis.registry = new FinalizationRegistry(\(callback));
      """)
    // In one go: the collector may come by itself, and is to find the limits set.
    try await bridge.withContext { context in
      context.limits = limits
      try context.evaluate("(() => { for (let i = 0; i < 1000; i++) registry.register({ i }, i) })()")
      context.collectGarbage()
    }
  }

  @Test(arguments: Wire.allCases) func callsOfFinalizersAreMadeAndAnswered(wire: Wire) async throws {
    let host = Host()
    try await withBridge([host.definition], wire: wire) { bridge, log in
      try await finalize(
        in: bridge,
        calling: """
          number => {
            if (globalThis.isDone) return;
            isDone = true;
            NativeModules.Host.ask().then(value => NativeModules.Host.note(`answered ${value}`));
          }
          """)
      #expect(try await host.noted("answered 2"))
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func aFinalizerMayEndTheBridge(wire: Wire) async throws {
    let host = Host()
    try await withBridge([host.definition], wire: wire) { bridge, _ in
      host.bridge.withLock { $0 = bridge }
      // The collector may come by itself, and the bridge be closed before it is asked to.
      try? await finalize(
        in: bridge,
        calling: "() => { NativeModules.Host.note('called'); NativeModules.Host.quit(); NativeModules.Host.one(); }")
      #expect(try await host.noted("called"))
      let deadline = ContinuousClock.now + patience
      while ContinuousClock.now < deadline {
        do { try await bridge.evaluate("1") } catch { break }
        try await Task.sleep(for: .milliseconds(2))
      }
      await #expect(throws: BridgeError.self) { try await bridge.evaluate("1") }
      host.bridge.withLock { $0 = nil }
    }
  }

  /// Nothing but a turn ends microtasks without end.
  @Test(arguments: [
    "() => { for (;;); }", "() => { const again = () => Promise.resolve().then(again); again() }",
    "() => { for (;;) NativeModules.Host.one(); }", "() => { Promise.resolve().then(() => { for (;;); }) }",
  ])
  func limitsEndFinalizers(_ callback: String) async throws {
    let host = Host()
    try await withBridge([host.definition]) { bridge, log in
      // On a busy machine no more than what is meant may be ended.
      try await finalize(
        in: bridge,
        // Only the first: without limits, later on, nothing would end another.
        calling:
          "() => { if (globalThis.isCalled) return; globalThis.isCalled = true; NativeModules.Host.note('called'); (\(callback))() }",
        limits: .ofProcessor(.milliseconds(50)))
      #expect(try await host.noted("called"))
      try await bridge.setLimits(nil)
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
      // Promises too: the engine forbids them for good where a limit ends what it does by itself.
      #expect(try await bridge.evaluate("Promise.resolve(2).then((value) => value + 1)", as: Int.self) == 3)
      #expect(log.texts.contains { $0.contains("more than its time") })
    }
  }

  @Test func whatFinalizersThrowIsReported() async throws {
    let host = Host()
    try await withBridge([host.definition]) { bridge, log in
      try await finalize(
        in: bridge,
        calling: "number => { if (number === 3) throw new Error('three'); NativeModules.Host.note(`${number}`) }")
      #expect(try await host.noted("1"))
      #expect(try await host.noted("5"))
      #expect(log.texts.contains { $0.contains("three") })
    }
  }

  @Test func finalizersAreAsTheLanguageSays() async throws {
    try await withBridge([]) { bridge, _ in
      let text = try await bridge.evaluate(
        """
        const caught = (body) => { try { body(); return 'nothing'; } catch (error) { return error.constructor === TypeError; } };
        class Own extends FinalizationRegistry {}
        const own = new Own(() => {});
        const { value, writable, enumerable } = Object.getOwnPropertyDescriptor(globalThis, 'FinalizationRegistry');
        [FinalizationRegistry.name, FinalizationRegistry.length, caught(() => FinalizationRegistry(() => {})), caught(() => new FinalizationRegistry(1)),
          own instanceof FinalizationRegistry, own.unregister({}), FinalizationRegistry.prototype.constructor === value, writable, enumerable].join()
        """, as: String.self)
      #expect(text == "FinalizationRegistry,1,true,true,true,false,true,true,false")
    }
  }

  /// In some way that is not known: the engine calls a script, and nobody has passed the gate.
  @Test func callsOfScriptsThatCameBesideTheGateAreMade() async throws {
    let host = Host()
    try await withBridge([host.definition]) { bridge, log in
      try await bridge.evaluate(
        """
        globalThis.stray = () => {
          NativeModules.Host.ask().then(value => NativeModules.Host.note(`answered ${value}`));
          NativeModules.Host.one();
        }
        """)
      try await stray(in: bridge)
      #expect(try await host.noted("answered 2"))
    }
  }

  @Test func suchAScriptMayEndTheBridge() async throws {
    let host = Host()
    try await withBridge([host.definition]) { bridge, _ in
      host.bridge.withLock { $0 = bridge }
      try await bridge.evaluate(
        "globalThis.stray = () => { NativeModules.Host.quit(); NativeModules.Host.one(); NativeModules.Host.note('went on'); trestle.flush() }"
      )
      try await stray(in: bridge)
      #expect(try await host.noted("went on"))
      await #expect(throws: BridgeError.self) { try await bridge.evaluate("1") }
      host.bridge.withLock { $0 = nil }
    }
  }

  private func stray(in bridge: Bridge) async throws {
    let isCalled: Bool = await withCheckedContinuation { continuation in
      bridge.loop.perform {
        let isCalled = bridge.assumeIsolated { bridge in
          guard let context = try? bridge.openRuntime().context,
            let function = try? context.globalObject.get("stray")
          else { return false }
          var exception: RawValue?
          _ = context.raw.call(function.reference, UnsafeBufferPointer(start: nil, count: 0), exception: &exception)
          return exception == nil
        }
        continuation.resume(returning: isCalled)
      }
    }
    #expect(isCalled)
  }

  /// What a method on the JS thread runs while answers are handed over, too.
  @Test func microtasksOfScriptsThatMethodsRunAreMadeAndTheirCallsAnswered() async throws {
    let host = Host()
    try await withBridge([host.definition]) { bridge, log in
      host.bridge.withLock { $0 = bridge }
      try await bridge.evaluate(
        """
        globalThis.later = () => Promise.resolve().then(() => NativeModules.Host.ask())
          .then(value => NativeModules.Host.note(`answered ${value}`));
        NativeModules.Host.evaluate('later()');
        """)
      #expect(try await host.noted("answered 2"))
      #expect(log.texts == [])
      host.bridge.withLock { $0 = nil }
    }
  }

  @Test func closingTheContextClosesTheBridge() async throws {
    let host = Host()
    try await withBridge([host.definition]) { bridge, _ in
      try await bridge.evaluate("globalThis.never = () => { globalThis.isCalled = true; return new Promise(() => {}) }")
      let call = Task { try await bridge.call("never", as: Int.self) }
      #expect(try await awaitGlobal("isCalled", of: bridge, as: Bool.self))
      try await bridge.withContext { (context) throws in
        context.close()
        #expect(!context.isClosed)
        #expect(try context.evaluate("1 + 1").number == 2)
      }
      await #expect(throws: BridgeError.self) { try await bridge.evaluate("1") }
      let failure = await #expect(throws: BridgeError.self) { try await call.value }
      #expect(failure?.code == .closed)
      #expect(await bridge.close(within: patience))
    }
  }

  @Test func aBridgeThatDoesNotOpenLeavesNothing() async throws {
    final class Provision: Sendable {}
    weak var left: Provision?
    do {
      let module = ModuleDefinition("Broken", make: { _ in Nothing() }) {}
        .with(script: ModuleScript(sourceURL: "broken.js") { "(() => { throw new Error('broken') })" })
      var configuration = BridgeConfiguration()
      let provision = Provision()
      left = provision
      configuration.provisions = [provision]
      await #expect(throws: BridgeError.self) {
        try await Bridge(modules: .definitions([module]), configuration: configuration)
      }
    }
    let deadline = ContinuousClock.now + patience
    while left != nil, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(2)) }
    #expect(left == nil)
  }

  /// A weak reference gives an object a side table, and makes each later count of its owners a slow one: a quarter of an event's time.
  @Test(arguments: [false, true]) func noWeakReferenceIsMadeToTheRuntime(isLimited: Bool) async throws {
    func hasSideTable(_ object: AnyObject) -> Bool {
      let counts = Unmanaged.passUnretained(object).toOpaque().load(fromByteOffset: 8, as: UInt64.self)
      return counts >> 62 == 3
    }
    final class Sample {}
    let sample = Sample()
    #expect(!hasSideTable(sample))
    weak let reference = sample
    #expect(hasSideTable(sample) && reference != nil, "as the standard library has it")
    try await withBridge([Host().definition]) {
      $0.limits = isLimited ? ExecutionLimits(time: .seconds(60), residentMemory: 1 << 40) : nil
    } _: { bridge, _ in
      try await bridge.evaluate("NativeModules.Host.ask(); NativeModules.Host.note('a')")
      let isFast = try await bridge.withContext { context in
        guard let keeper = context.gate.keeper else { return false }
        return !hasSideTable(keeper) && !hasSideTable(context.gate)
      }
      #expect(isFast)
    }
  }
}
