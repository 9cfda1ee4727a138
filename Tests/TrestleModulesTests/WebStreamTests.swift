import Testing
import Trestle
import TrestleModules

/// The streams of the web, compression, `atob`, `btoa` and `crypto`.
@Suite struct WebStreamTests {
  @Test(arguments: [
    (
      "const s = new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); c.close() } }); for await (const x of s) console.log(x); console.log(s.locked)",
      ["1", "2", "false"]
    ),
    // Nothing is pulled that nobody asks for.
    (
      "let n = 0; const s = new ReadableStream({ pull(c) { c.enqueue(n++) }, cancel(r) { console.log('end', r) } }, { highWaterMark: 0 }); for await (const x of s) if (x === 2) break; console.log(n)",
      ["end undefined", "3"]
    ),
    (
      "const bytes = new ReadableStream({ type: 'bytes', start(c) { c.enqueue(new Uint8Array([1, 2, 3])); c.close() } }); const [a, b] = bytes.tee(); const byob = a.getReader({ mode: 'byob' }); console.log((await byob.read(new Uint8Array(2))).value, await Array.fromAsync(b), (await byob.read(new Uint8Array(2))).value)",
      ["Uint8Array(2) [ 1, 2 ] [ Uint8Array(3) [ 1, 2, 3 ] ] Uint8Array(1) [ 3 ]"]
    ),
    (
      "const [a, b] = ReadableStream.from((function* () { yield 'x'; yield Promise.resolve('y') })()).tee(); console.log(await Array.fromAsync(a), await Array.fromAsync(b))",
      ["[ 'x', 'y' ] [ 'x', 'y' ]"]
    ),
    (
      """
      const times = new TransformStream({ transform(x, c) { c.enqueue(x * 2) }, flush(c) { c.enqueue('end') } });
      const got = [];
      await ReadableStream.from([1, 2]).pipeThrough(times).pipeTo(new WritableStream({ write(x) { got.push(x) }, close() { got.push('closed') } }));
      console.log(got)
      """, ["[ 2, 4, 'end', 'closed' ]"]
    ),
    // However many pipes there are, and by no stack.
    (
      """
      let s = ReadableStream.from([1, 2]);
      for (let i = 0; i < 6000; i++) s = s.pipeThrough(new TransformStream());
      const reader = s.getReader();
      console.log(await reader.read(), (await reader.read()).value, (await reader.read()).done);
      """, ["{ value: 1, done: false } 2 true"]
    ),
    // Nothing is written while somebody enqueues; what was enqueued before an error is.
    (
      """
      let source;
      const got = [], end = new ReadableStream({ start(c) { source = c } }).pipeTo(new WritableStream({ write(x) { got.push(x) }, abort(e) { got.push(e) } }));
      await new Promise((go) => setTimeout(go, 5));
      source.enqueue(1);
      const before = got.length;
      source.error('no');
      console.log(before, await end.catch((e) => e), got);
      """, ["0 no [ 1, 'no' ]"]
    ),
    // A slow sink holds the source back.
    (
      """
      let pulled = 0;
      const source = new ReadableStream({ pull(c) { c.enqueue(pulled++) } }, { highWaterMark: 1 });
      const done = source.pipeTo(new WritableStream({ write: () => new Promise((resolve) => setTimeout(resolve, 5)) }), { signal: AbortSignal.timeout(20) });
      await done.catch((e) => { console.log(e.name, pulled < 50); });
      """, ["TimeoutError true"]
    ),
    (
      """
      const s = new ReadableStream({ type: 'bytes', pull(c) { const r = c.byobRequest; r.view[0] = 7; r.respond(1) } });
      const r = s.getReader({ mode: 'byob' }), given = new Uint8Array(4), { value } = await r.read(given);
      console.log(value, given.length)
      """, ["Uint8Array(1) [ 7 ] 0"]
    ),
    (
      """
      const w = new WritableStream({ write() { throw new Error('full') } }).getWriter();
      console.log(await w.write(1).catch((e) => e.message), await w.closed.catch((e) => e.message), await w.write(2).catch((e) => e.message))
      """, ["full full full"]
    ),
    (
      "const c = new AbortController(); c.abort('why'); let told; await new ReadableStream({ cancel(r) { told = r } }).pipeTo(new WritableStream(), { signal: c.signal }).catch((r) => console.log(r, told))",
      ["why why"]
    ),
    (
      """
      const t = new TransformStream({ cancel: () => new Promise(() => {}) }), w = t.writable.getWriter(), r = t.readable.getReader();
      r.read();
      await new Promise(setTimeout);
      r.cancel();
      for (const chunk of [1, 2]) console.log(await w.write(chunk).catch((e) => `${e}`));
      """, ["TypeError: the stream is ending", "TypeError: the stream is ending"]
    ),
    (
      """
      let k, go;
      const t = new TransformStream({ start(c) { k = c }, transform: () => new Promise((r) => go = r) }), w = t.writable.getWriter();
      t.readable.getReader().read().catch(() => {});
      const write = w.write(1);
      await new Promise(setTimeout);
      const end = w.abort('why');
      k.error('mine');
      go();
      console.log(await write, await end.catch((e) => e));
      """, ["undefined mine"]
    ),
    (
      """
      const chunk = Uint8Array.from({ length: 300_000 }, (_, i) => Math.imul(i, 2654435761) >>> 13), parts = [];
      const stream = ReadableStream.from([chunk]).pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'));
      for await (const part of stream) parts.push(...part);
      console.log(parts.length, parts.every((byte, i) => byte === chunk[i]));
      """, ["300000 true"]
    ),
    ("new ReadableStream({ type: 'other' })", ["TypeError ReadableStream: the source's type is 'other', not 'bytes'"]),
    ("const s = new ReadableStream(); s.getReader(); s.getReader()", ["TypeError the stream has a reader already"]),
    (
      "ReadableStream.from(5)",
      ["TypeError ReadableStream.from, argument 1 'iterable': expected an iterable, got number 5"]
    ),
  ])
  func streams(_ body: String, _ expected: [String]) async throws {
    #expect(try await ModuleBridge.lines(of: body) == expected)
  }

  @Test(arguments: ["gzip", "deflate", "deflate-raw"]) func compressionComesBack(_ format: String) async throws {
    let lines = try await ModuleBridge.lines(
      of:
        """
        const text = 'all the same '.repeat(20000), compressed = [], through = (s) => s;
        const stream = ReadableStream.from([text.slice(0, 7), text.slice(7)]).pipeThrough(new TextEncoderStream()).pipeThrough(new CompressionStream('\(format)'));
        for await (const part of stream) compressed.push(part);
        const size = compressed.reduce((sum, part) => sum + part.length, 0);
        // By single bytes.
        const bytes = compressed.flatMap((part) => Array.from(part, (byte) => new Uint8Array([byte])));
        let back = '';
        for await (const part of ReadableStream.from(bytes).pipeThrough(new DecompressionStream('\(format)')).pipeThrough(new TextDecoderStream())) back += part;
        console.log(back === text, size < 5000);
        """)
    #expect(lines == ["true true"])
  }

  @Test(arguments: [
    ("[1, 2, 3]", "ERR_MALFORMED"), ("[31, 139, 8, 0]", "ERR_MALFORMED"),
    ("[31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]", "ERR_MALFORMED"),
  ])
  func brokenDataIsAnError(_ bytes: String, _ code: String) async throws {
    let lines = try await ModuleBridge.lines(
      of:
        "await Array.fromAsync(ReadableStream.from([new Uint8Array(\(bytes))]).pipeThrough(new DecompressionStream('gzip'))).catch((e) => console.log(e.name, e.code))"
    )
    #expect(lines == ["TypeError \(code)"])
  }

  @Test(arguments: [
    ("[btoa(''), btoa('a'), btoa('ab'), btoa('abc\\u00ff')].join()", ",YQ==,YWI=,YWJj/w=="),
    ("[atob(' YQ = ='), atob('YWI'), atob('YWJj')].join()", "a,ab,abc"),
    ("(() => { try { atob('a') } catch (e) { return e.name + e.code } })()", "InvalidCharacterError5"),
    ("(() => { try { btoa('€') } catch (e) { return e.name } })()", "InvalidCharacterError"),
    ("/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())", "true"),
    (
      "(() => { const a = new Uint32Array(64); return crypto.getRandomValues(a) === a && new Set(a).size > 60 })()",
      "true"
    ),
    (
      "(() => { try { crypto.getRandomValues(new Uint8Array(65537)) } catch (e) { return e.name } })()",
      "QuotaExceededError"
    ),
    (
      "(() => { try { crypto.getRandomValues(new Float32Array(1)) } catch (e) { return e.name } })()",
      "TypeMismatchError"
    ),
    ("navigator.hardwareConcurrency >= 1", "true"),
  ])
  func bytes(_ expression: String, _ expected: String) async throws {
    #expect(try await ModuleBridge.logged(expression) == expected)
  }

  @Test func whatIsReportedIsAnErrorThatNobodyCaught() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run("reportError(new Error('mine')); console.log('on')")
    #expect(bridge.output == "on\n" && bridge.uncaught == ["mine"])
    await bridge.bridge.close()
  }
}
