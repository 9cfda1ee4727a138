import Glibc
import TestSupport
import Testing

/// What is typed behind a command that runs is kept wherever the editor ends, and the command ends with it.
@Suite(.serialized, .offThePool) struct LeavingTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

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
    try end(session, by: signal)
    let again = try restore("a.txt")
    try again.wait(toSee: "XXXwaiting")
    try quit(again, answer: "\u{04}")
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func aFilterEndsWithTheEditor(_ signal: CInt) throws {
    try home.write("b\na\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "2 a")
    try session.type("\u{1B}|sleep 1000 & echo $! $$ >pids; wait\rafter ")
    try session.wait(toSee: "Waiting for the core to run sleep 1000")
    let started = try startedPrograms()
    try end(session, by: signal)
    #expect(started.allSatisfy(hasEnded))
    let again = try restore("a.txt")
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
