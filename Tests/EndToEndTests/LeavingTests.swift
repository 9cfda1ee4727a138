import Glibc
import TestSupport
import Testing

/// What is typed behind a command that runs is kept wherever the editor ends, and the command ends with it.
@Suite(.serialized, .offThePool) struct LeavingTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func restored() throws -> TerminalSession {
    let session = try edit("a.txt")
    try session.wait(toSee: "Unsaved text of a.txt")
    try session.type("\u{12}")
    return session
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func aPlayEndsWithTheEditor(_ signal: CInt) throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    try session.type("\u{1B}KX\u{1B}K")
    try session.wait(toSee: "Recorded: 1 step")
    try session.type("\u{1B}x")
    try session.wait(toSee: "Command")
    try session.type("play_macro_times\r")
    try session.wait(toSee: "how many times")
    // In one write: where the play is seen, the letters have been read.
    try session.type("5000\rwaiting")
    try session.wait(toSee: "XXXX")
    kill(session.process, signal)
    #expect(try session.waitForEnd() & 0x7F == signal)
    let again = try restored()
    try again.wait(toSee: "XXXwaiting")
    try quit(again, answer: "\u{04}")
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func aFilterEndsWithTheEditor(_ signal: CInt) throws {
    try home.write("b\na\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "2 a")
    try session.type("\u{1B}|sleep 1000 & echo $! $$ >pids; wait\rafter ")
    try session.wait(toSee: "Waiting for the core to run sleep 1000")
    let started = try (home.text(of: "pids") ?? "").split(whereSeparator: \.isWhitespace).map {
      try #require(pid_t($0))
    }
    #expect(started.count == 2)
    kill(session.process, signal)
    #expect(try session.waitForEnd() & 0x7F == signal)
    #expect(started.allSatisfy(TerminalSession.hasEnded))
    let again = try restored()
    try again.wait(toSee: "1 after b")
    try quit(again, answer: "\u{04}")
  }

  /// Esc ends a command at once, whatever was typed before; that is typed then.
  @Test func escapeDropsNothing() throws {
    try home.write("b\na\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "2 a")
    try session.type("\u{1B}|sleep 1000\rabc\u{1B}")
    try session.wait(toSee: "1 abcb")
    try session.wait(toSee: "sleep 1000 was ended; nothing was replaced")
    try quit(session, answer: "\u{04}")
  }
}
