import Foundation
import Testing

/// What the user reads when a script fails, and what the shell gets.
@Suite struct FailureTests: ScriptSuite {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func expect(_ script: String, toFailWith error: String) async throws {
    #expect(try await run(script) == Program.Outcome(code: 1, output: "", error: error))
  }

  @Test func thrownErrors() async throws {
    try await expect(
      """
      const x = 1;
      function divide() {
      \tthrow new TypeError('cannot');
      }
      divide();
      """,
      toFailWith: """
        Uncaught TypeError: cannot
          3 | \tthrow new TypeError('cannot');
            | \t                   ^
            at divide (script.js:3:21)
            at script.js:5:7

        """)
  }

  @Test func syntaxErrors() async throws {
    try await expect(
      "let a = 1;\nlet b = (2 + ;\n",
      toFailWith: """
        Uncaught SyntaxError: Unexpected token ';'
          2 | let b = (2 + ;
            |              ^
            at script.js:2:14

        """)
  }

  @Test func whatIsNoErrorIsShown() async throws {
    try await expect("throw { a: 1 }", toFailWith: "Uncaught { a: 1 }\n")
    try await expect("Promise.reject({ b: ['x'] })", toFailWith: "Uncaught { b: [ 'x' ] }\n")
  }

  @Test func misspeltModules() async throws {
    try await expect(
      "NativeModules.Fles.readText('x')",
      toFailWith: """
        Uncaught TypeError: undefined is not an object (evaluating 'NativeModules.Fles.readText'): there is no module 'Fles'; did you mean 'Files'?
          1 | NativeModules.Fles.readText('x')
            |                   ^
            at script.js:1:19

        """)
  }

  /// What scripts for other programs take for granted.
  @Test(arguments: [
    ("require('fs')", "that is a part of Node"), ("export {}; require('fs')", "a module has import"),
    ("process.argv", "did you mean NativeModules.Process?"),
    ("Buffer.from('a')", "a Uint8Array"), ("fetch('x')", "no requests over the network"),
    ("export {}; module.exports = 1", "a file named .cjs"), ("export {}; __dirname", "import.meta.dirname"),
    ("window.x", "globalThis"), ("Files.exists('/')", "did you mean NativeModules.Files?"),
    ("consol.log(1)", "did you mean 'console'?"),
  ]) func namesThatAreNotThere(script: String, hint: String) async throws {
    let outcome = try await run(script)
    let title = outcome.error.prefix { $0 != "\n" }
    #expect(outcome.code == 1 && title.contains(hint), "\(outcome.error)")
  }

  @Test func errorsInTimersEndTheRun() async throws {
    try await expect(
      "setTimeout(() => {\n  null.foo;\n}, 0);\nsetTimeout(() => console.log('never'), 100);",
      toFailWith: """
        Uncaught TypeError: null is not an object (evaluating 'null.foo')
          2 |   null.foo;
            |       ^
            at script.js:2:7

        """)
  }

  @Test func unhandledRejections() async throws {
    try await expect(
      "async function later() {\n  await 1;\n  throw new Error('rejected');\n}\nlater();",
      toFailWith: """
        Uncaught Error: rejected
          3 |   throw new Error('rejected');
            |                  ^
            at later (script.js:3:18)

        """)
  }

  @Test func handledRejectionsAreNoErrors() async throws {
    #expect(try await run("Promise.reject(new Error('x')).catch(() => console.log('handled'))").output == "handled\n")
  }

  @Test func errorsOfNativeModules() async throws {
    let outcome = try await run("NativeModules.Files.readText('none.txt')")
    #expect(outcome.code == 1)
    #expect(outcome.error.hasPrefix("Uncaught FileError: none.txt: No such file or directory\n"), "\(outcome.error)")
  }

  /// What is known before the run is wrong usage.
  @Test(arguments: ["--cpu-prof", "--trace"], ["none/a", "/"])
  func reportsThatCannotBeBegun(_ option: String, _ path: String) async throws {
    let outcome = try await run("console.log(1)", options: [option, path])
    #expect(outcome.code == 2 && outcome.output == "" && outcome.error.hasPrefix("trestle: \(path): "), "\(outcome)")
  }

  @Test func nobodyTakesTheTrace() async throws {
    mkfifo(folder.url.path + "/pipe", 0o600)
    let outcome = try await run("console.log(1)", options: ["--trace", "pipe"])
    #expect(outcome == Program.Outcome(code: 2, output: "", error: "trestle: pipe: nobody takes the trace\n"))
  }

  @Test(arguments: [["--cpu-prof", "/dev/full"], ["--trace", "/dev/full"]])
  func reportsThatCannotBeWritten(options: [String]) async throws {
    let outcome = try await run("console.log(1)", options: options)
    #expect(outcome.code == 1 && outcome.output == "1\n")
    #expect(outcome.error.hasPrefix("trestle: \(options[1]): "), "\(outcome.error)")
  }

  @Test func errorsThatReferToThemselves() async throws {
    try await expect(
      "const e = new Error('x'); e.a = e; e.b = { e, f: 1 }; e.cause = e; e.errors = [e]; throw e",
      toFailWith: """
        Uncaught Error: x
          1 | const e = new Error('x'); e.a = e; e.b = { e, f: 1 }; e.cause = e; e.errors = [e]; throw e
            |                    ^
            at script.js:1:20
            a: "[Circular]"
            b: {"e":"[Circular]","f":1}
          one of them: [Circular]
          caused by: [Circular]

        """)
  }

  /// A script writes what it likes into a stack; that opens no file.
  @Test(arguments: ["/etc/passwd", "/dev/zero", "fifo", "-", "other.js"])
  func stacksThatNameFiles(_ name: String) async throws {
    folder.write("// secret", to: "other.js")
    mkfifo(folder.url.path + "/fifo", 0o600)
    try await expect(
      "const e = new Error('x'); e.stack = 'f@\(name):1:1'; throw e",
      toFailWith: "Uncaught Error: x\n    at f (\(name):1:1)\n")
  }

  @Test func errorsOfWorkersShowTheirLine() async throws {
    folder.write("// first\nnull.foo;", to: "worker.js")
    let outcome = try await run("new Worker('worker.js').onerror = (event) => { throw event.error ?? event }")
    #expect(outcome.error.contains("2 | null.foo;"), "\(outcome.error)")
  }

  /// Terminals obey them.
  @Test func controlCharactersAreShown() async throws {
    let outcome = try await run(#"const e = new Error('\u001b[2J\r\u009b\u202e\n\tä'); e.name = '\u0007'; throw e"#)
    #expect(outcome.error.hasPrefix("Uncaught \\u0007: \\u001B[2J\\u000D\\u009B\\u202E\n\tä\n"), "\(outcome.error)")
  }

  @Test(arguments: [
    ["run", "\u{1B}[31mno.js"], ["types", "\u{1B}[31mfoo"], ["run", "--\u{1B}[31mfoo"], ["\u{9B}31m.js"],
  ])
  func controlCharactersOfArgumentsAreShown(arguments: [String]) async throws {
    let outcome = try await Program(name: Program.trestle, folder: folder).run(arguments)
    #expect(outcome.code != 0 && outcome.error.contains("\\u00"), "\(outcome)")
    #expect(!outcome.error.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
  }

  @Test(arguments: [
    ("console.log(1); console.log(2)", "> /dev/full", "No space left on device", 1),
    (
      "NativeModules.Process.write('x'); NativeModules.Process.exit(3)", "> /dev/full", "No space left on device",
      3
    ),
    ("console.log(1)", ">&-", "Bad file descriptor", 1),
  ])
  func outputThatCannotBeWritten(_ script: String, to output: String, _ reason: String, _ code: Int32) async throws {
    folder.write(script, to: "script.js")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/bin/sh", folder: folder).run(["-c", "exec \(trestle) script.js \(output)"])
    #expect(outcome == Program.Outcome(code: code, output: "", error: "trestle: standard output: \(reason)\n"))
  }

  @Test func descriptorsThatThereAreNot() async throws {
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/bin/sh", folder: folder).run([
      "-c", "ulimit -n 12; exec \(trestle) -e 'console.log(1)'",
    ])
    #expect(outcome.code == 1 && outcome.output.isEmpty)
    #expect(outcome.error.hasPrefix("trestle: ") && outcome.error.hasSuffix(": Too many open files\n"), "\(outcome)")
  }

  /// There is nobody to be told but who looks at the exit code.
  @Test func errorsThatCannotBeWritten() async throws {
    folder.write("console.log(1); console.error(2)", to: "script.js")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/bin/sh", folder: folder).run([
      "-c", "exec \(trestle) script.js 2> /dev/full",
    ])
    #expect(outcome == Program.Outcome(code: 1, output: "1\n", error: ""))
  }

}
