import Testing
import Trestle
import TrestleModules

/// Scripts of the standard modules that run when what they make is first touched.
@Suite struct LateScriptTests {
  private static let globals = [
    "setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate", "queueMicrotask",
    "performance", "PerformanceMark", "TextEncoder", "TextDecoder", "AbortSignal", "AbortController", "structuredClone",
    "Worker", "URL", "URLSearchParams", "URLPattern", "Event", "EventTarget", "CustomEvent", "DOMException",
    "MessageEvent", "crypto", "atob", "navigator", "ReadableStream", "TransformStream", "CompressionStream",
    "TextDecoderStream", "Blob", "File",
  ]

  private static func bridge() async throws -> Bridge {
    var configuration = BridgeConfiguration()
    configuration.capabilities = [.files]
    return try await Bridge(modules: .standard + .workers(), configuration: configuration)
  }

  @Test(arguments: globals) func globalIsMadeAtItsFirstTouch(_ name: String) async throws {
    let bridge = try await Self.bridge()
    let script = """
      const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, '\(name)');
      const made = globalThis.\(name), after = Object.getOwnPropertyDescriptor(globalThis, '\(name)');
      [typeof get, typeof set, enumerable, configurable, typeof made !== 'undefined', after.value === made, after.enumerable, after.writable,
       after.configurable, made === \(name), get() === made].join();
      """
    #expect(
      try await bridge.evaluate(script, as: String.self)
        == "function,function,false,true,true,true,false,true,true,true,true")
    await bridge.close()
  }

  @Test func noScriptMakesMoreThanItsGlobals() async throws {
    let bridge = try await Self.bridge()
    let script = """
      const before = Object.getOwnPropertyNames(globalThis).join();
      for (const name of Object.getOwnPropertyNames(globalThis)) globalThis[name];
      Object.getOwnPropertyNames(globalThis).join() === before;
      """
    #expect(try await bridge.evaluate(script, as: Bool.self))
    await bridge.close()
  }

  @Test func whatScriptsPutInPlaceOfOneStays() async throws {
    let bridge = try await Self.bridge()
    let script = """
      setTimeout = 'own';
      Object.defineProperty(globalThis, 'clearTimeout', { value: 'defined', configurable: true });
      delete globalThis.setInterval;
      const id = setImmediate(() => {});
      clearImmediate(id);
      [setTimeout, clearTimeout, typeof setInterval].join();
      """
    #expect(try await bridge.evaluate(script, as: String.self) == "own,defined,undefined")
    await bridge.close()
  }

  @Test func builtInsThatScriptsHaveReplacedAreNotAsked() async throws {
    let bridge = try await Self.bridge()
    let script = """
      let asked = 0;
      for (const [object, name] of [[globalThis, 'eval'], [Map.prototype, 'get'], [Map.prototype, 'set'], [Map.prototype, 'has'], [Set.prototype, 'has'],
        [Object, 'entries'], [Object, 'defineProperty'], [Reflect, 'apply'], [Function.prototype, 'call'], [Array.prototype, Symbol.iterator]]) {
        const original = object[name];
        object[name] = function (...values) { asked++; return Reflect.apply(original, this, values); };
      }
      asked = 0;
      const before = asked;
      Worker; structuredClone; performance; TextEncoder; AbortSignal;
      asked - before;
      """
    #expect(try await bridge.evaluate(script, as: Int.self) == 0)
    await bridge.close()
  }

  @Test func atTheEndOfTheStackTheNextTouchBeginsAgain() async throws {
    let bridge = try await Self.bridge()
    let script = """
      let errors = 0;
      (function deeper() {
        try { deeper(); } catch {}
        if (errors >= 20) return;
        try { TextEncoder; performance; Worker; } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          errors++;
        }
      })();
      [errors > 0, new TextEncoder().encode('é').length, typeof performance.now(), typeof Worker].join();
      """
    #expect(try await bridge.evaluate(script, as: String.self) == "true,2,number,function")
    await bridge.close()
  }

  @Test func frozenGlobalsAreThereAllTheSame() async throws {
    let bridge = try await Self.bridge()
    let script = "Object.freeze(globalThis); [typeof setTimeout, typeof performance.now(), typeof Worker].join()"
    #expect(try await bridge.evaluate(script, as: String.self) == "function,number,function")
    await bridge.close()
  }

  @Test func signalsHaveTheirTimersWithoutAnyOfTheScripts() async throws {
    let bridge = try await ModuleBridge()
    // Nothing waits for a signal's time, but for the timer's.
    try await bridge.run(
      "const signal = AbortSignal.timeout(0); signal.onabort = () => console.log(signal.reason.name); setTimeout(() => {}, 20)"
    )
    #expect(bridge.output == "TimeoutError\n")
    #expect(bridge.uncaught == [])
    await bridge.bridge.close()
  }

  @Test func timeCountsFromTheOpening() async throws {
    let bridge = try await Self.bridge()
    let script = """
      const end = Date.now() + 30;
      while (Date.now() < end);
      const { timeOrigin } = performance, now = performance.now();
      now >= 29 && Math.abs(timeOrigin + now - Date.now()) < 60000;
      """
    #expect(try await bridge.evaluate(script, as: Bool.self))
    await bridge.close()
  }
}
