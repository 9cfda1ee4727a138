import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// A limit may end a turn at any point, of the runtime's own code too, and again and again: what is begun there is done or undone,
/// and the engine still runs promises.
@Suite(.serialized) struct EndedAnywhereTests {
  private static let exercise = """
    globalThis.exercise = async (module) => {
      let text = '';
      const subscription = module.changed.addListener((value) => { text += `event ${value};`; });
      await module.emit(7);
      subscription.remove();
      text += `${module.add(1, 2)};`;
      const point = await module.echo({ x: 1, y: 2, name: 'p' });
      const points = await module.echoes([point, { x: 3, y: 4, name: 'q' }, point, point, point]);
      text += `${points.length}${points[1].x}${points[4].name};`;
      const data = await module.anything({ list: [1, 'two', { three: 3 }], empty: {} });
      text += `${data.list[2].three}${data.list[1]};`;
      const sample = module.sample();
      text += `${sample.label} ${await sample.isSame(sample)};`;
      sample.release();
      const numbers = module.numbers();
      text += `${(await numbers.next()).value}${(await numbers.next()).done};`;
      module.keep((x) => x + 1, 0);
      try { module.fail(); } catch (error) { text += `${error.message};`; }
      try { module.add('x'); } catch (error) { text += `${error.code};`; }
      return text;
    };
    """

  private static let expected = "event 7;3;53p;3two;sample true;1true;no;ERR_ARGUMENT;"

  @Test(arguments: Wire.allCases) func everythingWorksAfterwards(wire: Wire) async throws {
    let lab = Lab()
    try await withBridge([lab.module], wire: wire) { bridge, _ in
      try await bridge.evaluate(Self.exercise)
      for round in 0..<150 {
        try await bridge.setLimits(ExecutionLimits(time: .milliseconds(1)))
        await #expect(throws: (any Error).self) {
          try await bridge.evaluate(
            """
            for (let i = 0; i < \(round * 131 % 4001); i++);
            (async () => { for (;;) { await exercise(NativeModules.Lab); globalThis.registry = new FinalizationRegistry(() => {}); registry.register({}); } })()
            """, as: String.self)
        }
        try await bridge.setLimits(nil)
        _ = lab.kept.withLock { $0.take() }
        let text = try await bridge.evaluate("exercise(NativeModules.Lab)", as: String.self)
        #expect(text == Self.expected, "round \(round)")
        #expect(try await lab.kept.withLock { $0.take() }?(4) == 5, "round \(round)")
      }
    }
  }
}
