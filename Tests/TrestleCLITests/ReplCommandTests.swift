import Testing

/// `trestle repl` without a terminal.
@Suite struct ReplCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func repl(_ input: String) async throws -> Program.Outcome {
    try await Program(name: Program.trestle, input: input, folder: folder).run(["repl"])
  }

  @Test func entriesAreReadWithoutAPrompt() async throws {
    let outcome = try await repl(
      """
      const x = 1

      const x = await Promise.resolve(2)
      function f() {
        return x + 1;
      }
      f()
      { a: 'text' }
      console.log('said')
      _
      .exit
      never
      """)
    #expect(
      outcome
        == Program.Outcome(
          code: 0, output: "undefined\nundefined\nundefined\n3\n{ a: 'text' }\nsaid\nundefined\nundefined\n", error: "")
    )
  }

  /// As a script may write it, and with what it may not.
  @Test(arguments: [
    ("let [a, { b = 2 }] = [1, {}]; a + b", "3"), ("let u; u", "undefined"),
    ("var v = await 1, w; [v, w]", "[ 1, undefined ]"),
    ("const { p } = await { p: 5 }; p", "5"), ("for await (const x of [1]) { globalThis.y = x } y", "1"),
    ("import * as m from './m.mjs'; m.one", "1"), ("import d, { one as two } from './m.mjs'; d + two", "11"),
    ("import $m, { one as $n } from './m.mjs'; $m + $n", "11"),
    ("import j from './j.json' with { type: 'json' }; j.k", "'v'"), ("(await import('./m.mjs')).default", "10"),
    ("require('./c.cjs').c", "'c'"), ("class A {}; await 1; class A { static s = 4 }; A.s", "4"),
    ("function g() { return 6 } await g()", "6"), ("'use strict'; 07", "SyntaxError"),
    ("import { none } from './m.mjs'", "does not export 'none'"),
    ("export const e = 1", "export is for modules"), ("import.meta.url", "import.meta is for modules"),
    ("_ = 3; 4; _", "3"), ("`a\nb`", "'a\\nb'"), ("/* a\n */ 1", "1"), (".5", "0.5"),
    ("throw { a: 1 }", "Uncaught { a: 1 }"),
    ("if (", "Unexpected token"), ("NativeModules.Process.exit(0)", ""),
  ]) func entries(text: String, expected: String) async throws {
    folder.write("export const one = 1; export default 10;", to: "m.mjs")
    folder.write("exports.c = 'c';", to: "c.cjs")
    folder.write(#"{"k": "v"}"#, to: "j.json")
    let outcome = try await repl(text)
    let isError = outcome.code == 1
    #expect(
      isError ? outcome.error.contains(expected) : outcome.output.split(separator: "\n").last ?? "" == expected,
      "\(outcome)")
    #expect(isError == !outcome.error.isEmpty)
  }

  /// In the same entry, in a later one and in a function; until it is declared again.
  @Test(arguments: [
    "const x = 1; x = 2", "const x = 1\nx = 2", "const x = 1\nx++", "const x = 1\n'use strict'; x = 2",
    "function f() { x = 2 }\nconst x = 1\nf()", "const { a: [x], ...y } = { a: [1] }\nx = 2",
    "const x = await 1; x = 2", "const x = await 1\nx = 2",
    "let x = 5\nconst x = 1\nx = 2", "var x = 5\nconst x = 1\nx = 2", "import { one as x } from './m.mjs'\nx = 2",
    "import x from './one.mjs'\nx = 2", "const x = 5\nconst x = 1\n[x] = [2]",
    "const x = 5\nconst x = await 1\n({ x } = { x: 2 })",
    "const x = 5\nclass x {}\nx = 3\nconst x = 1\nx = 2", "const x = 1\nfor (x of [2]);",
  ])
  func aConstantIsNotAssigned(_ text: String) async throws {
    folder.write("export const one = 1;", to: "m.mjs")
    folder.write("export default 1;", to: "one.mjs")
    let outcome = try await repl("\(text)\nx")
    #expect(outcome.error.contains("Uncaught TypeError: Attempted to assign to readonly property."), "\(outcome)")
    #expect(outcome.error.contains("at [entry ") && "\n\(outcome.output)".hasSuffix("\n1\n"), "\(outcome)")
  }

  @Test(arguments: [
    "let x = 2", "var x = 2", "const x = 2", "let x; x = 2", "var x = 1, y = 2; x = y", "let { x } = { x: 2 }",
    "let x = await 2", "const x = await 2",
    "var x = await 1; x = 2", "import { two as x } from './m.mjs'", "let y = 1, x = y + 1; x = 2",
  ])
  func aConstantIsDeclaredAgain(_ text: String) async throws {
    folder.write("export const two = 2;", to: "m.mjs")
    for first in ["const x = 1", "const x = await 1", "import { two as x } from './m.mjs'"] {
      let outcome = try await repl(
        "\(first)\n\(text)\nx\nfunction x() { return 3 } x()\nawait 0; function x() { return 4 } x()")
      #expect(outcome.code == 0 && outcome.output.hasSuffix("\n2\n3\n4\n"), "\(outcome)")
    }
  }

  @Test func whatWasBeforeAnythingIsUndefined() async throws {
    #expect(try await repl("_\n_error") == Program.Outcome(code: 0, output: "undefined\nundefined\n", error: ""))
    let outcome = try await repl(
      "missing_\n_error.name\nconst later = () => missing; later()\nvar missing = 1\nthrow _error")
    #expect(!outcome.error.contains("did you mean 'missing'"), "\(outcome)")
  }

  @Test func errorsHaveTheirPlace() async throws {
    let outcome = try await repl("1\nawait 1; foo.bar\nlet later = 1\nlater")
    #expect(outcome.code == 1 && outcome.output == "1\nundefined\n1\n")
    #expect(
      outcome.error == """
        Uncaught ReferenceError: Can't find variable: foo
          1 | await 1; foo.bar
            |             ^
            at [entry 2]:1:13

        """)
  }

  @Test func whatIsLeftToDoIsDone() async throws {
    // Before or behind the entry's value: that takes a while to be shown on a busy machine.
    #expect(try await repl("setTimeout(() => console.log('late'), 20)").output.contains("late\n"))
    let vain = try await repl("await new Promise(() => {})\n1")
    #expect(
      vain.code == 1 && vain.output == "1\n" && vain.error == "Uncaught it awaits what nothing is left to settle\n")
  }

  @Test func commands() async throws {
    folder.write("const loaded = 2;\nif (loaded) {\n  globalThis.x = 3;\n}\nelse {\n}\nx * loaded", to: "a.js")
    let outcome = try await repl(".load a.js\n.save b.js\n.clear\ntypeof loaded\n.load none.js\n.wrong\n.save")
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.output.hasPrefix("6\n'undefined'\n.load: cannot read none.js: No such file"), "\(outcome.output)")
    #expect(outcome.output.contains("there is no command .wrong") && outcome.output.contains(".save: name a file"))
    #expect(folder.read("b.js") == folder.read("a.js") + "\n")
    #expect(try await repl(".help").output.contains(".load FILE"))
  }
}
