import TestSupport
import Testing

@testable import TrestleCore

/// What modules give each other: of sources in memory, without files.
@Suite struct ImportTests {
  /// Imports `/main.mjs` of these, and gives what it exports as `result`.
  private func result(_ sources: [String: String], prelude: String = "") async throws -> String {
    try await withModules(sources) { bridge in
      if !prelude.isEmpty { try await bridge.evaluate(prelude) }
      return try await bridge.importModule("/main.mjs").get("result", as: String.self)
    }
  }

  static let programs: [(name: String, sources: [String: String], result: String)] = [
    (
      "live bindings",
      [
        "/main.mjs": "import { n, up } from './a.mjs'; up(); up(); export const result = String(n)",
        "/a.mjs": "export let n = 1; export const up = () => { n++ }",
      ], "3"
    ),
    (
      "a query makes an instance",
      [
        "/main.mjs": """
        import * as a from './a.mjs'; import * as one from './a.mjs?1';
        const again = await import('./a.mjs?1'), two = await import('./a.mjs?2'), data = await import('./d.cjs?1');
        export const result = [a === one, again === one, two === one, one.url, one.file, one.inner === two.inner, one.up(), two.n, data.default].join()
        """,
        "/a.mjs":
          "export { inner } from './sub.mjs'; export let n = 0; export const up = () => ++n, { url, filename: file } = import.meta",
        "/sub.mjs": "export const inner = {}", "/d.cjs": "module.exports = __filename + __dirname",
      ], "false,true,false,file:///a.mjs?1,/a.mjs,true,1,0,/d.cjs/"
    ),
    (
      "an instance is called by its file in stacks",
      [
        "/main.mjs": """
        const stackOf = async (name) => { try { await import(name) } catch (error) { return error.stack.split('\\n')[0] } };
        export const result = [await stackOf('./a.mjs') === await stackOf('./a.mjs?1'), (await stackOf('./a.mjs')).includes('/a.mjs:1:')].join()
        """,
        "/a.mjs": "throw new Error('x')",
      ], "true,true"
    ),
    (
      "default function, named as it is",
      [
        "/main.mjs": "import f from './a.mjs'; export const result = f() + f.name",
        "/a.mjs": "export default async /* ( */ function* (x = (1)) {} \n",
      ], "[object AsyncGenerator]default"
    ),
    (
      "default expression in parentheses",
      [
        "/main.mjs": "import x from './a.mjs'; export const result = String(x)",
        "/a.mjs": "export default (1, 2) ; // ;",
      ], "2"
    ),
    (
      "default class and arrow are called default",
      [
        "/main.mjs": "import a from './a.mjs'; import b from './b.mjs'; export const result = a.name + b.name",
        "/a.mjs": "export default class { }", "/b.mjs": "export default () => {}",
      ], "defaultdefault"
    ),
    (
      "a call at the start of a line does not go on with the line before",
      [
        "/main.mjs":
          "import { f } from './a.mjs'\nlet x = 1\nf()\nif (x)\n  f()\nelse f()\nexport const result = String(x)",
        "/a.mjs": "export const f = () => 7",
      ], "1"
    ),
    (
      "called without a receiver",
      [
        "/main.mjs":
          "import { f } from './a.mjs'; export const result = String(f() === undefined && f`x` === undefined && (() => f())() === undefined)",
        "/a.mjs": "export function f() { return this }",
      ], "true"
    ),
    (
      "shadowed",
      [
        "/main.mjs":
          "import { x } from './a.mjs'; const g = ({ x }, y = x) => x + y; class C { static x = x; m() { var x = 'v'; return x } } let r = ''; for (const x of ['l']) r += x; try { throw 'c' } catch (x) { r += x } switch (1) { case 1: let x = 's'; r += x } export const result = g({ x: 'p' }) + C.x + new C().m() + r + { x }.x",
        "/a.mjs": "export const x = 'i'",
      ], "ppivlcsi"
    ),
    (
      "assigned by destructuring: an import cannot be",
      [
        "/main.mjs":
          "import { x } from './a.mjs'; let r = ''; try { ({ x } = { x: 1 }) } catch (error) { r = error.name } try { x++ } catch (error) { r += error instanceof TypeError } export const result = r",
        "/a.mjs": "export let x = 0",
      ], "TypeErrortrue"
    ),
    (
      "a cycle, with functions before they are run",
      [
        "/main.mjs": "import { b } from './b.mjs'; export function a() { return 'a' } export const result = b",
        "/b.mjs": "import { a } from './main.mjs'; export const b = a() + 'b'",
      ], "ab"
    ),
    (
      "a cycle reads what is not initialized",
      [
        "/main.mjs": "import { b } from './b.mjs'; export let a = 1; export const result = b",
        "/b.mjs":
          "import { a } from './main.mjs'; let r; try { r = a } catch (error) { r = error.name } export const b = r",
      ], "ReferenceError"
    ),
    (
      "stars, and names that two of them have",
      [
        "/main.mjs": "import * as all from './c.mjs'; export const result = Object.keys(all).join()",
        "/a.mjs": "export const one = 1, both = 1", "/b.mjs": "export const two = 2, both = 2; export default 3",
        "/c.mjs":
          "export * from './a.mjs'; export * from './b.mjs'; export * as inner from './a.mjs'; export { default as third } from './b.mjs'",
      ], "inner,one,third,two"
    ),
    (
      "a namespace is what the specification says",
      [
        "/main.mjs":
          "import * as ns from './a.mjs'; const d = Object.getOwnPropertyDescriptor(ns, 'x'); export const result = [ns[Symbol.toStringTag], Object.isFrozen(ns), Object.isExtensible(ns), Reflect.set(ns, 'x', 1), Reflect.deleteProperty(ns, 'x'), Reflect.getPrototypeOf(ns), d.writable, d.configurable, 'y' in ns].join()",
        "/a.mjs": "export const x = 1",
      ], "Module,false,false,false,false,,true,false,false"
    ),
    (
      "awaits at the top, in order",
      [
        "/main.mjs": "import './a.mjs'; import './b.mjs'; export const result = log.join()",
        "/a.mjs": "log.push('a1'); await 0; log.push('a2')", "/b.mjs": "log.push('b')",
      ], "a1,b,a2"
    ),
    (
      "import() within a function, twice one module",
      [
        "/main.mjs": "const f = () => import('./a.mjs'); export const result = String((await f()) === (await f()))",
        "/a.mjs": "export default 1",
      ], "true"
    ),
    (
      "import() tells what is wrong",
      [
        "/main.mjs":
          "let r = []; for (const s of ['./no.mjs', Symbol(), 'left-pad', 'node:fs', './a.mjs']) await import(s).catch((error) => r.push(error.code ?? error.name)); export const result = r.join()",
        "/a.mjs": "export { nothing } from './b.mjs'", "/b.mjs": "",
      ], "ERR_NOT_FOUND,TypeError,ERR_NOT_FOUND,ERR_NOT_FOUND,SyntaxError"
    ),
    (
      "import() of what awaited as a part of another",
      [
        "/main.mjs":
          "import './a.mjs'; export const result = (await import('./a.mjs')).x + (await import('./b.mjs')).y",
        "/a.mjs": "import './b.mjs'; export const x = await 'x'",
        "/b.mjs": "import './a.mjs'; export const y = await 'y'",
      ], "xy"
    ),
    (
      "words that begin as a keyword does",
      [
        "/main.mjs": "import d, { e } from './a.mjs'; import x from './b.mjs'; export const result = d + e + x",
        "/a.mjs": "const defaultOptions = 'd'; export default defaultOptions; export const e = 'e'",
        "/b.mjs": "const exportsOf = 'x'; export default exportsOf",
      ], "dex"
    ),
    (
      "calls in parentheses",
      [
        "/main.mjs":
          "import { f } from './a.mjs'; let n = 0;\n(f)();\n(f() || 1);\n(f)`x`\nf()\nexport const result = String(globalThis.calls)",
        "/a.mjs": "globalThis.calls = 0; export const f = () => { calls++; return () => {} }",
      ], "4"
    ),
    (
      "parameters do not see what the body declares",
      [
        "/main.mjs":
          "import { x } from './a.mjs'; function f(a = x, b = () => x) { const x = 2; return a + b() + x } export const result = String(f())",
        "/a.mjs": "export const x = 10",
      ], "22"
    ),
    (
      "no arguments",
      [
        "/main.mjs":
          "let r = typeof arguments; try { (() => arguments)() } catch (error) { r += error.name } function f() { return (() => arguments.length)() } export const result = r + f(1, 2)"
      ], "undefinedReferenceError2"
    ),
    (
      "a script that returns, and speaks of import",
      [
        "/main.mjs": "import x from './a.js'; export const result = x",
        "/a.js": "// export\nmodule.exports = 'script'; if (true) return; module.exports = 'on'",
      ], "script"
    ),
    (
      "CommonJS cannot require what is being run",
      [
        "/main.mjs":
          "import { r } from './e.mjs'; export const result = r + Object.keys(await import('./e.mjs')).join()",
        "/e.mjs": "import c from './c.cjs'; export const r = c",
        "/c.cjs": "try { require('./e.mjs') } catch (error) { module.exports = error.code }",
      ], "ERR_REQUIRE_CYCLE_MODULEr"
    ),
    (
      "a module that threw throws again",
      [
        "/main.mjs":
          "let r = []; for (let i = 0; i < 2; i++) await import('./a.mjs').catch((error) => r.push(error)); export const result = String(r.length === 2 && r[0] === r[1])",
        "/a.mjs": "throw new Error('once')",
      ], "true"
    ),
    (
      "JSON and text",
      [
        "/main.mjs":
          "import data from './d.json' with { type: 'json', }; import again from './d.json'; import text from './d.json' with { type: 'text' }; export const result = data.x.join('') + again.x.length + text.length + (data === again)",
        "/d.json": "{\"x\": [1, 2]}",
      ], "12213true"
    ),
    (
      "import.meta",
      [
        "/main.mjs":
          "const { url, filename, dirname, main, resolve } = import.meta; export const result = [url, filename, dirname, main, resolve('./ä b.mjs'), Object.getPrototypeOf(import.meta)].join()",
        "/ä b.mjs": "",
      ], "file:///main.mjs,/main.mjs,/,false,file:///%C3%A4%20b.mjs,"
    ),
    (
      "CommonJS from a module",
      [
        "/main.mjs":
          "import c, { hello } from './c.cjs'; import * as ns from './c.cjs'; export const result = hello() + c.hello() + Object.keys(ns)",
        "/c.cjs": "exports.hello = function () { return typeof require + this.constructor.name }\n",
      ], "functionObjectfunctionObjectdefault,hello"
    ),
    (
      "CommonJS that shows its exports in text alone",
      [
        "/main.mjs": "import * as c from './c.cjs'; export const result = Object.keys(c).join()",
        "/c.cjs": """
        exports.a = 1; // exports.b = 1
        /* exports.c = 1 */ exports.d = 'it\\'s exports.e = 1'; exports . f = "exports.g = 1"; exports.h = /'/; exports.i = `/* "`;
        exports.j == 1; exports.k = '\\
        exports.l = 1';
        exports.m = 2
        """,
      ], "a,d,default,h,i,k,m"
    ),
    (
      "CommonJS needs each other",
      [
        "/main.mjs": "import a from './a.cjs'; export const result = JSON.stringify(a)",
        "/a.cjs": "exports.early = 1; exports.b = require('./b.cjs'); exports.late = 2",
        "/b.cjs": "module.exports = { ...require('./a.cjs'), name: __filename + __dirname, same: this === exports }",
      ], "{\"early\":1,\"b\":{\"early\":1,\"name\":\"/b.cjs/\",\"same\":true},\"late\":2}"
    ),
    (
      "CommonJS requires a module, JSON, and import()",
      [
        "/main.mjs": "import c from './c.cjs'; export const result = c.m + c.j + (await c.i).m",
        "/c.cjs": "exports.m = require('./m.mjs').m; exports.j = require('./d.json').x; exports.i = import('./m.mjs')",
        "/m.mjs": "export const m = 'm'", "/d.json": "{\"x\": 1}",
      ], "m1m"
    ),
    (
      "CommonJS cannot require what awaits",
      [
        "/main.mjs": "import c from './c.cjs'; export const result = c",
        "/c.cjs": "try { require('./m.mjs') } catch (error) { module.exports = error.code }", "/m.mjs": "await 1",
      ], "ERR_REQUIRE_ASYNC_MODULE"
    ),
    (
      "what a script is, its text says",
      [
        "/main.mjs": "import a from './a.js'; import b from './b.js'; export const result = a + b",
        "/a.js": "export default 'module'", "/b.js": "module.exports = 'import'",
      ], "moduleimport"
    ),
    (
      "order, where another import of one has just begun",
      [
        "/main.mjs":
          "await Promise.all([import('./db.mjs'), import('./app.mjs')]); export const result = log.join()",
        "/db.mjs": "log.push('db'); await 0; log.push('ready')", "/app.mjs": "import './db.mjs'; import './setup.mjs'",
        "/setup.mjs": "log.push('setup')",
      ], "db,setup,ready"
    ),
    (
      "await wherever it may stand",
      [
        "/main.mjs": """
        import { f } from './a.mjs'
        const r = [], one = 1
        await
          f()
        outer: for await (const [a, b = f()] of [[1], Promise.resolve([2, 3])]) { if (a === 2) continue outer; r.push(a, b) }
        for await (var v of [5, 6]) if (v === 5) break
        class C extends (await f, Object) { [await 'k']() { return one } }
        r.push(v, new C().k(), `${await 't'}`, await await 8)
        try { await Promise.reject(new Error('no')) } catch (error) { r.push(error.message) }
        const it = { [Symbol.asyncIterator]() { let n = 0; return { next: async () => ({ value: n++, done: n > 2 }),
          return() { r.push('end'); return Promise.reject(new Error('inner')) } } } }
        try { for await (const x of it) throw new Error('outer') } catch (error) { r.push(error.message) }
        try { for await (const x of it) break } catch (error) { r.push(error.message) }
        for await (r.last of it) f(r.last)
        export const result = r.join() + r.last
        """,
        "/a.mjs": "export const f = () => 1",
      ], "1,1,5,1,t,8,no,end,outer,end,inner1"
    ),
    (
      "regular expressions that the engine knows",
      [
        "/main.mjs":
          "import './a.mjs'; export const result = String(/[\\p{L}--[a-z]]/v.test('A') && /(?<y>a)|(?<y>b)/.test('b'))",
        "/a.mjs": "",
      ],
      "true"
    ),
    (
      "CommonJS knows its main and its cache, and starts anew where it failed",
      [
        "/main.mjs":
          "import c from './c.cjs'; export const result = c",
        "/c.cjs": """
        const out = [require.main === undefined, Object.keys(require.cache).join(), typeof new.target, typeof import('./n.cjs')];
        const n = require('./n.cjs');
        out.push(n === require('./n.cjs'));
        delete require.cache[require.resolve('./n.cjs')];
        out.push(n === require('./n.cjs'));
        require.cache[require.resolve('./n.cjs')] = { exports: 'mine' };
        out.push(require('./n.cjs'));
        try { require('./frozen.cjs') } catch (error) { out.push(error.message) }
        module.exports = out.join();
        """,
        "/n.cjs": "exports.n = 1", "/frozen.cjs": "Object.freeze(module); throw new Error('own')",
      ], "true,/c.cjs,undefined,object,true,false,mine,own"
    ),
    (
      "names that objects have by themselves",
      [
        "/main.mjs":
          "import { x as __proto__, f } from './a.mjs'; import * as n from './n.cjs'; const o = { __proto__ }; export const result = [Object.getPrototypeOf(o) === Object.prototype, o.__proto__, Object.getOwnPropertyDescriptor(f, 'name').writable, Object.keys(n).join('+')].join()",
        "/a.mjs": "export const x = 1; export { default as f } from './f.mjs'",
        "/f.mjs": "export default function () {}",
        "/n.cjs": "exports.a = 1; // exports.fake = 1\nmodule.exports = null",
      ], "true,1,false,a+default"
    ),
    (
      "names of ours that the module has",
      [
        "/main.mjs":
          "import { x } from './a.mjs'; const $trestle_i = 1, $trestle = 2; export const result = String(x + $trestle_i + $trestle)",
        "/a.mjs": "export const x = 1",
      ], "4"
    ),
    (
      "names of ours that the module has, written with escapes",
      [
        "/main.mjs":
          "import { x } from './a.mjs'; import './b.mjs'; let \\u0024trestle_i = 1; var \\u{24}trest\\u006ce_meta = 2; export const result = [x + $trestle_i + $trestle_meta, import.meta.url, typeof setUp].join()",
        "/a.mjs": "export const x = 1",
        "/b.mjs": "export const y = 1; function \\u0024trestle_setup() { globalThis.setUp = 1 }",
      ], "4,file:///main.mjs,undefined"
    ),
    (
      "an interpreter line, and lines that stay",
      [
        "/main.mjs":
          "#!/usr/bin/env trestle\nimport {\n  x,\n} from './a.mjs';\nexport const result = new Error().stack.split('\\n')[0].split(':')[1] + x",
        "/a.mjs": "export const x = 1",
      ], "51"
    ),
  ]

  @Test(arguments: programs.indices) func programsComeToTheirResults(index: Int) async throws {
    let program = Self.programs[index]
    #expect(try await result(program.sources, prelude: "globalThis.log = []") == program.result, "\(program.name)")
  }

  /// A module, and where its error is.
  static let mistakes: [(sources: [String: String], message: String, place: String)] = [
    (
      ["/main.mjs": "// one\nimport { cuont } from './a.mjs'", "/a.mjs": "export let count"],
      "'./a.mjs' does not export 'cuont'; did you mean 'count'?", "/main.mjs:2:23"
    ),
    (
      [
        "/main.mjs": "import { q } from './a.mjs'", "/a.mjs": "export { q } from './b.mjs'",
        "/b.mjs": "export { q } from './a.mjs'",
      ], "'./a.mjs' does not export 'q': modules that export it from each other go round in a circle", "/b.mjs:1:19"
    ),
    (["/main.mjs": "import x from './a.mjs'", "/a.mjs": ""], "'./a.mjs' has no default export", "/main.mjs:1:15"),
    (
      ["/main.mjs": "\n import './a.mjs'", "/a.mjs": "let x = 1\nlet x = 2"],
      "Identifier 'x' has already been declared", "/a.mjs:2:5"
    ),
    (["/main.mjs": "\n import './nope.mjs'"], "no module './nope.mjs', which /main.mjs imports", "/main.mjs:2:9"),
    (
      [
        "/main.mjs": "import { x } from './c.mjs'", "/a.mjs": "export let x", "/b.mjs": "export let x",
        "/c.mjs": "export * from './a.mjs'; export * from './b.mjs'",
      ], "'./c.mjs' exports 'x' from two modules", "/main.mjs:1:19"
    ),
    (["/main.mjs": "import './d.json'", "/d.json": "{"], "not JSON: ", "/d.json:1:2"),
    (["/main.mjs": "import './d.json'", "/d.json": "{\"ä€😀\":\n 1,\n  }"], "not JSON: ", "/d.json:3:3"),
    (["/main.mjs": "import './d.json'", "/d.json": "\u{FEFF}[\"😀\", ?]"], "not JSON: ", "/d.json:1:8"),
    (
      ["/main.mjs": "import x from './d.json' with { kind: 'json' }", "/d.json": "1"],
      "no attribute 'kind' of imports is known", "/main.mjs:1:33"
    ),
    (["/main.mjs": "1;\nthrow new Error('own')"], "own", "/main.mjs:2:"),
    (["/main.mjs": "import './c.cjs'", "/c.cjs": "1;\nthrow new Error('common')"], "common", "/c.cjs:2:"),
  ]

  @Test(arguments: mistakes.indices) func mistakesHaveAPlace(index: Int) async throws {
    let mistake = Self.mistakes[index]
    try await withModules(mistake.sources) { bridge in
      let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule("/main.mjs") }
      #expect(error?.message.hasPrefix(mistake.message) == true, "\(String(describing: error))")
      #expect(error?.stack?.contains(mistake.place) == true, "\(String(describing: error?.stack))")
      let answer = try await bridge.evaluate("1 + 1", as: Int.self)
      #expect(answer == 2)
    }
  }

  @Test func withoutALoaderNothingIsImported() async throws {
    try await withBridge([]) { bridge, _ in
      let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule("/main.mjs") }
      #expect(error?.code == "ERR_MODULE")
    }
  }

  /// What the loader does about a text takes time that grows with its length, whatever is in it: nothing ends that.
  @Test(.timeLimit(.minutes(1)), arguments: [("`", "/*-"), ("/", #"\'"#), ("/", #"\""#)])
  func longTextsAreReadOnce(_ quote: String, _ part: String) async throws {
    let text = "exports.a = 1; s = " + quote + String(repeating: part, count: 200_000) + quote
    let main = "import * as c from './c.cjs'; export const result = Object.keys(c).join()"
    let names = try await result(["/main.mjs": main, "/c.cjs": text])
    #expect(names == "a,default")
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["'$'.repeat(400_000) + 'x$trestle_'", "'(0,$trestle_i.'.repeat(50_000) + '$trestle_'"])
  func longMessagesAreReadOnce(_ message: String) async throws {
    try await withModules(["/main.mjs": "throw new Error(\(message))"]) { bridge in
      _ = await #expect(throws: JavaScriptError.self) { try await bridge.importModule("/main.mjs") }
    }
  }

  /// Where the engine says so, in words and columns of what the loader has made of the text.
  @Test(arguments: [
    (
      "import { f, g } from './a.mjs';\nf(f(1), 2); g(f(), 3)",
      "g is not a function. (In 'g(f(), 3)', 'g' is undefined)", "/main.mjs:2:14"
    ),
    ("import { f } from './a.mjs'; f(); throw new Error('x')", "x", "/main.mjs:1:50"),
    ("import { f } from './a.mjs'; await f(); throw new Error('x')", "x", "/main.mjs:1:56"),
    ("1;\nlet f = () => arguments; f()", "Can't find variable: arguments", "/main.mjs:2:24"),
    ("import './a.mjs';\nlet x = /(/", "Invalid regular expression: missing )", "/main.mjs:2:0"),
  ]) func errorsTellOfTheModulesOwnText(text: String, message: String, place: String) async throws {
    try await withModules(["/main.mjs": text, "/a.mjs": "export const f = () => 1; export let g"]) { bridge in
      let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule("/main.mjs") }
      #expect(error?.message == message)
      #expect(error?.place == place.replacing(":0", with: ""), "\(error?.stack ?? "")")
    }
  }

  /// Text that would end the function around it.
  @Test func textStaysInItsFunction() async throws {
    let sources = [
      "/a.cjs": "}), globalThis.z = 1, (function(){", "/b.mjs": "let y = 3; export let result = String(3 <!--y)",
      "/c.mjs": "let a = 0, b = 1; if (a <!--b) { } export const result = String(b)",
    ]
    try await withModules(sources) { bridge in
      let error = await #expect(throws: JavaScriptError.self) { try await bridge.importModule("/a.cjs") }
      #expect(error?.name == "SyntaxError" && error?.place == "/a.cjs:1:1")
      let less = try await bridge.importModule("/b.mjs").get("result", as: String.self)
      #expect(less == "false")
      let condition = try await bridge.importModule("/c.mjs").get("result", as: String.self)
      #expect(condition == "0")
    }
  }

  /// A graph that is deep, and one that is wide.
  @Test func largeGraphs() async throws {
    var sources = ["/main.mjs": "import { n } from './m0.mjs'; export const result = String(n)"]
    for index in 0..<500 {
      sources["/m\(index).mjs"] = "import { n as m } from './m\(index + 1).mjs'; export const n = m + 1"
    }
    sources["/m500.mjs"] = "export const n = 0;" + (0..<200).map { "import './w\($0).mjs';" }.joined()
    for index in 0..<200 { sources["/w\(index).mjs"] = "export * from './m0.mjs'" }
    #expect(try await result(sources) == "500")
  }

  /// Patched before the first module is loaded: nothing of the loader's goes through a script's hands.
  @Test func patchedBuiltInsDoNotReachTheLoader() async throws {
    let hostile = """
      (() => {
        const { ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect, { push } = Array.prototype, { apply } = Reflect;
        const touched = globalThis.touched = [];
        const generator = Object.getPrototypeOf(function* () {}.prototype), asyncGenerator = Object.getPrototypeOf(async function* () {}.prototype);
        // What is taken from the global object late would get the namespaces of modules.
        globalThis.Proxy = function () { touched[touched.length] = 'Proxy'; throw 'Proxy'; };
        const all = [Array.prototype, String.prototype, Map.prototype, Set.prototype, RegExp.prototype, Object, Reflect, JSON, generator, asyncGenerator,
          Promise.prototype];
        for (let i = 0; i < all.length; i++) {
          const keys = ownKeys(all[i]);
          for (let k = 0; k < keys.length; k++) {
            const descriptor = getOwnPropertyDescriptor(all[i], keys[k]);
            if (typeof descriptor.value !== 'function' || !descriptor.configurable || keys[k] === 'constructor') continue;
            const name = typeof keys[k] === 'string' ? keys[k] : 'symbol';
            defineProperty(all[i], keys[k], { __proto__: null, configurable: true, value() { touched[touched.length] = name; throw name; } });
          }
        }
        const names = ['get', 'set', 'value', 'specifier', 'type', 'key', 'code', 'text', 'format', 'local', 'exported', 'request', 'imports', 'then'];
        for (let i = 0; i < names.length; i++) {
          defineProperty(Object.prototype, names[i], { __proto__: null, configurable: true, set() { touched[touched.length] = names[i]; } });
        }
      })()
      """
    let sources = [
      "/main.mjs":
        "import data from './d.json' with { type: 'json' }; import c from './c.cjs'; import * as ns from './a.mjs'; export const result = `${data}${c}${ns.default}${touched.length}`",
      "/a.mjs": "export default await 3", "/c.cjs": "module.exports = 2", "/d.json": "1",
    ]
    #expect(try await result(sources, prelude: hostile) == "1230")
  }

  /// All that a module is given, called where the stack ends.
  @Test func nothingForeignComesOutOfALoaderAtTheEndOfTheStack() async throws {
    let sources = [
      "/main.mjs": """
      import * as ns from './a.mjs';
      import { require as required } from './c.cjs';
      const standard = globalThis.standard.split(',');
      const found = await callAllAtTheEnd(standard, { ns, meta: import.meta, required, load: (name) => import('./b.mjs'), fail: () => import('./no.mjs') });
      export const result = found.slice(2).join();
      """,
      "/a.mjs": "export const f = () => 1; export let x = 1", "/b.mjs": "export const y = 2",
      "/c.cjs": "exports.require = require",
    ]
    try await withModules(sources) { bridge in
      try await bridge.installForeignCheck()
      try await bridge.evaluate(stackEndHarness)
      let standard = try await bridge.withContext { context in
        try context.ownRealm.evaluate("Object.getOwnPropertyNames(globalThis).join()").string ?? ""
      }
      try await bridge.evaluate("globalThis.standard = '\(standard)'")
      let answer = try await bridge.importModule("/main.mjs").get("result", as: String.self)
      #expect(answer == "")
    }
  }

  /// With each name looked for among all of them this would take many minutes.
  @Test func longListsOfExportsAreLinked() async throws {
    let names = (0..<200_000).map { "n\($0)" }
    let sources = [
      "/main.mjs":
        "import * as all from './list.mjs'; export const result = String(Object.keys(all).length) + all.n1999",
      "/list.mjs": "export { \(names.map { "n1 as \($0)" }.joined(separator: ", ")) } from './a.mjs'",
      "/a.mjs": "export const n1 = '!'",
    ]
    #expect(try await result(sources) == "200000!")
  }
}
