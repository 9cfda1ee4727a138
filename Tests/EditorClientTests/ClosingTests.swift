import EditorProtocol
import JSON
import JSONRPC
import Testing

@testable import EditorClient

/// What is asked before text goes, and what is typed meanwhile.
@Suite struct ClosingTests {
  @Test func quitEndsAtOnceWhenNothingIsModified() {
    let bench = Bench()
    bench.press("{^Q}")
    #expect(bench.core.takeSent() == [.closeView(Bench.view)])
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  @Test func quitAsksForModifiedText() {
    let bench = Bench()
    bench.show(["x"], pristine: false)
    bench.press("{^Q}")
    #expect(bench.bottom.contains("Save f.txt before quitting?"))
    bench.press("{esc}")
    #expect(bench.editor.screen.takeEffects() == [])
    bench.press("{^Q}{^D}")
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  /// Who takes the key for another and types on loses nothing.
  @Test(arguments: ["{^Q}", "{^W}"]) func noLetterAnswersForTheText(keys: String) {
    let bench = Bench()
    bench.show(["x"], pristine: false)
    bench.press(keys + "the next: Yes, No! nNyY")
    #expect(bench.bottom.contains("Save f.txt before"))
    #expect(bench.editor.screen.takeEffects() == [] && !bench.core.takeSent().contains(.closeView(Bench.view)))
    bench.press("{esc}")
    #expect(bench.editor.views.all.count == 1 && bench.editor.mode == nil)
  }

  /// Whichever keys leave: pressed twice they ask twice.
  @Test(arguments: [(["^D"], "{^X}"), (["^D", "^X"], "{^N}"), ([], "{^D}")])
  func noKeyThatLeavesDropsText(_ leaving: [String], _ dropping: String) {
    let bench = Bench()
    let entries = leaving.map { KeySettings.Entry(keys: $0, command: "quit") }
    bench.editor.keys.use(KeySettings(path: "", entries: entries))
    bench.show(["x"], pristine: false)
    bench.press("{^Q}{^Q}" + leaving.map { "{\($0)}{\($0)}" }.joined())
    #expect(bench.bottom.contains("Save f.txt before") && bench.editor.screen.takeEffects() == [])
    bench.press(dropping)
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  /// It waits in the core behind what needs the whole text, while the text is still that of the file.
  @Test(arguments: ["{^Q}", "{^W}"]) func textThatTheCoreHasNotYetPutInIsAskedAbout(keys: String) {
    let bench = Bench()
    bench.press("x")
    bench.show(["one"], handledEdits: 3, keptEdits: 2)
    bench.press(keys)
    #expect(bench.bottom.contains("Save f.txt before"))
    #expect(bench.editor.screen.takeEffects() == [] && !bench.core.takeSent().contains(.closeView(Bench.view)))
    bench.press("{^D}")
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  @Test func whatCannotChangeATextIsNotAskedAbout() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", isReadOnly: true)))
    bench.press("x")
    bench.show(["one"], handledEdits: 3, keptEdits: 2)
    bench.press("{^Q}")
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  /// Its end was offered by Esc, and was not what the user then wanted.
  @Test(arguments: ["{^Q}{enter}", "{^W}{enter}"]) func aSaveThatIsNotWaitedForClosesNothing(keys: String) {
    let bench = Bench()
    bench.show(["x"], pristine: false)
    bench.press(keys)
    for _ in 0..<CoreSilence.ticksToNotice { bench.editor.gate.tick() }
    bench.press("{esc}")
    #expect(bench.bottom.contains("No longer waiting"))
    bench.show(["x"], handledEdits: 2)
    bench.core.answer(.success([:]))
    #expect(bench.bottom == "Saved f.txt")
    #expect(bench.editor.screen.takeEffects() == [] && bench.editor.views.all.count == 1)
  }

  /// Nor does it ask for anything, in the middle of what is typed on: only the user's next save does.
  @Test(arguments: [
    ErrorCode.changedOnDisk, ErrorCode.losesCapabilities, ErrorCode.notEncodable, ErrorCode.inputOutput,
  ])
  func aSaveThatIsNotWaitedForAsksNothing(code: Int) {
    let bench = Bench(path: "/no/such/folder/f.txt")
    bench.show(["x"], pristine: false)
    bench.press("{^Q}{enter}")
    for _ in 0..<CoreSilence.ticksToNotice { bench.editor.gate.tick() }
    bench.press("{esc}")
    bench.core.answer(.failure(ResponseError(code: code, message: "no")))
    #expect(bench.bottom == "Not saved: no")
    bench.press("y{^B}")
    #expect(bench.core.takeEdits().last == .insert("y"))
    #expect(!bench.core.requests.contains { if case .saveFile = $0.request { true } else { false } })
    #expect(bench.editor.screen.takeEffects() == [])
  }

  /// It is neither saved, nor has anybody said that it may be lost.
  @Test(arguments: ["{^Q}{enter}", "{^W}{enter}"], [true, false]) func whatIsTypedDuringTheLastSaveStays(
    keys: String, isHeld: Bool
  ) {
    let bench = Bench()
    bench.show(["x"], pristine: false)
    bench.press(keys)
    bench.core.answersBarriers = false
    bench.show(["x"], handledEdits: 2)
    if !isHeld { bench.press("a") }
    bench.editor.views.edit(.plain(.moveLeft))
    bench.core.answer(.success(.null))
    // Between the save and the last look.
    if isHeld { bench.press("a") }
    bench.show(["ax"], pristine: isHeld, handledEdits: isHeld ? 3 : 4)
    while !bench.core.requests.isEmpty { bench.core.answer(.success([:])) }
    #expect(bench.editor.screen.takeEffects() == [] && bench.editor.views.all.count == 1)
    let sent = bench.core.takeSent()
    #expect(sent.contains(.edit(Bench.view, .insert("a"))) && !sent.contains(.closeView(Bench.view)))
    #expect(bench.bottom.contains("stays open"))
  }

  /// As if each key came after what the one before has done.
  @Test(arguments: [["{^Q}{enter}{enter}{enter}"], ["{^Q}", "{enter}", "{enter}", "{enter}"]])
  func answersTypedAheadAreForTheirQuestions(keys: [String]) {
    let bench = Bench()
    bench.show(["x"], pristine: false)
    for (path, id) in [("/g.txt", "view-id-2"), ("/h.txt", "view-id-3")] {
      bench.editor.files.open(path: path)
      bench.core.answer(.success(.string(id)))
      bench.editor.handle(.update(ViewID(id), ViewUpdate(ops: [], pristine: false, handledEdits: 2)))
    }
    func save() {
      guard case .saveFile(let id, _, _, _)? = bench.core.requests.first?.request else { return }
      bench.editor.handle(.update(id, ViewUpdate(ops: [], pristine: true, handledEdits: 2)))
      bench.core.answer(.success([:]))
    }
    for keys in keys {
      bench.press(keys)
      save()
    }
    for _ in 0..<3 { save() }
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  /// Who takes it for an answer is asked the same question once more, not those before it.
  @Test func theKeyThatLeavesForgetsNoAnswer() {
    let bench = Bench()
    bench.show(["x"], pristine: false)
    bench.editor.files.open(path: "/g.txt")
    bench.core.answer(.success("view-id-2"))
    bench.editor.handle(.update(ViewID("view-id-2"), ViewUpdate(ops: [], pristine: false, handledEdits: 2)))
    bench.press("{^Q}")
    #expect(bench.bottom.contains("Save f.txt before quitting?"))
    bench.press("{^D}{^Q}{^Q}")
    #expect(bench.bottom.contains("Save g.txt before quitting?"))
    bench.press("{^D}")
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  /// What is typed behind a buffer that is saved and closed is for the one that is shown then.
  @Test func keysBehindACloseAreForTheNextBuffer() {
    let bench = Bench()
    bench.editor.files.open(path: "/g.txt")
    bench.core.answer(.success("view-id-2"))
    bench.editor.handle(.update(ViewID("view-id-2"), ViewUpdate(ops: [], pristine: false, handledEdits: 2)))
    _ = bench.core.takeSent()
    bench.press("{^W}{enter}x")
    bench.editor.handle(.update(ViewID("view-id-2"), ViewUpdate(ops: [], pristine: true, handledEdits: 2)))
    bench.core.answer(.success([:]))
    let sent = bench.core.takeSent()
    #expect(sent.contains(.closeView(ViewID("view-id-2"))) && sent.contains(.edit(Bench.view, .insert("x"))))
  }

  @Test func quitSavesFirstWhenTold() {
    let bench = Bench()
    bench.show(["x"], pristine: false)
    bench.press("{^Q}{enter}")
    #expect(bench.editor.screen.takeEffects() == [])
    // Before it says that it is saved.
    bench.show(["x"], handledEdits: 2)
    bench.core.answer(.success([:]))
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  @Test func quitStaysWhenTheSaveFails() {
    let bench = Bench()
    bench.show(["x"], pristine: false)
    bench.press("{^Q}{enter}")
    bench.core.answer(.failure(ResponseError(code: 5, message: "disk full")))
    #expect(bench.editor.screen.takeEffects() == [])
    #expect(bench.bottom.contains("disk full"))
  }

  @Test func quitAsksForANameFirst() {
    let bench = Bench(path: nil)
    bench.show(["x"], pristine: false)
    bench.press("{^Q}{enter}/g{enter}")
    // Before it says that it is saved.
    bench.show(["x"], handledEdits: 2)
    bench.core.answer(.success([:]))
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  @Test func closingTheLastViewEnds() {
    let bench = Bench()
    bench.press("{^W}")
    #expect(bench.core.takeSent().first == .closeView(Bench.view))
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  @Test func theAnswersToALongQuestionAreSeen() {
    let bench = Bench(path: "/\(String(repeating: "long", count: 20)).txt")
    bench.editor.handle(
      .recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: false)))
    #expect(bench.bottom.hasPrefix("Unsaved text of"))
    #expect(bench.bottom.hasSuffix("…  ^R restores it  ^X deletes it  Esc later"))
  }
}
