import Glibc
import TestSupport
import Testing

/// Processes that end, stop or never finish, through the real binaries.
@Suite(.serialized, .offThePool) struct CrashTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func aKilledCoreIsReplaced() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    let core = try #require(session.children.first)
    kill(core, SIGKILL)
    try session.wait(toSee: "The core ended unexpectedly")
    try session.type("after ")
    try session.wait(toSee: "1 after text")
    try save(session)
    #expect(home.text(of: "a.txt") == "after text\n")
    try quit(session)
  }

  @Test func aMissingRecoveryFolderIsTold() throws {
    try home.write("text\n", to: "a.txt")
    let session = try TerminalSession(
      [Products.xiedit, "a.txt"], in: home,
      environment: ["HOME": home.path + "/a.txt", "XDG_STATE_HOME": ""])
    try session.wait(toSee: "What you type is in memory only: no folder for recovery")
    try session.type("after ")
    try session.wait(toSee: "1 after text")
    #expect(session.screen.text.contains("a.txt * [kept nowhere]") && !session.screen.text.contains("in memory only"))
    try save(session)
    #expect(home.text(of: "a.txt") == "after text\n")
    try quit(session)
  }

  /// The sign goes when there is room again, whether anything is typed then or not.
  @Test func aJournalThatComesBackIsTold() throws {
    try home.write("text\n", to: "a.txt")
    mkdir(home.path + "/state", 0o700)
    let session = try TerminalSession(
      [Products.xiedit, "a.txt"], in: home, environment: ["XDG_STATE_HOME": home.path + "/state"])
    try session.wait(toSee: "1 text")
    #expect(rename(home.path + "/state", home.path + "/away") == 0)
    try home.write("in its place", to: "state")
    try session.type("x")
    try session.wait(toSee: "a.txt * [kept nowhere]")
    unlink(home.path + "/state")
    #expect(rename(home.path + "/away", home.path + "/state") == 0)
    try session.wait(for: "the end of the sign") { !$0.text.contains("[kept nowhere]") }
    try quit(session, answer: "\u{04}")
  }

  /// What the front end had told the old core about the file, it tells the new one.
  @Test func aFileWithoutAFinalNewlineKeepsWithoutOne() throws {
    try home.write("text", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    kill(try #require(session.children.first), SIGKILL)
    try session.wait(toSee: "The core ended unexpectedly")
    try session.type("after ")
    try session.wait(toSee: "1 after text")
    try save(session)
    #expect(home.text(of: "a.txt") == "after text")
    try quit(session)
  }

  @Test func aCoreKilledWhileTypingLosesNothing() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    var typed = ""
    for round in 0..<3 {
      // The rest of the round is typed while there is no core, or a new one reads the journal.
      typed += "<\(round)abcdefghij>"
      try session.type("<\(round)abc")
      let core = try #require(session.children.first)
      kill(core, SIGKILL)
      try session.type("defghij>")
      try session.wait(toSee: "1 \(typed)text")
      try session.wait(for: "another core") { _ in session.children.contains { $0 != core } }
    }
    try save(session)
    #expect(home.text(of: "a.txt") == typed + "text\n")
    try quit(session)
  }

  @Test func whatWasTypedBeforeACrashIsOffered() throws {
    try home.write("text\n", to: "a.txt")
    do {
      let session = try edit("a.txt")
      try session.paste("unsaved ")
      try session.wait(toSee: "1 unsaved text")
      let core = try #require(session.children.first)
      // The front end first: it would start another core.
      for process in [session.process, core] { kill(process, SIGKILL) }
      _ = try session.waitForEnd()
      // A core that is writing to the disk holds its journal until that is done.
      let deadline = ContinuousClock.now + patience
      while !hasEnded(core), ContinuousClock.now < deadline { usleep(1000) }
    }
    #expect(home.text(of: "a.txt") == "text\n")
    let session = try restore("a.txt")
    try session.wait(toSee: "1 unsaved text")
    try save(session)
    #expect(home.text(of: "a.txt") == "unsaved text\n")
    try quit(session)
  }

  @Test func aSaveThatWasCutShortIsOffered() throws {
    try home.write("torn by", to: "a.txt")
    let first = try edit("a.txt")
    try first.wait(toSee: "torn by")
    // A second name makes the save one in place, whose copy lies in the recovery folder while it runs.
    link(home.path + "/a.txt", home.path + "/b.txt")
    try first.paste("x")
    try first.wait(toSee: "xtorn by")
    let journal = try #require(home.names(in: "state/xiedit/recovery").first { $0.hasPrefix("a.txt-") })
    try save(first)
    try quit(first)
    #expect(home.text(of: "b.txt") == "xtorn by")
    let copy = "state/xiedit/recovery/" + journal.prefix("a.txt-0123456789abcdef".count) + ".saving"
    try home.write("whole and well\n", to: copy)

    let second = try edit("a.txt")
    try second.wait(toSee: "An earlier save of a.txt was cut short")
    try second.type("\u{12}")
    try second.wait(for: "the copy") { $0.line(0) == "  1 whole and well" }
    try save(second)
    try quit(second)
    #expect(home.text(of: "a.txt") == "whole and well\n")
    #expect(home.text(of: copy) == nil)
  }

  /// A session whose core was ended until no other took its place, with `x` typed before.
  private func sessionWithoutCore() throws -> TerminalSession {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    try session.paste("x")
    try session.wait(toSee: "1 xtext")
    var dead: Set<pid_t> = []
    while !session.screen.text.contains("The core keeps ending") {
      if let core = session.children.first, dead.insert(core).inserted { kill(core, SIGKILL) }
      try session.wait(for: "another core, or none") { screen in
        session.children.contains { !dead.contains($0) } || screen.text.contains("The core keeps ending")
      }
    }
    try session.wait(toSee: "what you type is kept nowhere")
    return session
  }

  /// How an editor without a core is left.
  enum Leaving { case question, signal(CInt) }

  @Test(arguments: [Leaving.question, .signal(SIGTERM), .signal(SIGHUP)])
  func whatIsTypedWithoutACoreIsKeptByOneMore(_ leaving: Leaving) throws {
    let session = try sessionWithoutCore()
    try session.type("yz\u{11}")
    try session.wait(toSee: "(Enter tries, ^D drops it")
    switch leaving {
    case .question:
      try session.type("\u{1B}")
      try session.wait(toSee: "^R restarts it")
      try session.type("\u{11}")
      try session.wait(toSee: "What you typed in a.txt is kept nowhere")
      try session.type("\r")
      #expect(try session.waitForEnd() >> 8 == 1)
    case .signal(let signal):
      try end(session, by: signal)
    }
    #expect(!session.screen.isAlternate)
    #expect(!session.screen.text.contains("could not be kept"))
    let again = try restore("a.txt")
    try again.wait(toSee: "1 xyztext")
    try quit(again, answer: "\u{04}")
  }

  @Test func whatIsTypedWithoutACoreCanBeDropped() throws {
    let session = try sessionWithoutCore()
    try session.type("y\u{11}")
    try session.wait(toSee: "What you typed in a.txt is kept nowhere")
    try session.type("\u{04}")
    #expect(try session.waitForEnd() >> 8 == 1)
    let again = try restore("a.txt")
    try again.wait(toSee: "1 xtext")
    try quit(again, answer: "\u{04}")
  }

  /// Nothing is asked where nothing would be lost.
  @Test func anEditorWithoutACoreThatOwesNothingEndsAtOnce() throws {
    let session = try sessionWithoutCore()
    try session.type("\u{1B}[C\u{11}")
    #expect(try session.waitForEnd() >> 8 == 1)
    #expect(session.screen.text.contains("the core has ended"))
  }

  /// No core can be had at the end, either.
  @Test(arguments: [false, true])
  func whatNoCoreTakesIsToldAtTheEnd(_ isSignal: Bool) throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("--core", "[ -e second ] && exit 3; : >second; exec \(Products.core)", "a.txt")
    try session.wait(toSee: "1 text")
    kill(try #require(session.children.first), SIGKILL)
    try session.wait(toSee: "The core keeps ending")
    try session.type("x\u{11}")
    try session.wait(toSee: "(Enter tries, ^D drops it")
    if isSignal {
      try end(session, by: SIGTERM)
    } else {
      try session.type("\r")
      #expect(try session.waitForEnd() >> 8 == 1)
    }
    #expect(!session.screen.isAlternate)
    #expect(session.screen.text.replacing("\n", with: "").contains("what was typed last in a.txt could not be kept"))
  }

  /// A new core that says nothing has none of what was typed.
  @Test func controlQAsksAboutWhatASilentNewCoreWasNotGiven() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("--core", "[ -e second ] && exec sleep 1000; : >second; exec \(Products.core)", "a.txt")
    try session.wait(toSee: "1 text")
    let core = try #require(session.children.first)
    kill(core, SIGSTOP)
    try session.type("x")
    kill(core, SIGKILL)
    try session.wait(toSee: "Waiting for the core to open a.txt")
    try session.type("\u{11}")
    try session.wait(toSee: "What you typed in a.txt is kept nowhere")
    try session.type("\u{04}")
    #expect(try session.waitForEnd() >> 8 == 1)
  }

  @Test func aCoreThatKeepsDyingIsAskedAbout() throws {
    let session = try sessionWithoutCore()
    try session.type("\u{12}")
    try session.wait(toSee: "another one has taken over")
    try session.type("y")
    try session.wait(toSee: "1 xytext")
    try save(session)
    #expect(home.text(of: "a.txt") == "xytext\n")
    try quit(session)
  }

  @Test func aStoppedCoreIsAskedAbout() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    let core = try #require(session.children.first)
    kill(core, SIGSTOP)
    try session.type("x")
    try session.wait(toSee: "^R restarts it")
    try session.type("\u{12}")
    try session.wait(toSee: "another one has taken over")
    try session.wait(toSee: "1 xtext")
    try quit(session, answer: "\u{04}")
  }

  /// Whatever is asked of a core that does not answer, the keyboard stays the user's.
  @Test(arguments: ["\u{03}", "x\u{11}", "x\u{06}", "x\u{17}", "\u{18}"])
  func aStoppedCoreLocksNobodyOut(_ keys: String) throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    let core = try #require(session.children.first)
    kill(core, SIGSTOP)
    try session.type(keys)
    try session.wait(toSee: "Waiting for the core to")
    try session.type("\u{1B}")
    try session.wait(for: "the end of the wait") { !$0.text.contains("Waiting for") }
    kill(core, SIGCONT)
    try session.type("typed")
    try session.wait(toSee: "typed")
    try quit(session, answer: "\u{04}")
  }

  /// It owes an arrow key, which nobody misses.
  @Test func controlQLeavesAStoppedCore() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    try session.paste("x")
    try session.wait(toSee: "1 xtext")
    let core = try #require(session.children.first)
    kill(core, SIGSTOP)
    try session.type("\u{1B}[C\u{11}")
    try session.wait(toSee: "^Q quits without it")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() >> 8 == 1)
    #expect(!session.screen.isAlternate)
    kill(core, SIGCONT)
    let end = ContinuousClock.now + patience
    while !hasEnded(core), ContinuousClock.now < end { usleep(1000) }
    let again = try restore("a.txt")
    try again.wait(toSee: "1 xtext")
    try quit(again, answer: "\u{04}")
  }

  /// What was typed is in the pipe of a core that may never read it.
  @Test(arguments: [Leaving.question, .signal(SIGTERM), .signal(SIGHUP)])
  func whatASilentCoreHasNotTakenIsKeptByAnother(_ leaving: Leaving) throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    try session.paste("x")
    try session.wait(toSee: "1 xtext")
    let core = try #require(session.children.first)
    kill(core, SIGSTOP)
    defer { kill(core, SIGKILL) }
    try session.type("yz")
    try session.wait(toSee: "1 xyztext")
    switch leaving {
    case .question:
      try session.wait(toSee: "what you type will follow")
      try session.type("\u{11}")
      try session.wait(toSee: "^Q quits without it")
      try session.type("\u{11}")
      try session.wait(toSee: "What you typed in a.txt is kept nowhere")
      try session.type("\r")
      #expect(try session.waitForEnd() >> 8 == 1)
    case .signal(let signal):
      try end(session, by: signal)
    }
    #expect(!session.screen.isAlternate)
    #expect(!session.screen.text.contains("could not be kept"))
    // Nor does it lie where only that core would find it.
    kill(core, SIGKILL)
    let again = try restore("a.txt")
    try again.wait(toSee: "1 xyztext")
    try quit(again, answer: "\u{04}")
  }

  /// Its file has become a folder meanwhile: nothing that was shown is lost.
  @Test(arguments: [false, true]) func textWhoseFileANewCoreCannotOpenStays(_ endsBySignal: Bool) throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    try session.paste("x")
    try session.wait(toSee: "1 xtext")
    // What the file held is nowhere else before the core has copied it.
    try session.wait(for: "the copy of the file") { _ in
      home.names(in: "state/xiedit/recovery").contains { $0.hasSuffix(".journal-base") }
    }
    let core = try #require(session.children.first)
    kill(core, SIGSTOP)
    try session.type("yz")
    try session.wait(toSee: "1 xyztext")
    try #require(unlink(home.path + "/a.txt") == 0)
    try #require(mkdir(home.path + "/a.txt", 0o700) == 0)
    guard !endsBySignal else {
      try end(session, by: SIGTERM)
      #expect(!session.screen.text.contains("could not be kept"))
      let again = try edit()
      try again.wait(toSee: "Unsaved text of Unnamed")
      try again.type("\u{12}")
      try again.wait(toSee: "1 xyztext")
      return try quit(again, answer: "\u{04}")
    }
    kill(core, SIGKILL)
    try session.wait(toSee: "Alt-S saves its text")
    try session.wait(toSee: "1 xyztext")
    try session.type("0")
    try session.wait(toSee: "1 xyz0text")
    try session.type("\u{13}")
    try session.wait(toSee: "Save as")
    try session.type("b.txt\r")
    try session.wait(toSee: "Saved b.txt")
    #expect(home.text(of: "b.txt") == "xyz0text\n")
    try quit(session)
  }

  @Test func aSaveThatAStoppedCoreOwesIsTold() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    let core = try #require(session.children.first)
    kill(core, SIGSTOP)
    try session.type("x\u{13}")
    try session.wait(toSee: "Waiting for the core to save a.txt")
    kill(core, SIGCONT)
    try session.wait(toSee: "Saved a.txt")
    #expect(home.text(of: "a.txt") == "xtext\n")
    try quit(session)
  }

  @Test func aCoreByAShellCommand() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("--core", "exec \(Products.core)", "a.txt")
    try session.wait(toSee: "1 text")
    try quit(session)
  }

  /// As ssh does: it greets on the standard error, and asks for a password on the terminal.
  @Test func aCoreOnAnotherMachine() throws {
    try home.write("text\n", to: "a.txt")
    try home.write(
      """
      echo "Welcome to $1" >&2
      printf 'password: ' >/dev/tty
      read -r password </dev/tty
      [ "$password" = secret ] || exit 255
      shift
      exec "$@"
      """, to: "ssh")
    for (password, isRight) in [("wrong", false), ("secret", true)] {
      let session = try edit("--core", "sh ./ssh host \(Products.core)", "a.txt")
      try session.wait(toSee: "Welcome to host")
      try session.wait(toSee: "password:")
      try session.type(password + "\r")
      guard isRight else {
        #expect(try session.waitForEnd() >> 8 == 1)
        #expect(session.screen.text.contains("xiedit: core: "))
        continue
      }
      try session.wait(toSee: "1 text")
      try session.type("x")
      try session.wait(toSee: "1 xtext")
      #expect(!session.screen.text.contains("Welcome"))
      try save(session)
      try quit(session)
    }
    #expect(home.text(of: "a.txt") == "xtext\n")
  }

  /// A window that is closed in the middle of a word.
  @Test func aVanishedTerminalEndsTheEditorAndKeepsTheText() throws {
    try home.write("text\n", to: "a.txt")
    do {
      let session = try edit("a.txt")
      try session.type("unsaved ")
      try session.wait(toSee: "1 unsaved text")
      let core = try #require(session.children.first)
      session.hangUp()
      #expect(try session.waitForEnd() & 0x7F == SIGHUP)
      // It writes its journal to the disk and ends by itself.
      let end = ContinuousClock.now + patience
      while !hasEnded(core), ContinuousClock.now < end { usleep(1000) }
      #expect(hasEnded(core))
    }
    #expect(home.text(of: "a.txt") == "text\n")
    let session = try restore("a.txt")
    try session.wait(toSee: "1 unsaved text")
    try quit(session, answer: "\u{04}")
  }

  /// At the first key, the core turns into one that says what makes no sense, half of something, or nothing more. What is typed
  /// goes to the next one. (One that ended before there was text would end the editor.)
  @Test(arguments: [
    "while echo noise; do :; done", #"printf '{"method":"upda'; exit 0"#, #"printf '{"method":"upda'; exec sleep 1000"#,
    "exec sleep 1000", "exit 3",
  ])
  func aCoreThatGoesMadIsReplaced(_ madness: String) throws {
    try home.write("text\n", to: "a.txt")
    let atFirstKey = "while read -r line; do case $line in *insert*) break;; esac; done; \(madness)"
    let core = "[ -e second ] && exec \(Products.core); : >second; " + ShellCore.showing("text", then: atFirstKey)
    let session = try edit("--core", core, "a.txt")
    try session.wait(toSee: "1 text")
    try session.type("x")
    if madness.contains("sleep") {
      try session.wait(toSee: "^R restarts it")
      try session.type("\u{12}")
    }
    try session.wait(toSee: "1 xtext")
    try save(session)
    #expect(home.text(of: "a.txt") == "xtext\n")
    try quit(session)
  }
}
