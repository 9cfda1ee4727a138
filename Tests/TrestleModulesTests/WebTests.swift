import Testing
import Trestle
import TrestleModules

@Suite struct WebTests {
  @Test(arguments: [
    ("Array.from(new TextEncoder().encode('aé€😀'))", "97,195,169,226,130,172,240,159,152,128"),
    ("Array.from(new TextEncoder().encode('\\ud800x\\udc00'))", "239,191,189,120,239,191,189"),
    ("JSON.stringify(new TextEncoder().encodeInto('a€b', new Uint8Array(4)))", #"{"read":2,"written":4}"#),
    ("JSON.stringify(new TextEncoder().encodeInto('a€b', new Uint8Array(3)))", #"{"read":1,"written":1}"#),
    ("new TextDecoder().decode(new Uint8Array([0xEF, 0xBB, 0xBF, 97]))", "a"),
    ("new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xEF, 0xBB, 0xBF, 97]))", "\u{FEFF}a"),
    ("new TextDecoder().decode(new Uint8Array([0xF0, 0x9F, 0x98, 97, 0xC0, 0x80]))", "\u{FFFD}a\u{FFFD}\u{FFFD}"),
    ("new TextDecoder().decode(new Uint8Array([0xED, 0xA0, 0x80]))", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("new TextDecoder().decode(new Uint8Array([1, 98, 99, 1]).subarray(1, 3))", "bc"),
    ("new TextDecoder().decode(new DataView(new Uint8Array([97, 98]).buffer, 1))", "b"),
    (
      "(() => { try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (e) { return e.name } })()",
      "TypeError"
    ),
    (
      "(() => { const d = new TextDecoder(), part = (...bytes) => d.decode(new Uint8Array(bytes), { stream: true }); return [part(97, 0xE2), part(0x82), part(0xAC, 0xF0), d.decode(), d.decode(new Uint8Array([98]))].join() })()",
      "a,,€,\u{FFFD},b"
    ),
    (
      "(() => { const e = new DOMException('m', 'AbortError'), c = structuredClone([e, e]); return [c[0] instanceof DOMException, c[0] !== e, c[0] === c[1], c[0].name, c[0].message, c[0].code, c[0].stack === e.stack, Object.keys(c[0])].join() })()",
      "true,true,true,AbortError,m,20,true,"
    ),
    (
      """
      [new ArrayBuffer(2), new Uint8Array([97, 98]), new Uint16Array(2).subarray(1), new DataView(new ArrayBuffer(8), 2, 3)].map(input => {
        structuredClone(1, { transfer: [input.buffer ?? input] });
        return `'${new TextDecoder().decode(input)}'`;
      }).join()
      """, "'','','',''"
    ),
    (
      "(() => { try { new TextDecoder().decode({}) } catch (e) { return e.message } })()",
      "decode, argument 1 'input': expected ArrayBuffer or a view on one"
    ),
    ("(() => { try { new TextDecoder('latin-1') } catch (e) { return e.name } })()", "RangeError"),
    (
      "['utf8', ' UTF-8\\n', 'unicode-1-1-utf-8'].map((label) => new TextDecoder(label).encoding).join()",
      "utf-8,utf-8,utf-8"
    ),
    ("[new TextDecoder(undefined, { fatal: 1 }).fatal, new TextDecoder('utf8', null).ignoreBOM].join()", "true,false"),
    (
      "[() => new TextEncoder().encode(Symbol()), () => new TextDecoder('utf8', 1)].map((make) => { try { make() } catch (e) { return e.name } }).join()",
      "TypeError,TypeError"
    ),
    (
      "(() => { try { structuredClone(() => {}) } catch (e) { return [e instanceof DOMException, e.name, e.code].join() } })()",
      "true,DataCloneError,25"
    ),
  ])
  func text(_ expression: String, _ expected: String) async throws {
    #expect(try await value(of: expression) == expected)
  }

  /// Which is converted in parts, by native code: the same comes out as of short parts, wherever a part ends.
  @Test func longTexts() async throws {
    let script = #"""
      const encoder = new TextEncoder(), size = part + 700, failures = [];
      const check = (name, isRight) => { if (!isRight) failures.push(name); };
      for (const [name, unit] of [['ascii', 'abcdefg\0'], ['two', 'é'], ['three', '€'], ['four', '😀'], ['lone', 'a\ud800'], ['other', '\udc00b']]) {
        for (const before of ['', 'x', 'xy', 'xyz']) {
          const text = before + unit.repeat(size / unit.length), bytes = encoder.encode(text), one = encoder.encode(unit);
          check(`${name} ${before.length} length`, bytes.length === before.length + one.length * Math.floor(size / unit.length));
          check(`${name} ${before.length}`, bytes.at(-1) === one.at(-1) && new TextDecoder('utf-8', { fatal: true }).decode(bytes) === text.toWellFormed());
          for (const room of [bytes.length, bytes.length - 1, 1500, bytes.length >> 1]) {
            const into = new Uint8Array(room), { read, written } = encoder.encodeInto(text, into);
            check(`${name} ${before.length} into ${room}`, room - written < 4 && encoder.encode(text.slice(0, read)).length === written && into[written - 1] === bytes[written - 1]);
          }
        }
      }
      // What is wrong, around where a part ends.
      for (const wrong of [[0x80], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x80, 0x80, 0x80, 0x80, 0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80]]) {
        const expected = new TextDecoder().decode(new Uint8Array(wrong));
        for (let at = part - 6; at < part + 2; at++) {
          const bytes = new Uint8Array(size).fill(97);
          bytes.set(wrong, at);
          const text = new TextDecoder().decode(bytes);
          check(`${wrong} at ${at}`, text === 'a'.repeat(at) + expected + 'a'.repeat(size - at - wrong.length));
          let error;
          try { new TextDecoder('utf-8', { fatal: true }).decode(bytes); } catch (caught) { error = caught; }
          check(`${wrong} at ${at}, fatal`, error?.message === 'decode: the bytes are not UTF-8');
        }
      }
      console.log(failures.slice(0, 9).join('; ') + '.');
      """#
    for (limit, part) in [(Int.max, 1 << 16), (100, 2000)] {
      let bridge = try await ModuleBridge { $0.stringLimit = limit }
      try await bridge.run("const part = \(part);\n" + script)
      #expect(bridge.output == ".\n" && bridge.uncaught == [])
      await bridge.bridge.close()
    }
  }

  /// `N` is what stands in the place of a number.
  @Test(arguments: [
    "setTimeout(() => {}, N)", "setInterval(() => {}, N)", "AbortSignal.timeout(N)", "new Blob(['abc']).slice(N)",
    "new Blob(['abc']).slice(0, N)", "new File([], 'f', { lastModified: N })",
    "performance.mark('m', { startTime: N })",
    "new CountQueuingStrategy({ highWaterMark: N })",
    "new ByteLengthQueuingStrategy({ highWaterMark: N })", "new ReadableStream({}, { highWaterMark: N })",
    "new WritableStream({}, { highWaterMark: N })", "new TransformStream({}, { highWaterMark: N })",
    "new ReadableStream({ type: 'bytes', autoAllocateChunkSize: N })",
    "await new ReadableStream({ type: 'bytes' }).getReader({ mode: 'byob' }).read(new Uint8Array(1), { min: N })",
    "await new ReadableStream({ start(controller) { controller.enqueue('a'); } }, { size: () => N }).getReader().read()",
  ])
  func whatIsNoNumberIsNotTakenForOne(_ use: String) async throws {
    let bridge = try await ModuleBridge()
    for value in ["1n", "Symbol()", "({ valueOf: () => 1n })"] {
      let script = use.replacing("N)", with: "\(value))").replacing("N }", with: "\(value) }")
        .replacing("N,", with: "\(value),")
      try await bridge.run(
        "(async () => { try { \(script); console.log('taken'); } catch (error) { console.log(error instanceof TypeError) } })()"
      )
    }
    #expect(bridge.output == "true\ntrue\ntrue\n")
    await bridge.bridge.close()
  }

  @Test func timesWithoutEndOfFiles() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run(
      "console.log([Infinity, -Infinity, NaN, -1.9].map((lastModified) => new File([], 'f', { lastModified }).lastModified).join())"
    )
    #expect(bridge.output == "0,0,0,-1\n")
    await bridge.bridge.close()
  }

  @Test(arguments: [
    "{ a: [1, , 'x', { b: null }], c: undefined }", "new Map([[{ k: 1 }, new Set([1, [2]])]])", "new Date(5)", "/x/gi",
    "new Uint16Array([1, 2, 3]).subarray(1)", "new Float64Array([0.5, NaN, -0])", "new Error('text')", "-0",
    "2n ** 80n",
    "[NaN, Infinity, true, null, undefined, '']", "Object.assign([1, 2], { more: 3 })", "[, , 1]", "new Array(3)",
    "new DataView(new ArrayBuffer(8), 2, 3)", "new TypeError('t', { cause: [1] })", "Object('s')", "Object(1n)",
    "Object.assign(new Error('c'), { code: 'E_C' })", "{ __proto__: null, ['__proto__']: 1 }.__proto__",
    "new Float16Array([1.5])", "new Uint8ClampedArray([300])", "'\\ud800'", "new Date(NaN)",
    "new DOMException('m', 'AbortError')", "{ at: [new DOMException()], e: new (class extends Error {})('t') }",
  ])
  func clones(_ expression: String) async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run("const value = (\(expression)); console.log(structuredClone(value)); console.log(value)")
    let lines = bridge.output.split(separator: "\n")
    #expect(bridge.uncaught == [])
    #expect(!lines.isEmpty && lines.prefix(lines.count / 2) == lines.suffix(lines.count / 2))
    await bridge.bridge.close()
  }

  @Test(arguments: [
    // Identity and cycles.
    """
    const shared = {}, value = { one: shared, two: shared }; value.self = value;
    const copy = structuredClone(value);
    copy !== value && copy.self === copy && copy.one === copy.two && copy.one !== shared
    """,
    "const m = new Map(); m.set(m, m); const c = structuredClone(m); c.get(c) === c",
    "const b = new ArrayBuffer(4); const [x, y] = structuredClone([new Uint8Array(b), new DataView(b)]); x.buffer === y.buffer && x.buffer !== b",
    "const e = new RangeError('r'); e.cause = e; const c = structuredClone(e); c.cause === c && c instanceof RangeError",
    // A list much deeper than what crosses to native code may be.
    "let list; for (let i = 0; i < 2000; i++) list = { list }; let n = 0; for (let c = structuredClone(list); c; c = c.list) n++; n === 2000",
    // Only own members, and those that setters and indices on prototypes would take.
    """
    Object.defineProperty(Object.prototype, 'x', { set() { throw 1 }, configurable: true });
    Object.defineProperty(Array.prototype, '0', { set() { throw 1 }, configurable: true });
    const c = structuredClone(JSON.parse('{ "x": [5], "__proto__": 7 }'));
    c.x[0] === 5 && Object.keys(c).join() === 'x,__proto__' && Object.getPrototypeOf(c) === Object.prototype
    """,
    "class P { constructor() { this.a = 1 } get b() { return 2 } } const c = structuredClone(new P()); c.a === 1 && !('b' in c) && c.constructor === Object",
    // Transfer.
    "const b = new Uint8Array([1, 2]).buffer; const c = structuredClone({ b }, { transfer: [b] }); b.detached && new Uint8Array(c.b)[1] === 2",
    "const v = new Uint8Array([1, 2, 3]).subarray(1); const c = structuredClone(v, { transfer: [v.buffer] }); v.length === 0 && c[1] === 3 && c.byteOffset === 1",
    "const b = new ArrayBuffer(8); structuredClone(1, { transfer: [b] }); b.detached",
    "const b = new ArrayBuffer(8); try { structuredClone([b, () => {}], { transfer: [b] }) } catch {} !b.detached",
    "const a = [1, 2]; Object.defineProperty(a, 0, { enumerable: false }); a.x = 5; const c = structuredClone(a); !(0 in c) && c[1] === 2 && c.x === 5",
    "const a = [1, 2, 3, 4]; Object.defineProperty(a, 1, { get() { delete a[0]; delete a[2]; return 7 }, enumerable: true }); a.x = 5; const c = structuredClone(a); c.length === 4 && c[0] === 1 && c[1] === 7 && !(2 in c) && c[3] === 4 && c.x === 5",
    "const o = { get a() { delete o.b; return 1 }, b: 2, c: 3 }; Object.keys(structuredClone(o)).join() === 'a,c'",
    "const a = [, undefined, 1]; a.x = 1; const c = structuredClone(a); !(0 in c) && 1 in c && c.length === 3 && Object.keys(c).join() === '1,2,x'",
    "const e = new Error('m'); e.stack = 7; structuredClone(e).stack === ''",
    "const b = Object.setPrototypeOf(new Uint8Array([7]).buffer, null); const c = structuredClone({ b }, { transfer: [b] }); new Uint8Array(c.b)[0] === 7",
    // Resizable ones stay so.
    "const b = new ArrayBuffer(2, { maxByteLength: 8 }); new Uint8Array(b)[1] = 7; const c = structuredClone(b); c.resizable && c.maxByteLength === 8 && new Uint8Array(c)[1] === 7",
    "const b = new ArrayBuffer(2, { maxByteLength: 8 }); const c = structuredClone(b, { transfer: [b] }); b.detached && c.maxByteLength === 8 && c.byteLength === 2",
    // Views that are as long as their buffers stay so, and no others do.
    """
    const b = new ArrayBuffer(5, { maxByteLength: 32 }), tail = new ArrayBuffer(4, { maxByteLength: 4 });
    const views = [new Uint8Array(b), new Uint8Array(b, 1), new Uint16Array(b, 2), new DataView(b), new Uint8Array(tail)];
    const fixed = [new Uint8Array(b, 0, 5), new Uint16Array(b, 2, 1), new Uint16Array(b, 0, 1), new DataView(b, 1, 2)];
    const c = structuredClone({ views, fixed, b });
    const before = c.fixed.map(view => view.byteLength).join();
    c.b.resize(16);
    b.byteLength === 5 && c.views.map(view => view.byteLength).join() === '16,15,14,16,4' && before === '5,2,2,2' && c.fixed.map(view => view.byteLength).join() === before
    """,
    // All or none.
    """
    const b = new ArrayBuffer(8), { buffer } = new WebAssembly.Memory({ initial: 1 });
    try { structuredClone(b, { transfer: [b, buffer] }) } catch {}
    !b.detached && !buffer.detached
    """,
    """
    const b = new ArrayBuffer(8), other = new ArrayBuffer(8, { maxByteLength: 16 });
    try { structuredClone({ get x() { other.transfer() } }, { transfer: [b, other] }) } catch {}
    !b.detached
    """,
    """
    const b = new ArrayBuffer(4, { maxByteLength: 16 });
    const c = structuredClone({ get x() { b.resize(8) }, b }, { transfer: [b] });
    b.detached && c.b.byteLength === 8
    """,
  ])
  func clonesAreTrue(_ script: String) async throws {
    let bridge = try await ModuleBridge()
    #expect(try await bridge.bridge.evaluate(script, as: Bool.self))
    await bridge.bridge.close()
  }

  @Test(arguments: [
    ("structuredClone({ f() {} })", "DataCloneError 25 a function cannot be cloned"),
    ("structuredClone([Symbol()])", "DataCloneError 25 a symbol cannot be cloned"),
    ("structuredClone(Promise.resolve())", "DataCloneError 25 a Promise cannot be cloned"),
    ("structuredClone(new WeakMap())", "DataCloneError 25 a WeakMap cannot be cloned"),
    (
      "structuredClone(new FinalizationRegistry(() => {}))",
      "DataCloneError 25 a FinalizationRegistry cannot be cloned"
    ),
    ("structuredClone((function* () {})())", "DataCloneError 25 a generator cannot be cloned"),
    ("structuredClone([(async function* () {})()])", "DataCloneError 25 a generator cannot be cloned"),
    ("structuredClone([].keys())", "DataCloneError 25 a built-in iterator cannot be cloned"),
    ("structuredClone(new Map().keys())", "DataCloneError 25 a built-in iterator cannot be cloned"),
    ("structuredClone(new Set().keys())", "DataCloneError 25 a built-in iterator cannot be cloned"),
    ("structuredClone('x'.matchAll(/x/g))", "DataCloneError 25 a built-in iterator cannot be cloned"),
    ("structuredClone([1].values().map(x => x))", "DataCloneError 25 a built-in iterator cannot be cloned"),
    (
      "const b = new ArrayBuffer(8), v = new DataView(b); b.transfer(); structuredClone(v)",
      "DataCloneError 25 an ArrayBuffer that is detached cannot be cloned"
    ),
    ("structuredClone('x'[Symbol.iterator]())", "DataCloneError 25 a built-in iterator cannot be cloned"),
    (
      "structuredClone(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer)",
      "DataCloneError 25 shared memory cannot be cloned"
    ),
    (
      "const b = new ArrayBuffer(8, { maxByteLength: 8 }), v = new Uint16Array(b, 4, 2); b.resize(4); structuredClone(v)",
      "DataCloneError 25 a view that is out of bounds cannot be cloned"
    ),
    (
      "const b = new ArrayBuffer(8, { maxByteLength: 8 }), v = new DataView(b, 4, 2); b.resize(4); structuredClone(v)",
      "DataCloneError 25 a view that is out of bounds cannot be cloned"
    ),
    ("structuredClone()", "TypeError undefined structuredClone: argument 1 'value' is missing"),
    (
      "structuredClone(1, 5)",
      "TypeError undefined structuredClone, argument 2 'options': expected object, got number 5"
    ),
    ("structuredClone(1, { transfer: 5 })", "TypeError undefined transfer: expected an array of ArrayBuffers"),
    ("structuredClone(1, { transfer: [{}] })", "DataCloneError 25 transfer[0]: expected an ArrayBuffer"),
    (
      "const b = new ArrayBuffer(1); structuredClone(b, { transfer: [b, b] })",
      "DataCloneError 25 transfer[1]: the ArrayBuffer is in the list twice"
    ),
    (
      "const b = new ArrayBuffer(1); b.transfer(); structuredClone(b)",
      "DataCloneError 25 an ArrayBuffer that is detached cannot be cloned"
    ),
    (
      "const b = new ArrayBuffer(1); structuredClone({ get x() { b.transfer() }, b }, { transfer: [b] })",
      "DataCloneError 25 transfer[0]: the ArrayBuffer is detached"
    ),
    (
      "const { buffer } = new WebAssembly.Memory({ initial: 1 }); structuredClone(1, { transfer: [buffer] })",
      "DataCloneError 25 transfer[0]: the ArrayBuffer cannot be detached"
    ),
    ("structuredClone(new AbortController())", "DataCloneError 25 an AbortController cannot be cloned"),
    ("structuredClone([AbortSignal.timeout(1)])", "DataCloneError 25 an AbortSignal cannot be cloned"),
    ("structuredClone(new TextEncoder())", "DataCloneError 25 a TextEncoder cannot be cloned"),
    ("structuredClone(new TextDecoder())", "DataCloneError 25 a TextDecoder cannot be cloned"),
    ("structuredClone(NativeModules)", "DataCloneError 25 an object of native code cannot be cloned"),
    (
      "structuredClone(new (class extends TextEncoder {})())",
      "DataCloneError 25 a TextEncoder cannot be cloned"
    ),
    (
      "structuredClone(new Intl.NumberFormat())", "DataCloneError 25 an Intl.NumberFormat cannot be cloned"
    ),
    (
      "structuredClone([new Intl.Segmenter().segment('abc')])",
      "DataCloneError 25 an Intl.Segments cannot be cloned"
    ),
    (
      "structuredClone(new Intl.Segmenter().segment('abc')[Symbol.iterator]())",
      "DataCloneError 25 a built-in iterator cannot be cloned"
    ),
    (
      "structuredClone(new WebAssembly.Memory({ initial: 1 }))",
      "DataCloneError 25 a WebAssembly.Memory cannot be cloned"
    ),
    ("structuredClone({ get x() { throw new Error('mine') } })", "Error undefined mine"),
  ])
  func whatCannotBeCloned(_ script: String, _ expected: String) async throws {
    let bridge = try await ModuleBridge()
    let error = try await bridge.bridge.evaluate(
      "(() => { try { \(script) } catch (e) { return `${e.name} ${e.code} ${e.message}` } })()", as: String.self)
    #expect(error.hasPrefix(expected))
    await bridge.bridge.close()
  }

  private func value(of expression: String) async throws -> String {
    let bridge = try await ModuleBridge()
    let value = try await bridge.bridge.evaluate("String(\(expression))", as: String.self)
    await bridge.bridge.close()
    return value
  }

  /// Text is made in pieces, none of which breaks a character.
  @Test(arguments: ["😀", "€", "x", "ä", "x😀"]) func longTextsAreDecoded(_ character: String) async throws {
    #expect(
      try await ModuleBridge.logged(
        """
        [8191, 8192, 8193, 30000].map((count) => { const text = 'x' + '\(character)'.repeat(count);
          return new TextDecoder().decode(new TextEncoder().encode(text)) === text }).join()
        """) == "true,true,true,true")
  }
}
