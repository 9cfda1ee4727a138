import Glibc
import TestSupport
import Testing

/// What was open in a folder, opened again in the next run, through the real binaries.
@Suite(.serialized, .offThePool) struct FolderSessionEndTests: EditorSuite {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    for name in ["a", "b", "c"] { try home.write("text of \(name)\nsecond\n", to: "\(name).txt") }
  }

  private func reopen(_ session: TerminalSession) throws {
    try session.wait(toSee: "Last files")
    try session.type("\u{1B}O")
  }

  @Test func filesAndPanesAreAsTheyWere() throws {
    let first = try edit("a.txt", "b.txt", "c.txt")
    try first.wait(toSee: "text of a")
    // b below a, with the caret in its second line.
    try first.type("\u{5}s")
    try first.wait(for: "two panes") { $0.lines.count { $0.contains("text of a") } == 2 }
    try first.type("\u{1B}[1;3C")
    try first.wait(toSee: "text of b")
    try first.type("\u{1B}[B")
    try quit(first)

    let second = try edit()
    try reopen(second)
    try second.wait(for: "both panes") { screen in
      screen.lines.contains { $0.contains("text of a") } && screen.lines.contains { $0.contains("text of b") }
        && screen.lines.contains { $0.contains("c.txt") } && screen.lines.contains { $0.contains("Ln 2/3") }
    }
    #expect(
      !second.screen.lines.contains { $0.contains("Last files") || $0.contains("[no name]") },
      "\(second.screen.lines.joined(separator: "\n"))")
    try second.type("X")
    try save(second)
    try quit(second)
    #expect(home.text(of: "b.txt") == "text of b\nXsecond\n")
  }

  /// Such as the message of a commit.
  @Test(arguments: [".git/c.txt", "../c-elsewhere.txt"])
  func aRunForAFileOfAnotherProgramIsNoneToGoOnWith(_ path: String) throws {
    mkdir(home.path + "/.git", 0o700)
    try home.write("text of c\n", to: path)
    defer { unlink(home.path + "/" + path) }
    let first = try edit("a.txt", "b.txt")
    try first.wait(toSee: "text of a")
    try quit(first)
    let second = try edit(path)
    try second.wait(toSee: "text of c")
    try quit(second)
    let third = try edit()
    try reopen(third)
    try third.wait(toSee: "text of a")
    #expect(
      third.screen.lines.contains { $0.contains("b.txt") } && !third.screen.lines.contains { $0.contains("c.txt") })
    try quit(third)
  }

  @Test func aRunForOneFileTakesThePlaceOfTheOneBefore() throws {
    let first = try edit("a.txt", "b.txt")
    try first.wait(toSee: "text of a")
    try quit(first)
    let second = try edit("c.txt", "b.txt")
    try second.wait(toSee: "text of c")
    try second.type("\u{1B}[1;3C")
    try second.wait(toSee: "text of b")
    try second.type("\u{17}")
    try second.wait(toSee: "text of c")
    try quit(second)
    let third = try edit()
    try reopen(third)
    try third.wait(toSee: "text of c")
    #expect(!third.screen.lines.contains { $0.contains("a.txt") || $0.contains("b.txt") })
    try quit(third)
  }

  /// Also where the run has no time to say good-bye.
  @Test(arguments: [SIGTERM, SIGHUP]) func aRunThatIsEndedCanBeGoneOnWith(_ signal: CInt) throws {
    let first = try edit("a.txt", "b.txt")
    try first.wait(toSee: "text of a")
    try first.type("\u{1B}[B")
    try first.wait(toSee: "Ln 2/3")
    try end(first, by: signal)
    let second = try edit()
    try reopen(second)
    try second.wait(toSee: "text of a")
    try second.wait(toSee: "Ln 2/3")
    #expect(second.screen.lines.contains { $0.contains("b.txt") })
    try quit(second)
  }

  @Test func whatIsGoneIsTold() throws {
    let first = try edit("a.txt", "b.txt")
    try first.wait(toSee: "text of a")
    try quit(first)
    unlink(home.path + "/a.txt")
    let second = try edit()
    try reopen(second)
    try second.wait(toSee: "text of b")
    try second.wait(toSee: "a.txt: ")
    try quit(second)
  }

  @Test func withoutOneItIsRefused() throws {
    let session = try edit()
    try session.wait(toSee: "^S Save")
    try session.type("\u{1B}O")
    try session.wait(toSee: "No run in this folder has ended with files to go on with")
    try quit(session)
  }
}
