import EditorProtocol
import JSON
import Testing

@testable import EditorClient

@Suite struct IndentGuideTests {
  private func bench(_ lines: [String], columns: Int = 40, _ settings: JSONObject = [:]) -> Bench {
    let bench = Bench(lines, columns: columns)
    var changes: JSONObject = ["indent_guides": true, "line_numbers": "off", "tab_size": 4]
    for member in settings { changes[member.key] = member.value }
    bench.editor.handle(.configChanged(Bench.view, changes: changes))
    return bench
  }

  @Test func theyStandAtEachStep() {
    let lines = ["a", "    b", "      c", "         d", "\te", "\t\tf", "  \tg"]
    #expect(
      bench(lines).screen[0..<7] == [
        "a", "│   b", "│   │ c", "│   │   │d", "│   e", "│   │   f", "│   g",
      ])
  }

  @Test func stepsAreAsWideAsTabs() {
    #expect(bench(["\ta", "    b"], ["tab_size": 2]).screen[0..<2] == ["│ a", "│ │ b"])
  }

  @Test func theyAreOffUnlessWanted() {
    let lines = ["    a"]
    for setting: JSONValue in [false, .null, "yes"] {
      #expect(bench(lines, ["indent_guides": setting]).screen[0] == "    a")
    }
    let bench = bench(lines)
    bench.press("{F2}toggle_indent_guides{enter}")
    #expect(bench.screen[0] == "    a")
    bench.press("{F2}toggle_indent_guides{enter}")
    #expect(bench.screen[0] == "│   a")
  }

  /// As far as in both lines around them.
  @Test func blankLinesHaveThoseOfTheirBlock() {
    let lines = ["", "    a", "", "        b", " ", "\t", "", "    c", "", "d", ""]
    #expect(
      bench(lines).screen[0..<10] == ["", "│   a", "│", "│   │   b", "│", "│", "│", "│   c", "", "d"])
  }

  /// Of a blank line at the edge, what is beyond it tells.
  @Test func linesOutOfSightCount() {
    let bench = bench(["    a"] + Array(repeating: "", count: 30) + ["    b"])
    bench.editor.view?.viewport.topLine = 10
    #expect(bench.screen[0..<10].allSatisfy { $0 == "│" })
    let far = self.bench(["    a"] + Array(repeating: "", count: 80) + ["    b"])
    #expect(far.screen[1] == "", "not farther than that")
  }

  @Test func aBlankLineIsDrawnAgainWhenItsBlockIsAnother() {
    let bench = bench(["    a", "", "    b"])
    var grid = CellGrid(columns: 0, rows: 0)
    _ = bench.editor.compose(into: &grid)
    #expect(grid.text(row: 1) == "│")
    let other = UpdateLine(text: "b\n", number: 3, cursors: [0], styles: [])
    bench.editor.handle(
      .update(
        Bench.view,
        ViewUpdate(ops: [.copy(count: 2, firstNumber: 1), .skip(count: 1), .insert([other])], pristine: false)))
    _ = bench.editor.compose(into: &grid)
    #expect(grid.text(row: 1) == "")
  }

  @Test func rowsOfAWrappedLineHaveThemOnce() {
    let bench = bench([], ["word_wrap": true])
    let lines = [("    a ", 1), ("  b\n", nil), ("\n", 2), ("    c\n", 3)].map {
      UpdateLine(text: $0, number: $1, cursors: [], styles: [])
    }
    bench.editor.handle(.update(Bench.view, ViewUpdate(ops: [.insert(lines)], pristine: true)))
    #expect(bench.screen[0..<4] == ["│   a", "  b", "│", "│   c"])
  }

  @Test func theyAreScrolledWithTheText() {
    let bench = bench([String(repeating: " ", count: 12) + String(repeating: "x", count: 80)])
    for (left, row) in [(3, " │   │   x"), (4, "│   │   x"), (11, " x"), (13, "x")] {
      bench.editor.view?.viewport.leftColumn = left
      #expect(bench.screen[0].hasPrefix(row) && !bench.screen[0].hasPrefix(row + "│"), "\(left)")
    }
  }

  /// No more of a line is looked at than is seen.
  @Test func aLineOfBlanksAloneIsDrawnToTheEdge() {
    let bench = bench([String(repeating: " ", count: 100_000) + "x", "    a"], columns: 10)
    #expect(bench.screen[0..<2] == ["│   │   │", "│   a"])
  }

  @Test func signsOfBlanksAreDrawnBefore() {
    #expect(bench(["      a", "\tb"], ["show_whitespace": "all"]).screen[0..<2] == ["······a", "→   b"])
  }

  @Test func groundsAndCaretsAreKept() {
    let bench = bench([])
    let selected = [StyleSpan(start: 0, length: 2, style: StyleSpan.selection)]
    let line = UpdateLine(text: "        a\n", number: 1, cursors: [4, 8], styles: selected)
    bench.editor.handle(.update(Bench.view, ViewUpdate(ops: [.insert([line])], pristine: true)))
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 8)))
    var grid = CellGrid(columns: 0, rows: 0)
    bench.editor.screen.forgetFrame()
    _ = bench.editor.compose(into: &grid)
    #expect(grid.text(row: 0) == "│       a")
    #expect(grid.styles[Int(grid.cells[0].style)].background == TextStyle.selection.background)
    #expect(grid.styles[Int(grid.cells[4].style)] == .caret)
  }
}
