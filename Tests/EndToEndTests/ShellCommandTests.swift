import Glibc
import TestSupport
import Testing

/// Commands of the shell, through the real binaries.
@Suite(.serialized, .offThePool) struct ShellCommandTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func aSelectionIsSorted() throws {
    try home.write("b\na\nc\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "3 c")
    // What is typed ahead comes behind it.
    try session.type("\u{01}\u{1B}|sort -r; sleep 0.2\r\u{1B}[1;5Hx")
    try session.wait(for: "the order") { $0.line(0) == "  1 xc" && $0.line(1) == "  2 b" && $0.line(2) == "  3 a" }
    try session.type("\u{1A}\u{1A}")
    try session.wait(for: "one step") { $0.line(0) == "  1 b" && $0.line(2) == "  3 c" }
    try session.type("\u{1B}[1;5H\u{1B}!echo hello\r")
    try session.wait(toSee: "1 hellob")
    try save(session)
    #expect(home.text(of: "a.txt") == "hellob\na\nc\n")
    try quit(session)
  }

  @Test func oneThatFailsAndOneThatDoesNotEnd() throws {
    try home.write("b\na\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "2 a")
    try session.type("\u{1B}|no-such-command\r")
    try session.wait(toSee: "not found (exit code 127)")
    try session.type("\u{1B}|sleep 1000\r")
    try session.wait(toSee: "Waiting for the core to run sleep 1000")
    try session.type("\u{1B}")
    try session.wait(toSee: "nothing was replaced")
    try session.type("\u{1B}|tr a-z A-Z\r")
    try session.wait(for: "the line") { $0.line(0) == "  1 B" && $0.line(1) == "  2 a" }
    try quit(session, answer: "\u{04}")
  }

  @Test func quittingEndsTheCommandAndAsks() throws {
    try home.write("b\na\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "2 a")
    try session.type("\u{1B}|sleep 1000\r")
    try session.wait(toSee: "^Q ends it to quit")
    try session.type("\u{11}")
    try session.wait(toSee: "Quit? sleep 1000 was ended")
    try session.type("\u{1B}")
    try session.wait(for: "the text") { !$0.text.contains("Quit?") }
    try session.type("\u{1B}|sleep 1000\r")
    try session.wait(toSee: "^Q ends it to quit")
    try session.type("\u{11}")
    try session.wait(toSee: "Quit? sleep 1000 was ended")
    try session.type("\r")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func aCoreKilledMeanwhileLosesNothing() throws {
    try home.write("b\na\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "2 a")
    try session.type("before \u{1B}|sleep 1000 & echo $! $$ >pids; wait\rafter ")
    try session.wait(toSee: "Waiting for the core to run sleep 1000")
    let started = try startedPrograms()
    kill(try #require(session.children.first), SIGKILL)
    try session.wait(toSee: "1 before after b")
    try session.wait(toSee: "the core ended while sleep 1000")
    try session.wait(for: "the command's end") { _ in started.allSatisfy(hasEnded) }
    try save(session)
    #expect(home.text(of: "a.txt") == "before after b\na\n")
    try quit(session)
  }
}
