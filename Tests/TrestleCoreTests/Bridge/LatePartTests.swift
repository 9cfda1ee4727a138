import EventLoop
import TestSupport
import Testing

@testable import JSEngine
@testable import TrestleCore

/// What of the runtime is evaluated late is there as a whole or not at all, wherever a script first asks for it.
@Suite struct LatePartTests {
  private let lab = Lab()

  private func expectEverythingWorks(_ bridge: Bridge, _ what: String) async throws {
    let text = try await bridge.evaluate("exercise(NativeModules.Lab)", as: String.self)
    #expect(text == Lab.exerciseResult, "\(what)")
    #expect(try await lab.kept.withLock { $0.take() }?(4) == 5, "\(what)")
  }

  @Test(
    arguments: [
      "module.echoes([point])", "module.anything({ a: [1] })", "module.add('x')", "module.add(1, new Date())",
      "module.add()", "module.through([point], () => { throw new Error('mine'); })", "module.sample().label",
      "module.numbers().next()",
      "module.emit(1, { signal: { aborted: false, addEventListener() {}, removeEventListener() {} } })",
    ], Wire.allCases)
  func whereTheStackEnds(first: String, wire: Wire) async throws {
    try await withBridge([lab.module], wire: wire) { bridge, _ in
      try await bridge.evaluate(Lab.exercise)
      let ends = try await bridge.evaluate(
        """
        const module = NativeModules.Lab, point = { x: 1, y: 2, name: 'p' }, given = [];
        let left = 100, ends = 0, strange = 0;
        const note = (error) => { if (error instanceof RangeError) ends++; else if (!(error instanceof Error)) strange++; };
        function deep() {
          try { deep(); } catch {}
          if (left-- > 0) try { given.push(\(first)); } catch (error) { note(error); }
        }
        (async () => {
          deep();
          for (const value of given) try { await value; } catch (error) { note(error); }
          return [ends, strange];
        })();
        """, as: [Int].self)
      #expect(ends[0] > 0 && ends[1] == 0, "\(ends)")
      try await expectEverythingWorks(bridge, first)
    }
  }

  @Test(arguments: Wire.allCases) func whereATimeLimitEndsIt(wire: Wire) async throws {
    for round in 0..<20 {
      try await withBridge([lab.module], wire: wire) { bridge, _ in
        try await bridge.evaluate(Lab.exercise)
        try await bridge.setLimits(ExecutionLimits(time: .milliseconds(1)))
        _ = try? await bridge.evaluate(
          "for (let i = 0; i < \(round * 2003); i++); exercise(NativeModules.Lab)", as: String.self)
        try await bridge.setLimits(nil)
        _ = lab.kept.withLock { $0.take() }
        try await expectEverythingWorks(bridge, "round \(round)")
      }
    }
  }

  @Test(arguments: Wire.allCases) func whereAMemoryLimitEndsIt(wire: Wire) async throws {
    try await withBridge([lab.module], wire: wire) { bridge, _ in
      try await bridge.evaluate(Lab.exercise)
      try await bridge.setLimits(ExecutionLimits(residentMemory: residentBytes() + (20 << 20)))
      await #expect(throws: BridgeError.self) {
        try await bridge.evaluate(
          """
          globalThis.full = [];
          for (;;) {
            full.push(new Array(10_000).fill(0));
            if (full.length % 10 === 0) exercise(NativeModules.Lab);
          }
          """)
      }
      try await bridge.setLimits(nil)
      try await bridge.evaluate("full = null")
      _ = lab.kept.withLock { $0.take() }
      try await expectEverythingWorks(bridge, "after the limit")
    }
  }

  /// A script has nothing that it is made of.
  @Test(arguments: Wire.allCases) func whereAScriptHasReplacedEverything(wire: Wire) async throws {
    try await withBridge([lab.module], wire: wire, { $0.limits = .ofProcessor(.seconds(10)) }) { bridge, log in
      try await bridge.evaluate(Lab.exercise)
      try await bridge.evaluate(
        """
        const { defineProperty } = Object;
        const parts = ['values', 'failures', 'errors', 'listeners', 'signals', 'streams', 'objects', 'inspector', 'part', 'parts'];
        for (const name of parts) {
          const endless = () => { for (;;); };
          defineProperty(Object.prototype, name, { get: endless, set: endless, configurable: true });
        }
        const globals = ['eval', 'Function', 'FinalizationRegistry', 'WeakRef', 'Map', 'Set', 'Reflect', 'Object', 'Array', 'Uint8Array'];
        for (const name of globals) {
          defineProperty(globalThis, name, { get() { for (;;); } });
        }
        """)
      try await expectEverythingWorks(bridge, "")
      #expect(log.texts == [])
    }
  }
}
