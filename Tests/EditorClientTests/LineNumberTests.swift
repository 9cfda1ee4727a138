import EditorProtocol
import JSON
import Testing

@testable import EditorClient

@Suite struct LineNumberTests {
  private func bench(_ setting: JSONValue, caret line: Int = 2) -> Bench {
    let bench = Bench(["one", "two", "three", "four"])
    configure(bench, setting)
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: line, column: 0)))
    return bench
  }

  private func configure(_ bench: Bench, _ setting: JSONValue) {
    bench.editor.handle(.configChanged(Bench.view, changes: ["line_numbers": setting]))
  }

  private func rows(_ bench: Bench) -> [String] { Array(bench.screen[0..<4]) }

  private static let absolute = ["  1 one", "  2 two", "  3 three", "  4 four"]
  private static let relative = ["  2 one", "  1 two", "  3 three", "  1 four"]
  private static let off = ["one", "two", "three", "four"]

  @Test func theSettingSaysWhich() {
    #expect(rows(bench("absolute")) == Self.absolute)
    #expect(rows(bench("relative")) == Self.relative)
    #expect(rows(bench("off")) == Self.off)
  }

  /// Those that were there before, the setting that was taken out, and what another core may say.
  @Test func otherValuesMeanSomething() {
    #expect(rows(bench(false)) == Self.off)
    #expect(rows(bench(true)) == Self.absolute)
    let bench = bench("relative")
    for value: JSONValue in [.null, "sideways", 3] {
      configure(bench, "relative")
      configure(bench, value)
      #expect(rows(bench) == Self.absolute)
    }
  }

  @Test func theyFollowTheCaret() {
    let bench = bench("relative", caret: 0)
    #expect(rows(bench) == ["  1 one", "  1 two", "  2 three", "  3 four"])
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 3, column: 0)))
    #expect(rows(bench) == ["  3 one", "  2 two", "  1 three", "  4 four"])
  }

  @Test func aKeyTakesThemAwayAndBringsThemBack() {
    let bench = bench("relative")
    bench.press("{alt n}")
    #expect(rows(bench) == Self.off)
    bench.press("{alt n}")
    #expect(rows(bench) == Self.relative)
    bench.press("{F2}toggle_relative_numbers{enter}")
    #expect(rows(bench) == Self.absolute)
    bench.press("{alt n}{F2}toggle_relative_numbers{enter}")
    #expect(rows(bench) == Self.relative)
    configure(bench, "off")
    bench.press("{alt n}")
    #expect(rows(bench) == Self.relative)
  }

  /// The lines of the text are counted, not the rows.
  @Test func wrappedLinesCountOnce() {
    let bench = Bench()
    bench.editor.handle(.configChanged(Bench.view, changes: ["word_wrap": true, "line_numbers": "relative"]))
    let lines = [("on", 8), ("e\n", nil), ("two\n", 9), ("th", 10), ("ree\n", nil)].map { text, number in
      UpdateLine(text: text, number: number, cursors: text == "ree\n" ? [0] : [], styles: [])
    }
    bench.editor.handle(.update(Bench.view, ViewUpdate(ops: [.insert(lines)], pristine: true)))
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 4, column: 0)))
    #expect(bench.screen[0..<5] == ["  2 on", "    e", "  1 two", " 10 th", "    ree"])
  }

  /// The caret has been scrolled away from, to lines that the core has not sent all of.
  @Test func anUnknownCaretLeavesNumbersAsTheyAre() {
    let bench = Bench()
    bench.editor.handle(.configChanged(Bench.view, changes: ["word_wrap": true, "line_numbers": "relative"]))
    let line = UpdateLine(text: "far\n", number: 700, cursors: [], styles: [])
    let ops: [UpdateOp] = [.invalidate(count: 5), .insert([line])]
    bench.editor.handle(.update(Bench.view, ViewUpdate(ops: ops, pristine: true)))
    #expect(bench.screen[5].hasSuffix("700 far"))
  }

  @Test func aNumberAloneIsDrawnAlone() {
    let area = ScreenArea(rows: 0..<1, columns: 0..<9)
    var memory = FrameMemory()
    memory.begin([area]) { _ in 1 }
    let line = CachedLine(text: "x")
    var row = FrameMemory.Row(text: .init(line: line, gutter: 4), number: 1)
    #expect(memory.show(row, at: 0, ofPart: 0) == .all)
    #expect(memory.show(row, at: 0, ofPart: 0) == .none)
    row.number = 2
    #expect(memory.show(row, at: 0, ofPart: 0) == .gutter)
    row.text.line = CachedLine(text: "x")
    #expect(memory.show(row, at: 0, ofPart: 0) == .all)
  }

  /// A frame that draws but the gutter leaves what a whole one would.
  @Test func aGutterThatWasDrawnAloneIsAsInAWholeFrame() {
    let bench = Bench(["one", "\ttwo", "日本", "❤️ four", "five"])
    configure(bench, "relative")
    var grid = CellGrid(columns: 0, rows: 0)
    _ = bench.editor.compose(into: &grid)
    for line in [3, 0, 4, 2, 1] {
      bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: line, column: 0)))
      _ = bench.editor.compose(into: &grid)
      let kept = (0..<grid.rows).map { grid.text(row: $0) }
      #expect(kept == bench.screen)
    }
  }
}
