import Glibc
import TestSupport
import Testing

/// `trestle repl` on a terminal.
@Suite(.serialized, .offThePool) struct ReplTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(
    _ arguments: [String] = ["repl"], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> TerminalSession {
    let session = try TerminalSession(
      [Products.folder + "trestle"] + arguments, in: home, columns: columns, rows: rows, environment: environment)
    try session.wait(toSee: "Ctrl-D leaves.\n>")
    return session
  }

  /// Types an entry, and waits for what comes of it and for the next prompt.
  private func enter(
    _ session: TerminalSession, _ text: String, toSee expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try session.type(text + "\r")
    try session.wait(toSee: expected + "\n>", sourceLocation: sourceLocation)
  }

  private func leave(_ session: TerminalSession) throws {
    try session.type("\u{04}")
    #expect(try session.waitForEnd() == 0)
    #expect(session.screen.unknown == [])
    #expect(session.modes.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
  }

  @Test func values() throws {
    let session = try start()
    try enter(session, "1 + 1", toSee: "> 1 + 1\n2")
    try enter(session, "({ a: 'x', b: [1] })", toSee: "{ a: 'x', b: [ 1 ] }")
    try enter(session, "{ c: 1 }", toSee: "{ c: 1 }")
    try enter(session, "let x = 1", toSee: "> let x = 1\nundefined")
    try enter(session, "let x = await Promise.resolve(40), y = 2", toSee: "y = 2\nundefined")
    try enter(session, "x + y", toSee: "42")
    try enter(session, "_ / 2", toSee: "21")
    try enter(session, "class A { m() { return 'm'; } } class A2 extends A {}", toSee: "A {}\nundefined")
    try enter(session, "new A2().m()", toSee: "'m'")
    try enter(session, "import { exists } from 'trestle:files'", toSee: "files'\nundefined")
    try enter(session, "await exists('/tmp')", toSee: "true")
    #expect(session.screen.hasColour)
    try leave(session)
  }

  @Test func errors() throws {
    let session = try start()
    try enter(session, "undefinedName.x", toSee: "at [entry 1]:1:14")
    #expect(
      session.screen.text.contains(
        "Uncaught ReferenceError: Can't find variable: undefinedName\n  1 | undefinedName.x\n    |              ^"))
    try enter(session, "await 1; null.x", toSee: "at [entry 2]:1:14")
    try enter(session, "_error.name", toSee: "'TypeError'")
    try enter(session, "let x = )", toSee: "at [entry 4]:1:9")
    try enter(session, "Promise.reject(new Error('later')), 1", toSee: "at [entry 5]:1:25\n1")
    try enter(session, "await new Promise(() => {})", toSee: "Uncaught it awaits what nothing is left to settle")
    try leave(session)
  }

  @Test func entriesOfSeveralLines() throws {
    let session = try start()
    try session.type("function f() {\r")
    try session.wait(toSee: "> function f() {\n…")
    try enter(session, "return `a\rb`; }", toSee: "undefined")
    try enter(session, "f()", toSee: "'a\\nb'")
    try session.paste("[1,\r\n2].map(\n\tn => n * 2)")
    try session.wait(toSee: "…   n => n * 2)")
    try enter(session, "", toSee: "[ 2, 4 ]")
    // Up brings back all of it, and the line in its middle can be changed.
    try session.type("\u{1B}[A")
    try session.wait(toSee: "> [1,\n… 2].map(\n…   n => n * 2)")
    try session.type("\u{1B}[A\u{1B}[A")
    try enter(session, "\u{01}0,\u{1B}[B\u{1B}[B\u{05}", toSee: "> 0,[1,\n… 2].map(\n…   n => n * 2)\n[ 2, 4 ]")
    try leave(session)
  }

  @Test func keys() throws {
    let session = try start(columns: 60)
    try session.type("12345\u{1B}[D\u{7F}")
    try session.wait(toSee: "> 1235")
    let wide = String(repeating: "日", count: 30)
    let shown = "> '\(wide.dropLast(2))\n日日'.length\n30"
    try enter(session, "\u{05}\u{17}'\(wide)'.length", toSee: shown)
    try enter(session, "'kill'\u{15}\u{19}.length", toSee: "> 'kill'.length\n4")
    try session.type("what is this\u{03}")
    try session.wait(toSee: "> what is this\n>")
    try session.type("console.lo\t")
    try session.wait(toSee: "> console.log")
    try enter(session, "('x')", toSee: "x\nundefined")
    try session.type("NativeModules.Files.re\t\t")
    // Each time: while the second are looked for Ctrl-C would be a signal.
    try session.wait(for: "names beside each other") {
      $0.lines.count { $0.contains("remove ") && $0.contains("  re") } == 2
    }
    try session.type("\u{03}")
    try session.type("\u{12}kill")
    try session.wait(toSee: "(search) 'kill': 'kill'.length")
    try session.type("\r")
    try session.wait(for: "the answer again") { $0.text.ranges(of: "> 'kill'.length\n4\n>").count == 2 }
    try leave(session)
  }

  /// While a script has the terminal the system takes it for an end of the input.
  @Test func anEndTypedAheadEnds() throws {
    let session = try start()
    try session.type("await new Promise(end => setTimeout(end, 300))\r")
    try session.wait(for: "the mode of a shell") { _ in session.modes.c_lflag & tcflag_t(ICANON) != 0 }
    try leave(session)
  }

  @Test func whatRunsIsEnded() throws {
    let session = try start()
    try session.type("for (;;);\r")
    try session.wait(toSee: "> for (;;);\n")
    try session.wait(for: "the mode of a shell") { _ in session.modes.c_lflag & tcflag_t(ICANON) != 0 }
    try session.type("\u{03}")
    try session.wait(toSee: "interrupted\n>")
    try session.type("await new Promise(end => setTimeout(end, 1e6))\r")
    try session.wait(for: "the mode of a shell") { _ in session.modes.c_lflag & tcflag_t(ICANON) != 0 }
    try session.type("\u{03}")
    try session.wait(for: "a second one") { $0.text.ranges(of: "interrupted").count == 2 }
    try enter(session, "1 + 2", toSee: "3")
    try leave(session)
  }

  /// The loop of a timer keeps an entry from being begun: Ctrl-C ends that, at once and also later.
  @Test func whatIsTypedBehindALoopIsAnswered() throws {
    for waitsForModeOfShell in [false, true] {
      let session = try start()
      try enter(session, "setTimeout(() => { for (;;); }); 1", toSee: "1")
      usleep(300_000)
      try session.type("2 + 3\r")
      try session.wait(for: "the mode in which Ctrl-C is a signal") { _ in
        session.modes.c_lflag & tcflag_t(waitsForModeOfShell ? ICANON : ISIG) != 0
      }
      try session.type("\u{03}")
      try session.wait(toSee: "interrupted\n>")
      try enter(session, "4 + 5", toSee: "9")
      try leave(session)
    }
  }

  @Test func whatTimersWriteStandsAboveTheEntry() throws {
    let session = try start()
    // A tick may stand between the answer and the prompt already.
    try session.type("const id = setInterval(() => console.log('tick'), 20)\r")
    try session.wait(toSee: "tick\n>")
    try session.type("1 + ")
    try session.wait(toSee: "tick\n> 1 +")
    // Another tick may come before this is run, and none after it.
    try session.type("1; clearInterval(id); 'end'\r")
    try session.wait(toSee: "\n'end'\n>")
    try leave(session)
  }

  @Test func scriptsReadTheTerminal() throws {
    let session = try start()
    try session.type("await NativeModules.Process.readLine()\r")
    try session.wait(for: "the mode of a shell") { _ in session.modes.c_lflag & tcflag_t(ICANON) != 0 }
    try session.type("given\r")
    try session.wait(toSee: "'given'\n>")
    try session.type("NativeModules.Process.exit(3)\r")
    #expect(try session.waitForEnd() >> 8 == 3)
  }

  /// What is typed at the prompt is an entry, whatever a script would read.
  @Test func thePromptHasTheTerminal() throws {
    let session = try start()
    try enter(session, "let line = NativeModules.Process.readLine()", toSee: "undefined")
    try enter(session, "40 + 2", toSee: "42")
    // As soon as it is the scripts' again, it is read on.
    try session.type("await line\r")
    try session.wait(for: "the mode of a shell") { _ in session.modes.c_lflag & tcflag_t(ICANON) != 0 }
    try session.type("given\r")
    try session.wait(toSee: "'given'\n>")
    try session.type("await NativeModules.Process.readInput()\r")
    try session.wait(for: "the mode of a shell") { _ in session.modes.c_lflag & tcflag_t(ICANON) != 0 }
    try session.type("\u{03}")
    try session.wait(toSee: "interrupted\n>")
    try enter(session, "'behind it'.length", toSee: "9")
    try session.type("await NativeModules.Process.readLine()\r")
    try session.wait(for: "the mode of a shell") { _ in session.modes.c_lflag & tcflag_t(ICANON) != 0 }
    try session.type("once more\r")
    try session.wait(toSee: "'once more'\n>")
    try leave(session)
  }

  @Test func commandsAndHistory() throws {
    try home.write("const loaded = 1;\nconst twice = (n) => n * 2;\ntwice(loaded)", to: "a.js")
    let session = try start()
    try enter(session, ".load a.js", toSee: "2")
    try enter(session, "let kept = twice(4)", toSee: "undefined")
    try enter(session, " let secret = 1", toSee: "undefined")
    try enter(session, ".save b.js", toSee: "> .save b.js")
    #expect(home.text(of: "b.js")?.hasSuffix("twice(loaded)\nlet kept = twice(4)\n let secret = 1\n") == true)
    try enter(session, ".save b.js", toSee: ".save: cannot write b.js: File exists")
    try enter(session, ".load none.js", toSee: "No such file or directory")
    try enter(session, ".wrong", toSee: ".help tells those that there are")
    try enter(session, ".clear", toSee: "> .clear")
    try enter(session, "typeof kept", toSee: "'undefined'")
    try session.type(".exit\r")
    #expect(try session.waitForEnd() == 0)
    var status = stat()
    #expect(stat(home.path + "/state/trestle/repl-history", &status) == 0 && status.st_mode & 0o777 == 0o600)
    let second = try start()
    try second.type("\u{1B}[A\u{1B}[A\u{1B}[A")
    try second.wait(toSee: "> .clear")
    #expect(home.text(of: "state/trestle/repl-history")?.contains("secret") == false)
    try second.type("\u{03}")
    try leave(second)
  }

  @Test func aloneAndWithoutColour() throws {
    let session = try start([], environment: ["NO_COLOR": "1"])
    try enter(session, "'x'", toSee: "'x'")
    #expect(!session.screen.hasColour)
    try leave(session)
  }

  @Test func aTerminatedOneLeavesTheTerminalAsItWas() throws {
    let session = try start()
    kill(session.process, SIGTERM)
    #expect(try session.waitForEnd() >> 8 == 143)
    #expect(session.modes.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
  }
}
