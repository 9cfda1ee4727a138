import Glibc
import TestSupport
import Testing

/// The terminal is given back as it was, whatever ends the editor, in whatever state.
@Suite(.serialized, .offThePool) struct TerminalTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func start(
    columns: Int = 60, rows: Int = 12, environment: [String: String] = [:], core: String? = nil
  ) throws -> TerminalSession {
    let core = core ?? ShellCore.showing("hello\\\\tworld")
    return try TerminalSession(
      [Products.xiedit, "--core", core, "file.txt"], in: home, columns: columns, rows: rows, environment: environment)
  }

  private func expectRestored(_ session: TerminalSession, _ before: termios, _ what: String = "") {
    var (before, after) = (before, session.modes)
    let isSame = withUnsafeBytes(of: &before) { before in
      withUnsafeBytes(of: &after) { after in before.elementsEqual(after) }
    }
    #expect(isSame, "stty differs \(what)")
    #expect(session.screen.modes.isSubset(of: [25]), "modes left on: \(session.screen.modes) \(what)")
    #expect(!session.screen.isAlternate)
    #expect(session.screen.isCursorVisible)
    #expect(session.screen.unknown == [])
  }

  /// What is being done when the signal comes.
  enum State: CaseIterable {
    case typing, prompt, question, help, paste

    var keys: String {
      switch self {
      case .typing: "abc"
      case .prompt: "\u{0F}file"
      case .question: ""
      case .help: "\u{1B}OP"
      case .paste: "\u{1B}[200~half a paste"
      }
    }

    var sight: String? {
      switch self {
      case .typing, .paste: nil
      case .prompt: "Open: file"
      case .question: "Unsaved text"
      case .help: "the keys"
      }
    }
  }

  @Test(arguments: State.allCases, [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT, SIGILL, SIGTRAP])
  func signals(_ state: State, _ signal: CInt) throws {
    let session = try start(
      environment: ["SWIFT_BACKTRACE": "enable=no"],
      core: state == .question ? ShellCore.showing("hello", then: ShellCore.offeringRecovery) : nil)
    let before = try modesBefore()
    try session.wait(toSee: "hello")
    try session.type(state.keys)
    if let sight = state.sight { try session.wait(toSee: sight) }
    kill(session.process, signal)
    let status = try session.waitForEnd()
    #expect(status & 0x7F == signal, "it dies of the signal, so that a shell can tell")
    expectRestored(session, before, "after signal \(signal) in \(state)")
  }

  /// Those that nobody sends by design end the editor too; but for SIGXFSZ, which is a file that cannot be written.
  @Test(arguments: [
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGBUS, SIGFPE, SIGSYS, 16, 40, 64,
  ])
  func unexpectedSignals(_ signal: CInt) throws { try signals(.typing, signal) }

  /// Swift's runtime, where its toolchain is, tells of a crash, and waits for a key: the terminal is the user's by then.
  @Test(
    arguments: [SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGTRAP], ["", "enable=yes", "enable=yes,interactive=no"])
  func crashesWithBacktraces(_ signal: CInt, _ backtraces: String) throws {
    let session = try start(environment: ["SWIFT_BACKTRACE": backtraces])
    let before = try modesBefore()
    try session.wait(toSee: "hello")
    kill(session.process, signal)
    try session.wait(for: "the terminal") { !$0.isAlternate }
    // Of who asks, this is the answer.
    try session.type("q")
    let status = try session.waitForEnd()
    #expect(status & 0x7F == signal)
    expectRestored(session, before, "after signal \(signal)")
  }

  /// The modes of a terminal that nothing has touched.
  private func modesBefore() throws -> termios {
    let session = try TerminalSession(["/bin/sleep", "30"], in: home)
    return session.modes
  }

  @Test func quitRestores() throws {
    let session = try start()
    let before = try modesBefore()
    try session.wait(toSee: "hello")
    #expect(session.screen.isAlternate)
    #expect(session.screen.modes.isSuperset(of: [1000, 1002, 1006, 2004]))
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
    expectRestored(session, before)
  }

  @Test func aCoreThatDiesForGoodLeavesATerminal() throws {
    let ending = "[ -e typed ] && exit 3; while read line; do case $line in *insert*) : >typed; exit 3; esac; done"
    let session = try start(core: ShellCore.showing("hello", then: ending))
    try session.wait(toSee: "hello")
    try session.type("x")
    try session.wait(toSee: "The core keeps ending")
    try session.type("n\u{11}")
    try session.wait(toSee: "(Enter tries, ^D drops it")
    try session.type("\u{04}")
    #expect(try session.waitForEnd() >> 8 == 1)
    #expect(session.screen.text.contains("the core has ended"))
    expectRestored(session, try modesBefore())
  }

  @Test func suspendedAndContinued() throws {
    let session = try start()
    let before = try modesBefore()
    try session.wait(toSee: "hello")
    // Nobody could continue the leader of a session, so the stop is ignored: modes go off and on again.
    try session.type("\u{1B}z")
    try session.type("\u{0F}still here")
    try session.wait(toSee: "Open: still here")
    #expect(session.screen.isAlternate)
    #expect(session.screen.line(0).hasPrefix("  1 hello"))
    kill(session.process, SIGTSTP)
    kill(session.process, SIGCONT)
    try session.type("!")
    try session.wait(toSee: "Open: still here!")
    kill(session.process, SIGTERM)
    _ = try session.waitForEnd()
    expectRestored(session, before)
  }

  /// Stopped under a shell with job control: the terminal is the shell's, and a signal ends the editor when it goes on.
  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func signalsWhileSuspended(_ signal: CInt) throws {
    try home.write("hello\n", to: "file.txt")
    let session = try TerminalSession(
      ["/bin/sh", "-i"], in: home, columns: 60, rows: 12, environment: ["PS1": "ready> ", "ENV": ""])
    try session.wait(toSee: "ready>")
    let before = session.modes
    try session.type("\(Products.xiedit) file.txt\r")
    try session.wait(toSee: "1 hello")
    try session.type("\u{1B}z")
    try session.wait(for: "the shell") { !$0.isAlternate && $0.text.contains("Stopped") }
    expectRestored(session, before, "while stopped")
    // A shell does nothing more on a line whose program was interrupted.
    try session.type("kill -\(signal) %1; PS1='again> '; fg\r")
    try session.wait(for: "the next prompt") { screen in (0..<12).contains { screen.line($0).hasPrefix("again>") } }
    try session.type("echo ended $?\r")
    try session.wait(toSee: "ended \(128 + signal)")
    expectRestored(session, before, "after signal \(signal) while stopped")
    try session.type("exit\r")
    _ = try session.waitForEnd()
  }

  /// Stopped by force it could not tidy up, and the shell has made the terminal its own.
  @Test func anEditorStoppedByForceGoesOn() throws {
    try home.write("hello\n", to: "file.txt")
    let session = try start()
    try session.wait(toSee: "hello")
    let raw = session.modes
    kill(session.process, SIGSTOP)
    try session.setModes(try modesBefore())
    kill(session.process, SIGCONT)
    try session.wait(for: "raw modes") { _ in
      session.modes.c_lflag == raw.c_lflag && session.modes.c_iflag == raw.c_iflag
    }
    try session.wait(toSee: "hello")
    #expect(session.screen.isAlternate)
    try session.type("\u{0F}still here")
    try session.wait(toSee: "Open: still here")
    try session.type("\u{1B}")
    kill(session.process, SIGTERM)
    _ = try session.waitForEnd()
  }

  /// It is not on the screen yet, which a program that asks for a password may want.
  @Test func aCoreThatNeverAnswersIsLeftByControlQ() throws {
    let session = try start(core: "sleep 1000")
    let before = try modesBefore()
    try session.wait(toSee: "xiedit: waiting for the core (sleep 1000); ^Q ends this")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() >> 8 == 1)
    #expect(session.screen.text.contains("xiedit: core: "))
    expectRestored(session, before)
  }

  /// Libraries take more than that for the description of a terminal alone.
  @Test func aStackSmallerThanAny() throws {
    try home.write("hello\n", to: "file.txt")
    let session = try TerminalSession(
      ["/bin/sh", "-c", "ulimit -s 64; exec \(Products.xiedit) file.txt"], in: home, columns: 60, rows: 12)
    try session.wait(toSee: "1 hello")
    try session.type("x\u{06}hell")
    try session.wait(toSee: "1 of 1")
    try session.type("\r\u{13}")
    try session.wait(toSee: "Saved file.txt")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
    #expect(home.text(of: "file.txt") == "xhello\n")
  }

  @Test func aScreenLargerThanAny() throws {
    let session = try start()
    try session.wait(toSee: "hello")
    session.resize(columns: 65535, rows: 65535, ofScreen: false)
    session.resize(columns: 60, rows: 12)
    try session.type("\u{0F}still here")
    try session.wait(toSee: "Open: still here")
    kill(session.process, SIGTERM)
    _ = try session.waitForEnd()
  }

  @Test func aSuspendedEditorGoesOn() throws {
    try home.write("hello\n", to: "file.txt")
    let session = try TerminalSession(
      ["/bin/sh", "-i"], in: home, columns: 60, rows: 12, environment: ["PS1": "ready> ", "ENV": ""])
    try session.wait(toSee: "ready>")
    try session.type("\(Products.xiedit) file.txt\r")
    try session.wait(toSee: "1 hello")
    try session.type("x\u{1B}z")
    try session.wait(for: "the shell") { !$0.isAlternate && $0.text.contains("Stopped") }
    try session.type("fg\r")
    try session.wait(for: "the text") { $0.isAlternate && $0.line(0) == "  1 xhello" }
    try session.type("\u{11}\u{04}")
    // Not before the prompt: until then the line is not the shell's.
    try session.wait(for: "the shell again") { !$0.isAlternate && $0.text.contains("ready>") }
    try session.type("exit\r")
    _ = try session.waitForEnd()
  }

  @Test func aResizeStormSettles() throws {
    let session = try start()
    try session.wait(toSee: "hello")
    for step in 0..<200 { session.resize(columns: 20 + step % 90, rows: 3 + step % 40) }
    session.resize(columns: 50, rows: 9)
    try session.wait(for: "the last size") { $0.line(7).contains("file.txt") && $0.line(8).hasPrefix("^S Save") }
    #expect(session.screen.line(0).hasPrefix("  1 hello"))
  }

  /// Nothing is drawn on what is no screen, or may be none.
  @Test(arguments: [
    ("dumb", "TERM=dumb: a terminal of this type has no cursor to move"),
    ("", "TERM: not set"), ("no-such-terminal", "TERM=no-such-terminal: this type is not known here"),
    ("../x", "TERM=../x: this type is not known here"),
  ])
  func aDumbTerminalIsRefusedInWords(_ name: String, _ reason: String) throws {
    let session = try start(columns: 200, environment: ["TERM": name])
    #expect(try session.waitForEnd() >> 8 == 1)
    let text = session.screen.text
    #expect(text.hasPrefix("xiedit: " + reason), "\(text)")
    #expect(text.contains("TERM=xterm-256color xiedit"), "\(text)")
    #expect(!session.screen.text.contains("hello"))
    #expect(session.screen.renditions == [] && session.screen.unknown == [])
  }

  /// The new ones are described on few machines, and all are like xterm.
  @Test(arguments: ["xterm-of-tomorrow", "kitty-next"])
  func anUnknownWindowWorksWithAMessage(_ name: String) throws {
    let session = try start(columns: 80, environment: ["TERM": name])
    try session.wait(toSee: "is unknown here")
    try session.wait(toSee: "hello")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  /// Their descriptions name delays, and no screen to come back from.
  @Test(arguments: ["vt100", "linux"])
  func anOldTerminalIsLeftCleared(_ name: String) throws {
    let session = try start(columns: 80, environment: ["TERM": name])
    try session.wait(toSee: "  1 hello")
    #expect(session.screen.line(11).hasPrefix("^S Save"))
    #expect(!session.screen.text.contains("$<"))
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
    #expect(session.screen.text.allSatisfy { $0 == "\n" })
    #expect((session.screen.row, session.screen.column) == (0, 0))
  }

  /// As behind `su`: what the shell's user owns is not the editor's to open by its name.
  @Test(.enabled(if: geteuid() == 0)) func aTerminalOfAnotherUserIsUsed() throws {
    chmod(home.path, 0o777)
    let asNobody = ["/usr/bin/setpriv", "--reuid", "65534", "--clear-groups"]
    let session = try TerminalSession(
      asNobody + [Products.xiedit, "--core", ShellCore.showing("hello")], in: home)
    try session.wait(toSee: "1 hello")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  /// Elsewhere ^H is Ctrl-Backspace, and deletes a word.
  @Test(arguments: [("^H", "two wor!"), ("^?", "two !")])
  func backspaceIsWhatTheTerminalErasesWith(_ erase: String, _ left: String) throws {
    let session = try TerminalSession(["/bin/sh", "-c", "stty erase '\(erase)'; \(Products.xiedit)"], in: home)
    try session.wait(toSee: "Unnamed")
    try session.type("two word\u{8}!")
    try session.wait(for: left) { $0.line(0) == "  1 " + left }
    try session.type("\u{11}\u{04}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func anotherLocaleWorksWithAMessage() throws {
    let session = try start(columns: 80, environment: ["LANG": "C", "LC_ALL": ""])
    try session.wait(toSee: "The locale is not UTF-8")
    try session.wait(toSee: "hello")
  }

  @Test func noColourMeansNone() throws {
    let session = try start(environment: ["NO_COLOR": "1", "COLORTERM": "truecolor"])
    try session.wait(toSee: "hello")
    #expect(!session.screen.hasColour)
    #expect(session.screen.isReversed(row: 10, column: 0))
  }

  @Test func aLoneEscapeIsDecided() throws {
    let session = try start()
    try session.wait(toSee: "hello")
    try session.type("\u{0F}abc")
    try session.wait(toSee: "Open: abc")
    try session.type("\u{1B}")
    try session.wait(for: "the prompt to go") { $0.line(11).hasPrefix("^S Save") }
  }
}
