import TestSupport
import Testing

/// Words of the open texts, through the real binaries.
@Suite(.serialized, .offThePool) struct WordCompletionTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func aWordIsCompleted() throws {
    try home.write("\nhello world\nhelmet\n", to: "a.txt")
    try home.write("helping\n", to: "b.txt")
    let session = try edit("a.txt", "b.txt")
    try session.wait(toSee: "3 helmet")
    try session.type("hel\u{0}")
    try session.wait(for: "the list") { $0.line(2).contains(">hello") && $0.line(4).contains("helping") }
    try session.wait(toSee: "Word 1 of 3")
    try session.type("\t")
    try session.wait(for: "the next word") { $0.line(3).contains(">helmet") }
    try session.type("\r!")
    try session.wait(for: "the word") { $0.line(1) == "  1 helmet!" && $0.line(2) == "  2 hello world" }
    // Two steps back: what was typed behind it, and the word.
    try session.type("\u{1A}\u{1A}")
    try session.wait(for: "what was typed") { $0.line(1) == "  1 hel" }
    // All of it at once.
    try session.type("\u{0}p\r s")
    try session.wait(for: "the word") { $0.line(1) == "  1 helping s" }
    try save(session)
    #expect(home.text(of: "a.txt") == "helping s\nhello world\nhelmet\n")
    try quit(session)
  }

  @Test func itIsCompletedAtEachCaret() throws {
    try home.write("fo\nfo\nfoobar\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "3 foobar")
    try session.type("\u{1B}[F\u{1B}[1;3B\u{1B}/\r")
    try session.wait(for: "both words") { $0.line(0) == "  1 foobar" && $0.line(1) == "  2 foobar" }
    try session.type("\u{1A}")
    try session.wait(for: "one step") { $0.line(0) == "  1 fo" && $0.line(1) == "  2 fo" }
    try quit(session)
  }

  @Test func aMacroAndARepetitionPutInTheSameWord() throws {
    try home.write("alphabet alpine\nal\nal\nal\n\nal\nbe\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "7 be")
    // X is an older change.
    try session.type("X\u{7F}\u{1B}[B\u{1B}K\u{1B}[F\u{0}")
    try session.wait(toSee: "Word 1 of 2")
    try session.type("\t\r\u{1B}[B\u{1B}K")
    try session.wait(toSee: "Recorded: 3 steps")
    // Now alphabet is the nearest.
    try session.type("\u{1B}E\u{1B}E")
    try session.wait(for: "the plays") { $0.line(2) == "  3 alphabet" && $0.line(3) == "  4 alphabet" }
    // The caret is in the empty line: there is nothing to complete, and then there is.
    try session.type("\u{1B}'")
    try session.wait(toSee: "What was to be completed is not there")
    try session.type("\u{1B}[B\u{1B}[F\u{1B}'")
    try session.wait(for: "the word") { $0.line(5) == "  6 alphabet" }
    // A word of which all was typed.
    try session.type("\u{1B}[B\u{1B}[F(alpi\u{0}")
    try session.wait(toSee: "Word 1 of 1")
    try session.type("\r)\u{1B}[H\u{1B}'")
    try session.wait(for: "both") { $0.line(6) == "  7 (alpine)be(alpine)" }
    try session.type("\u{1A}")
    try session.wait(for: "one step") { $0.line(6) == "  7 be(alpine)" }
    try quit(session, answer: "\u{04}")
  }

  @Test func aWordAtTheEndOfASelectionIsCompleted() throws {
    try home.write("alphabet alpine\nal", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "2 al")
    try session.type("\u{1B}[B\u{1B}[H\u{1B}[1;2F\u{0}")
    try session.wait(toSee: "Word 1 of 2")
    try session.type("\r!")
    try session.wait(for: "the word") { $0.line(1) == "  2 alpine!" }
    try quit(session, answer: "\u{04}")
  }
}
