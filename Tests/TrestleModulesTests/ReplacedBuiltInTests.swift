import Testing
import Trestle
import TrestleModules
import TrestleReactNative

/// A script that puts something of its own in the place of built-ins, before anything else is touched, is called by nobody with anything
/// of the realm that the standard modules run in.
@Suite struct ReplacedBuiltInTests {
  /// Spies in the place of every constructor, and of every function of each class and prototype: they do what those do, and keep what
  /// they are given. Then each part of the standard modules is used once.
  private static let script = #"""
    // Transparent spies in the place of every constructor and function that a script can replace, before anything is touched.
    const { apply, construct, getPrototypeOf, ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect;
    const ObjectPrototype = Object.prototype, hasOwn = Function.prototype.call.bind(Object.prototype.hasOwnProperty), ProxyClass = Proxy, keep = [], push = Function.prototype.call.bind(Array.prototype.push);
    const SetClass = Set, has = Function.prototype.call.bind(Set.prototype.has), add = Function.prototype.call.bind(Set.prototype.add);
    const isForeign = (value) => {
      if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return false;
      let at = value, next;
      try { while ((next = getPrototypeOf(at)) !== null) at = next; } catch { return false; }
      return at !== ObjectPrototype && hasOwn(at, '__defineGetter__');
    };
    const look = (name, value) => { if (isForeign(value)) push(keep, name); };
    const spied = new SetClass();
    const spy = (target, name) => new ProxyClass(target, {
      __proto__: null,
      apply(target, self, values) { look(`${name}: this`, self); for (let i = 0; i < values.length; i++) look(`${name}: ${i}`, values[i]); return apply(target, self, values); },
      construct(target, values, made) { for (let i = 0; i < values.length; i++) look(`new ${name}: ${i}`, values[i]); return construct(target, values, made); },
    });
    const spyOn = (owner, title) => {
      if (has(spied, owner)) return;
      add(spied, owner);
      const keys = ownKeys(owner);
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i], name = `${title}.${String(key)}`, descriptor = getOwnPropertyDescriptor(owner, key);
        if (!descriptor.configurable || key === 'constructor' || key === 'prototype') continue;
        for (const part of ['get', 'set']) if (typeof descriptor[part] === 'function') descriptor[part] = spy(descriptor[part], `${part} ${name}`);
        if (typeof descriptor.value === 'function') descriptor.value = spy(descriptor.value, name);
        try { defineProperty(owner, key, descriptor); } catch {}
      }
    };
    const names = ('Object Function Array Number Boolean String Symbol BigInt Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError Math Date Promise RegExp JSON Atomics '
      + 'ArrayBuffer DataView Map Set WeakMap WeakSet WeakRef FinalizationRegistry Proxy Reflect Iterator Intl Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array').split(' ');
    const others = [getPrototypeOf(function* () {}), getPrototypeOf(function* () {}).prototype, getPrototypeOf(async function* () {}), getPrototypeOf(async function* () {}).prototype, getPrototypeOf(async () => {}), getPrototypeOf(Int8Array), getPrototypeOf(Int8Array.prototype), getPrototypeOf([][Symbol.iterator]()), getPrototypeOf(getPrototypeOf([][Symbol.iterator]())), getPrototypeOf(new Map().keys()), getPrototypeOf(new Set().keys()), getPrototypeOf(''[Symbol.iterator]()), getPrototypeOf(''.matchAll(''))];
    const found = [];
    for (const name of names) { const value = globalThis[name]; if (value === undefined) continue; push(found, [name, value]); }
    for (let i = 0; i < others.length; i++) spyOn(others[i], `other ${i}`);
    for (let i = 0; i < found.length; i++) {
      const [name, value] = found[i];
      spyOn(value, name);
      if (typeof value === 'function' && value.prototype) spyOn(value.prototype, `${name}.prototype`);
      if (name === 'Intl') for (const key of ownKeys(value)) { const inner = value[key]; if (typeof inner === 'function') { spyOn(inner, `Intl.${String(key)}`); if (inner.prototype) spyOn(inner.prototype, `Intl.${String(key)}.prototype`); } }
    }
    for (let i = 0; i < found.length; i++) { const [name, value] = found[i]; if (typeof value === 'function') globalThis[name] = spy(value, name); }
    const attempt = async (name, body) => { try { await body(); } catch (error) { look(`error of ${name}`, error); } };
    globalThis.use = async () => {
      for (const name of 'TextEncoder TextDecoder structuredClone AbortSignal AbortController Event EventTarget CustomEvent DOMException MessageEvent ErrorEvent URL URLSearchParams URLPattern Crypto crypto Navigator navigator atob btoa reportError ReadableStream WritableStream TransformStream CompressionStream DecompressionStream TextEncoderStream TextDecoderStream Blob File performance Worker console setTimeout'.split(' ')) await attempt(name, () => look(name, globalThis[name]));
      await attempt('clone', () => structuredClone({ a: [1, new Date(), new Map([[1, new Set([2])]]), /x/g, new Error('x', { cause: 1 }), new Uint8Array(4), new ArrayBuffer(8, { maxByteLength: 16 }), new Blob(['x']), Object('x'), 2n] }));
      for (const odd of [() => {}, Symbol(), new WeakMap(), [].values(), new Intl.Segmenter().segment('a'), Promise.resolve()]) await attempt('odd clone', () => structuredClone(odd));
      await attempt('transfer', () => { const b = new ArrayBuffer(8); structuredClone(b, { transfer: [b] }); });
      await attempt('texts', () => new TextDecoder('utf-16le').decode(new TextEncoder().encode('aé€'.repeat(500))));
      await attempt('urls', () => { const u = new URL('../x?y=1#z', 'http://a.b/c/d/'); u.searchParams.append('q', 'ä'); return [...u.searchParams, new URLPattern({ pathname: '/:a' }).exec('http://a/b')]; });
      await attempt('events', () => { const t = new EventTarget(); t.addEventListener('a', () => {}, { once: true, signal: new AbortController().signal }); t.dispatchEvent(new CustomEvent('a', { detail: {} })); });
      await attempt('signals', () => AbortSignal.any([AbortSignal.timeout(1), AbortSignal.abort()]));
      await attempt('streams', async () => { for await (const x of ReadableStream.from(['a', 'b']).pipeThrough(new TextEncoderStream()).pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))) look('chunk', x); });
      await attempt('bytes', async () => { const r = new ReadableStream({ type: 'bytes', pull(c) { c.enqueue(new Uint8Array(3)); c.close(); } }).getReader({ mode: 'byob' }); await r.read(new Uint8Array(8)); });
      await attempt('blobs', async () => { const b = new Blob(['abc', new Uint8Array(3)]); await b.slice(1).text(); await b.arrayBuffer(); for await (const x of b.stream()) ; });
      await attempt('crypto', () => [crypto.getRandomValues(new Uint8Array(8)), crypto.randomUUID(), atob(btoa('x'))]);
      await attempt('console', () => console.debug({ a: [1, new Map([[1, 2]]), new Set([1]), new Proxy({}, {}), class A {}, Symbol('x'), new Date(0), /x/, new Error('shown') ] }));
      await attempt('timers', () => new Promise((resolve) => { setTimeout(resolve, 1); setImmediate(() => {}); queueMicrotask(() => {}); clearTimeout(setInterval(() => {}, 5)); }));
      await attempt('performance', () => [performance.mark('a'), performance.measure('b', 'a'), performance.getEntries()]);
      await attempt('worker', () => new Promise((resolve) => { const w = new Worker('postMessage([1, new Map()])', { eval: true }); w.onmessage = (e) => { look('a message', e.data); w.terminate().then(resolve); }; w.onerror = resolve; }));
      await attempt('files', async () => { for await (const x of NativeModules.Files.lines('/etc/passwd')) { look('line', x); break; } await NativeModules.Files.readText('/none'); });
      await attempt('files', async () => { const f = await NativeModules.Files.open('/etc/passwd'); look('file', f); await f.read(5); await f.close(); for await (const x of NativeModules.Files.glob(['/etc/h*'])) break; });
      await attempt('programs', async () => look('output', await NativeModules.Processes.run('echo', ['x'])));
      await attempt('typo', () => NativeModules.Fles.x);
      await attempt('databases', async () => { const db = NativeModules.SQLite && await NativeModules.SQLite.open(':memory:'); look('rows', db && await db.all('SELECT 1 AS a, ? AS b', [1])); for await (const x of db.iterate('SELECT 1')) look('row', x); await db.transaction(async (tx) => { await tx.run('CREATE TABLE t (a)'); }); db.close(); });
      await attempt('module', () => import('./none.mjs'));
      Promise.reject(new Error('unhandled')).catch(() => {});
      const handedOut = [...new SetClass(keep)].join(', ');
      return handedOut;
    };
    """#

  @Test func nothingIsHandedToWhatReplacesABuiltIn() async throws {
    let bridge = try await ModuleBridge(
      .files + .processes + .sqlite + .workers(), capabilities: [.files, .processes])
    try await bridge.bridge.evaluate(Self.script)
    let handedOut = try await bridge.bridge.call("use", as: String.self)
    #expect(handedOut == "")
    await bridge.bridge.close()
  }

  /// What a script puts in their place decides nothing of what its own calls are checked for.
  @Test(arguments: [BridgeConfiguration.Wire.shared, .reactNative]) func checksAskNoBuiltInOfTheScript(
    wire: BridgeConfiguration.Wire
  ) async throws {
    let bridge = try await ModuleBridge(.files + .processes, capabilities: [.files, .processes], wire: wire)
    try await bridge.bridge.evaluate(
      """
      const { Files, Processes } = NativeModules, messages = globalThis.messages = [];
      for (const name of ['includes', 'indexOf', 'some', 'every', 'find', 'has']) for (const Class of [Array, String, Set, Map]) {
        if (name in Class.prototype) Class.prototype[name] = () => true;
      }
      Object.keys = () => [];
      const attempt = async call => { try { await call(); messages[messages.length] = 'taken'; } catch ({ message }) { messages[messages.length] = message; } };
      globalThis.done = (async () => {
        await attempt(() => Files.open('x', { mod: 'read' }));
        await attempt(() => Processes.run('/bin/true', [], { foldr: '/' }));
      })();
      """)
    _ = try await bridge.bridge.evaluate("done.then(() => 0)", as: Int.self)
    let messages = try await bridge.bridge.evaluate("messages", as: [String].self)
    #expect(messages.count == 2 && messages.allSatisfy { $0.contains("there is no such option") }, "\(messages)")
    await bridge.bridge.close()
  }
}
