import EditorProtocol
import JSONRPC
import Testing

@testable import EditorClient

/// The list of words beside the caret.
@Suite struct WordCompletionTests {
  private func bench(_ words: [String], typed: String = "fo", columns: Int = 60, rows: Int = 12) -> Bench {
    let bench = Bench([typed], columns: columns, rows: rows)
    bench.editor.handle(
      .update(
        Bench.view,
        ViewUpdate(
          ops: [.insert([UpdateLine(text: typed + "\n", number: 1, cursors: [typed.utf8.count], styles: [])])],
          pristine: false)))
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: typed.utf8.count)))
    bench.press("{alt /}")
    answer(words, typed: typed, in: bench)
    return bench
  }

  private func answer(_ words: [String], typed: String, in bench: Bench) {
    #expect(bench.core.requests.first?.request == .words(Bench.view))
    _ = bench.core.takeSent()
    bench.core.answer(.success(WordList(typed: typed, words: words).json))
    bench.editor.gate.advance()
  }

  private func isOpen(_ bench: Bench) -> Bool { bench.editor.mode is WordCompletion }

  @Test func theChosenWordIsTaken() {
    let bench = bench(["foo", "fob", "food"])
    #expect(bench.screen[1].contains(">foo") && bench.screen[3].contains(" food"))
    #expect(bench.bottom.hasPrefix("Word 1 of 3"))
    bench.press("{tab}{down}")
    #expect(bench.screen[3].contains(">food"))
    bench.press("{tab}{up}{enter}")
    #expect(bench.core.takeEdits() == [.completeWord(typed: "fo", word: "food")])
    #expect(!isOpen(bench))
  }

  @Test func typingNarrowsTheList() {
    let bench = bench(["fooa", "fob", "foob"])
    bench.press("o")
    #expect(bench.core.takeEdits() == [.insert("o")])
    #expect(bench.bottom.hasPrefix("Word 1 of 2"))
    bench.press("{backspace}")
    #expect(bench.bottom.hasPrefix("Word 1 of 3"))
    bench.press("o{down}{enter}")
    #expect(
      bench.core.takeEdits() == [
        .plain(.deleteBackward), .insert("o"), .completeWord(typed: "foo", word: "foob"),
      ])
  }

  /// As if there were no list.
  @Test(arguments: ["{left}", " ", "x", "{alt u}", "{backspace}", "(", "{home}"])
  func otherKeysAreForTheText(_ key: String) {
    let bench = bench(["foo"])
    bench.press(key)
    #expect(!isOpen(bench))
    #expect(bench.core.takeEdits().count == 1)
  }

  @Test func escapeLeavesTheText() {
    let bench = bench(["foo"])
    bench.press("{esc}")
    #expect(!isOpen(bench) && bench.core.takeEdits() == [])
  }

  /// The keys behind the first are for the list, when it is there.
  @Test func keysThatAreTypedAheadWait() {
    let bench = Bench(["fo"])
    bench.press("{alt /}{tab}{enter}x")
    #expect(bench.core.takeEdits() == [])
    answer(["foo", "fob"], typed: "fo", in: bench)
    #expect(bench.core.takeEdits() == [.completeWord(typed: "fo", word: "fob"), .insert("x")])
  }

  @Test func whatThereIsNotIsTold() {
    let bench = bench([])
    #expect(!isOpen(bench) && bench.told == "No other word begins with fo")
    bench.press("{alt /}")
    answer([], typed: "", in: bench)
    #expect(bench.told == "There is no word before the caret")
    let foreign = Bench(isOurCore: false)
    foreign.press("{alt /}")
    #expect(foreign.told == "This core completes no words")
  }

  @Test func itStandsAboveTheCaretWhereThereIsNoRoomBelow() {
    let bench = Bench((1...9).map { "line\($0)" } + ["fo"], rows: 12)
    bench.editor.handle(
      .update(
        Bench.view,
        ViewUpdate(
          ops: [
            .copy(count: 9, firstNumber: 1), .skip(count: 1),
            .insert([UpdateLine(text: "fo\n", number: 10, cursors: [2], styles: [])]),
          ], pristine: false)))
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 9, column: 2)))
    bench.press("{alt /}")
    answer(["foo", "fob"], typed: "fo", in: bench)
    #expect(bench.screen[7].contains(">foo") && bench.screen[8].contains("fob"), "\(bench.screen)")
    #expect(bench.screen[9].contains("fo"))
  }

  @Test func itHasRoomInANarrowWindow() {
    let bench = bench(["日本語日本語日本語", "日本人"], typed: "日本", columns: 12, rows: 4)
    #expect(bench.screen.count == 4 && isOpen(bench))
    bench.press("{down}{enter}")
    #expect(bench.core.takeEdits() == [.completeWord(typed: "日本", word: "日本人")])
  }

  @Test func aCoreThatEndsClosesIt() {
    let bench = bench(["foo"])
    bench.editor.coreWasReplaced()
    #expect(!isOpen(bench))
  }

  /// What is typed behind it is text, whichever key ends the wait.
  @Test(arguments: ["{esc}", "{^C}"]) func whatIsTypedWhileTheCoreLooksStays(key: String) {
    let bench = Bench(["fo"])
    bench.press("{alt /}")
    for _ in 0..<CoreSilence.ticksToNotice { bench.editor.gate.tick() }
    bench.press("xy" + key)
    #expect(bench.core.takeEdits() == [.insert("x"), .insert("y")])
  }
}
