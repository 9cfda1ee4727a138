import EditorProtocol
import JSON
import Testing

@testable import EditorClient

@Suite struct WhitespaceTests {
  private func bench(_ lines: [String], _ setting: JSONValue = "all", columns: Int = 60) -> Bench {
    let bench = Bench(lines, columns: columns)
    bench.editor.handle(
      .configChanged(Bench.view, changes: ["show_whitespace": setting, "line_numbers": "off", "tab_size": 4]))
    return bench
  }

  /// The core sends lines as they are.
  private func show(_ lines: [UpdateLine], in bench: Bench) {
    bench.editor.handle(.update(Bench.view, ViewUpdate(ops: [.insert(lines)], pristine: true)))
  }

  @Test func eachKindHasItsSign() {
    let bench = bench(["a b", "\tx", "ab\ty", "\u{A0}z\u{202F}\u{2007}", "日 本"])
    #expect(bench.screen[0..<5] == ["a·b", "→   x", "ab→ y", "⍽z⍽⍽", "日·本"])
  }

  /// Blanks that carry a mark, and what has another sign, are what they are.
  @Test func whatIsNoBlankIsDrawnAsItWas() {
    let lines = [" \u{301}a", "a\u{200B}b", "\u{3000}c", "d\u{7}"]
    #expect(bench(lines).screen[0..<4] == bench(lines, "none").screen[0..<4])
  }

  @Test func theCursorStaysInItsCell() {
    let line = UpdateLine(text: "\ta b\n", number: 1, cursors: [3], styles: [])
    for setting: JSONValue in ["none", "all"] {
      let bench = bench([])
      bench.editor.handle(.configChanged(Bench.view, changes: ["show_whitespace": setting]))
      show([line], in: bench)
      #expect(bench.cursor == CursorPlace(row: 0, column: 6))
    }
  }

  @Test func thoseAtTheEndsOfLines() {
    let bench = bench([" a b ", "\t", "c  \r", "d"], "trailing")
    #expect(bench.screen[0..<4] == [" a b·", "→", "c··", "d"])
    // The last line has no end; a row that is broken off goes on in the next.
    let texts = ["one  ", "two \n", "three "]
    show(texts.map { UpdateLine(text: $0, number: nil, cursors: [], styles: []) }, in: bench)
    #expect(bench.screen[0..<3] == ["one", "two·", "three·"])
  }

  /// A line that becomes the last, or is no longer, is drawn again.
  @Test func theEndOfTheTextMoves() {
    let bench = bench([], "trailing")
    show([UpdateLine(text: "one ", number: 1, cursors: [0], styles: [])], in: bench)
    var grid = CellGrid(columns: 0, rows: 0)
    _ = bench.editor.compose(into: &grid)
    #expect(grid.text(row: 0) == "one·")
    let more = UpdateLine(text: "more", number: nil, cursors: [], styles: [])
    let ops: [UpdateOp] = [.copy(count: 1, firstNumber: 1), .insert([more])]
    bench.editor.handle(.update(Bench.view, ViewUpdate(ops: ops, pristine: true)))
    _ = bench.editor.compose(into: &grid)
    #expect(grid.text(row: 0) == "one")
  }

  /// Of a line of which a part is known, that part is not its end.
  @Test func aPartOfALineHasNoEnd() {
    let bench = bench([], "trailing")
    let part = UpdateLine(
      text: "part ", number: 1, cursors: [], styles: [], window: .init(start: 0, lineLength: 5_000_000))
    show([part], in: bench)
    #expect(bench.screen[0] == "part")
  }

  @Test func thoseThatAreSelected() {
    let bench = bench([], "selection")
    let selected = [StyleSpan(start: 2, length: 3, style: StyleSpan.selection)]
    show([UpdateLine(text: "a b c d\n", number: 1, cursors: [5], styles: selected)], in: bench)
    #expect(bench.screen[0] == "a b·c d")
    let ahead = UpdateLine.Window(start: 4, lineLength: 100)
    show([UpdateLine(text: "a b c d\n", number: 1, cursors: [5], styles: selected, window: ahead)], in: bench)
    #expect(bench.screen[0].contains("a·b") == false)
  }

  @Test func signsAreDimAndKeepTheGround() throws {
    let bench = bench([])
    let selected = [StyleSpan(start: 2, length: 2, style: StyleSpan.selection)]
    show([UpdateLine(text: "a b c\n", number: 1, cursors: [4], styles: selected)], in: bench)
    var grid = CellGrid(columns: 0, rows: 0)
    bench.editor.screen.forgetFrame()
    _ = bench.editor.compose(into: &grid)
    func style(_ column: Int) -> TextStyle { grid.styles[Int(grid.cells[column].style)] }
    #expect(style(1) == .whitespace)
    #expect(style(3) == TextStyle.selection.under(TextStyle(attributes: .dim)))
    #expect(style(0) == .plain)
    bench.editor.handle(.themeChanged(name: "x", theme: ["whitespace": ["r": 1, "g": 2, "b": 3, "a": 255]]))
    bench.editor.screen.forgetFrame()
    _ = bench.editor.compose(into: &grid)
    #expect(style(1) == TextStyle(foreground: .rgb(0x010203)))
  }

  /// A tab that begins to the left of the window has no sign in sight.
  @Test func whatIsScrolledAwayHasNone() {
    let bench = bench(["abcdefghijk\tb" + String(repeating: " x", count: 40)], columns: 20)
    bench.editor.view?.viewport.leftColumn = 11
    #expect(bench.screen[0].hasPrefix("→b·x"))
    bench.editor.view?.viewport.leftColumn = 12
    #expect(bench.screen[0].hasPrefix("b·x"))
  }

  @Test func aKeyShowsAllAndGoesBackToTheSetting() {
    for (setting, shown) in [("none", "a b"), ("trailing", "a b·"), ("all", "a b"), ("nonsense", "a b")] {
      let bench = bench(["a b "], .string(setting))
      if setting == "all" { bench.press("{alt W}") }
      #expect(bench.screen[0] == shown)
      bench.press("{alt W}")
      #expect(bench.screen[0] == "a·b·")
      bench.press("{alt W}")
      #expect(bench.screen[0] == shown)
    }
  }

  @Test func aSettingThatIsTakenOutHoldsNoMore() {
    let bench = bench(["a b"])
    bench.editor.handle(.configChanged(Bench.view, changes: ["show_whitespace": .null]))
    #expect(bench.screen[0] == "a b")
  }
}
