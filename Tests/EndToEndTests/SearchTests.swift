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
      $0.text.contains("line 20") && $0.line(11).hasSuffix("11 matches")
    }
    try session.type("\r\u{1B}OR\u{1B}OR")
    try session.wait(toSee: "Ln 201/")
    try session.type("\u{06}300")
    try session.wait(toSee: "line 300")
    try session.type("\u{1B}")
    try session.wait(toSee: "Ln 201/")
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
