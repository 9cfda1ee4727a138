import JSEngine
import Testing
import Trestle
import TrestleCore
import TrestleModules
import TrestleReactNative

/// What many cancellations cost, in steps of the runtime's own built-ins: no clock is asked.
@Suite struct CancellationWorkTests {
  /// Counts, in the runtime's realm, every element that is walked and every reference that is looked through.
  private static let counting = """
    globalThis.steps = 0;
    const count = (object, name, cost) => {
      const before = object[name];
      object[name] = function (...values) { steps += cost(this); return before.apply(this, values); };
    };
    const one = () => 1;
    for (const some of [[], new Map(), new Set()]) count(Object.getPrototypeOf(some[Symbol.iterator]()), 'next', one);
    for (const collection of [Map, Set]) for (const name of ['get', 'has', 'set', 'add', 'delete']) {
      if (name in collection.prototype) count(collection.prototype, name, one);
    }
    count(WeakRef.prototype, 'deref', one);
    for (const name of ['some', 'every', 'filter', 'map', 'find', 'findIndex', 'indexOf', 'includes', 'forEach', 'slice', 'splice', 'concat', 'shift', 'unshift']) {
      count(Array.prototype, name, (array) => array.length);
    }
    """

  @Test(
    arguments: [
      "const c = new AbortController(); for (let i = 0; i < n; i++) call(c.signal); c.abort()",
      "const cs = []; for (let i = 0; i < n; i++) { cs.push(new AbortController()); call(cs[i].signal); } cs.forEach(c => c.abort())",
      "const c = new AbortController(); for (let i = 0; i < n; i++) call(AbortSignal.any([c.signal])); c.abort()",
      "const cs = []; for (let i = 0; i < n; i++) cs.push(new AbortController()); call(AbortSignal.any(cs.map(c => c.signal))); cs[0].abort()",
      "const c = new AbortController(); for (let i = 0; i < n; i++) c.signal.addEventListener('abort', () => {}); c.abort()",
      """
      const c = new AbortController(), added = []; for (let i = 0; i < n; i++) c.signal.addEventListener('abort', added[i] = () => {});
      for (const one of added) c.signal.removeEventListener('abort', one);
      """,
    ], BridgeConfiguration.Wire.allCases)
  func theWorkGrowsWithTheirNumber(script: String, wire: BridgeConfiguration.Wire) async throws {
    var configuration = BridgeConfiguration()
    configuration.wire = wire
    let module = ModuleDefinition("Slow", make: { _ in () }) {
      Member<Void>.promiseConcurrently("wait") { (_) -> Int in
        try await Task.sleep(for: .seconds(1000))
        return 1
      }
    }
    let bridge = try await Bridge(modules: .definitions([.web, module]), configuration: configuration)
    try await bridge.withContext { _ = try $0.ownRealm.evaluate(Self.counting) }
    var steps: [Double] = []
    for count in [200, 200, 3200] {
      let before = try await bridge.withContext { try $0.ownRealm.evaluate("steps").number ?? 0 }
      _ = try await bridge.evaluate(
        """
        (async () => {
          const n = \(count), all = [], call = signal => all.push(NativeModules.Slow.wait({ signal }));
          \(script);
          return (await Promise.allSettled(all)).length;
        })()
        """, as: Int.self)
      await bridge.waitUntilIdle()
      steps.append(try await bridge.withContext { try $0.ownRealm.evaluate("steps").number ?? 0 } - before)
    }
    await bridge.close()
    // Sixteen times as many: where each walks through all others it is 256 times the work. Some share more steps than others.
    #expect(steps[2] < 40 * steps[1], "\(steps)")
    #expect(steps[1] > 100, "\(steps)")
  }
}
