import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// Events, objects, streams, kept functions and interfaces, beside scripts that try to break them.
@Suite struct HostileFeatureTests {
  private let lab = Lab()

  /// Uses each of them once, and no built-in that the attacks replace.
  private static let exercise = """
    const { Lab } = NativeModules;
    trestle.registerCallableModule('plugin', { twice: x => 2 * x });
    async function exercise() {
      let text = '';
      const subscription = Lab.changed.addListener(value => { text += `event ${value};`; });
      await Lab.emit(7);
      subscription.remove();
      await Lab.emit(8);
      const sample = Lab.sample();
      text += `${sample.label} ${await sample.isSame(sample)};`;
      sample.release();
      const numbers = Lab.numbers();
      text += `${(await numbers.next()).value} ${(await numbers.next()).done};`;
      let next = 0;
      text += `${await Lab.sum({ [Symbol.iterator]: () => ({ next: () => ({ value: ++next, done: next > 3 }) }) })};`;
      Lab.keep(x => x + 1, 0);
      return text;
    }
    """

  @Test(
    arguments: Wire.allCases,
    [
      "WeakRef.prototype.deref = () => { throw 1 }; globalThis.WeakRef = undefined",
      "FinalizationRegistry.prototype.register = FinalizationRegistry.prototype.unregister = () => { throw 2 }",
      "Set.prototype.add = Set.prototype.delete = Set.prototype.forEach = Set.prototype.clear = () => { throw 3 }",
      "Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => { throw 4 }",
      "WeakMap.prototype.get = WeakMap.prototype.set = () => { throw 5 }",
      "Promise.prototype.then = () => { throw 6 }; Promise.resolve = () => 7",
      "globalThis.Promise = globalThis.Map = globalThis.Set = globalThis.FinalizationRegistry = undefined",
      "Object.defineProperty(Array.prototype, '0', {set() { throw 8 }, get() { return 9 }, configurable: true})",
      "Object.prototype.get = Object.prototype.set = () => { throw 10 }; Object.prototype.value = 11; Object.prototype.done = true",
      "Object.prototype.waits = Object.prototype.item = Object.prototype.signal = 12; Object.prototype.number = 13",
      "Array.prototype[Symbol.iterator] = () => { throw 14 }; Object.prototype.toJSON = () => 15",
      "Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype)).next = () => { throw 16 }",
      "Function.prototype.call = Function.prototype.apply = Reflect.apply = () => { throw 17 }",
    ])
  func replacedBuiltInsReachNoFeature(wire: Wire, attack: String) async throws {
    // Those that are made before the attack, and those that are made after it.
    for isLate in [false, true] {
      try await withBridge([lab.module], wire: wire) {
        $0.tracksOutstanding = isLate
      } _: { bridge, log in
        try await bridge.evaluate(Self.exercise)
        if !isLate { _ = try await bridge.evaluate("exercise()", as: String.self) }
        try await bridge.evaluate("(() => { \(attack) })()")
        let text = try await bridge.evaluate("exercise()", as: String.self)
        #expect(text == "event 7;sample true;1 true;6;")
        let kept = try #require(lab.kept.withLock { $0.take() })
        #expect(try await kept(4) == 5)
        #expect(try await bridge.call("plugin.twice", 4, as: Int.self) == 8)
        if isLate { #expect(try await bridge.outstanding().allSatisfy { $0.kind != .promise }) }
        #expect(log.texts == [])
      }
    }
  }

  /// In place of every kind of argument.
  @Test(arguments: Wire.allCases) func proxiesAsArguments(wire: Wire) async throws {
    try await withBridge([lab.module], wire: wire) { bridge, log in
      try await bridge.evaluate(Self.exercise)
      let outcome = try await bridge.evaluate(
        """
        (async () => {
          const attempt = async (body) => { try { return `${await body()}` } catch (error) { return `${error.name} ${error.code ?? ''}` } };
          const throwing = new Proxy({}, { get() { throw new RangeError('trap') }, has() { throw 1 }, ownKeys() { throw new RangeError('keys') } });
          const { proxy: revoked, revoke } = Proxy.revocable({}, {});
          const { proxy: revokedFunction, revoke: revokeFunction } = Proxy.revocable(() => 1, {});
          revoke(); revokeFunction();
          const point = new Proxy({ x: 1, y: 2, name: 'p' }, {}), sample = Lab.sample();
          const texts = [
            await attempt(() => Lab.point(point)), await attempt(() => Lab.list(new Proxy([point], {}))),
            await attempt(() => Lab.point(throwing)), await attempt(() => Lab.anything(throwing)),
            await attempt(() => Lab.point(revoked)), await attempt(() => Lab.anything(revoked)), await attempt(() => Lab.list(revoked)),
            await attempt(() => Lab.isSample(new Proxy(sample, {}), 1)), await attempt(() => Lab.isSample(Object.create(sample), 1)),
            await attempt(() => Lab.isSample(sample, 1)), await attempt(() => new Proxy(sample, {}).label),
            await attempt(() => Lab.sum(throwing)), await attempt(() => Lab.sum(new Proxy([1, 2], {}))),
            await attempt(() => Lab.point({ x: 1, y: 2, name: 'q' }, throwing)), await attempt(() => Lab.changed.addListener(revoked)),
          ];
          Lab.keep(revokedFunction, 1);
          return texts;
        })()
        """, as: [String].self)
      let argument = "TypeError ERR_ARGUMENT"
      #expect(
        outcome == [
          "p", "p", "RangeError ", "RangeError ", "TypeError ", "TypeError ", "TypeError ", argument, argument, "true",
          argument, "RangeError ", "3", "RangeError ", "TypeError ",
        ])
      let kept = try #require(lab.kept.withLock { $0.take() })
      let error = await #expect(throws: JavaScriptError.self) { try await kept(1) }
      #expect(error?.name == "TypeError")
      #expect(try await bridge.evaluate("Lab.point({ x: 1, y: 2, name: 'on' })", as: String.self) == "on")
      #expect(log.texts == [])
    }
  }

  /// An array that says it has a milliard elements ends with the script's time.
  @Test(arguments: Wire.allCases) func anEndlessArrayEndsWithTheLimits(wire: Wire) async throws {
    try await withBridge([lab.module], wire: wire) { bridge, _ in
      try await bridge.evaluate(Self.exercise)
      try await bridge.setLimits(.ofProcessor(.milliseconds(100)))
      _ = try? await bridge.evaluate(
        "Lab.list(new Proxy([], { get: (_, key) => key === 'length' ? 1e9 : { x: 1, y: 2, name: '' } }))",
        as: [String].self)
      try await bridge.setLimits(nil)
      #expect(try await bridge.evaluate("Lab.list([{ x: 1, y: 2, name: 'on' }])", as: [String].self) == ["on"])
    }
  }

  /// Wherever the stack ends, what is half done is not done.
  @Test(arguments: Wire.allCases) func anExhaustedStackLosesNoFeature(wire: Wire) async throws {
    try await withBridge([lab.module], wire: wire) { bridge, log in
      try await bridge.evaluate(Self.exercise)
      try await bridge.evaluate(
        """
        const steps = [
          () => Lab.sample().release(), () => Lab.changed.addListener(() => {}).remove(), () => { Lab.numbers().return(); },
          () => Lab.keep(x => x, 0), () => { Lab.anything({ a: [1] }).catch(() => {}); },
        ];
        for (const step of steps) {
          // At the very end, and where a little more is left, frame by frame.
          let left = 200;
          const deep = () => { try { return deep() + 1; } catch (error) { if (left-- > 0) step(); throw error; } };
          for (let i = 0; i < 3; i++, left = 200) try { deep() } catch (error) { if (!(error instanceof RangeError)) throw error }
        }
        """)
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("exercise()", as: String.self) == "event 7;sample true;1 true;6;")
      #expect(log.texts.filter { $0.contains("ERR_MALFORMED") } == [])
    }
  }
}
