import EditorProtocol
import JSON
import Testing

@testable import EditorClient

/// The front end's part in editing code.
@Suite struct CodeEditingTests {
  @Test func linesThatWereCopiedGoAboveTheLine() {
    let bench = Bench()
    bench.press("{^C}")
    bench.core.answer(.success(["lines": "one\n"]))
    #expect(bench.editor.screen.takeEffects() == [.copy("one\n")])
    bench.press("{^V}")
    #expect(bench.core.takeEdits().last == .pasteLines("one\n"))
    bench.press("{^C}")
    bench.core.answer(.success("on"))
    bench.press("{^V}")
    #expect(bench.core.takeEdits().last == .paste("on"))
  }

  @Test func aCoreThatCannotIsAskedForWhatItCan() {
    let bench = Bench(isOurCore: false)
    bench.press("{home}{^_}")
    #expect(bench.core.takeEdits() == [.plain(.moveToLeftEndOfLine), .plain(.toggleComment)])
    bench.press("{^]}")
    #expect(bench.core.takeEdits() == [])
    #expect(bench.bottom.contains("cannot do that"))
  }

  @Test(arguments: [
    (["(a)", "b"], 0, 0, ["x.x", "..."]), (["(a)", "b"], 0, 3, ["x.x", "..."]), (["(a)", "b"], 0, 2, ["x.x", "..."]),
    (["(a", "b)"], 1, 2, ["x..", ".x."]), (["(()", ")"], 0, 0, ["x..", "x.."]), (["(a]", "b"], 0, 0, ["...", "..."]),
    (["a)b", "x"], 0, 1, ["...", "..."]), (["[](", "x"], 0, 2, ["xx.", "..."]),
  ])
  func theBracketsAtTheCaretAreMarked(_ text: [String], _ line: Int, _ column: Int, _ expected: [String]) {
    let bench = Bench(text)
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: line, column: column)))
    var grid = CellGrid(columns: 0, rows: 0)
    _ = bench.editor.compose(into: &grid)
    let marked = (0..<2).map { row in
      (4..<7).map { column in
        let style = grid.styles[Int(grid.cells[row * grid.columns + column].style)]
        return style.attributes.contains(.underline) ? "x" : "."
      }.joined()
    }
    #expect(marked == expected)
  }

  @Test func bracketsOfSelectionsAreNotMarked() {
    let bench = Bench(["(a)", "b"])
    bench.show(["(a)", "b"], selecting: LineColumn(line: 0, column: 0)..<LineColumn(line: 0, column: 1))
    #expect(bench.editor.view?.bracketsAtCaret() == [])
  }
}
