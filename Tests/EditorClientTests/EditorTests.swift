import EditorProtocol
import JSON
import JSONRPC
import Testing

@testable import EditorClient

@Suite struct EditorTests {
  @Test func startsWithoutWaiting() {
    let core = ScriptedCore()
    let editor = Editor(channel: core, columns: 60, rows: 12)
    editor.core.start()
    editor.files.open(path: "/f.txt")
    guard case .clientStarted(let started) = core.sent[0] else {
      Issue.record("client_started is not the first message")
      return
    }
    #expect(started.handshake?.unicode == "17.0.0")
    #expect(core.requests.map(\.request) == [.newView(NewView(path: "/f.txt"))])
    #expect(
      core.takeEdits() == [.resize(width: 56, height: 10), .scroll(first: 0, end: 10)],
      "the first view's name is known before the answer")
  }

  @Test func showsTextNumbersAndStatus() {
    let bench = Bench()
    #expect(bench.screen[0] == "  1 one")
    #expect(bench.screen[1] == "  2 two")
    #expect(bench.screen[10].hasPrefix(" f.txt"))
    #expect(bench.screen[10].contains("Ln 1/2, Col 1"))
    #expect(bench.bottom.contains("^S Save"))
    #expect(bench.cursor == CursorPlace(row: 0, column: 4))
  }

  @Test func keysBecomeEdits() {
    let bench = Bench()
    bench.press("aé{enter}{left}{^Z}")
    #expect(
      bench.core.takeEdits() == [
        .insert("a"), .insert("é"), .plain(.insertNewline), .plain(.moveLeft), .plain(.undo),
      ])
  }

  @Test func aKeyWithoutMeaningIsTold() {
    let bench = Bench()
    bench.press("{^\\}")
    #expect(bench.bottom.contains("does nothing"))
    #expect(bench.core.takeEdits() == [])
  }

  @Test func theCaretIsFollowed() {
    let bench = Bench((1...100).map { "line \($0)" })
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 50, column: 0)))
    #expect(bench.screen.contains { $0.hasSuffix("line 51") })
    #expect(bench.core.takeEdits().contains(.scroll(first: 45, end: 55)))
  }

  @Test func aCaretThatIsNowhereIsAtTheEnd() {
    let bench = Bench()
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: .max, column: .max)))
    #expect(bench.screen[10].contains("Ln 2/2"))
  }

  @Test func longLinesScrollSideways() {
    let bench = Bench([String(repeating: "x", count: 100) + "END"])
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 103)))
    bench.editor.handle(
      .update(
        Bench.view, ViewUpdate(ops: [.update([UpdateLine(cursors: [103])], firstNumber: 1)], pristine: true)))
    #expect(bench.screen[0].hasSuffix("END"))
  }

  @Test func controlsAreShownAndPlaced() {
    let bench = Bench(["\u{1B}[31m\t日\u{202E}x"])
    #expect(bench.screen[0] == "  1 ^[[31m  日<202e>x")
  }

  @Test func selectionsAndCaretsAreDrawn() {
    let bench = Bench()
    bench.editor.handle(
      .update(
        Bench.view,
        ViewUpdate(
          ops: [
            .insert([
              UpdateLine(text: "one\n", number: 1, cursors: [3], styles: [StyleSpan(start: 0, length: 4, style: 0)]),
              UpdateLine(text: "two\n", number: 2, cursors: [1], styles: []),
            ])
          ], pristine: false)))
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 3)))
    var grid = CellGrid(columns: 0, rows: 0)
    bench.editor.screen.forgetFrame()
    _ = bench.editor.compose(into: &grid)
    let selected = grid.styles[Int(grid.cells[4].style)]
    #expect(selected == .selection)
    #expect(grid.styles[Int(grid.cells[7].style)] == .selection, "the line end is selected too")
    #expect(grid.styles[Int(grid.cells[60 + 5].style)].attributes == .reverse, "the second caret")
  }

  @Test func helpOpensAndCloses() {
    let bench = Bench()
    bench.press("{F1}")
    #expect(bench.screen[0].contains("the keys"))
    bench.press("{esc}")
    #expect(bench.screen[0] == "  1 one")
  }

  @Test func anUpdateThatDoesNotFitRestartsTheCore() {
    let bench = Bench()
    bench.editor.handle(
      .update(Bench.view, ViewUpdate(ops: [.copy(count: 50, firstNumber: 1)], pristine: true)))
    #expect(bench.editor.screen.takeEffects() == [.restartCore])
  }

  @Test func pastesAreOneEditWithOurLineEnds() {
    let bench = Bench()
    bench.editor.handle(.paste(Array("a\rb\r\nc\u{1B}".utf8)))
    #expect(bench.core.takeEdits() == [.paste("a\nb\nc\u{1B}")])
    #expect(bench.bottom.contains("1 control or invisible character"))
  }

  @Test(arguments: [
    (FileInformation.LineEnding.lineFeed, "a\nb\nc", "x\ny\rz\n"),
    (.carriageReturnLineFeed, "a\r\nb\r\nc", "x\r\ny\rz\r\n"),
    (.mixed, "a\nb\nc", "x\r\ny\rz\n"),
  ])
  func pastesHaveTheLineEndsOfTheFile(_ lineEnding: FileInformation.LineEnding, _ pasted: String, _ own: String) {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", lineEnding: lineEnding)))
    bench.editor.handle(.paste(Array("a\rb\r\nc".utf8)))
    bench.press("{^C}")
    bench.core.answer(.success("x\r\ny\rz\n"))
    bench.press("{^V}")
    #expect(bench.core.takeEdits() == [.paste(pasted), .paste(own)])
  }

  @Test func copyGoesToBothClipboards() {
    let bench = Bench()
    bench.press("{^C}")
    bench.core.answer(.success("text"))
    #expect(bench.editor.screen.takeEffects() == [.copy("text")])
    bench.press("{^V}")
    #expect(bench.core.takeEdits() == [.paste("text")])
  }

  @Test func copyOfNothingIsTold() {
    let bench = Bench()
    bench.press("{^X}")
    bench.core.answer(.success(.null))
    #expect(bench.bottom.contains("Nothing is selected"))
  }

  @Test func aThemeColoursWhatItNames() {
    let bench = Bench()
    let theme: JSONObject = [
      "background": ["r": 1, "g": 2, "b": 3, "a": 255], "selection": ["r": 9, "g": 9, "b": 9, "a": 255],
      "gutter_foreground": ["r": 256, "g": 0, "b": 0],
    ]
    bench.editor.handle(.themeChanged(name: "mine", theme: theme))
    #expect(bench.editor.screen.takeEffects() == [.useColours(foreground: .standard, background: .rgb(0x010203))])
    #expect(bench.editor.screen.styles[0] == TextStyle(background: .rgb(0x090909)))
    #expect(bench.editor.screen.styles[1] == .match)
    #expect(bench.editor.screen.styles.theme.gutter == .gutter, "a colour that is none")
    bench.editor.handle(.themeChanged(name: "mine", theme: theme))
    #expect(bench.editor.screen.takeEffects() == [])
  }

  @Test func theThemeOfAForeignCoreIsNotObeyed() {
    let bench = Bench(isOurCore: false)
    bench.editor.handle(.themeChanged(name: "x", theme: ["background": ["r": 255, "g": 255, "b": 255, "a": 255]]))
    #expect(bench.editor.screen.takeEffects() == [])
  }

  /// The rows of a wrapped text are not its lines: were the gutter to grow with them the text would be narrower, and have other rows.
  @Test func rowsOfAWrappedTextWidenNoGutter() {
    let bench = Bench()
    bench.editor.handle(.configChanged(Bench.view, changes: ["word_wrap": true]))
    _ = bench.core.takeSent()
    let show = { (text: String, number: Int) in
      let line = UpdateLine(text: text, number: number, cursors: [0], styles: [])
      let ops: [UpdateOp] = [.insert([line]), .invalidate(count: 200_000)]
      bench.editor.handle(.update(Bench.view, ViewUpdate(ops: ops, pristine: true)))
    }
    show("one", 1)
    #expect(bench.core.takeEdits() == [])
    #expect(bench.screen[0] == "  1 one")
    show("two", 12_345)
    #expect(bench.core.takeEdits() == [.resize(width: 53, height: 10)])
  }

  /// A line of many rows may begin far above what the core has sent.
  @Test func theStatusGuessesNoPlace() {
    let bench = Bench()
    bench.editor.handle(.configChanged(Bench.view, changes: ["word_wrap": true]))
    let rows = { (number: Int?) in
      [
        UpdateLine(text: "four", number: number, cursors: [], styles: []),
        UpdateLine(text: "more\n", number: nil, cursors: [2], styles: []),
      ]
    }
    for (ops, status): ([UpdateOp], String) in [
      ([.insert(rows(7))], "Ln 7, Col 7"), ([.invalidate(count: 3), .insert(rows(nil))], "Ln ?, Col ?"),
      (
        [
          .invalidate(count: 3), .insert(rows(nil)),
          .insert([UpdateLine(text: "next", number: 6, cursors: [], styles: [])]),
        ], "Ln 5, Col ?"
      ),
    ] {
      bench.editor.handle(.update(Bench.view, ViewUpdate(ops: ops, pristine: true)))
      bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: ops.count == 1 ? 1 : 4, column: 2)))
      #expect(bench.screen[10].contains(status), "\(bench.screen[10])")
    }
  }

  @Test func lineNumbersAreASetting() {
    let bench = Bench()
    bench.editor.handle(.configChanged(Bench.view, changes: ["line_numbers": false]))
    #expect(bench.screen[0] == "one")
  }

  @Test func whatIsOnTheScreenStaysWhenLinesComeAboveIt() {
    let bench = Bench((1...100).map { "line \($0)" }, rows: 12)
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 50, column: 0)))
    let before = bench.screen[0..<10].map { $0.dropFirst(4) }
    let added = (0..<5).map { UpdateLine(text: "new \($0)\n", number: $0 + 1, styles: []) }
    bench.editor.handle(
      .update(
        Bench.view,
        ViewUpdate(ops: [.insert(added), .skip(count: 2), .copy(count: 98, firstNumber: 6)], pristine: false)))
    #expect(bench.screen[0..<10].map { $0.dropFirst(4) } == before)
    #expect(bench.editor.view?.caret.line == 53)
  }

  @Test func widthsAreAnswered() {
    let bench = Bench()
    #expect(
      bench.editor.answer(.measureWidth([MeasureWidth(style: 8, strings: ["abc", "日"])])) == [[3.0, 2.0]])
  }

  @Test func resizeIsAnnouncedOnce() {
    let bench = Bench()
    for _ in 0..<5 { bench.editor.handle(.resize(columns: 40, rows: 9)) }
    #expect(bench.core.takeEdits() == [.resize(width: 36, height: 7), .scroll(first: 0, end: 7)])
  }

  @Test(arguments: [(0, 0), (1, 1), (3, 2), (2, 40), (1000, 1)])
  func anySizeIsDrawn(_ columns: Int, _ rows: Int) {
    let bench = Bench(["日本語", "\tx"])
    bench.editor.handle(.resize(columns: columns, rows: rows))
    #expect(bench.screen.count == rows)
    bench.press("{^F}x")
    #expect(bench.screen.count == rows)
    bench.press("{esc}{F1}")
    #expect(bench.screen.count == rows)
  }

  /// All of the help can be read on a narrow screen, too.
  @Test(arguments: [20, 30, 44, 60, 79, 100, 200])
  func helpIsWrapped(columns: Int) {
    let lines = Help.lines(of: .standard, columns: columns)
    #expect(lines.allSatisfy { $0.count <= max(columns, 30) })
    let words = { (lines: [String]) in lines.flatMap { $0.split(separator: " ") }.sorted() }
    let difference = words(lines).difference(from: words(Help.lines(of: .standard, columns: 1000)))
    #expect(difference.isEmpty, "\(difference)")
    for description in CommandTable.all where !KeyMap.standard.labels(of: description.command).isEmpty {
      #expect(columns < 44 || lines.contains { $0.contains(description.title) }, "\(description.title)")
    }
  }

  @Test func helpShowsTheKeysInForce() {
    let bench = Bench(columns: 78, rows: 60)
    bench.press("{F1}")
    #expect(bench.screen.contains { $0.contains("^S") && $0.contains(" Save") })
    bench.press("{esc}")
    bench.editor.handle(
      .keySettings(
        KeySettings(path: "s", entries: [.init(keys: "^S", command: ""), .init(keys: "F9", command: "save")])))
    bench.press("{F1}")
    #expect(bench.screen.contains { $0.hasPrefix("   F9               Save") })
    #expect(!bench.screen.contains { $0.contains("^S") })
  }

  @Test func roomThatIsGivenBackShowsWhatWasScrolledAway() {
    let bench = Bench([String(repeating: "x", count: 40) + "END", "short"], columns: 80)
    bench.editor.handle(.resize(columns: 80, rows: 12))
    bench.press("{^E}v")
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 43)))
    bench.press("{^E}o")
    #expect(bench.screen[1].hasPrefix("  2 short"))
  }

  @Test func caretsAreCountedInTheWholeText() {
    let bench = Bench()
    let ranges = (0..<2).map { LineColumn(line: $0, column: 0)..<LineColumn(line: $0, column: 0) }
    var update = ViewUpdate(ops: [.copy(count: 2, firstNumber: 1)], pristine: true)
    update.annotations = [Annotation(type: "selection", ranges: ranges)]
    update.regionCounts = .init(all: 26, selections: 0)
    bench.editor.handle(.update(Bench.view, update))
    #expect(bench.screen[10].contains("26 carets"))
    update.regionCounts = .init(all: 26, selections: 26)
    bench.editor.handle(.update(Bench.view, update))
    #expect(bench.screen[10].contains("26 selections"))
    update.regionCounts = nil
    bench.editor.handle(.update(Bench.view, update))
    #expect(bench.screen[10].contains("2 carets"))
  }

  @Test func aSmallerWindowKeepsTheCaretInSight() {
    let bench = Bench((1...30).map { "line \($0)" })
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 9, column: 60)))
    bench.editor.handle(.resize(columns: 60, rows: 5))
    #expect(bench.screen.contains { $0.contains("line 10") })
    // One that was scrolled out of sight stays there.
    bench.editor.handle(.mouse(MouseEvent(.wheelDown, column: 0, row: 0)))
    bench.editor.handle(.mouse(MouseEvent(.wheelDown, column: 0, row: 0)))
    bench.editor.handle(.resize(columns: 60, rows: 6))
    #expect(!bench.screen.contains { $0.contains("line 10 ") })
  }

  @Test func caretsGoToTheEndsOfTheSelectedLines() {
    let bench = Bench()
    bench.press("{alt e}")
    #expect(bench.core.takeEdits() == [.plain(.selectionIntoLines), .plain(.moveToRightEndOfLine)])
  }
}
