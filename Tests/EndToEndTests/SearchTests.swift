import TestSupport
import Testing

/// Finding and replacing, through the real binaries.
@Suite(.serialized, .offThePool) struct SearchTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func findWithCountAndWayBack() throws {
    try home.write((1...300).map { "line \($0)\n" }.joined(), to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 line 1")
    try session.type("\u{06}e 20")
    try session.wait(for: "the match and the count") {
      $0.text.contains("line 20") && $0.line(11).hasSuffix("1 of 11")
    }
    try session.type("\r\u{1B}OR\u{1B}OR")
    try session.wait(toSee: "Ln 201/")
    try session.wait(for: "which match it is") { $0.line(11) == "3 of 11" }
    try session.type("\u{1B}[1;2R\u{1B}[1;2R\u{1B}[1;2R")
    try session.wait(for: "the last match") { $0.line(11) == "11 of 11, wrapped" }
    try session.type("\u{1B}OR\u{1B}OR\u{1B}OR")
    try session.wait(for: "the third match again") { $0.line(11) == "3 of 11" }
    try session.type("\u{06}300")
    try session.wait(toSee: "line 300")
    try session.type("\u{1B}")
    try session.wait(toSee: "Ln 201/")
    try quit(session)
  }

  /// What is typed ahead of a search that takes its time is for the match.
  @Test func keysBehindASearchGoToTheMatch() throws {
    let (lines, rest) = (String(repeating: "some words in a line\n", count: 100_000), "after\n")
    try home.write(lines + "a pin, a pin, a pin\n" + rest, to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 some")
    try session.type("\u{06}pin\rneedle\u{1B}[H|\u{12}pin\rX\rn\r")
    try session.wait(toSee: "|a needle, a pin, a X")
    try session.wait(toSee: "Replace by")
    try session.type("\u{1B}")
    try session.wait(toSee: "^S Save")
    try save(session)
    #expect(home.text(of: "a.txt") == lines + "|a needle, a pin, a X\n" + rest)
    try session.type("\u{1B}[1;5H\u{06}after\r\u{1B}OR\u{1B}[1;2R!")
    try session.wait(for: "the match replaced") { $0.line($0.row).hasSuffix("100002 !") }
    try quit(session, answer: "\u{04}")
  }

  @Test func whatWasSearchedIsKeptBetweenRuns() throws {
    try home.write("One one\n", to: "a.txt")
    var session = try edit("a.txt")
    try session.wait(toSee: "1 One one")
    try session.type("\u{06}\u{1B}cone")
    try session.wait(toSee: "Find [case]: one")
    try session.wait(toSee: "1 of 1")
    try session.type("\r")
    try quit(session)
    session = try edit("a.txt")
    try session.wait(toSee: "1 One one")
    try session.type("\u{06}\u{1B}[A")
    try session.wait(toSee: "Find [case]: one")
    try session.type("\u{1B}")
    try session.wait(toSee: "^S Save")
    try quit(session)
    #expect(home.names(in: "state/xiedit").contains("memory.json"))
  }

  @Test func theSelectionIsLookedFor() throws {
    try home.write("beta alpha beta\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 beta")
    try session.type("\u{1B}[1;6C")
    try session.wait(toSee: "selection")
    try session.type("\u{06}")
    try session.wait(for: "the word") { $0.line(11).hasPrefix("Find: beta") && $0.line(11).hasSuffix("1 of 2") }
    try session.type("\r")
    try session.wait(for: "the next one") { $0.line(11) == "2 of 2" }
    try quit(session)
  }

  @Test func replaceOneAndAll() throws {
    try home.write("a b a b a\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "a b a b a")
    try session.type("\u{12}a\rX\r")
    try session.wait(toSee: "Replace by \"X\"?")
    try session.type("n\r")
    try session.wait(toSee: "a b X b a")
    try session.type("\r\r")
    try session.wait(toSee: "X b X b X")
    try session.wait(toSee: "No match is left to replace")
    try session.type("\u{1A}\u{1A}\u{12}a\rX\r")
    try session.wait(toSee: "a b X b a")
    try session.wait(toSee: "Replace by \"X\"?")
    try session.type("a")
    try session.wait(toSee: "X b X b X")
    try save(session)
    #expect(home.text(of: "a.txt") == "X b X b X\n")
    try quit(session)
  }
}
