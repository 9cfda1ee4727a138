import TerminalInput
import TestSupport
import Testing

@testable import EditorClient

/// Where text stands on the screen, and what the mouse does there.
@Suite(.serialized, .offThePool) struct ScreenTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func wideAndInvisibleCharactersStandWhereTheyAreCounted() throws {
    try home.write("日本\u{200B}e\u{301}👩‍👩‍👧‍👦\tx\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "日本<200b>")
    // One step for each cluster; then the tab.
    for column in [6, 8, 14, 15, 17] {
      try session.type("\u{1B}[C")
      try session.wait(for: "the cursor at \(column)") { $0.row == 0 && $0.column == column }
    }
    try session.type("|")
    try session.wait(toSee: "👩‍👩‍👧‍👦|")
    try quit(session, answer: "\u{04}")
  }

  @Test func softWrap() throws {
    try home.write("start " + String(repeating: "word ", count: 40) + "end\nnext\n", to: "a.txt")
    let session = try edit("a.txt", columns: 40)
    try session.wait(for: "one row a line") { $0.line(1) == "  2 next" }
    try session.type("\u{1B}w")
    try session.wait(for: "wrapped rows") { $0.text.contains("end\n") && $0.line(1).hasPrefix("    word") }
    session.resize(columns: 70, rows: 12)
    try session.wait(for: "fewer rows") { $0.line(4).hasSuffix("2 next") || $0.line(3).hasSuffix("2 next") }
    try session.type("\u{1B}w")
    try session.wait(for: "one row a line again") { $0.line(1) == "  2 next" }
    try quit(session)
  }

  /// It stands at other rows when lines are broken elsewhere.
  @Test func theCaretStaysInSightWhenLinesAreWrapped() throws {
    try home.write("start " + String(repeating: "word ", count: 400) + "end\nnext\n", to: "a.txt")
    let session = try edit("a.txt", columns: 40)
    try session.wait(toSee: "2 next")
    try session.type("\u{1B}[F")
    try session.wait(toSee: "Col 2010")
    func waitForCaret(_ what: String) throws {
      try session.wait(for: "the caret behind the last word \(what)") {
        $0.isCursorVisible && $0.line($0.row).hasSuffix("end") && $0.line($0.row).count == $0.column
      }
    }
    try session.type("\u{1B}w")
    try waitForCaret("of the wrapped line")
    for (columns, rows) in [(20, 6), (90, 20), (33, 12)] {
      session.resize(columns: columns, rows: rows)
      try waitForCaret("with \(columns) columns")
    }
    try session.type("\u{1B}w")
    try session.wait(for: "one row a line again") { $0.line(1) == "  2" }
    try waitForCaret("of the whole line")
    try quit(session)
  }

  /// The core has not heard yet what is on the screen when the next change of it comes.
  @Test(arguments: 0..<6 as Range<UInt64>)
  func theCaretStaysInSightHoweverFastLinesAreBrokenAnew(seed: UInt64) throws {
    var random = MessageMutator(seed: seed)
    let words = "start " + String(repeating: "word ", count: 400) + "end\n"
    let driven = try DrivenEditor(home, "driven", text: words + "next\n" + words, columns: 40)
    driven.press(Key(.end))
    driven.settle()
    for step in 0..<30 {
      for _ in 0...random.number(below: 4) {
        if random.isOne(in: 2) {
          driven.editor.handle(.resize(columns: 20 + random.number(below: 70), rows: 6 + random.number(below: 14)))
        } else {
          driven.press(.alt("w"))
        }
        if random.isOne(in: 2) { driven.loop.iterate(waiting: false) }
      }
      driven.settle()
      let screen = driven.screen
      let cursor = try #require(screen.cursor, "step \(step)")
      #expect(screen.rows[cursor.row].prefix(cursor.column).hasSuffix("end"), "step \(step): \(screen.rows)")
    }
  }

  @Test func aClickWithCtrlAddsACaret() throws {
    try home.write("one\ntwo\nthree\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "3 three")
    try session.type("\u{1B}[<0;6;1M\u{1B}[<0;6;1m\u{1B}[<16;6;3M\u{1B}[<16;6;3m|")
    try session.wait(toSee: "1 o|ne")
    try session.wait(toSee: "3 t|hree")
    // On a caret it takes that away.
    try session.type("\u{1B}[<16;7;1M\u{1B}[<16;7;1m-")
    try session.wait(toSee: "3 t|-hree")
    #expect(session.screen.line(0) == "  1 o|ne")
    #expect(session.screen.line(1) == "  2 two")
    try quit(session, answer: "\u{04}")
  }

  @Test func aDragGoesOnBeyondTheScreen() throws {
    try home.write((1...40).map { "line \($0)\n" }.joined(), to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 line 1")
    try session.type("\u{1B}[<0;5;3M")
    for line in 12...20 {
      try session.type("\u{1B}[<32;9;11M")
      try session.wait(toSee: "Ln \(line - 1)/41, Col 5")
      try session.wait(for: "line \(line - 1) at the bottom") { $0.line(9).hasSuffix("line \(line - 1)") }
    }
    for line in (1...9).reversed() {
      try session.type("\u{1B}[<32;9;1M")
      try session.wait(toSee: "Ln \(line)/41, Col 5")
    }
    try session.type("\u{1B}[<0;9;1mX")
    try session.wait(for: "what was selected to be replaced") { $0.line(0) == "  1 lineXline 3" }
    try quit(session, answer: "\u{04}")
  }

  @Test func theMousePutsTheCaretAndSelects() throws {
    try home.write("hello world\nsecond\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "hello world")
    try session.type("\u{1B}[<0;7;2M\u{1B}[<0;7;2m|")
    try session.wait(toSee: "se|cond")
    try session.type("\u{1B}[<0;11;1M\u{1B}[<0;11;1m\u{1B}[<0;11;1M\u{1B}[<0;11;1mW")
    try session.wait(toSee: "hello W")
    try session.wait(for: "the word to be replaced") { $0.line(0) == "  1 hello W" }
    try session.type("\u{1B}[<0;5;1M\u{1B}[<32;10;1M\u{1B}[<0;10;1mX")
    try session.wait(for: "the dragged part to be replaced") { $0.line(0) == "  1 X W" }
    try quit(session, answer: "\u{04}")
  }
}
