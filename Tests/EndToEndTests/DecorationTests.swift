import Glibc
import TestSupport
import Testing

@testable import EditorClient

/// What is drawn beside the characters of a text, as the settings file wants it.
@Suite(.serialized, .offThePool) struct DecorationTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func edit(
    _ text: String, settings: String, columns: Int = 100, environment: [String: String] = [:]
  ) throws -> TerminalSession {
    try home.writeSettings(settings)
    try home.write(text, to: "a.txt")
    return try TerminalSession(
      [Products.xiedit, "a.txt"], in: home, columns: columns, rows: 12, environment: environment)
  }

  @Test func numbersAreCountedFromTheCaret() throws {
    let session = try edit("one\ntwo\nthree\n", settings: "line_numbers = \"relative\"\n")
    try session.wait(for: "the distances") { $0.line(0) == "  1 one" && $0.line(2) == "  2 three" }
    try session.type("\u{1B}[B")
    try session.wait(for: "those from the second line") { $0.line(0) == "  1 one" && $0.line(1) == "  2 two" }
    try session.type("\u{1B}n")
    try session.wait(for: "no numbers") { $0.line(0) == "one" }
    try home.writeSettings("line_numbers = \"sideways\"\n")
    try session.wait(toSee: "line 1: the setting line_numbers cannot be \"sideways\", only")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func rulersAreDrawnWithAndWithoutColours() throws {
    for (environment, rendition) in [(["NO_COLOR": "1"], "0;2;4"), (["TERM": "xterm-16color"], "0;2;97;100")] {
      let session = try edit("one\n", settings: "rulers = [5]\n", environment: environment)
      try session.wait(for: "the ruler") { $0.line(0) == "  1 one │" && $0.renditions.contains(rendition) }
      try session.type("\u{11}")
      #expect(try session.waitForEnd() == 0)
    }
  }

  @Test func indentationHasGuides() throws {
    let session = try edit("if a {\n    if b {\n\n        c\n    }\n}\n", settings: "indent_guides = true\n")
    try session.wait(for: "the guides") {
      $0.line(1) == "  2 │   if b {" && $0.line(2) == "  3 │" && $0.line(3) == "  4 │   │   c" && $0.line(5) == "  6 }"
    }
    try session.type("\u{1B}xtoggle_indent_guides\r")
    try session.wait(for: "none") { $0.line(3) == "  4         c" }
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func linesAroundTheCaretStayInSight() throws {
    let text = (1...89).map { "line \($0)\n" }.joined()
    let session = try edit(text, settings: "scroll_margin = 3\n")
    try session.wait(for: "the text") { $0.line(9) == " 10 line 10" }
    try session.type(String(repeating: "\u{1B}[B", count: 8))
    try session.wait(for: "three lines below the ninth") { $0.row == 6 && $0.line(9) == " 12 line 12" }
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func blanksAreSeenAndStayWhatTheyAre() throws {
    let session = try edit("a b  \n\tc\u{A0}d\n", settings: "show_whitespace = \"trailing\"\ntab_size = 4\n")
    try session.wait(for: "the blanks at the end") { $0.line(0) == "  1 a b··" && $0.line(1) == "  2     c\u{A0}d" }
    try session.type("\u{1B}W")
    try session.wait(for: "all blanks") { $0.line(0) == "  1 a·b··" && $0.line(1) == "  2 →   c⍽d" }
    try session.type("x \u{13}")
    try session.wait(for: "a blank that was typed") { $0.line(0) == "  1 x·a·b··" }
    try session.wait(toSee: "Saved")
    #expect(home.text(of: "a.txt") == "x a b  \n\tc\u{A0}d\n")
    try session.type("\u{1B}W")
    try session.wait(for: "the setting again") { $0.line(0) == "  1 x a b··" }
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }
}
