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
    #expect(bench.editor.takeEffects() == [.copy("one\n")])
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

  @Test func theBracketsAreMarked() {
    let bench = Bench(["(a)", "(b)"])
    var update = ViewUpdate(ops: [.copy(count: 2, firstNumber: 1)], pristine: true, handledEdits: 2)
    func marked() -> [String] {
      var grid = CellGrid(columns: 0, rows: 0)
      _ = bench.editor.compose(into: &grid)
      return (0..<2).map { row in
        String(
          (4..<7).map {
            grid.styles[Int(grid.cells[row * grid.columns + $0].style)].attributes.contains(.underline) ? "x" : "."
          })
      }
    }
    #expect(marked() == ["...", "..."])
    let place = LineColumn(line: 0, column: 0)
    let other = LineColumn(line: 1, column: 2)
    update.annotations = [Annotation(type: "brackets", ranges: [place..<place, other..<other])]
    bench.editor.handle(.update(Bench.view, update))
    #expect(marked() == ["x..", "..x"])
    update.annotations = []
    bench.editor.handle(.update(Bench.view, update))
    #expect(marked() == ["...", "..."])
  }
}
