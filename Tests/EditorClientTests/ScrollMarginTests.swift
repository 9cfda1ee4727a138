import EditorProtocol
import JSON
import TerminalInput
import Testing

@testable import EditorClient

@Suite struct ScrollMarginTests {
  private func top(_ line: Int, from top: Int, height: Int = 10, margin: Int, of count: Int = 100) -> Int {
    var viewport = Viewport()
    (viewport.topLine, viewport.height) = (top, height)
    viewport.reveal(line: line, margin: margin, of: count)
    return viewport.topLine
  }

  @Test func linesAreKeptAboveAndBelow() {
    #expect(top(6, from: 0, margin: 3) == 0)
    #expect(top(7, from: 0, margin: 3) == 1)
    #expect(top(23, from: 20, margin: 3) == 20)
    #expect(top(22, from: 20, margin: 3) == 19)
    #expect(top(9, from: 0, margin: 0) == 0, "none as it was")
    #expect(top(50, from: 0, margin: 3) == 45, "what is far away comes to the middle")
  }

  @Test func nothingIsScrolledBeyondTheText() {
    #expect(top(99, from: 90, margin: 3) == 90)
    #expect(top(98, from: 85, margin: 3) == 90)
    #expect(top(1, from: 3, margin: 3) == 0)
    #expect(top(0, from: 0, margin: 3, of: 0) == 0)
    #expect(top(99, from: 98, margin: 3) == 96, "scrolled past the end by the wheel")
  }

  /// Both margins are kept, or none: otherwise the text would jump up and down.
  @Test(arguments: 1...9) func smallWindowsHaveSmallMargins(height: Int) {
    for margin in [0, 1, 4, 1000] {
      for line in 0..<60 {
        let first = top(line, from: 25, height: height, margin: margin, of: 60)
        #expect(first..<first + height ~= line)
        #expect(top(line, from: first, height: height, margin: margin, of: 60) == first, "it rests")
      }
    }
  }

  private func bench(_ setting: JSONValue) -> Bench {
    let bench = Bench((1...100).map { "line \($0)" }, rows: 12)
    bench.editor.handle(.configChanged(Bench.view, changes: ["scroll_margin": setting]))
    return bench
  }

  private func moveCaret(_ bench: Bench, to line: Int) {
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: line, column: 0)))
  }

  @Test func theSettingIsObeyed() {
    for (setting, row): (JSONValue, Int) in [(4, 5), (0, 9), (.null, 9), ("3", 9), (-3, 9), (.integer(.max), 5)] {
      let bench = bench(setting)
      for line in 1...12 { moveCaret(bench, to: line) }
      #expect(bench.cursor?.row == row, "\(setting)")
    }
  }

  /// A key that would scroll is drawn when the core has answered.
  @Test func keysArePredictedWithinTheMargin() throws {
    let bench = bench(3)
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt")))
    let view = try #require(bench.editor.view)
    bench.press("{down}")
    #expect(view.caret.line == 1)
    for _ in 0..<20 { bench.press("{down}") }
    #expect(view.caret.line == 6)
    #expect(view.viewport.topLine == 0)
  }

  @Test func clicksDoNotScroll() {
    let bench = bench(4)
    for action in [MouseEvent.Action.press, .drag] {
      bench.editor.handle(.mouse(MouseEvent(action, column: 8, row: 8)))
      moveCaret(bench, to: 8)
      #expect(bench.cursor?.row == 8)
    }
    // What is no move leaves it so; the next key has its margin.
    bench.editor.handle(.resize(columns: 50, rows: 12))
    #expect(bench.cursor?.row == 8)
    bench.press("x")
    moveCaret(bench, to: 8)
    #expect(bench.cursor?.row == 5)
  }

  /// Who leaves a search sees what was in sight before.
  @Test func aSearchThatIsLeftScrollsBack() {
    let bench = bench(4)
    bench.editor.handle(.mouse(MouseEvent(.press, column: 4, row: 8)))
    moveCaret(bench, to: 8)
    bench.press("{^F}line 60")
    moveCaret(bench, to: 59)
    #expect(bench.screen[0].hasSuffix("line 55"))
    bench.press("{esc}")
    moveCaret(bench, to: 8)
    #expect(bench.screen[0].hasSuffix("line 1"))
  }
}
