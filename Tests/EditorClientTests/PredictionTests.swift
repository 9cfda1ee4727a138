import EditorProtocol
import Testing

@testable import EditorClient

/// Plain keys are drawn before the core has answered; everything else waits for it.
@Suite struct PredictionTests {
  /// With all that the front end has to know of a view.
  private func bench(_ text: [String] = ["one", "two"], caret: LineColumn = LineColumn(line: 0, column: 0)) -> Bench {
    let bench = Bench(text)
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt")))
    answer(bench, text, caret, handled: 2)
    _ = bench.core.takeSent()
    return bench
  }

  private func answer(
    _ bench: Bench, _ text: [String], _ caret: LineColumn, handled: Int, pristine: Bool = false,
    kept: Int? = nil, styles: [StyleSpan] = []
  ) {
    let lines = text.enumerated().map { index, line in
      UpdateLine(
        text: line + "\n", number: index + 1, cursors: index == caret.line ? [caret.column] : [],
        styles: index == 0 ? styles : [])
    }
    var update = ViewUpdate(
      ops: [.skip(count: bench.editor.view?.cache.count ?? 0), .insert(lines)], pristine: pristine,
      annotations: [Annotation(type: "selection", ranges: [caret..<caret])], handledEdits: handled)
    update.keptEdits = kept
    bench.editor.handle(.update(Bench.view, update))
    bench.editor.handle(.scrollTo(Bench.view, caret))
  }

  private func place(_ line: Int, _ column: Int) -> LineColumn { LineColumn(line: line, column: column) }

  @Test func whatIsTypedIsThereAtOnce() {
    let bench = bench()
    bench.press("xé")
    #expect(bench.screen[0] == "  1 xéone")
    #expect(bench.screen[10].contains("f.txt *"))
    #expect(bench.screen[10].contains("Col 3"))
    #expect(bench.cursor == CursorPlace(row: 0, column: 6))
    bench.press("{backspace}{left}y")
    #expect(bench.screen[0] == "  1 yxone")
    #expect(bench.core.takeEdits().count == 5, "each is sent")
    #expect(bench.editor.views.edits.predictions == PredictionCounts(made: 5, corrected: 0))
  }

  @Test func theAnswerChangesNoCell() {
    let bench = bench()
    var grid = CellGrid(columns: 0, rows: 0)
    bench.press("xy")
    let cursor = bench.editor.compose(into: &grid)
    let shown = grid.cells
    answer(bench, ["xone", "two"], place(0, 1), handled: 3)
    #expect(bench.editor.compose(into: &grid) == cursor && grid.cells == shown, "one of two is answered")
    answer(bench, ["xyone", "two"], place(0, 2), handled: 4)
    #expect(bench.editor.compose(into: &grid) == cursor && grid.cells == shown)
    #expect(bench.editor.views.edits.predictions.corrected == 0)
  }

  @Test func whatNoJournalHasIsAnsweredAllTheSame() {
    let bench = bench()
    bench.press("xy")
    answer(bench, ["xone", "two"], place(0, 1), handled: 3, kept: 2)
    #expect(bench.screen[0] == "  1 xyone")
    #expect(bench.editor.views.edits.predictions == PredictionCounts(made: 2, corrected: 0))
  }

  @Test func arrowsGoUpAndDownInTheirColumn() {
    let bench = bench(["a long line", "x", "another one"], caret: place(0, 5))
    for (key, cursor) in [
      ("{right}", CursorPlace(row: 0, column: 10)),
      ("{down}", CursorPlace(row: 1, column: 5)), ("{down}", CursorPlace(row: 2, column: 10)),
      ("{up}", CursorPlace(row: 1, column: 5)), ("{left}", CursorPlace(row: 1, column: 4)),
      ("{down}", CursorPlace(row: 2, column: 4)),
    ] {
      bench.press(key)
      #expect(bench.cursor == cursor, "\(key)")
    }
    #expect(bench.editor.views.edits.predictions.made == 6)
    #expect(bench.screen[10].contains("Ln 3/3, Col 1"))
  }

  @Test(arguments: [
    (["    one", "two"], LineColumn(line: 0, column: 4), 2), (["xone", "two"], LineColumn(line: 1, column: 0), 1),
    (["one", "two"], LineColumn(line: 0, column: 0), 0),
  ])
  func aWrongOneIsCorrected(_ text: [String], _ caret: LineColumn, _ row: Int) {
    let bench = bench()
    bench.press("xz")
    answer(bench, text, caret, handled: 3)
    #expect(bench.screen[0] == "  1 " + text[0], "what followed is taken back, too")
    #expect(bench.editor.view?.caret == caret)
    #expect(bench.editor.views.edits.predictions == PredictionCounts(made: 2, corrected: 1))
    bench.press("z")
    #expect(bench.screen[0] == "  1 " + text[0], "not on what may be wrong again")
    answer(bench, ["z" + text[0]], place(0, 1), handled: 5)
    bench.press("!")
    #expect(bench.screen[0] == "  1 z!" + text[0])
  }

  @Test func aPluginsEditMeanwhileIsTaken() {
    let bench = bench()
    bench.press("x")
    answer(bench, ["// one", "two"], place(0, 3), handled: 2)
    #expect(bench.screen[0] == "  1 // one")
    answer(bench, ["// xone", "two"], place(0, 4), handled: 3)
    #expect(bench.screen[0] == "  1 // xone")
  }

  @Test func textIsPutInInTheStyleAroundIt() {
    let bench = bench(["red plain"])
    bench.editor.handle(.defineStyle(StyleDefinition(id: 9, foreground: 0xFFFF_0000)))
    answer(
      bench, ["red plain"], place(0, 1), handled: 2, styles: [StyleSpan(start: 0, length: 3, style: 9)])
    bench.press("r")
    var grid = CellGrid(columns: 0, rows: 0)
    _ = bench.editor.compose(into: &grid)
    let red = (0..<9).map { grid.styles[Int(grid.cells[4 + $0].style)].foreground == .rgb(0xFF0000) }
    #expect(red == [true, true, true, true, false, false, false, false, false])
  }

  /// Each by its text, the caret, and the keys, of which the last one does something that is not certain.
  @Test(arguments: [
    ("one", 0, "{left}"), ("one", 0, "{backspace}"), ("one", 3, "{right}"), ("one", 0, "{enter}"), ("one", 0, "{tab}"),
    ("    one", 4, "{backspace}"), ("e\u{301}", 0, "{right}"), ("e\u{301}", 3, "{left}"),
    ("e\u{301}", 3, "{backspace}"),
    ("e\u{301}", 3, "x"), ("\u{301}", 0, "x"), ("one", 1, "\u{301}"), ("👍", 4, "{backspace}"), ("a\u{200D}b", 4, "x"),
    ("one", 0, "{^Z}"), ("one", 0, "{^K}"), ("one", 0, "{home}"),
    // What a core that edits code may close, type over or set to the left.
    ("", 0, "("), ("a b", 1, "\""), ("a)", 1, ")"), ("  ", 2, "}"), ("  els", 5, "e"), ("  else", 6, "i"),
    ("()", 1, "{backspace}"),
    ("''", 1, "{backspace}"),
  ])
  func whatIsNotCertainWaits(_ text: String, _ column: Int, _ key: String) {
    let bench = bench([text, "two"], caret: place(0, column))
    bench.press(key)
    #expect(bench.editor.views.edits.predictions.made == 0)
    #expect(bench.core.takeEdits().count == 1, "but it is sent")
    bench.press("y")
    #expect(bench.editor.views.edits.predictions.made == 0, "nor is anything behind it predicted")
  }

  @Test(arguments: [
    ("ab", 1, "("), ("ab", 1, "\""), ("a b", 1, ")"), ("els", 3, "e"), ("  x els", 7, "e"), ("  elf", 5, "s"),
    ("(a)", 2, "{backspace}"),
  ])
  func plainKeysInCodeDoNotWait(_ text: String, _ column: Int, _ key: String) {
    let bench = bench([text, "two"], caret: place(0, column))
    bench.press(key)
    #expect(bench.editor.views.edits.predictions.made == 1)
  }

  @Test func whatTheViewIsInTheMiddleOfIsNotPredicted() {
    let selected = bench()
    var update = ViewUpdate(ops: [.copy(count: 2, firstNumber: 1)], pristine: true, handledEdits: 2)
    update.annotations = [Annotation(type: "selection", ranges: [place(0, 0)..<place(0, 2)])]
    selected.editor.handle(.update(Bench.view, update))
    let many = bench()
    update.annotations = []
    update.regionCounts = .init(all: 2, selections: 0)
    many.editor.handle(.update(Bench.view, update))
    let wrapped = bench()
    wrapped.editor.handle(.configChanged(Bench.view, changes: ["word_wrap": true]))
    let loading = bench()
    loading.editor.handle(.progress(Bench.view, Progress(.load, done: 1, total: 10)))
    let readOnly = bench()
    readOnly.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", isReadOnly: true)))
    let searching = bench()
    searching.press("{^F}one{enter}")
    for bench in [selected, many, wrapped, loading, readOnly, searching] {
      bench.press("x")
      #expect(bench.editor.views.edits.predictions.made == 0)
    }
    let elsewhere = bench((0..<40).map { "line \($0)" })
    elsewhere.editor.handle(.mouse(MouseEvent(.wheelDown, column: 0, row: 0)))
    elsewhere.press("x")
    #expect(elsewhere.editor.views.edits.predictions.made == 0, "the caret is out of sight")
  }

  @Test func aForeignCoreIsNotPredicted() {
    let bench = Bench(isOurCore: false)
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt")))
    bench.press("x")
    #expect(bench.screen[0] == "  1 one")
  }

  @Test func aCoreThatDiesIsSentWhatWasPredicted() {
    let bench = bench()
    bench.press("x")
    bench.editor.coreWasReplaced()
    #expect(bench.screen[0] == "  1 one", "only what is certain")
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.core.answer(.success("view-id-1"))
    #expect(bench.core.takeEdits().contains(.insert("x")))
  }
}
