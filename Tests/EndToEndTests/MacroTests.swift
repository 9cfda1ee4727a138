import TestSupport
import Testing

/// Macros, through the real binaries.
@Suite(.serialized, .offThePool) struct MacroSessionTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// In another run, too, and as one undo step.
  @Test func aMacroIsRecordedKeptAndPlayed() throws {
    try home.write("one\ntwo\nthree\nfour\n", to: "a.txt")
    let first = try edit("a.txt")
    try first.wait(toSee: "4 four")
    try first.type("\u{1B}K")
    try first.wait(toSee: "[recording]")
    try first.type("<\u{1B}[F>\u{1B}[B\u{1B}[H\u{1B}K")
    try first.wait(for: "the line") { $0.line(0) == "  1 <one>" }
    try first.wait(toSee: "Recorded: 5 steps")
    try first.type("\u{1B}E")
    try first.wait(for: "the next line") { $0.line(1) == "  2 <two>" }
    try save(first)
    try quit(first)
    let second = try edit("a.txt")
    try second.wait(toSee: "4 four")
    try second.type("\u{1B}[1;5H\u{1B}E")
    try second.wait(for: "the play") { $0.line(0) == "  1 <<one>>" }
    try second.type("\u{1A}")
    try second.wait(for: "one step") { $0.line(0) == "  1 <one>" }
    try quit(second)
  }

  /// Plays take back what was taken back when it was recorded, and no more.
  @Test func aPlayThatUndoesIsWhatWasRecorded() throws {
    try home.write("one\ntwo\none\ntwo\none\ntwo\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "6 two")
    try session.type("\u{1B}KX\u{1B}[BY\u{1A}Z\u{1B}[B\u{1B}[H\u{1B}K")
    try session.wait(toSee: "Recorded: 7 steps")
    try session.type("\u{1B}E\u{1B}E")
    try session.wait(for: "the plays") { $0.line(5) == "  6 tZwo" }
    try save(session)
    #expect(home.text(of: "a.txt") == "Xone\ntZwo\nXone\ntZwo\nXone\ntZwo\n")
    try session.type("\u{1A}")
    try session.wait(for: "the last step") { $0.line(5) == "  6 two" && $0.line(4) == "  5 Xone" }
    try quit(session, answer: "\u{04}")
  }

  /// Keys of which none is ever refused, as that would end a play.
  private static let keys = [
    "a", "b", " ", "(", ")", "\"", "{", "\r", "\t", "\u{7F}", "\u{1B}[3~", "\u{1B}[A", "\u{1B}[B", "\u{1B}[C",
    "\u{1B}[D",
    "\u{1B}[H", "\u{1B}[F", "\u{1B}[1;2C", "\u{1B}[1;2B", "\u{1B}[1;5C", "\u{1B}[1;5D", "\u{16}", "\u{B}",
    "\u{1B}[200~p\nq\u{1B}[201~",
  ]

  /// What is in a file after these keys.
  private func text(after keys: String) throws -> String {
    try home.write("one {\n  two (two)\n}\n\"three\" two\nfour\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "5 four")
    // The editor remembers the caret of the last run. What ^V pastes is the first line.
    try session.type("\u{1B}[1;5H\u{3}" + keys)
    try save(session)
    try quit(session)
    return try #require(home.text(of: "a.txt"))
  }

  /// Whatever was recorded does what its keys do when they are pressed again; one undo step takes it back.
  @Test(arguments: 0..<12) func aPlayIsWhatTypingIs(_ number: Int) throws {
    var random = SystemRandomNumberGenerator()
    let keys = (0..<(1 + number)).map { _ in Self.keys.randomElement(using: &random) ?? "" }.joined()
    let (record, play, goOn) = ("\u{1B}K", "\u{1B}E", "\u{1B}[B\u{1B}[F")
    let once = try text(after: keys + goOn)
    let twice = try text(after: keys + goOn + keys)
    #expect(try text(after: record + keys + record + goOn + play) == twice, "\(keys.debugDescription)")
    if once != twice {
      #expect(try text(after: record + keys + record + goOn + play + "\u{1A}") == once, "\(keys.debugDescription)")
    }
  }
}
