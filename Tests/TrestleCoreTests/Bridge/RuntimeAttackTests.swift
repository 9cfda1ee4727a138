import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// Attacks on the runtime that once succeeded, each before a module is first touched.
@Suite struct RuntimeAttackTests {
  private let lab = Lab()

  /// A script of an attack, and what the call behind it comes to.
  @Test(
    arguments: Wire.allCases,
    [
      // The species of what the runtime copies.
      """
      let held = 'nothing';
      Object.defineProperty(Int32Array.prototype, 'constructor', { get() { held = String(this); return Int32Array; } });
      Object.defineProperty(Object.getPrototypeOf(Int32Array), Symbol.species, { get() { held = 'species'; return this; } });
      """,
      // Setters and getters in place of what the runtime says of modules.
      """
      let held = 'nothing';
      for (const name of ['parameters', 'methods', 'schema', 'kind', 'name', 'low', 'high', 'id', 'of', 'allowed']) {
        Object.defineProperty(Object.prototype, name, { get() { held = name; return '0); held = 1; ('; }, set(value) { held = name; }, configurable: true });
      }
      """,
      // Inherited indices in place of values beside the buffer.
      """
      let held = 'nothing';
      for (const index of [0, 1, 2, 3]) Object.defineProperty(Array.prototype, index, { get() { held = index; return new ArrayBuffer(4096); }, set() { held = index; }, configurable: true });
      """,
    ])
  func whatIsInheritedIsNotAsked(wire: Wire, attack: String) async throws {
    try await withBridge([lab.module], wire: wire) { bridge, log in
      try await bridge.evaluate(attack)
      let name = try await bridge.evaluate(
        "NativeModules.Lab.echo({ x: 1, y: 2, name: 'p' }).then((point) => point.name)", as: String.self)
      #expect(name == "p")
      try await bridge.evaluate("const bytes = NativeModules.Lab.bytes();")
      #expect(try await bridge.evaluate("new Uint8Array(bytes.buffer ?? bytes).length", as: Int.self) == 5000)
      #expect(try await bridge.evaluate("String(held)", as: String.self) == "nothing")
      #expect(log.texts == [])
    }
  }

  /// What is read while a record is put together runs before anything of it is written, and a length that is none is refused.
  @Test(arguments: Wire.allCases) func aProxyOfAnArrayMakesNoCallTwice(wire: Wire) async throws {
    let calls = Lock(0)
    let counter = ModuleDefinition("Counter", make: { _ in Nothing() }) {
      Member<Nothing>.void("count") { _ in calls.withLock { $0 += 1 } }
      Member<Nothing>.sync("now") { _ in 1 }
    }
    try await withBridge([lab.module, counter], wire: wire) { bridge, _ in
      let message = try await bridge.evaluate(
        """
        const { Counter, Lab } = NativeModules;
        Counter.count();
        const list = new Proxy([], { get: (_, key) => key === 'length' ? { valueOf() { Counter.now(); return 1; } } : { x: 1, y: 2, name: '' } });
        Lab.echoes(list).then(() => 'taken', (error) => error.code);
        """, as: String.self)
      #expect(message == "ERR_ARGUMENT")
      await bridge.waitUntilIdle()
      #expect(calls.withLock { $0 } == 1)
    }
  }

  /// Nothing behind the class of a shared object is called with what makes one.
  @Test func noClassStandsBehindASharedObject() async throws {
    try await withBridge([lab.module]) { bridge, _ in
      let stolen = try await bridge.evaluate(
        """
        const first = NativeModules.Lab.sample();
        let stolen = 0;
        Object.setPrototypeOf(first.constructor, class { constructor() { stolen++; } });
        const second = NativeModules.Lab.sample();
        second.label === 'sample' ? stolen : -1
        """, as: Int.self)
      #expect(stolen == 0)
    }
  }

  /// A setter that never returns is not run by what native code sends, and the bridge goes on.
  @Test(arguments: Wire.allCases) func whatIsSentRunsNoSetter(wire: Wire) async throws {
    try await withBridge([lab.module], wire: wire) {
      $0.limits = .ofProcessor(.seconds(5))
    } _: { bridge, _ in
      try await bridge.evaluate(
        """
        const { Lab } = NativeModules;
        for (const name of ['level', 'name', 'x']) Object.defineProperty(Object.prototype, name, { set() { for (;;); }, get() { for (;;); } });
        """)
      let level = try await bridge.evaluate(
        "Lab.anything({ __proto__: null, level: 1 }).then((value) => value.level)", as: Int.self)
      #expect(level == 1)
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
    }
  }

  /// What an ended script has left for later is ended too.
  @Test(
    arguments: Wire.allCases,
    [
      "Promise.resolve().then(() => { for (;;); }); for (;;);",
      "for (let i = 0; i < 5; i++) Promise.resolve().then(() => { for (;;); }); for (;;);",
      "Object.defineProperty(Promise.prototype, 'constructor', { get() { for (;;); }, configurable: true }); (async () => { await Promise.resolve(1); })();",
    ])
  func endlessMicrotasksBehindAnEndlessScript(wire: Wire, script: String) async throws {
    try await withBridge([lab.module], wire: wire) { bridge, _ in
      try await bridge.evaluate("globalThis.attack = () => { \(script) }")
      try await bridge.setLimits(.ofProcessor(.milliseconds(30)))
      await #expect(throws: (any Error).self) { try await bridge.evaluate("attack()") }
      _ = try? await bridge.call("attack", as: Int.self)
      try await bridge.setLimits(nil)
      #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
    }
  }

  /// Whatever is thrown or given, the call comes to an end.
  @Test(
    arguments: Wire.allCases,
    [
      "throw new Proxy(new Error('x'), { ownKeys() { throw 1; } })",
      "throw new Proxy({}, { get() { throw 1; }, ownKeys() { throw 1; } })",
      "throw Object.defineProperty(new Error('x'), 'message', { get() { throw 1; } })",
      "throw { toString() { throw 1; } }",
      "return 'x'.repeat(1 << 20)", "throw new Error('x'.repeat(1 << 20))",
      "throw Object.assign(new Error('x'), { detail: 'x'.repeat(1 << 20) })",
      "return Object.defineProperty(Promise.resolve(1), 'constructor', { get() { throw 1; } })",
      "return Object.defineProperty(Promise.resolve(1), 'constructor', { value: class { static get [Symbol.species]() { throw 1; } } })",
      "return { then() { throw 1; } }", "return { get then() { throw 1; } }", "return Symbol()",
      "return { a: { get b() { throw 1; } } }",
    ])
  func anAnswerIsAlwaysSent(wire: Wire, body: String) async throws {
    try await withBridge([lab.module], wire: wire) {
      $0.messageLimit = 64 << 10
    } _: { bridge, _ in
      try await bridge.evaluate("globalThis.answer = () => { \(body) };")
      _ = try? await bridge.call("answer", as: String.self)
      _ = try? await bridge.evaluate("answer()", as: String.self)
      // Listeners behind one that throws hear of the event.
      try await bridge.evaluate(
        """
        globalThis.heard = 0;
        NativeModules.Lab.changed.addListener(() => { \(body) });
        NativeModules.Lab.changed.addListener((value) => { heard += value; });
        """)
      _ = try await bridge.evaluate("NativeModules.Lab.emit(5)", as: Int.self)
      #expect(try await bridge.evaluate("heard", as: Int.self) == 5)
    }
  }
}
