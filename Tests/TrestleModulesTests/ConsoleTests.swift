import Testing
import Trestle
import TrestleModules

@Suite struct ConsoleTests {
  @Test(arguments: [
    ("'text', 1, -0, 2n, true, null, undefined, Symbol('s')", "text 1 -0 2n true null undefined Symbol(s)"),
    ("", ""),
    ("['a', \"it's\", 'q\"', `'\"`]", #"[ 'a', "it's", 'q"', '\'"' ]"#),
    ("'line\\nbreak', ['line\\nbreak']", "line\nbreak [ 'line\\nbreak' ]"),
    ("[1, , , 4], []", "[ 1, <2 empty items>, 4 ] []"),
    ("Object.assign([], { 300: 'seen' }), Array(1e9)", "[ <300 empty items>, 'seen' ] [ <1000000000 empty items> ]"),
    (
      "Object.assign(Array(7001), { 2000: 1, 7000: 2, '07001': 3 })",
      "[ <2000 empty items>, 1, <4999 empty items>, 2, '07001': 3 ]"
    ),
    ("Object.assign([], { 4294967294: 1, 4294967295: 2 })", "[ <4294967294 empty items>, 1 ]"),
    ("Object.assign([1], { 4294967295: 2 })", "[ 1, '4294967295': 2 ]"),
    ("Object.assign(Array(101), { 99: 0, 100: 1 }), Array(100)", "[ <99 empty items>, 0, 1 ] [ <100 empty items> ]"),
    ("{}, { a: 1, 'b-c': { d: [] } }", "{} { a: 1, 'b-c': { d: [] } }"),
    ("{ a: { b: { c: { d: 1 } } } }", "{ a: { b: { c: [Object] } } }"),
    ("[[[[1]]]]", "[ [ [ [Array] ] ] ]"),
    ("{ get a() { throw 1 }, set b(x) {}, [Symbol('k')]: 1 }", "{ a: [Getter], b: [Setter], [Symbol(k)]: 1 }"),
    ("new Map([['a', { b: 1 }]]), new Set([1, '2'])", "Map(1) { 'a' => { b: 1 } } Set(2) { 1, '2' }"),
    ("new Uint8Array([1, 2]), new ArrayBuffer(4)", "Uint8Array(2) [ 1, 2 ] ArrayBuffer { byteLength: 4 }"),
    ("new Date(0), new Date(NaN), /x/g, new Number(3)", "1970-01-01T00:00:00.000Z Invalid Date /x/g [Number: 3]"),
    ("Object(1n)", "[BigInt: 1n]"),
    ("() => 1, function f() {}, class A {}", "[Function (anonymous)] [Function: f] [class A]"),
    ("new (class Point { x = 1 }), Object.create(null)", "Point { x: 1 } [Object: null prototype] {}"),
    ("new Proxy({}, { ownKeys() { throw 1 } })", "[Object that cannot be read]"),
    ("Object.assign(() => 1, { a: 1 })", "{ [Function (anonymous)] a: 1 }"),
    (
      "async () => 1, function* f() {}, class extends Array {}, class B extends (class A {}) {}",
      "[AsyncFunction (anonymous)] [GeneratorFunction: f] [class (anonymous) extends Array] [class B extends A]"
    ),
    ("(function* () {})(), new Map().keys(), Math", "Object [Generator] {} Object [Map Iterator] {} Object [Math] {}"),
    (
      "{ [Symbol.toStringTag]: 'T', a: 1 }, new (class C { get [Symbol.toStringTag]() { throw 1 } })",
      "Object [T] { a: 1, [Symbol(Symbol.toStringTag)]: 'T' } C {}"
    ),
    (
      "new DataView(new ArrayBuffer(4), 1, 2)",
      "DataView {\n  byteLength: 2,\n  byteOffset: 1,\n  buffer: ArrayBuffer { byteLength: 4 }\n}"
    ),
    ("new Blob(['äb'], { type: 'Text/Plain' })", "Blob { size: 3, type: 'text/plain' }"),
    (
      "new File(['a'], 'b.txt', { lastModified: 5 })",
      "File { size: 1, type: '', name: 'b.txt', lastModified: 5 }"
    ),
    ("new ReadableStream(), new WritableStream()", "ReadableStream { locked: false } WritableStream { locked: false }"),
    (
      "new CompressionStream('gzip')",
      "CompressionStream {\n  readable: ReadableStream { locked: false },\n  writable: WritableStream { locked: false }\n}"
    ),
    (
      "new TextEncoder(), new TextDecoder()",
      "TextEncoder { encoding: 'utf-8' } TextDecoder { encoding: 'utf-8', fatal: false, ignoreBOM: false }"
    ),
    ("new CountQueuingStrategy({ highWaterMark: 2 })", "CountQueuingStrategy { highWaterMark: 2 }"),
    (
      "performance.mark('a', { startTime: 1, detail: { b: 2 } })",
      """
      PerformanceMark {
        name: 'a',
        entryType: 'mark',
        startTime: 1,
        duration: 0,
        detail: { b: 2 }
      }
      """
    ),
    (
      "'%s is %d, %i, %f; %j %o %% %c.', 'x', 4.5, 4.5, '1.5', {a: 1}, [1], 'css', 'rest'",
      "x is 4.5, 4, 1.5; {\"a\":1} [ 1 ] % . rest"
    ),
    ("'100%', '%d', '%'", "100% %d %"), ("'100%%'", "100%%"), ("'100%% %d', 1", "100% 1"),
    (
      "new URL('http://u@a.b:81/c?d=1#e')",
      """
      URL {
        href: 'http://u@a.b:81/c?d=1#e',
        origin: 'http://a.b:81',
        protocol: 'http:',
        username: 'u',
        password: '',
        host: 'a.b:81',
        hostname: 'a.b',
        port: '81',
        pathname: '/c',
        search: '?d=1',
        searchParams: URLSearchParams { 'd' => '1' },
        hash: '#e'
      }
      """
    ),
    (
      "new URLSearchParams('a=1&a=b'), new URLSearchParams()",
      "URLSearchParams { 'a' => '1', 'a' => 'b' } URLSearchParams {}"
    ),
    ("new (class Mine extends URLSearchParams { own = 1 })('a=1')", "Mine { 'a' => '1', own: 1 }"),
    (
      "AbortSignal.abort(), new AbortController()",
      "AbortSignal { aborted: true } AbortController { signal: AbortSignal { aborted: false } }"
    ),
    ("new Proxy(new URL('a:b'), {}), Object.create(URL.prototype)", "URL {} URL {}"),
    ("Array.from({ length: 102 }, () => 0).length, Array(102).fill(7).slice(0, 3)", "102 [ 7, 7, 7 ]"),
  ])
  func formats(_ arguments: String, _ expected: String) async throws {
    #expect(try await ModuleBridge.logged(arguments) == expected)
  }

  @Test func eventsShowWhatTheySay() async throws {
    let text = try await ModuleBridge.logged(
      "new CustomEvent('z', { detail: { a: 4 }, cancelable: true }), new Event('x')")
    #expect(
      text.contains("type: 'z'") && text.contains("detail: { a: 4 }") && text.contains("cancelable: true"), "\(text)")
    #expect(text.contains("Event {") && text.contains("type: 'x'") && !text.contains("isTrusted"), "\(text)")
  }

  /// A terminal obeys only what a script hands over as text of its own.
  @Test(arguments: [
    "[c]", "{ [c]: 1 }", "{ [Symbol(c)]: Symbol(c) }", "new (class { static name = c })", "class { static name = c }",
    "Object.defineProperty(() => 1, 'name', { value: c })", "Object.assign(new Error(c), { name: c, code: c })",
    "new Error('', { cause: new AggregateError([c], c) })", "new Map([[c, c]])", "Symbol(c)", "Object(c)",
    "RegExp(c)", "'%j %s %o', c, [c], c",
  ])
  func whatIsInspectedHasNoControls(_ value: String) async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run("const log = (c) => console.log(\(value)); log('\\x1b2J\\x9b\\x7f\\u202e\\u2066')")
    #expect(bridge.uncaught == [])
    #expect(!bridge.output.unicodeScalars.contains(where: Self.isObeyed), "\(bridge.output.debugDescription)")
    #expect(bridge.output.contains("\\u001b2J\\u009b\\u007f\\u202e\\u2066"), "\(bridge.output.debugDescription)")
    await bridge.bridge.close()
  }

  @Test func labelsAndHeadersHaveNoControls() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run(
      """
      const c = '\\x1b[2J\\x9b\\u202e', f = Object.defineProperty(() => { console.trace('t') }, 'name', { value: c });
      console.time(c); console.time(c); console.timeLog(c); console.timeEnd(c); console.timeEnd(c); console.count(c); f();
      console.table([{ [c]: c }]); console.table({ [c]: c }); console.table(new Map([[c, 1]])); console.table([[1]], [c + '\\n']);
      """)
    let text = bridge.all.map(\.text).joined()
    #expect(!text.unicodeScalars.contains(where: Self.isObeyed), "\(text.debugDescription)")
    await bridge.bridge.close()
    #expect(try await ModuleBridge.logged("'\\x1b[1m', 'b'") == "\u{1B}[1m b")
  }

  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  @Test func cyclesEnd() async throws {
    #expect(
      try await ModuleBridge.logged("(() => { const a = { b: {} }; a.b.a = a; return a })()")
        == "{ b: { a: [Circular] } }")
  }

  @Test func longValuesTakeLines() async throws {
    #expect(
      try await ModuleBridge.logged("{ one: 'x'.repeat(40), two: 'y'.repeat(40) }")
        == "{\n  one: '\(String(repeating: "x", count: 40))',\n  two: '\(String(repeating: "y", count: 40))'\n}")
    #expect(try await ModuleBridge.logged("Array(150).fill(1)").contains("... 50 more items"))
  }

  @Test func errorsShowTheirStackAndCause() async throws {
    let text = try await ModuleBridge.logged("new TypeError('outer', { cause: new Error('inner') })")
    #expect(text.hasPrefix("TypeError: outer\n    at test.js:1:"))
    #expect(text.contains("\n  [cause]: Error: inner\n    at test.js:1:"))
  }

  @Test(arguments: ["e.cause = e", "e.errors = [e]", "e.a = e"]) func errorsThatReferToThemselves(_ change: String)
    async throws
  {
    let text = try await ModuleBridge.logged("(() => { const e = new Error('x'); \(change); return e })()")
    #expect(text.contains("[Circular]") && text.split(separator: "Error: x").count < 3, "\(text)")
  }

  /// What is told of a value is bounded, however often parts of it come again.
  @Test func whatComesAgainAndAgainEnds() async throws {
    let errors = try await ModuleBridge.logged(
      """
      (() => { let a = new Error('0'); for (let i = 1; i < 40; i++) a = Object.assign(new Error('' + i), { cause: a, errors: [a, a], a }); return a })()
      """)
    #expect(errors.utf8.count < 1 << 23)
  }

  /// To copy what is inside at every level would take minutes.
  @Test func deepValuesAreShownAsFarAsTheTextGoes() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run("let a = []; for (let i = 0; i < 6000; i++) a = [a]; console.dir(a, { depth: null })")
    #expect(bridge.output.hasPrefix("[\n  [\n    [") && bridge.output.contains("…"))
    #expect(bridge.output.utf8.count < 1 << 24)
    await bridge.bridge.close()
  }

  @Test func streamsAndGroups() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run(
      """
      console.info('i'); console.debug('d'); console.warn('w'); console.error('e');
      console.group('G'); console.log('a\\nb'); console.group(); console.log('c'); console.groupEnd(); console.groupEnd();
      console.groupEnd(); console.log('z');
      console.assert(true, 'no'); console.assert(false, 'x %d', 1);
      console.count(); console.count(); console.countReset(); console.count('k');
      """)
    typealias Line = ModuleBridge.Line
    #expect(
      bridge.all == [
        Line(isError: false, text: "i\n"), Line(isError: false, text: "d\n"), Line(isError: true, text: "w\n"),
        Line(isError: true, text: "e\n"), Line(isError: false, text: "G\n"), Line(isError: false, text: "  a\n  b\n"),
        Line(isError: false, text: "    c\n"), Line(isError: false, text: "z\n"),
        Line(isError: true, text: "Assertion failed: x 1\n"), Line(isError: false, text: "default: 1\n"),
        Line(isError: false, text: "default: 2\n"), Line(isError: false, text: "k: 1\n"),
      ])
    await bridge.bridge.close()
  }

  /// All that there is to know of an error, and of the bridge's own frames nothing.
  @Test func errorsShowWhatTheyHold() async throws {
    let text = try await ModuleBridge.logged(
      "Object.assign(new AggregateError([new Error('one'), 2], 'all'), { code: 'E', more: { a: [1] } })")
    #expect(
      text.contains("AggregateError: all\n    at test.js:1:") && text.contains("[errors]: [")
        && text.contains("Error: one"))
    #expect(text.contains("code: 'E'") && text.contains("more: { a: [ 1 ] }"), "\(text)")
    let own = try await ModuleBridge.logged(
      "(() => { try { structuredClone(() => {}) } catch (error) { return error } })()")
    #expect(own.contains("DataCloneError") && own.contains("test.js:1:") && !own.contains("trestle:"), "\(own)")
    let deep = try await ModuleBridge.logged(
      "(() => { function f() { f() + 1 } try { f() } catch (error) { return error } })()")
    #expect(deep.contains("\n    … ") && deep.split(separator: "\n").count < 8, "\(deep)")
  }

  /// The environment is for who asks for it by name.
  @Test func modulesShowKindsAndNoValues() async throws {
    let modules = ModuleSelection.process(script: "a.js", arguments: ["secret"]) { _ in }
    let bridge = try await ModuleBridge(modules, capabilities: [.processes])
    try await bridge.run(
      "console.log(NativeModules); console.log(NativeModules.Process); console.log([NativeModules.Process.arguments])")
    #expect(bridge.output.hasPrefix("NativeModules { Process: [Module] }\nProcess {\n"), "\(bridge.output)")
    #expect(bridge.output.contains("environment: [Object]") && bridge.output.contains("exit: [Function]"))
    #expect(bridge.output.hasSuffix("\n[ [ 'secret' ] ]\n"), "\(bridge.output)")
    #expect(bridge.output.split(separator: "secret").count == 2)
    await bridge.bridge.close()
  }

  /// What shows values is looked for when the first is shown: by then a script may have put anything in the place of what it needs.
  @Test func whatScriptsMakeOfTheirGlobalsIsNotAsked() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run(
      """
      const { Map, Error, console, Reflect, Object } = globalThis;
      for (const name of Reflect.ownKeys(globalThis)) {
        try { Object.defineProperty(globalThis, name, { get() { throw 1; } }); } catch {}
      }
      console.log({ a: [1, /x/, new Map, 'text'] }, new Error('e').message);
      """)
    #expect(bridge.output == "{ a: [ 1, /x/, Map(0) {}, 'text' ] } e\n")
    #expect(bridge.uncaught == [])
    await bridge.bridge.close()
  }

  @Test func tables() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run("console.table([{ a: 1, b: 'x' }, { a: 'ü' }, 5]); console.table(3)")
    #expect(
      bridge.output == """
        ┌─────────┬─────┬─────┬────────┐
        │ (index) │ a   │ b   │ Values │
        ├─────────┼─────┼─────┼────────┤
        │ 0       │ 1   │ 'x' │        │
        │ 1       │ 'ü' │     │        │
        │ 2       │     │     │ 5      │
        └─────────┴─────┴─────┴────────┘
        3

        """)
    await bridge.bridge.close()
  }

  /// A script that replaces built-ins breaks only itself.
  @Test func survivesReplacedBuiltIns() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run(
      """
      const define = Object.defineProperty, promise = Promise.resolve();
      Array.prototype.push = Array.prototype.join = Array.prototype[Symbol.iterator] = () => { throw 'array'; };
      JSON.stringify = Object.keys = Object.defineProperty = Promise.resolve = Reflect.apply = null;
      Map.prototype.get = Map.prototype.set = Map.prototype.forEach = Function.prototype.call = null;
      Promise.prototype.then = RegExp.prototype.exec = String.prototype.split = () => { throw 'then'; };
      define(Array.prototype, '0', { set() { throw 'setter'; }, get() { return 'polluted'; } });
      Object.prototype.get = 1; Object.prototype.value = 2;
      console.log('%s', 'ok', [1], { a: { b: 'x' } }, new Map(), new Date(0), /x/);
      console.table([{ a: 1 }]);
      setTimeout(a => console.log('timer', a), 0, 'A');
      queueMicrotask(() => console.log('microtask'));
      console.log(structuredClone({ a: 1 }), new TextDecoder().decode(new TextEncoder().encode('é')));
      """)
    #expect(bridge.uncaught == [])
    #expect(bridge.output.hasPrefix("ok [ 1 ] { a: { b: 'x' } } Map(0) {} 1970-01-01T00:00:00.000Z /x/\n┌"))
    #expect(bridge.output.hasSuffix("{ a: 1 } é\nmicrotask\ntimer A\n"))
    await bridge.bridge.close()
  }

  @Test func bridgesWithoutTheModulesHaveNoGlobals() async throws {
    let bridge = try await Bridge(modules: .none)
    let names = ["setTimeout", "queueMicrotask", "performance", "structuredClone", "TextEncoder", "TextDecoder"]
    for name in names { #expect(try await bridge.evaluate("typeof \(name)", as: String.self) == "undefined") }
    await bridge.close()
  }
}
