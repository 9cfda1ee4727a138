import Testing
import Trestle
import TrestleReactNative

/// What changes something where the stack ends throws and has changed nothing, or is done, once; and can be called again.
@Suite struct StackEndTests {
  /// What is done, for each level near the stack's end, with a state `s` of its own: `act` throws, or makes `s.n` 1 in the end. What threw
  /// is done again.
  struct Action: Sendable, CustomTestStringConvertible {
    var make = "({ n: 0 })"
    var act: String
    /// Whether what threw has changed nothing.
    var isUntouched = "s.n === 0"
    var finish = ""

    var testDescription: String { act }
  }

  private static let signal = "({ n: 0, c: new AbortController() })"
  private static let buffer = "({ n: 0, b: new ArrayBuffer(8) })"
  private static let wasm = "new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])"

  static let actions = [
    Action(act: "setTimeout(() => s.n++, 0)"),
    Action(act: "setImmediate(() => s.n++)"),
    Action(act: "queueMicrotask(() => s.n++)"),
    Action(act: "{ const id = setInterval(() => { s.n++; clearInterval(id) }, 1) }"),
    // Else the run does not end.
    Action(make: "({ n: 0, id: setInterval(() => {}, 60000) })", act: "{ clearInterval(s.id); s.n = 1 }"),
    Action(make: "({ n: 0, id: setTimeout(() => {}, 60000) })", act: "{ clearTimeout(s.id); s.n = 1 }"),
    Action(make: signal, act: "s.c.signal.addEventListener('abort', () => s.n++)", finish: "s.c.abort()"),
    Action(
      make: signal, act: "{ AbortSignal.any([s.c.signal]).addEventListener('abort', () => s.n++) }",
      finish: "s.c.abort()"),
    Action(
      make: "listening({ n: 1, c: new AbortController() })", act: "s.c.signal.removeEventListener('abort', s.listener)",
      isUntouched: "s.n === 1", finish: "s.c.abort()"),
    Action(
      make: "heard({ n: 0, c: new AbortController() })", act: "s.c.abort()",
      isUntouched: "s.n === 0 && !s.c.signal.aborted && !s.any.aborted"),
    Action(
      make: buffer, act: "s.n = structuredClone(s.b, { transfer: [s.b] }).byteLength / 8",
      isUntouched: "s.n === 0 && s.b.byteLength === 8"),
    Action(
      make: buffer,
      act:
        "{ let v = s.b; for (let i = 0; i < 10; i++) v = new Map([[v, v]]); structuredClone(v, { transfer: [s.b] }); s.n = 1 }",
      isUntouched: "s.b.byteLength === 8"),
    Action(
      make: "({ n: 0, b: new ArrayBuffer(8), i: echoed.length, e: echoed.push(0) })",
      act: "worker.postMessage([s.i, s.b], [s.b])", isUntouched: "echoed[s.i] === 0 && s.b.byteLength === 8",
      finish: "{ await echo; s.n = echoed[s.i] }"),
    Action(
      make: "({ n: 0, d: new TextDecoder(), t: '' })",
      act: "s.t += s.d.decode(new Uint8Array([0xE2, 0x82]), { stream: true })",
      finish: "s.n = s.t + s.d.decode(new Uint8Array([0xAC])) === '€' ? 1 : 0"),
    // Else the run does not end.
    Action(act: "WebAssembly.compile(\(wasm)).then(() => { s.n++ })"),
  ]

  @Test(arguments: actions, BridgeConfiguration.Wire.allCases) func there(
    action: Action, wire: BridgeConfiguration.Wire
  ) async throws {
    let bridge = try await WorkerBridge(wire: wire)
    try await bridge.modules.run(
      """
      const count = 1000, echoed = [], wait = () => new Promise(resolve => setTimeout(resolve, 5));
      const listening = s => { s.listener = () => s.n = 0; s.c.signal.addEventListener('abort', s.listener); return s };
      const heard = s => {
        s.any = AbortSignal.any([s.c.signal]);
        for (const signal of [s.any, s.c.signal]) signal.addEventListener('abort', () => s.n += 0.5);
        return s;
      };
      let worker, echo;
      if (\(action.act.contains("worker"))) {
        worker = new Worker('onmessage = ({ data }) => postMessage(data)', { eval: true });
        echo = new Promise(resolve => worker.onmessage = ({ data }) => {
          if (data === 'last') resolve(worker.terminate()); else echoed[data[0]] += data[1].byteLength / 8;
        });
      }
      const states = Array.from({ length: count }, () => \(action.make)), given = [], failed = [], wrong = [];
      const act = s => { \(action.act.hasPrefix("{") ? "" : "return ")\(action.act) };
      let next = 0;
      function deep() {
        try { deep(); } catch {}
        if (next === count) return;
        const at = next++;
        try { given[at] = act(states[at]); } catch { failed[at] = true; }
      }
      (async () => {
        deep();
        for (let i = 0; i < count; i++) try { await given[i]; } catch { failed[i] = true; }
        await wait();
        for (let i = 0; i < count; i++) {
          const s = states[i];
          if (!failed[i]) continue;
          if (!(\(action.isUntouched))) wrong.push(i);
          await act(s);
        }
        await wait();
        worker?.postMessage('last');
        for (const [i, s] of states.entries()) {
          \(action.finish);
          for (let k = 0; s.n < 1 && k < 100 && \(action.finish.isEmpty); k++) await wait();
          if (s.n !== 1) wrong.push([i, s.n]);
        }
        console.log(failed.includes(true), failed.length < count, wrong);
      })();
      """)
    #expect(bridge.modules.output == "true true []\n")
    #expect(bridge.modules.uncaught == [])
    await bridge.close()
  }

  /// A clone is what it is a clone of, or there is none.
  @Test func clonesThere() async throws {
    let output = try await ModuleBridge.logged(
      """
      (() => {
        const at = (depth, body) => depth === 0 ? body() : at(depth - 1, body);
        const deepest = () => {
          let low = 100, high = 1e6;
          while (high - low > 1) {
            const depth = low + high >> 1;
            try { at(depth, () => 1); low = depth; } catch { high = depth; }
          }
          return low;
        };
        // To write it takes more of the stack than to read it.
        let value = Object('x');
        for (let i = 0; i < 100; i++) value = [value];
        const wrong = [];
        let done = 0, failed = 0;
        for (let round = 0; round < 5; round++) {
          const last = deepest();
          for (let depth = last - 500; depth < last; depth++) {
            let copy;
            try { copy = at(depth, () => structuredClone(value)); } catch { failed++; continue; }
            done++;
            while (Array.isArray(copy)) copy = copy[0];
            if (!(copy instanceof String)) wrong.push(copy);
          }
        }
        return [done > 0, failed > 0, ...wrong].join();
      })()
      """)
    #expect(output == "true,true")
  }
}
