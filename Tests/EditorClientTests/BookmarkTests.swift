import EditorProtocol
import Testing

@testable import EditorClient

@Suite struct BookmarkTests {
  private func bench(marked: [Int]) -> Bench {
    let bench = Bench(["one", "two", "three"])
    var update = ViewUpdate(ops: [.copy(count: 3, firstNumber: 1)], pristine: true)
    update.handledEdits = bench.editor.view?.log.nextNumber
    update.bookmarks = marked
    bench.editor.handle(.update(Bench.view, update))
    return bench
  }

  /// The rows whose numbers stand out.
  private func marked(_ bench: Bench) -> [Int] {
    var grid = CellGrid(columns: 0, rows: 0)
    _ = bench.editor.compose(into: &grid)
    return (0..<3).filter { row in
      grid.styles[Int(grid.cells[row * grid.columns + 2].style)].attributes.contains(.reverse)
    }
  }

  @Test func theNumbersOfMarkedLinesStandOut() {
    let bench = bench(marked: [0, 2])
    #expect(marked(bench) == [0, 2])
    #expect(bench.screen.prefix(3) == ["  1 one", "  2 two", "  3 three"])
  }

  /// What a core that lies says of lines that no text has.
  @Test func nonsense() { #expect(marked(bench(marked: [-1, 1 << 60, 1])) == [1]) }

  @Test func commandsMarkAndGo() {
    let bench = Bench(["one", "two", "three"])
    _ = bench.core.takeSent()
    bench.press("{F2}xiedit_toggle_bookmark{enter}")
    bench.show(["one", "two", "three"], handledEdits: 1000)
    bench.press("{F2}xiedit_next_bookmark{enter}")
    #expect(bench.core.takeEdits().suffix(2) == [.plain(.toggleBookmark), .plain(.nextBookmark)])
  }

  @Test func anotherCoreIsNotAsked() {
    let bench = Bench(isOurCore: false)
    bench.press("{F2}xiedit_toggle_bookmark{enter}")
    #expect(bench.bottom.contains("This core cannot"))
  }
}
