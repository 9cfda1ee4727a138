import EventLoop
import Foundation
import TestSupport
import Testing
import Trestle
import TrestleModules
import TrestleReactNative

/// The attacks of `attackHarness` while a script uses each feature of the standard modules: nothing of the runtime is handed to it, and
/// once the properties are as they were, all of it works as before.
///
/// One after the other: together they would take the processors from all other tests.
@Suite(.serialized) struct StandardAttackTests {
  private typealias Wire = BridgeConfiguration.Wire

  /// How many attacks one bridge sees.
  private static let attacksOfABridge = 24

  @Test(arguments: BridgeConfiguration.Wire.allCases, AttackKind.allCases)
  func featuresWorkAfterwards(wire: BridgeConfiguration.Wire, kind: AttackKind) async throws {
    let triesAll = getenv("TRESTLE_ALL_ATTACKS") != nil
    var plan: AttackPlan?
    var isOver = false
    while !isOver {
      let modules = try await ModuleBridge(
        .files + .processes + .process(script: "main.js", arguments: ["a"]) { _ in }
          + .definitions([.foreignCheck]),
        capabilities: [.files, .processes], wire: wire)
      let bridge = modules.bridge
      // What never comes to its end must not keep the test for ever.
      let watchdog = Task {
        try await Task.sleep(for: patience)
        Issue.record("no outcome of \(kind) attacks")
        await bridge.close(within: patience)
      }
      defer { watchdog.cancel() }
      try await bridge.evaluate(attackHarness + Self.exercise)
      let count = try await bridge.evaluate("attacks.count", as: Int.self)
      #expect(count > 2000)
      var current =
        plan
        ?? AttackPlan(
          count: count, inGroupsOf: 256, stride: triesAll || kind == .planting ? 1 : 4,
          first: AttackKind.allCases.firstIndex(of: kind) ?? 0, strideAlone: triesAll ? 1 : 16)
      isOver = try await attack(kind, bridge, &current)
      plan = current
      #expect(await bridge.close(within: patience))
    }
    #expect(try #require(plan).hits > 0)
  }

  /// - Returns: whether nothing is left to be tried.
  private func attack(_ kind: AttackKind, _ bridge: Bridge, _ plan: inout AttackPlan) async throws -> Bool {
    let expected = try await bridge.evaluate("exercise()", as: [String].self)
    #expect(expected.filter { $0.hasSuffix("undefined") } == [])
    for _ in 0..<Self.attacksOfABridge {
      guard let group = plan.next() else { return true }
      try await bridge.setLimits(.ofProcessor(kind.isEnded ? .milliseconds(60) : .seconds(5)))
      _ = try? await bridge.evaluate("attacks.begin(\(group), '\(kind.rawValue)'); begin()")
      await waitABit(for: bridge)
      try await bridge.setLimits(.ofProcessor(.seconds(5)))
      let asked = try await bridge.evaluate("attacks.end()", as: [Int].self)
      let leaks = try await bridge.evaluate("attacks.takeLeaks()", as: String.self)
      try await bridge.setLimits(nil)
      let what = "after \(kind) attacks on \(group), of which \(asked) were asked"
      #expect(leaks == "", "\(what)")
      let found = try await bridge.evaluate("exercise()", as: [String].self)
      #expect(found == expected, "\(what)")
      plan.note(group, asked: asked)
      // A script may have broken itself for good.
      if found != expected { break }
    }
    return false
  }

  /// What an attack has broken may never come to its end.
  private func waitABit(for bridge: Bridge) async {
    let waiting = Task { await bridge.waitUntilIdle() }
    let limit = Task {
      try await Task.sleep(for: .seconds(1))
      waiting.cancel()
    }
    await waiting.value
    limit.cancel()
  }

  /// `begin()` begins to use each feature once, all at a time; `exercise()` gives what each of them came to.
  private static let exercise = #"""
    {
      const { Files, Process, Processes } = NativeModules;
      const first = async (values, count = 1) => { let text = ''; for await (const value of values) { text += value; if (--count === 0) break; } return text; };
      const features = [
        async () => (await Files.stat('/etc')).kind,
        async () => (await Files.list('/etc')).length > 0,
        async () => (await first(Files.lines('/etc/passwd'), 2)).length > 0,
        async () => (await Files.readBytes('/etc/passwd')).byteLength > 0,
        async () => { for await (const bytes of Files.bytes('/etc/passwd')) return bytes.byteLength > 0; },
        async () => { for await (const { path, kind } of Files.walk('/etc')) return typeof path + typeof kind; },
        async () => Files.readText('/no/such/file'), async () => Files.readText(5), async () => Files.reedText('x'),
        async () => typeof Process.workingDirectory() + Process.arguments.length,
        () => new Promise((resolve) => setTimeout(resolve, 0, 'timer')), () => new Promise((resolve) => setImmediate(resolve, 'immediate')),
        () => new Promise((resolve) => { let count = 0; const id = setInterval(() => { if (++count >= 2) { clearInterval(id); resolve('twice'); } }, 1); }),
        () => new Promise((resolve) => queueMicrotask(() => resolve('microtask'))),
        async () => { performance.mark('a'); performance.measure('b', 'a'); const { length } = performance.getEntries(); performance.clearMarks(); performance.clearMeasures(); return length > 1; },
        async () => {
          const { list, map, error, bytes } = structuredClone({ list: [1, , new Date(5), /x/g], map: new Map([[1, new Set([2])]]), error: new Error('e'), bytes: new Uint8Array([1, 2]) });
          return `${list.length} ${map.size} ${error.message} ${bytes[1]}`;
        },
        async () => structuredClone(() => {}), async () => structuredClone({ get a() { throw new Error('mine'); } }),
        async () => new TextDecoder().decode(new TextEncoder().encode('aé€' + 'x'.repeat(1000))).length,
        async () => { const decoder = new TextDecoder(); return decoder.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) + decoder.decode(new Uint8Array([0xac])); },
        async () => { const url = new URL('../x?y=1#z', 'http://a.b/c/d/'); url.searchParams.append('q', 'ä'); url.hash = 'h'; return url.href; },
        async () => [...new URLSearchParams({ a: '1', b: '2' })].join(';'), async () => new URL('x'),
        async () => JSON.stringify(new URLPattern({ pathname: '/:a/*' }).exec('https://h/b/c').pathname.groups) + new URLPattern('https://x/(\\\\d+)').test('https://x/7'),
        async () => new URLPattern('https://x/('),
        async () => {
          const target = new EventTarget();
          let text = '';
          target.addEventListener('x', (event) => { text += event.type + event.detail; }, { once: true });
          target.dispatchEvent(new CustomEvent('x', { detail: 3 }));
          target.dispatchEvent(new Event('x'));
          return text;
        },
        async () => {
          const controller = new AbortController(), any = AbortSignal.any([controller.signal]);
          let text = '';
          controller.signal.addEventListener('abort', () => { text += 'aborted'; });
          controller.abort();
          return text + any.aborted + any.reason.name;
        },
        async () => { const controller = new AbortController(), run = Processes.run('sleep', ['1000'], {}, controller.signal); controller.abort(new Error('enough')); return run; },
        () => first(new ReadableStream({ start(made) { made.enqueue('a'); made.enqueue('b'); made.close(); } }).pipeThrough(new TransformStream({ transform(text, made) { made.enqueue(text + text); } })), 3),
        async () => {
          const stream = new ReadableStream({ type: 'bytes', pull(made) { made.enqueue(new Uint8Array([1, 2, 3])); made.close(); } });
          return (await stream.getReader({ mode: 'byob' }).read(new Uint8Array(2))).value.length;
        },
        async () => { let text = ''; const writer = new WritableStream({ write(part) { text += part; } }).getWriter(); await writer.write('w'); await writer.close(); return text; },
        async () => { const [one, two] = ReadableStream.from(['x']).tee(); return await first(one, 2) + await first(two, 2); },
        () => first(new Blob(['hello']).stream().pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip')).pipeThrough(new TextDecoderStream()), 9),
        () => new Blob(['a', new Uint8Array([98])]).slice(0, 2).text(), async () => new File(['a'], 'name').name,
        async () => atob(btoa('xyz')), async () => crypto.getRandomValues(new Uint8Array(4)).length + crypto.randomUUID().length,
        async () => navigator.hardwareConcurrency > 0, async () => new DOMException('m', 'AbortError').code,
        async () => (await Processes.run('echo', ['a', 'b'], { input: 'x' })).output,
        async () => {
          const program = await Processes.start('cat');
          await program.write('line\n');
          program.closeInput();
          return await first(program.lines(), 2) + (await program.status()).code;
        },
        async () => console.log('%s %o', 'text', { a: [new Map([[1, 2]]), new Error('e'), new URL('a:b')] }) === undefined,
        async () => console.table([{ a: 1 }]) === undefined,
      ];
      globalThis.begin = () => features.map((feature) => { try { return feature(); } catch (error) { return Promise.reject(error); } });
      globalThis.exercise = async () => {
        const texts = [], begun = begin();
        for (let i = 0; i < begun.length; i++) try { texts.push(`${i} ${await begun[i]}`); } catch (error) { texts.push(`${i} ${error.name} ${error.message}`); }
        return texts;
      };
      attacks.meddle = () => { Process.workingDirectory(); structuredClone({ a: [1] }); new URL('a:b'); Files.exists('/'); };
    }
    """#
}
