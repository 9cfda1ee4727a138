import EditorProtocol
import JSON
import Testing

@testable import EditorClient

@Suite struct RulerTests {
  private func bench(_ lines: [String], _ setting: JSONValue, columns: Int = 20) -> Bench {
    let bench = Bench(lines, columns: columns, rows: 6)
    bench.editor.handle(.configChanged(Bench.view, changes: ["rulers": setting, "line_numbers": "off"]))
    return bench
  }

  private func grid(_ bench: Bench) -> CellGrid {
    var grid = CellGrid(columns: 0, rows: 0)
    bench.editor.screen.forgetFrame()
    _ = bench.editor.compose(into: &grid)
    return grid
  }

  /// The cells of a row that are tinted.
  private func tinted(_ grid: CellGrid, row: Int) -> [Int] {
    (0..<grid.columns).filter { column in
      let style = grid.styles[Int(grid.cells[row * grid.columns + column].style)]
      return style.background == TextStyle.ruler.background && style.attributes.contains(.tint)
    }
  }

  @Test func theyAreColumnsFromOneInEachRow() {
    let grid = grid(bench(["a long enough line", "", "x"], [3, 10]))
    // Over text, behind its end, and below all of it.
    for row in 0..<4 { #expect(tinted(grid, row: row) == [2, 9]) }
    #expect(tinted(grid, row: 4) == [], "the status line")
    #expect(grid.text(row: 0) == "a long enough line")
  }

  @Test func theyStandBehindTheNumbers() {
    let bench = bench(["one"], [1])
    bench.editor.handle(.configChanged(Bench.view, changes: ["line_numbers": "absolute"]))
    #expect(tinted(grid(bench), row: 0) == [4])
  }

  @Test func theyAreScrolledWithTheText() {
    let bench = bench([String(repeating: "x", count: 60)], [3, 12])
    bench.editor.view?.viewport.leftColumn = 10
    #expect(tinted(grid(bench), row: 0) == [1])
    #expect(tinted(grid(bench), row: 1) == [1])
  }

  @Test func eachRowOfAWrappedLineHasThem() {
    let bench = bench([], [3])
    bench.editor.handle(.configChanged(Bench.view, changes: ["word_wrap": true]))
    let lines = [("one two ", 1), ("three\n", nil)].map {
      UpdateLine(text: $0, number: $1, cursors: [], styles: [])
    }
    bench.editor.handle(.update(Bench.view, ViewUpdate(ops: [.insert(lines)], pristine: true)))
    for row in 0..<2 { #expect(tinted(grid(bench), row: row) == [2]) }
  }

  @Test func aWideCharacterIsTintedAsAWhole() {
    for column in [3, 4] {
      let grid = grid(bench(["ab日本", "\tx"], [JSONValue(column)]))
      #expect(tinted(grid, row: 0) == [2, 3])
      #expect(tinted(grid, row: 1) == [column - 1], "within a tab")
      #expect(grid.text(row: 0) == "ab日本")
    }
  }

  /// What is selected, found, or a caret, is seen as it was.
  @Test func otherGroundsAreKept() {
    let bench = bench([], [2, 4])
    let selected = [StyleSpan(start: 1, length: 1, style: StyleSpan.selection)]
    let line = UpdateLine(text: "abcdef\n", number: 1, cursors: [3, 5], styles: selected)
    bench.editor.handle(.update(Bench.view, ViewUpdate(ops: [.insert([line])], pristine: true)))
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 5)))
    let grid = grid(bench)
    #expect(grid.styles[Int(grid.cells[1].style)] == .selection)
    #expect(grid.styles[Int(grid.cells[3].style)] == .caret)
    #expect(tinted(grid, row: 1) == [1, 3])
  }

  @Test func theThemeHasTheirColour() {
    let bench = bench(["one"], [2])
    bench.editor.handle(.themeChanged(name: "x", theme: ["ruler": ["r": 1, "g": 2, "b": 3, "a": 255]]))
    let grid = grid(bench)
    let style = grid.styles[Int(grid.cells[1].style)]
    #expect(style == TextStyle(background: .rgb(0x010203), attributes: .tint))
  }

  /// The terminal's own colours may be all the same.
  @Test func withoutAThemesColourTheyAreLinesToo() {
    let bench = bench(["one", "twoxx"], [5])
    #expect(grid(bench).text(row: 0) == "one │")
    #expect(grid(bench).text(row: 1) == "twoxx")
    bench.editor.handle(.themeChanged(name: "x", theme: ["ruler": ["r": 1, "g": 2, "b": 3, "a": 255]]))
    #expect(grid(bench).text(row: 0) == "one")
  }

  /// What is no column is none; a core may say anything.
  @Test(arguments: [.null, 80, "80", [0, -5, "x", 1.5, .integer(.max), .integer(.min)], []] as [JSONValue])
  func otherValuesAreNone(setting: JSONValue) {
    let bench = bench(["one"], [2])
    bench.editor.handle(.configChanged(Bench.view, changes: ["rulers": setting]))
    #expect(tinted(grid(bench), row: 0) == [])
  }

  @Test func aChangeIsDrawnAtOnce() {
    let bench = bench(["one"], [])
    var grid = CellGrid(columns: 0, rows: 0)
    for setting: JSONValue in [[2], [3, 6], []] {
      bench.editor.handle(.configChanged(Bench.view, changes: ["rulers": setting]))
      _ = bench.editor.compose(into: &grid)
      for row in 0..<4 { #expect(tinted(grid, row: row) == setting.array?.compactMap { $0.int.map { $0 - 1 } }) }
    }
  }
}
