import EditorProtocol
import JSON
import Testing

@testable import EditorClient

/// The key that leaves the editor does so wherever it is pressed.
@Suite struct LeavingTests {
  private func bench() -> Bench {
    let bench = Bench()
    bench.editor.handle(.availableThemes(["terminal", "dark"]))
    bench.show(["x"], pristine: false, handledEdits: 2)
    return bench
  }

  private func expectToLeave(_ bench: Bench, _ what: String) {
    #expect(bench.editor.mode != nil, "\(what) has no mode")
    bench.press("{^Q}")
    #expect(bench.bottom.contains("before quitting?"), "\(what): \(bench.bottom)")
    bench.press("{^Q}")
    #expect(bench.bottom.contains("before quitting?"), "\(what), again: \(bench.bottom)")
    #expect(bench.editor.screen.takeEffects() == [])
    bench.press("{^D}")
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  /// All that has the keys at a command.
  @Test func everyModeOfACommandIsLeft() {
    var count = 0
    for description in CommandTable.all {
      let bench = bench()
      bench.editor.perform(description.command)
      guard bench.editor.mode != nil else { continue }
      count += 1
      expectToLeave(bench, description.title)
    }
    #expect(count >= 18)
  }

  @Test(arguments: ["{^R}x{enter}", "{^R}x{enter}y{enter}", "{alt g}x{enter}", "{^F}x", "{^W}", "{F2}split"])
  func whatComesBehindIsLeft(_ keys: String) {
    let bench = bench()
    bench.press(keys)
    expectToLeave(bench, keys)
  }

  @Test(arguments: ["", "{^R}", "{^R}y{enter}"]) func resultsAreLeft(_ keys: String) {
    let bench = bench()
    bench.press("{alt g}x{enter}")
    var piece = FolderPiece()
    piece.lines = [FoundLine(path: "a.c", line: 1, character: 2, text: "x", marks: [0..<1])]
    piece.isLast = true
    bench.core.answer(.success(piece.json))
    bench.press(keys)
    expectToLeave(bench, keys)
  }

  @Test func theNameOfTheLastSaveIsLeft() {
    let bench = Bench(path: nil)
    bench.show(["x"], pristine: false, handledEdits: 2)
    bench.press("{^Q}{enter}")
    #expect(bench.bottom.hasPrefix("Save as:"))
    expectToLeave(bench, "Save as")
  }

  @Test func theWordBeforeTextIsDroppedIsLeft() {
    let bench = bench()
    bench.editor.handle(
      .recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: false)))
    bench.press("{^X}")
    expectToLeave(bench, "delete")
    #expect(!bench.core.takeSent().contains { if case .recover = $0 { true } else { false } })
  }

  /// The other keys of the settings leave, too; one that does something else then does that.
  @Test func theKeysOfTheSettings() {
    for (set, key) in [("nano", "{^X}"), ("emacs", "{^Q}")] {
      let bench = bench()
      bench.editor.handle(.keySettings(KeySettings(path: "s", set: set, setLine: 1)))
      bench.editor.perform(.action(.goto))
      bench.press("1" + key)
      #expect(bench.bottom.contains("before quitting?"), "\(set)")
    }
  }

  @Test func nothingUnsavedIsLeftAtOnce() {
    let bench = Bench()
    bench.press("{^G}12{^Q}")
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }
}
