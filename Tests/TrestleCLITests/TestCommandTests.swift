import Foundation
import Testing

/// `trestle test`, through the real binary.
@Suite struct TestCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func test(_ files: [String: String], _ arguments: [String] = []) async throws -> Program.Outcome {
    for (path, text) in files {
      let parent = folder.url.appendingPathComponent(path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      folder.write(text, to: path)
    }
    return try await Program(name: Program.trestle, folder: folder).run(["test"] + arguments)
  }

  /// Runs one file of tests.
  private func test(_ text: String, _ arguments: [String] = []) async throws -> Program.Outcome {
    try await test(["a.test.js": text], arguments)
  }

  @Test func passingTests() async throws {
    let outcome = try await test([
      "a.test.js": "test('one', () => {}); it('two', async () => { await 1; });",
      "lib/b.test.mjs": "import { test, expect } from 'trestle:test'; test('three', () => expect(1).toBe(1));",
      "lib/c.test.cjs":
        "const { join } = require('./join.cjs'); test('four', () => expect(join('a', 'b')).toBe('a/b'));",
      "lib/join.cjs": "exports.join = (a, b) => `${a}/${b}`;",
      "node_modules/p/d.test.js": "test('no', () => { throw 1; });",
      ".hidden/e.test.js": "test('no', () => { throw 1; });",
      "f.js": "throw 1", "atest.js": "throw 1",
    ])
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome)")
    #expect(outcome.output.contains("4 passed\n") && outcome.output.contains("3 files\n"), "\(outcome.output)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.prefix(3).map { $0.prefix { $0 != " " } } == ["✓", "✓", "✓"])
    #expect(lines[1].contains("lib/b.test.mjs  1 test"))
  }

  /// What they hold is in no members of their own.
  @Test func objectsOfTheWebAreCompared() async throws {
    let outcome = try await test(
      """
      const pairs = [
        (text) => new URL(`http://a/${text}`), (text) => new URLSearchParams({ [text]: 1 }), (text) => ({ deep: [new URL(`a:${text}`)] }),
        (text) => new Event(text), (text) => new CustomEvent('a', { detail: { text } }), (text) => new DOMException('a', text),
        (text) => new (class Mine extends URL {})(`a:${text}`), (text) => AbortSignal.abort(text),
      ];
      test('same', () => { for (const make of pairs) expect(make('x')).toEqual(make('x')); });
      test('others', () => { for (const make of pairs) expect(make('x')).not.toEqual(make('y')); });
      test('unseen', () => { expect(new Blob(['x'])).not.toEqual(new Blob(['y'])); const blob = new Blob([]); expect([blob]).toEqual([blob]); });
      test('url', () => expect(new URL('http://a/')).toEqual(new URL('http://b/')));
      test('params', () => expect(new URLSearchParams('a=1')).toEqual(new URLSearchParams()));
      test('blob', () => expect(new Blob(['x'])).toBe(1));
      """)
    #expect(outcome.code == 1 && outcome.output.contains("3 failed, 3 passed"), "\(outcome)")
    for text in [
      "expected URL { href: 'http://a/' } to equal URL { href: 'http://b/' }",
      "expected URLSearchParams { 'a' => '1' } to equal URLSearchParams {}",
      "expected Blob { size: 1, type: '' } to be 1",
    ] {
      #expect(outcome.output.contains(text), "\(outcome.output)")
    }
  }

  /// With the places of the source.
  @Test func testsInTypeScript() async throws {
    let outcome = try await test(
      [
        "lib/sum.ts": "type N = number\nexport const sum = (a: N, b: N): N => a + b",
        "lib/sum.test.ts":
          "import { sum } from './sum';\ninterface A { n: number }\n\ntest('adds', () => {\n  const a: A = { n: 3 };\n  expect(sum(1, a.n)).toBe(5);\n});",
        "lib/fine.test.tsx": "import { sum } from './sum.js';\ntest('fine', () => expect<number>(sum(1, 2)).toBe(3));",
      ], [folder.url.appendingPathComponent("lib").path])
    #expect(outcome.code == 1 && outcome.error == "", "\(outcome)")
    #expect(outcome.output.contains("1 passed") && outcome.output.contains("1 failed"), "\(outcome.output)")
    #expect(outcome.output.contains("6 |   expect(sum(1, a.n)).toBe(5);"), "\(outcome.output)")
  }

  @Test func aFailureShowsTheDifferenceAndTheLine() async throws {
    let outcome = try await test(
      """
      describe('group', () => {
        test('fails', () => {
          expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] });
        });
      });
      """)
    #expect(outcome.code == 1)
    #expect(
      outcome.output.hasPrefix("✗ a.test.js  1 test, 1 failed")
        && outcome.output.contains(
          """
            ✗ group > fails
              AssertionError: expected { a: 1, b: [ 1, 2 ] } to equal { a: 1, b: [ 1, 3 ] }
                - expected  + received
                  …
                    "a": 1,
                    "b": [
                      1,
                -     3,
                +     2,
                    ],
                  }

                3 |     expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] });
                  |                                        ^
                  at a.test.js:3:40

          """),
      "\(outcome.output)")
  }

  /// Each is told by its name and a reason, and the rest of the file runs.
  @Test(arguments: [
    ("test('x', () => { for (;;); }, 200);", "it has not ended after 0.2 seconds"),
    (
      "test('x', async () => { const f = () => Promise.resolve().then(f); await f(); }, 200);",
      "it has not ended after 0.2"
    ),
    (
      "test('x', async () => { await new Promise(end => setTimeout(end, 100_000)); }, 200);",
      "it has not ended after 0.2"
    ),
    ("test('x', async () => { await new Promise(() => {}); });", "it awaits what nothing is left to settle"),
    ("test('x', (done) => {});", "it awaits what nothing is left to settle"),
    ("test('x', (done) => { done(new Error('told')); });", "Error: told"),
    ("test('x', () => { Promise.reject(new Error('nobody')); });", "Error: nobody"),
    (
      "test('x', async () => { setTimeout(() => { throw new TypeError('late'); }, 1); await new Promise(end => setTimeout(end, 50)); });",
      "TypeError: late"
    ),
    ("test('x', () => { NativeModules.Process.exit(0); });", "it called Process.exit(0)"),
    ("test('x', () => { throw 'text'; });", "text"),
    (
      "test('x', () => { new Worker('throw new Error(\"in a worker\")', { eval: true }); return new Promise(end => setTimeout(end, 3000)); });",
      "in a worker"
    ),
    ("test('x', () => { test('inner', () => {}); });", "tests are declared while their file is loaded"),
    ("test('x', () => { expect(1).toBeTrueish(); });", "there is no matcher 'toBeTrueish'"),
    ("test('x', () => { mock.fn({}); });", "TypeError: mock.fn: expected a function, got {}"),
    ("test('x', () => { mock({}); });", "TypeError: mock.fn: expected a function, got {}"),
    (
      "test('x', () => { mock.fn().mockImplementation(5); });",
      "TypeError: mockImplementation: expected a function, got 5"
    ),
    ("test('x', () => { expect.assertions(2); expect(1).toBe(1); });", "expected 2 assertions, and there was one"),
    ("test.failing('x', () => {});", "it was to fail, and has not"),
    (
      "describe('x', () => { beforeEach(() => { throw new Error('not ready'); }); test('y', () => {}); });",
      "beforeEach: Error: not ready"
    ),
    (
      "describe('x', () => { afterAll(() => { throw new Error('not done'); }); test('y', () => {}); });",
      "afterAll: Error: not done"
    ),
  ]) func whatFails(text: String, reason: String) async throws {
    let outcome = try await test("test('before', () => {});\n\(text)\ntest('after', () => {});")
    #expect(outcome.code == 1 && outcome.output.contains("✗ x") && outcome.output.contains(reason), "\(outcome)")
    #expect(
      outcome.output.contains("1 failed, 2 passed") || outcome.output.contains("1 failed, 3 passed"),
      "\(outcome.output)")
  }

  /// Also on the first line, and where the file was made of TypeScript, or edited.
  @Test(arguments: ["a.test.js", "a.test.mjs", "a.test.ts"])
  func aTestIsToldWhereItIsDeclared(_ name: String) async throws {
    let first = "test('a', () => { NativeModules.Process.exit(0) });"
    let typed = name.hasSuffix("ts") ? "interface A { b: number }\n\ntype C =\n  A;\n" : "\n\n\n\n"
    let imports = name.hasSuffix("js") && !name.hasSuffix("mjs") ? "" : "import 'trestle:files'; "
    let outcome = try await test([name: "\(first)\n\(typed)  \(imports)test.failing('b', () => {});\n"])
    // A map has no place of the parenthesis.
    let (one, other) = name.hasSuffix("ts") ? (1, 8) : (5, 15)
    #expect(outcome.output.contains("at \(name):1:\(one)\n"), "\(outcome)")
    #expect(outcome.output.contains("at \(name):6:\(imports.utf8.count + other)\n"), "\(outcome)")
  }

  /// What is awaited is told where it was asked for.
  @Test(arguments: [
    ("expect({ then(resolve) { resolve(1); } }).resolves.toBe(2)", "AssertionError: expected 1 to be 2"),
    (
      "expect({ then(resolve) { resolve(1); } }).rejects.toBe(1)",
      "expected the promise to be rejected, and it resolved with 1"
    ),
    (
      "expect({ then(_, reject) { reject(1); } }).resolves.toBe(1)",
      "expected the promise to resolve, and it was rejected with 1"
    ),
    (
      "expect({ get then() { return 5; } }).resolves.toBe(1)",
      "TypeError: expect(…).resolves: expected a promise, got { then: 5 }"
    ),
    ("expect(Promise.resolve(1)).resolves.toMatch('a')", "TypeError: expect: expected a string, got 1"),
    ("expect(1).toCome(false)", "Error: come"),
    ("expect(1).toCome()", "TypeError: toCome: expected { pass, message } of a matcher, got"),
    ("expect(Promise.resolve(1)).resolves.toCome(false)", "Error: come"),
  ])
  func whatIsAwaitedHasAPlace(_ expression: String, _ reason: String) async throws {
    let outcome = try await test(
      """
      expect.extend({ toCome: (_, pass) => ({ then: (resolve) => setTimeout(resolve, 1, { pass, message: () => 'come' }) }) });
      test('x', async () => {
        await \(expression);
      });
      """)
    #expect(outcome.code == 1 && outcome.output.contains(reason), "\(outcome)")
    #expect(outcome.output.contains("at a.test.js:3:"), "\(outcome)")
  }

  @Test(arguments: [
    ("let x = ;", "SyntaxError: Unexpected token"), ("throw new Error('at load');", "Error: at load"),
    ("import './none.mjs';", "no module './none.mjs'"),
    ("await new Promise(() => {});", "waits for what nothing is left to do"),
    ("export const x = 1;", "it declares no tests"), ("test('x');", "'x': expected a function, got undefined"),
    ("describe('x', async () => {});", "the function is asynchronous"),
    ("test('x', () => {}); Promise.reject(new Error('early'));", "early"),
  ]) func filesThatCannotBeRun(text: String, reason: String) async throws {
    let outcome = try await test(["a.test.js": text, "b.test.js": "test('b', () => {});"])
    #expect(outcome.code == 1 && outcome.output.contains("✗ the file") && outcome.output.contains(reason), "\(outcome)")
    #expect(outcome.output.contains("1 passed"), "\(outcome.output)")
  }

  /// There is no other test that it could be the failure of.
  @Test(arguments: [
    "setTimeout(() => { throw new Error('late'); }, 20)",
    "NativeModules.Processes.run('/bin/sleep', ['0.05']).then(() => { throw new Error('late'); })",
    "new Worker('throw new Error(\"late\")', { eval: true })",
  ])
  func whatTheLastTestLeavesIsHeard(_ body: String) async throws {
    var outcome = Program.Outcome(code: 0, output: "", error: "")
    // Where others keep the processors busy its moment may be over before.
    for _ in 0..<20 where outcome.code == 0 { outcome = try await test("test('a', () => { \(body); });") }
    #expect(outcome.code == 1 && outcome.output.contains("late"), "\(outcome)")
  }

  @Test func whatNeverEndsIsNotWaitedFor() async throws {
    let outcome = try await test("test('a', () => { setInterval(() => {}, 1); new Promise(() => {}); });")
    #expect(outcome.code == 0 && outcome.output.contains("1 passed"), "\(outcome)")
  }

  @Test func aPatternIsOne() async throws {
    let outcome = try await test("test('a', () => {});", ["-t", "("])
    #expect(outcome.code == 2 && outcome.error.contains("--name: "), "\(outcome)")
    #expect(try await test("test('a', () => {});", ["-t", "^a$"]).code == 0)
  }

  @Test func aFileThatLoadsForEver() async throws {
    let outcome = try await test("for (;;);", ["--timeout", "1"])
    #expect(
      outcome.code == 1 && outcome.output.contains("the file has not been loaded after 1.0 seconds"), "\(outcome)")
  }

  /// Nobody knows when its turn comes: behind its test, or behind the next one, which is none the worse for it.
  @Test(arguments: [
    "setTimeout(() => { for (;;); }, 0)",
    "setTimeout(() => { const again = () => Promise.resolve().then(again); again(); }, 0)",
  ])
  func aLoopThatATestLeavesIsItsFailure(_ loop: String) async throws {
    let outcome = try await test(
      "test('a', () => { \(loop); }, 500);\ntest('b', () => {}, 500);\ntest('c', () => { throw new Error('told'); });",
      ["--timeout", "100"])
    #expect(outcome.code == 1 && outcome.output.contains("2 failed, 1 passed"), "\(outcome)")
    // Its own time may be over first, where the machine is busy.
    let words = ["what it left to run later did not end by itself\n", "it has not ended after 0.5 seconds\n"]
    #expect(words.contains { outcome.output.contains("✗ a\n    " + $0) }, "\(outcome)")
    #expect(outcome.output.contains("at a.test.js:1") && outcome.output.contains("✗ c\n    Error: told"), "\(outcome)")
  }

  @Test func aTimerThatLoopsAgainAndAgainHidesNoVerdict() async throws {
    let outcome = try await test(
      "test('a', () => { setInterval(() => { for (;;); }, 1); }, 500);\n"
        + "test('b', () => {}, 500);\ntest('c', () => { clearInterval(0); }, 500);",
      ["--timeout", "100"])
    #expect(outcome.code == 1 && outcome.output.contains("3 tests, "), "\(outcome)")
    #expect(outcome.output.contains("✗ a\n"), "\(outcome)")
  }

  @Test func hooksRunInTheirOrder() async throws {
    let outcome = try await test(
      """
      const names = [];
      beforeAll(() => { names.push('all'); });
      afterAll(() => { console.log(names.join(' ')); });
      beforeEach(() => { names.push('each'); });
      afterEach(async () => { await 1; names.push('/each'); });
      test('a', () => { names.push('a'); });
      describe('d', () => {
        beforeAll(() => { names.push('inner'); });
        beforeEach(() => { names.push('innerEach'); });
        afterEach(() => { names.push('/innerEach'); });
        afterAll(() => { names.push('/inner'); });
        test('b', () => { names.push('b'); });
        test.skip('c', () => { names.push('c'); });
      });
      describe('only skipped', () => { beforeAll(() => { names.push('never'); }); test.skip('s', () => {}); });
      """)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      outcome.output.contains("│ all each a /each inner each innerEach b /innerEach /each /inner\n"),
      "\(outcome.output)")
  }

  @Test func whichTestsRun() async throws {
    let text = """
      test('a', () => { console.log('ran a'); });
      test.only('b', () => { console.log('ran b'); });
      describe.only('d', () => { test('c', () => { console.log('ran c'); }); });
      describe('e', () => { test.only('f', () => { console.log('ran f'); }); test('g', () => { console.log('ran g'); }); });
      test.skipIf(true).each([1])('%d', () => { throw 1; });
      test.todo('later');
      """
    func ran(_ outcome: Program.Outcome) -> String {
      outcome.output.split(separator: "\n").filter { $0.contains("ran ") }.map { $0.suffix(1) }.joined()
    }
    #expect(ran(try await test(text)) == "bcf")
    #expect(ran(try await test(text, ["-t", "^d > "])) == "c")
    #expect(try await test(text, ["-t", "nothing"]).code == 1)
    let each = try await test(
      """
      test.each([[1, 2, 3], [2, 2, 4]])('%d + %d = %d', (a, b, c) => expect(a + b).toBe(c));
      test.each([{ a: 1, b: { c: 'x' } }])('$a $b.c %#', ({ a }) => expect(a).toBe(1));
      test.each`one | two
        ${1}  | ${'x'}`('$one $two', ({ one, two }) => expect([one, two]).toEqual([1, 'x']));
      """, ["--reporter", "tap"])
    #expect(
      each.output == """
        TAP version 14
        ok 1 - a.test.js > 1 + 2 = 3
        ok 2 - a.test.js > 2 + 2 = 4
        ok 3 - a.test.js > 1 x 0
        ok 4 - a.test.js > 1 x
        1..4

        """)
  }

  @Test func whichFilesRun() async throws {
    let files = [
      "a.test.js": "test('a', () => {})", "lib/b.test.js": "test('b', () => {})", "own.js": "test('own', () => {})",
    ]
    #expect(try await test(files, ["lib"]).output.contains("lib/b.test.js  1 test"))
    #expect(try await test(files, ["b.te"]).output.contains("1 file\n"))
    #expect(try await test(files, ["own.js"]).output.contains("✓ own.js  1 test"))
    let none = try await test(files, ["nowhere"])
    #expect(none.code == 1 && none.error.contains("in 'nowhere'"), "\(none)")
    let empty = try await Program(name: Program.trestle, folder: try TemporaryFolder()).run(["test"])
    #expect(
      empty
        == Program.Outcome(
          code: 1, output: "", error: "trestle: no tests: there is no file named *.test.js below this folder\n"))
    #expect(try await test(files, ["--timeout", "0"]).code == 2)
    #expect(try await test(files, ["--jobs", "0"]).code == 2)
  }

  @Test func filesDoNotReachEachOther() async throws {
    let outcome = try await test([
      "a.test.js":
        "globalThis.x = 1; Array.prototype.map = () => { throw 1; }; test('a', () => { expect(x).toBe(1); });",
      "b.test.js":
        "test('b', () => { expect(typeof x).toBe('undefined'); expect([1].map(y => y + 1)).toEqual([2]); });",
    ])
    #expect(outcome.output.contains("b.test.js  1 test ") && outcome.output.contains("✓ b.test.js"), "\(outcome)")
  }

  /// Each of them in a file of its own: what a file does to its built-ins is no matter of the runner's.
  @Test(.timeLimit(.minutes(20)), arguments: ["return 0", "throw new TypeError('patched')"])
  func noBuiltInChangesAVerdict(_ answer: String) async throws {
    let (count, part) = (300, answer == "return 0" ? 0 : 2)
    var files = [
      "targets.js": """
      const owners = [
        Array.prototype, Object, Object.prototype, Map.prototype, Set.prototype, String.prototype, Function.prototype, RegExp.prototype,
        Promise.prototype, Promise, JSON, Reflect, Object.getPrototypeOf([].values()), Object.getPrototypeOf(function* () {}).prototype,
      ];
      const targets = owners.flatMap((owner) => Reflect.ownKeys(owner).map((key) => [owner, key]))
        .filter(([owner, key]) => Reflect.getOwnPropertyDescriptor(owner, key).configurable)
        // By this the engine makes the promise that a file waits for.
        .filter(([owner, key]) => owner !== Promise || key !== Symbol.species);
      export const maps = [new Map([[1, 2]]), new Map([[1, 2]])];
      if (targets.length > \(count)) throw new Error('there are more');
      export const patch = (index) => {
        if (index >= targets.length) return;
        const [owner, key] = targets[index];
        Reflect.defineProperty(owner, key, { value() { \(answer); }, writable: true, configurable: true });
      };
      """
    ]
    // Each has one of the answers, or is left out: an engine for each file takes its time.
    let indices = (0..<count).filter { $0 % 4 == part }
    for index in indices {
      files["f\(index).test.js"] = """
        import { maps, patch } from './targets.js';
        patch(\(index));
        test('same', () => { expect(1).toBe(1); });
        test('others', () => { expect(1).toBe(2); });
        test('equal', () => { expect({ a: [1, maps[0]] }).toEqual({ a: [1, maps[1]] }); });
        test('unequal', () => { expect({ a: 1 }).toEqual({ a: 2 }); });
        """
    }
    let outcome = try await test(files, ["--reporter", "tap", "--timeout", "200", "--jobs", "1"])
    let verdicts = outcome.output.split(separator: "\n").filter { $0.contains("ok ") && $0.contains(" > ") }
    #expect(verdicts.count == 4 * indices.count, "\(outcome.output.suffix(2000))")
    for verdict in verdicts {
      #expect(verdict.hasPrefix("not ") == (verdict.hasSuffix("others") || verdict.hasSuffix("unequal")), "\(verdict)")
    }
  }

  @Test func snapshots() async throws {
    let text =
      "test('s', () => { expect({ b: 1, a: ['x`${y}'] }).toMatchSnapshot(); expect('z').toMatchSnapshot('hint'); });"
    #expect(try await test(text).output.contains("2 written"))
    #expect(
      folder.read("__snapshots__/a.test.js.snap")
        == """
        // Snapshots, written by trestle test

        exports[`s 1`] = `
        {
          "a": [
            "x\\`\\${y}\\`",
          ],
          "b": 1,
        }
        `;

        exports[`s: hint 1`] = `"z"`;

        """.replacing("\\${y}\\`", with: "\\${y}"))
    #expect(try await test(text).output.contains("2 matched"))
    let other = text.replacing("b: 1", with: "b: 2")
    let failed = try await test(other)
    #expect(
      failed.code == 1 && failed.output.contains("-   \"b\": 1,") && failed.output.contains("--update"),
      "\(failed.output)")
    #expect(try await test(other, ["--update"]).output.contains("1 matched, 1 updated"))
    let fewer = "test('s', () => { expect(1).toMatchSnapshot('new'); });"
    #expect(try await test(fewer).output.contains("1 written, 2 that no test asks for"))
    #expect(try await test(fewer, ["-u"]).code == 0)
    #expect(!folder.read("__snapshots__/a.test.js.snap").contains("hint"))
    folder.write("<<<<<<< ours\n", to: "__snapshots__/a.test.js.snap")
    let broken = try await test(fewer)
    #expect(
      broken.code == 1 && broken.output.contains("is no file of snapshots: nobody knows what line 1 is"),
      "\(broken.output)")
    #expect(!broken.output.contains("<<<"))
  }

  /// What a project ships may lead anywhere.
  @Test(arguments: [[], ["--update"]]) func snapshotsOfLinksAreNeitherReadNorWritten(_ options: [String]) async throws {
    let manager = FileManager.default
    try manager.createDirectory(
      at: folder.url.appendingPathComponent("elsewhere"), withIntermediateDirectories: true)
    folder.write("// secret text", to: "elsewhere/a.test.js.snap")
    folder.write("// secret text", to: "elsewhere/other")
    func told(_ script: String) async throws -> String { try await test(script, options + ["--sandbox"]).output }
    let script = "test('s', () => { expect('text').toMatchSnapshot(); });", none = "test('s', () => {});"
    for (link, target) in [
      ("__snapshots__", "elsewhere"), ("__snapshots__", "nothing"),
      ("__snapshots__/a.test.js.snap", "../elsewhere/other"),
    ] {
      let place = folder.url.appendingPathComponent(link)
      try? manager.removeItem(at: folder.url.appendingPathComponent("__snapshots__"))
      try manager.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try manager.createSymbolicLink(atPath: place.path, withDestinationPath: target)
      let output = try await told(script)
      #expect(output.contains("neither is a link") && !output.contains("secret"), "\(output)")
      _ = try await told(none)
      let names = try manager.contentsOfDirectory(atPath: folder.url.appendingPathComponent("elsewhere").path)
      #expect(names.sorted() == ["a.test.js.snap", "other"])
      #expect(folder.read("elsewhere/a.test.js.snap") == "// secret text")
      #expect(folder.read("elsewhere/other") == "// secret text")
    }
  }

  /// Such as a zero, which ends the strings of C, and half a surrogate pair, which is no text outside of JavaScript.
  /// What one run writes the next one reads.
  @Test func longSnapshots() async throws {
    let text = """
      test('a', () => {
        for (const value of ['x'.repeat(2e6), '`\\\\'.repeat(1e5), Array.from({ length: 1e5 }, (_, i) => i).join('\\n')]) expect(value).toMatchSnapshot();
      }, 1e7);
      """
    for words in ["3 written", "1 passed"] {
      let outcome = try await test(text, ["--timeout", "1000"])
      #expect(outcome.code == 0 && outcome.output.contains(words), "\(outcome.output.prefix(1000))")
    }
  }

  @Test func snapshotsOfAnyText() async throws {
    let text = #"""
      test('a\0b`${1}', () => {
        for (const value of ['a\0b', '\ud800', '`${x}\\', '\r\n\u2028']) expect(value).toMatchSnapshot();
      });
      """#
    #expect(try await test(text).output.contains("4 written"))
    let again = try await test(text)
    #expect(again.code == 0 && again.output.contains("4 matched"), "\(again.output)")
  }

  @Test func aDifferenceIsShownWhereItIs() async throws {
    let outcome = try await test(
      """
      const x = 'x'.repeat(1e6), many = Array.from({ length: 900 }, (_, index) => index);
      test('long', () => expect(`${x}ä${x}`).toBe(`${x}ö${x}`));
      test('many', () => expect(many).toEqual(many.map((value) => value + 1000)));
      """)
    #expect(outcome.code == 1 && outcome.output.utf8.count < 20_000, "\(outcome.output.utf8.count)")
    let x = String(repeating: "x", count: 50)
    #expect(outcome.output.contains("\n      - …\(x)") && outcome.output.contains("\(x)ö\(x)"))
    #expect(outcome.output.contains("\n      + …\(x)") && outcome.output.contains("\(x)ä\(x)"))
    #expect(outcome.output.contains("\n      -   1000,\n") && outcome.output.split(separator: "\n").count < 260)
  }

  @Test func aTestThatThrowsMoreThanAnyoneReads() async throws {
    let outcome = try await test(
      "test('throws', () => { for (let i = 1; i <= 200; i++) Promise.reject(new Error(`no ${i}.`)); }, 100_000);")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("no 20.") && !outcome.output.contains("no 21."))
    #expect(outcome.output.contains("it has thrown 180 more that nobody handles"), "\(outcome.output)")
  }

  @Test func aTestThatWritesMoreThanAnyoneReads() async throws {
    let outcome = try await test(
      "test('writes', () => { const text = 'x'.repeat(100_000); for (let i = 0; i < 200; i++) console.log(text); }, 100_000);"
    )
    #expect(outcome.code == 0)
    #expect(outcome.output.utf8.count < 9 << 20 && outcome.output.contains("xxx\n  │ … it has written more than 8 MB"))
  }

  /// No time of a test's ends the run.
  @Test(arguments: ["test('a', () => {}, %)", "beforeEach(() => {}, %)", "test('a', { timeout: % }, () => {})"])
  func timesThatAreNoneAreRefused(_ declaration: String) async throws {
    var files = ["b.test.js": "test('b', () => {}, 1e8);"]
    for (number, time) in ["Infinity", "NaN", "1e22", "1e300", "-1", "0"].enumerated() {
      files["\(number).test.js"] = declaration.replacing("%", with: time)
    }
    let outcome = try await test(files)
    #expect(outcome.code == 1 && outcome.output.contains("1 passed"), "\(outcome)")
    let told =
      outcome.output.split(separator: "expected a time above 0 and at most 100000000 milliseconds, got ").count - 1
    #expect(told == 6, "\(outcome.output)")
  }

  @Test func whatIsNoTimeIsRefused() async throws {
    var files = ["b.test.js": "test('b', () => {}, undefined); test('c', {}, () => {});"]
    let declarations = [
      "test('a', () => {}, 'abc')", "test('a', () => {}, null)", "test('a', '5', () => {})",
      "describe('a', () => {}, true)",
      "test.each([1])('a', () => {}, 'abc')",
    ]
    for (number, declaration) in declarations.enumerated() { files["\(number).test.js"] = declaration }
    let outcome = try await test(files)
    #expect(outcome.code == 1 && outcome.output.contains("2 passed"), "\(outcome)")
    let told = outcome.output.split(separator: "expected a time in milliseconds or { timeout }, got ").count - 1
    #expect(told == declarations.count, "\(outcome.output)")
  }

  /// A clock that is moved to no time stands still for ever.
  @Test func whatIsNoTimeOfAClockIsRefused() async throws {
    let outcome = try await test(
      """
      const told = [], values = { NaN, Infinity, '-Infinity': -Infinity, undefined, null: null, '10n': 10n, "'5'": '5', '1e+300': 1e300, 'Invalid Date': new Date('no') };
      const isRefused = (name, call, message) => {
        let error;
        try { call(); } catch (thrown) { error = thrown; }
        if (!(error instanceof TypeError && error.message === message)) told.push(`${name}: ${error}`);
      };
      test('a', async () => {
        for (const [shown, value] of Object.entries(values)) {
          const time = 'a time in milliseconds, or a date that there is', from = 'a number of milliseconds from 0, to a date that there is';
          if (value !== undefined) isRefused('now', () => mock.useFakeTimers({ now: value }), `mock.useFakeTimers, now: expected ${time}, got ${shown}`);
          mock.useFakeTimers({ now: 1000 });
          isRefused('set', () => mock.setSystemTime(value), `mock.setSystemTime: expected ${time}, got ${shown}`);
          isRefused('advance', () => mock.advanceTimersByTime(value), `mock.advanceTimersByTime: expected ${from}, got ${shown}`);
          await mock.advanceTimersByTimeAsync(value).catch((error) => isRefused('later', () => { throw error; }, `mock.advanceTimersByTimeAsync: expected ${from}, got ${shown}`));
          const f = mock.fn();
          setTimeout(f, 5);
          mock.advanceTimersByTime(5);
          expect(f).toHaveBeenCalled();
          expect([Date.now(), performance.now()]).toEqual([1005, 5]);
          mock.useRealTimers();
        }
        isRefused('negative', () => { mock.useFakeTimers(); mock.advanceTimersByTime(-1); }, 'mock.advanceTimersByTime: expected a number of milliseconds from 0, to a date that there is, got -1');
        isRefused('options', () => mock.useFakeTimers({ time: 1 }), "mock.useFakeTimers: there is no option 'time', only now");
        isRefused('options', () => mock.useFakeTimers(5), 'mock.useFakeTimers: expected { now }, got 5');
        mock.setSystemTime(new Date(5));
        expect(Date.now()).toBe(5);
        setTimeout(() => {}, Infinity);
        mock.runAllTimers();
        expect(Date.now()).toBe(5 + 0x7FFF_FFFF);
        mock.useRealTimers();
        expect(told).toEqual([]);
      });
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func misspeltOptionsAreRefused() async throws {
    let outcome = try await test("test('x', { timeuot: 5 }, () => {});")
    #expect(outcome.output.contains("test: there is no option 'timeuot', only timeout"), "\(outcome)")
  }

  /// Nor does what a test writes leave the line of a comment.
  @Test func whatIsWrittenStaysAComment() async throws {
    let outcome = try await test(
      "console.log('x\\rok 2 - forged\\0\\u2028ok 3\\r\\nok 4\\x1b[1A'); test('a', () => {});", ["--reporter", "tap"])
    #expect(
      outcome.output == """
        TAP version 14
        # x
        # ok 2 - forged\\u0000
        # ok 3
        # ok 4\\u001B[1A
        ok 1 - a.test.js > a
        1..1

        """)
  }

  /// What an error says is no line of the protocol.
  @Test func theProtocolIsWrittenByNoTest() async throws {
    let outcome = try await test(
      "test('a', () => { throw new Error('x\\nok 2 - forged\\r\\n1..2\\rBail out!'); });", ["--reporter", "tap"])
    let lines = outcome.output.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    #expect(lines.first == "TAP version 14" && lines.last == "1..1", "\(outcome.output)")
    #expect(lines.count { !$0.hasPrefix(" ") } == 3, "\(outcome.output)")
  }

  /// What programs inherit as their standard output, and what is written by its path, is no part of the report.
  @Test(arguments: ["tap", "junit", "text"]) func theReportIsWrittenByNobodyElse(reporter: String) async throws {
    let outcome = try await test(
      [
        "a.test.js": """
        test('a', async () => {
          await NativeModules.Processes.run('sh', ['-c', 'echo ok 7 - forged'], { stdout: 'inherit' });
          await NativeModules.Files.appendText('/dev/stdout', 'ok 8 - forged');
        });
        """
      ], ["--reporter", reporter])
    #expect(outcome.code == 0 && !outcome.output.contains("forged"), "\(outcome)")
    #expect(outcome.error.contains("ok 7 - forged"), "\(outcome)")
  }

  @Test func reporters() async throws {
    let text = """
      console.log('said');
      test('good # one', () => {}); test.skip('s', () => {}); test.todo('t');
      test('bad <&> "', () => { expect('a <b>').toBe('c'); });
      """
    let tap = try await test(text, ["--reporter", "tap"])
    #expect(tap.code == 1)
    #expect(
      tap.output == """
        TAP version 14
        # said
        ok 1 - a.test.js > good \\# one
        ok 2 - a.test.js > s # SKIP
        ok 3 - a.test.js > t # TODO
        not ok 4 - a.test.js > bad <&> "
          ---
          message: "AssertionError: expected 'a <b>' to be 'c'"
          stack: |-
            AssertionError: expected 'a <b>' to be 'c'
              3 | test('bad <&> "', () => { expect('a <b>').toBe('c'); });
                |                                               ^
                at a.test.js:3:47
          ...
        1..4

        """)
    let junit = try await test(text, ["--reporter", "junit"])
    #expect(junit.code == 1)
    for part in [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<testsuite name=\"a.test.js\" tests=\"4\" failures=\"1\" skipped=\"2\"",
      "name=\"bad &lt;&amp;&gt; &quot;\"", "<failure message=\"AssertionError: expected 'a &lt;b&gt;' to be 'c'\">",
      "<system-out>said\n</system-out>",
    ] { #expect(junit.output.contains(part), "\(junit.output)") }
    #expect(XMLLike.isBalanced(junit.output))
    #expect(try await test(text, ["--reporter", "xml"]).code == 2)
  }

  @Test func theModuleIsOfTestsAlone() async throws {
    folder.write("import { test } from 'trestle:test';", to: "script.mjs")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["script.mjs"])
    #expect(outcome.code == 1 && outcome.error.contains("it is there in files that trestle test runs"), "\(outcome)")
    let types = try await Program(name: Program.trestle, folder: folder).run(["types", "Test"])
    #expect(types.output.contains("declare module 'trestle:test'") && types.output.contains("declare const console"))
  }
}

/// Enough of XML for what is written here.
private enum XMLLike {
  static func isBalanced(_ text: String) -> Bool {
    var open: [Substring] = []
    for tag in text.matches(of: /<(\/?)([a-z-]+)[^<>]*?(\/?)>/) {
      if !tag.1.isEmpty {
        guard open.popLast() == tag.2 else { return false }
      } else if tag.3.isEmpty {
        open.append(tag.2)
      }
    }
    return open.isEmpty
  }
}
