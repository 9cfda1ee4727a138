import EditorProtocol
import Testing

@testable import EditorClient

/// What plugins show.
@Suite struct PluginTests {
  private func bench(_ text: [String] = ["one", "two"]) -> Bench {
    let bench = Bench(text)
    bench.editor.handle(.availablePlugins(Bench.view, [PluginState(name: "p", isRunning: true)]))
    return bench
  }

  private func hover(_ text: String, _ request: Int = 1) -> CoreNotification {
    .showHover(Bench.view, requestID: request, result: text)
  }

  @Test func statusItemsStandInTheStatusLine() {
    let bench = bench()
    for (key, value, side) in [("a", "3 words", "left"), ("b", "main", "right"), ("a", "4 words", "left")] {
      bench.editor.handle(
        .addStatusItem(Bench.view, StatusItem(source: "p", key: key, value: value, alignment: side)))
    }
    #expect(bench.screen[10].contains(" f.txt  4 words "), "an item that is there is replaced")
    #expect(bench.screen[10].contains("main  Ln 1/2"))
    bench.editor.handle(.updateStatusItem(Bench.view, key: "a", value: "5 words\u{1B}[31m"))
    #expect(bench.screen[10].contains("  5 words^[[31m"))
    bench.editor.handle(.removeStatusItem(Bench.view, key: "a"))
    #expect(!bench.screen[10].contains("words"))
  }

  @Test func alarmsWaitForEachOther() {
    let bench = bench()
    for text in ["one", "two", "two", "three"] { bench.editor.handle(.alert(text)) }
    #expect(bench.bottom == "one  (2 more)")
    bench.press("x")
    #expect(bench.bottom == "two  (1 more)")
    bench.press("x")
    #expect(bench.bottom == "three")
    bench.press("x")
    #expect(bench.bottom.contains("^S Save"))
    #expect(bench.core.takeEdits() == [.insert("x"), .insert("x"), .insert("x")], "no key is lost to them")
  }

  @Test func anEndThatIsExplainedIsNotToldTwice() {
    let bench = bench()
    bench.editor.handle(.alert("The plugin p ended unexpectedly"))
    bench.editor.handle(.pluginStopped(Bench.view, plugin: "p", code: 0))
    #expect(bench.bottom == "The plugin p ended unexpectedly")
    bench.press("{alt h}")
    #expect(bench.bottom == "No plugin is running")
    #expect(bench.core.takeEdits() == [])
  }

  @Test func aStartWithTheEditorIsNotTold() {
    let bench = Bench()
    bench.editor.handle(.pluginStarted(Bench.view, plugin: "p"))
    #expect(bench.bottom.contains("^S Save"))
  }

  @Test func hoverIsAskedShownBesideTheCaretAndClosed() {
    let bench = bench()
    bench.press("{alt h}")
    #expect(bench.core.takeEdits() == [.requestHover(requestID: 1, at: nil)])
    #expect(bench.bottom.hasPrefix("Asking"))
    bench.editor.handle(hover("func **one**\nof two\u{7}"))
    #expect(bench.screen[1...2] == ["  2  func **one**", "     of two^G"])
    #expect(bench.cursor == CursorPlace(row: 0, column: 4))
    bench.press("{esc}")
    #expect(bench.screen[1] == "  2 two")
    #expect(bench.core.takeEdits() == [], "Esc did only that")
    bench.press("{alt h}")
    bench.editor.handle(hover("again", 2))
    bench.press("x")
    #expect(bench.core.takeEdits().last == .insert("x"), "any other key does what it does")
    #expect(!bench.screen.contains { $0.contains("again") })
  }

  @Test func lateAnswersAreLeftOut() {
    let bench = bench()
    bench.press("{alt h}{alt h}")
    bench.editor.handle(hover("first", 1))
    #expect(!bench.screen.contains { $0.contains("first") })
    bench.press("{^F}")
    bench.editor.handle(hover("second", 2))
    bench.press("{esc}")
    #expect(!bench.screen.contains { $0.contains("second") })
  }

  @Test func longHoverIsWrappedAndCut() {
    let bench = bench((1...20).map { "line \($0)" })
    bench.press("{alt h}")
    bench.editor.handle(hover((1...200).map { "word\($0)" }.joined(separator: " ")))
    #expect(bench.screen[1].hasSuffix(" word9") && bench.screen[2].contains(" word10 word11 "))
    #expect(bench.screen[9].contains("…"))
    #expect(bench.screen[10].hasPrefix(" f.txt"))
    bench.press("{esc}")
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 9, column: 0)))
    bench.press("{alt h}")
    bench.editor.handle(hover("above\nthe caret", 2))
    #expect(bench.screen[7].contains(" above") && bench.screen[8].contains(" the caret"))
    #expect(bench.screen[9] == " 10 line 10")
  }

  /// A box over half of a wide character.
  @Test func aBoxCutsNoCharacter() {
    let bench = bench(["日本", "日本語日本語"])
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 3)))
    bench.editor.handle(
      .update(
        Bench.view,
        ViewUpdate(
          ops: [.update([UpdateLine(cursors: [3])], firstNumber: 1), .copy(count: 1, firstNumber: 2)], pristine: true)))
    bench.press("{alt h}")
    bench.editor.handle(hover("x"))
    #expect(bench.screen[1] == "  2 日 x  日本語")
  }

  @Test func aNewCoreStartsAnew() {
    let bench = bench()
    bench.editor.handle(
      .addStatusItem(Bench.view, StatusItem(source: "p", key: "k", value: "stale", alignment: "left")))
    bench.editor.coreWasReplaced()
    #expect(!bench.screen[10].contains("stale"))
    bench.core.answer(.success("view-id-1"))
    bench.press("{F2}plugin p")
    #expect(!bench.screen[9].contains("the plugin p"))
  }
}
