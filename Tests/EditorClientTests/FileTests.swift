import EditorProtocol
import JSON
import JSONRPC
import Testing

@testable import EditorClient

@Suite struct FileTests {
  /// Nothing is written over the file that the user wanted to leave, before the question about the other one is answered.
  @Test(arguments: ["{^S}", "{alt S}"], [ErrorCode.fileExists, ErrorCode.folderMissing])
  func aSaveBehindARefusedOneIsUnderTheSameName(save: String, code: Int) {
    let bench = Bench()
    bench.show(["one"], pristine: false, handledEdits: 2)
    bench.press("{alt s}2{enter}")
    let refusal = ResponseError(code: code, message: "no", data: "/folder")
    for _ in 0..<2 {
      #expect(
        bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/f.txt2", .ifNew, makesFolders: false)])
      bench.core.answer(.failure(refusal))
      bench.press("after" + save)
    }
    bench.core.answer(.failure(refusal))
    bench.press("{esc}" + save)
    #expect(
      bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/f.txt", .ifUnchanged, makesFolders: false)])
  }

  /// A list of settings that is made first is put in before what is typed at once.
  @Test func keysBehindTheSettingsAreForTheirText() {
    let bench = Bench()
    bench.editor.files.openSettings(at: "/settings.toml")
    bench.press("x")
    bench.core.answer(.success("view-id-2"))
    bench.editor.gate.coreWasHeard()
    #expect(!bench.core.takeEdits().contains(.insert("x")))
    bench.editor.handle(.fileInformation(ViewID("view-id-2"), FileInformation(path: "/settings.toml", isNew: true)))
    bench.editor.gate.coreWasHeard()
    let edits = bench.core.takeEdits()
    let (listed, typed) = (edits.firstIndex(of: .paste(SettingsTemplate.commented)), edits.firstIndex(of: .insert("x")))
    #expect((listed ?? .max) < (typed ?? 0), "\(edits)")
  }

  @Test func aNameIsToldInOneLine() {
    let bench = Bench(path: "/new\nline.txt", columns: 80)
    bench.press("{^S}")
    bench.core.answer(.success(.null))
    #expect(bench.bottom.hasPrefix("Saved new\u{2424}line.txt"), "\(bench.bottom)")
  }

  /// One that came to nothing and was told of stands in no way; what was typed before that is one under that name.
  @Test(arguments: [true, false]) func aSaveBehindOneThatCannotBeDone(isTypedAhead: Bool) {
    let bench = Bench()
    bench.show(["one"], pristine: false, handledEdits: 2)
    bench.press("{alt s}2{enter}" + (isTypedAhead ? "{^S}" : ""))
    bench.core.answer(.failure(ResponseError(code: ErrorCode.inputOutput, message: "no")))
    if !isTypedAhead { bench.press("{^S}") }
    let (path, policy): (String, OverwritePolicy) = isTypedAhead ? ("/f.txt2", .ifNew) : ("/f.txt", .ifUnchanged)
    #expect(bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: path, policy, makesFolders: false)])
  }

  @Test func saveAsksNothingWhenAllIsWell() {
    let bench = Bench()
    bench.press("{^S}")
    #expect(bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/f.txt", .ifUnchanged)])
    bench.core.answer(.success([:]))
    #expect(bench.bottom == "Saved f.txt")
  }

  @Test(arguments: [
    (ErrorCode.changedOnDisk, "changed on disk"), (ErrorCode.fileExists, "exists"),
    (ErrorCode.vanished, "no longer there"),
  ])
  func overwritingIsAsked(_ code: Int, _ text: String) {
    let bench = Bench()
    bench.press("{^S}")
    bench.core.answer(.failure(ResponseError(code: code, message: "no")))
    #expect(bench.bottom.contains(text))
    bench.press("{^B}")
    #expect(bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/f.txt", .always)])
    bench.core.answer(.success([:]))
    #expect(bench.bottom == "Saved f.txt")
  }

  /// Who saves and goes on with any command, by whichever keys, overwrites nothing.
  @Test(arguments: KeySet.all.map(\.name)) func noKeyOfACommandOverwrites(set: String) {
    let probe = Bench()
    probe.editor.keys.use(KeySettings(path: "s", set: set, setLine: 1))
    for binding in probe.editor.keys.map.bindings {
      for code in [ErrorCode.changedOnDisk, ErrorCode.notEncodable] {
        let bench = Bench()
        bench.editor.keys.use(KeySettings(path: "s", set: set, setLine: 1))
        bench.editor.perform(.action(.save))
        bench.core.answer(.failure(ResponseError(code: code, message: "no")))
        #expect(bench.bottom.contains(code == ErrorCode.changedOnDisk ? "overwrites it" : "saves as UTF-8"))
        for key in binding.keys {
          bench.editor.noteSeenOffer()
          bench.editor.handle(.key(key))
        }
        let isDone = bench.core.requests.contains {
          if case .saveFile(_, _, let policy, _) = $0.request { policy == .always } else { false }
        }
        let isConverted = bench.core.takeSent().contains { if case .setEncoding = $0 { true } else { false } }
        #expect(!isDone && !isConverted, "\(binding)")
      }
    }
  }

  /// One that the settings give a command is none of it any more, also while it is offered.
  @Test func aKeyThatIsGivenACommandOverwritesNothing() {
    let bench = Bench()
    bench.press("{^S}")
    bench.core.answer(.failure(ResponseError(code: ErrorCode.changedOnDisk, message: "no")))
    bench.editor.keys.use(KeySettings(path: "", entries: [KeySettings.Entry(keys: "^B", command: "buffers")]))
    bench.press("{^B}")
    #expect(bench.core.requests.isEmpty && bench.bottom.hasPrefix("Buffer:"))
    bench.press("{esc}{^S}")
    bench.core.answer(.failure(ResponseError(code: ErrorCode.changedOnDisk, message: "no")))
    #expect(bench.bottom.contains("F12 overwrites it"))
  }

  /// Where each key has a command, another name is the way.
  @Test func withoutAKeyNothingIsOverwritten() {
    let bench = Bench()
    let keys = "BTUOQ".map { "^\($0)" } + (5...12).map { "F\($0)" }
    bench.editor.keys.use(KeySettings(path: "", entries: keys.map { .init(keys: $0, command: "redraw") }))
    bench.press("{^S}")
    bench.core.answer(.failure(ResponseError(code: ErrorCode.changedOnDisk, message: "no")))
    #expect(bench.bottom == "f.txt has changed on disk  Esc leaves it")
  }

  /// The file's watcher says the same, sooner or later than the answer to the save.
  @Test(arguments: [true, false])
  func theQuestionIsNotHiddenByTheNewsOfAChange(isBefore: Bool) {
    let bench = Bench()
    bench.press("{^S}")
    if isBefore { bench.editor.handle(.fileChanged(Bench.view, isReloaded: false)) }
    bench.core.answer(.failure(ResponseError(code: ErrorCode.changedOnDisk, message: "no")))
    if !isBefore { bench.editor.handle(.fileChanged(Bench.view, isReloaded: false)) }
    #expect(bench.bottom.contains("^B overwrites it"))
    #expect(bench.screen[10].contains("[changed on disk]"))
  }

  @Test func overwritingCanBeRefused() {
    let bench = Bench()
    bench.press("{^S}")
    bench.core.answer(.failure(ResponseError(code: ErrorCode.changedOnDisk, message: "no")))
    bench.press("{esc}")
    #expect(bench.core.requests.isEmpty)
    #expect(bench.bottom.contains("Nothing was saved"))
  }

  @Test func whatAnEncodingHasNotIsSavedAsUTF8ByAKey() {
    let bench = Bench()
    bench.press("{^S}")
    let error = ResponseError(
      code: ErrorCode.notEncodable, message: "long", data: "line 1: GB18030 has no “x”")
    bench.core.answer(.failure(error))
    #expect(bench.bottom == "f.txt: line 1: GB18030 ha…  ^B saves as UTF-8  Esc leaves it")
    bench.press("{^B}")
    #expect(bench.core.takeSent() == [.setEncoding(Bench.view, .utf8, readsAgain: false)])
    #expect(bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/f.txt", .ifUnchanged)])
    bench.core.answer(.success([:]))
    #expect(bench.bottom == "Saved f.txt")
  }

  @Test(arguments: [("again gb", TextEncoding.gb18030, true), ("save utf-16be bom", .utf16BigEndianWithMark, false)])
  func anEncodingIsChosen(_ typed: String, _ encoding: TextEncoding, _ readsAgain: Bool) {
    let bench = Bench()
    bench.press("{alt t}\(typed){enter}")
    #expect(bench.core.takeSent() == [.setEncoding(Bench.view, encoding, readsAgain: readsAgain)])
  }

  @Test func aFailedSaveIsTold() {
    let bench = Bench()
    bench.press("{^S}")
    bench.core.answer(.failure(ResponseError(code: ErrorCode.inputOutput, message: "No space left on device")))
    #expect(bench.bottom == "Not saved: No space left on device")
  }

  @Test func aBufferWithoutANameAsksForOne() {
    let bench = Bench(path: nil)
    bench.press("{^S}")
    #expect(bench.bottom == "Save as:")
    bench.press("/g.txt{enter}")
    #expect(bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/g.txt", .ifNew)])
    bench.core.answer(.success([:]))
    #expect(bench.screen[10].hasPrefix(" g.txt"))
  }

  /// Keys that come before the core's answer are not lost, neither those before the save nor those behind it.
  @Test(arguments: [true, false])
  func aSaveWaitsForItsViewToOpen(opens: Bool) {
    let bench = Bench(opening: "/f.txt")
    let core = bench.core
    bench.press("a{^S}b")
    #expect(core.takeEdits() == [.insert("a")])
    #expect(core.requests.count == 1)
    core.answer(opens ? .success("view-id-1") : .failure(ResponseError(code: ErrorCode.inputOutput, message: "no")))
    #expect(core.requests.map(\.request).contains(.saveFile(Bench.view, path: "/f.txt", .ifUnchanged)) == opens)
    // Where nothing could be opened an empty buffer is.
    if !opens { core.answer(.success("view-id-1")) }
    #expect(core.takeEdits().last == .insert("b"))
  }

  @Test func aReadOnlyViewIsNotSavedOverItsFile() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", isReadOnly: true)))
    bench.press("{^S}")
    #expect(bench.core.requests.isEmpty)
    #expect(bench.bottom.contains("read-only"))
  }

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
    for _ in 0..<InputGate.ticksToNotice { bench.editor.gate.tick() }
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
    for _ in 0..<InputGate.ticksToNotice { bench.editor.gate.tick() }
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

  @Test func buffersAreSwitched() {
    let bench = Bench()
    bench.press("{^O}/other.txt{enter}")
    bench.core.answer(.success("view-id-3"))
    #expect(bench.screen[0] == " f.txt  other.txt")
    bench.press("{alt-right}")
    #expect(bench.screen[10].hasPrefix(" f.txt"))
    #expect(bench.screen[1] == "  1 one")
  }

  @Test func editsWaitForTheNameOfALaterView() {
    let bench = Bench()
    bench.press("{^O}/other.txt{enter}ab")
    #expect(bench.core.takeEdits() == [])
    bench.core.answer(.success("view-id-3"))
    let edits = bench.core.takeSent()
    #expect(edits.suffix(2) == [.edit(ViewID("view-id-3"), .insert("a")), .edit(ViewID("view-id-3"), .insert("b"))])
  }

  @Test func whatCannotBeOpenedIsTold() {
    let bench = Bench()
    bench.press("{^O}/folder{enter}")
    bench.core.answer(.failure(ResponseError(code: 5, message: "Is a directory")))
    #expect(bench.bottom == "folder: Is a directory")
    #expect(bench.screen[10].hasPrefix(" f.txt"))
  }

  @Test func aMissingFinalNewlineIsKept() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", hasFinalNewline: false)))
    #expect(
      bench.core.takeSent() == [.modifyUserConfig(.userOverride(Bench.view), changes: ["save_with_newline": false])])
  }

  @Test func aSecondEditorOnTheFileIsTold() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", usedByProcess: 77)))
    #expect(bench.bottom.contains("process 77"))
  }

  @Test func aForeignCoreSavesByNotification() {
    let bench = Bench(isOurCore: false)
    bench.core.answersBarriers = false
    bench.press("{^S}")
    #expect(bench.core.takeSent() == [.save(Bench.view, path: "/f.txt")])
    bench.core.answer(.success([:]))
    #expect(bench.bottom == "Saved f.txt")
  }

  @Test(arguments: [("{^R}", RecoveryChoice.restore), ("{^X}delete{enter}", .discard), ("{esc}", .later)])
  func recoveryIsOffered(_ answer: String, _ choice: RecoveryChoice) {
    let bench = Bench()
    bench.editor.handle(
      .recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: false)))
    #expect(bench.bottom.contains("Unsaved text"))
    bench.press(answer)
    #expect(bench.core.takeSent() == [.recover(Bench.view, recoveryID: "r", choice)])
    #expect(!bench.bottom.contains("Unsaved text"))
  }

  /// Whoever types when it comes is typing text.
  @Test func recoveryTakesNoLetters() {
    let bench = Bench()
    bench.editor.handle(
      .recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: false)))
    bench.press("int y{enter}")
    #expect(
      bench.core.takeEdits() == "int y".map { .insert(String($0)) } + [.plain(.insertNewline)])
    #expect(bench.bottom.contains("Unsaved text"))
  }

  /// A word has to be typed for what is gone then.
  @Test(arguments: ["{enter}", "delet{enter}", "{esc}", "y{enter}"])
  func unsavedTextIsNotDeletedByTheWay(_ keys: String) {
    let bench = Bench()
    bench.editor.handle(
      .recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: false)))
    bench.press("{^X}" + keys)
    #expect(bench.core.takeSent() == [])
    bench.press("{left}")
    #expect(bench.bottom.contains("Unsaved text"))
  }

  /// What was typed before the offer was taken stays where it is.
  @Test func recoveryOfAnEditedTextOpensBesideIt() {
    let bench = Bench()
    bench.editor.handle(
      .recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: false)))
    bench.show(["xone"], pristine: false, handledEdits: 2)
    bench.press("{^R}")
    #expect(bench.core.requests.map(\.request) == [.newView(NewView(recoveryID: "r"))])
  }

  @Test func theAnswersToALongQuestionAreSeen() {
    let bench = Bench(path: "/\(String(repeating: "long", count: 20)).txt")
    bench.editor.handle(
      .recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: false)))
    #expect(bench.bottom.hasPrefix("Unsaved text of"))
    #expect(bench.bottom.hasSuffix("…  ^R restores it  ^X deletes it  Esc later"))
  }

  /// Whichever comes first: what a crash has left of a file that was never saved.
  @Test(arguments: [true, false]) func anOfferIsNotHiddenByANewFile(isFirst: Bool) {
    let bench = Bench()
    let offer = RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: false)
    if isFirst { bench.editor.handle(.recoveryFound(offer)) }
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/new.txt", isNew: true)))
    if !isFirst { bench.editor.handle(.recoveryFound(offer)) }
    #expect(bench.bottom.hasPrefix("Unsaved text of "), "\(bench.bottom)")
  }

  @Test func aNewFileHidesNoAlarm() {
    let bench = Bench(opening: "/new.txt")
    bench.editor.notices.alarm("something else")
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/new.txt", isNew: true)))
    #expect(bench.bottom == "something else")
    bench.press("{left}")
    #expect(bench.bottom.hasPrefix("^S"))
  }

  /// Otherwise the text would be out of reach before the next start.
  @Test func recoveryThatWasNotWaitedForIsOfferedAgain() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.editor.handle(
      .recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: false)))
    bench.press("x{^R}{esc}")
    bench.core.answer(.success([:]))
    #expect(!bench.core.takeSent().contains(.recover(Bench.view, recoveryID: "r", .restore)))
    bench.press("y")
    #expect(bench.bottom.contains("^R restores it"))
  }

  @Test func recoveryForAChangedFileOpensBesideIt() {
    let bench = Bench()
    bench.editor.handle(
      .recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: true)))
    bench.press("{^R}")
    #expect(bench.core.requests.map(\.request) == [.newView(NewView(recoveryID: "r"))])
  }

  @Test(arguments: [("12", FilePosition(line: 12)), ("12:3", FilePosition(line: 12, column: 3))])
  func positions(_ text: String, _ position: FilePosition) {
    #expect(FilePosition(text) == position)
  }

  @Test(arguments: ["", "x", "0", "-1", "3:", "3:0", "3:x", "99999999999999999999"])
  func noPositions(_ text: String) {
    #expect(FilePosition(text) == nil)
  }
}

/// What is typed faster than the core answers.
@Suite struct SettlingTests {
  @Test func quitWaitsForWhatWasTyped() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^Q}{^D}")
    #expect(bench.editor.screen.takeEffects() == [])
    bench.show(["xone"], pristine: false, handledEdits: 3)
    #expect(bench.editor.screen.takeEffects() == [])
    bench.core.answer(.success([:]))
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)], "the n was the answer, not text")
    #expect(!bench.core.takeEdits().contains(.insert("n")))
  }

  /// Nobody has been told that it waits: Esc is a key of what was typed, and takes nothing of it back.
  @Test func escapeBehindWhatWaitsUnseenLosesNothing() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^F}")
    bench.press("one{enter}{end}TYPED{esc}")
    #expect(!bench.core.takeEdits().contains(.insert("TYPED")))
    bench.show(["xone"], pristine: false, handledEdits: 3)
    bench.core.answer(.success([:]))
    // The match, too, has to be there first.
    #expect(!bench.core.takeEdits().contains { $0 == .insert("TYPED") || $0 == .insert("T") })
    bench.core.answer(.success([:]))
    #expect(bench.core.takeEdits().contains { $0 == .insert("TYPED") || $0 == .insert("T") })
    #expect(!bench.told.contains("taken back"))
  }

  /// Who has been told, and ends the wait, is told what that costs.
  @Test func escapeTellsWhatItTakesBack() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^F}one{enter}TYPED")
    for _ in 0..<InputGate.ticksToNotice { bench.editor.gate.tick() }
    bench.press("{esc}")
    #expect(bench.told.hasPrefix("No longer waiting for the core to take what was typed; "))
    #expect(bench.told.hasSuffix("what was typed meanwhile was taken back"))
    bench.show(["xone"], pristine: false, handledEdits: 3)
    bench.core.answer(.success([:]))
    #expect(!bench.core.takeEdits().contains(.insert("T")))
  }

  @Test func aReloadTakesTheQuestionOfTheSaveAway() {
    let bench = Bench()
    bench.show(["x"], pristine: false, handledEdits: 2)
    bench.press("{^S}")
    bench.core.answer(.failure(ResponseError(code: ErrorCode.changedOnDisk, message: "changed")))
    #expect(bench.bottom.contains("^B overwrites it"))
    bench.editor.handle(.fileChanged(Bench.view, isReloaded: true))
    bench.press("{down}")
    #expect(!bench.bottom.contains("overwrites") && bench.editor.notices.offers.isEmpty)
  }

  @Test func quitWaitsForARunningSave() {
    let bench = Bench()
    bench.show(["x"], pristine: false, handledEdits: 2)
    bench.press("{^S}{^Q}")
    #expect(bench.editor.screen.takeEffects() == [])
    bench.show(["x"], pristine: true, handledEdits: 2)
    bench.core.answer(.success([:]))
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  @Test func aPasteWaitsForTheCopyBeforeIt() {
    let bench = Bench()
    bench.press("{^C}{^V}")
    #expect(bench.core.takeEdits() == [])
    bench.core.answer(.success("new"))
    #expect(bench.core.takeEdits() == [.paste("new")])
  }

  /// The core's disk is asked: it may be that of another machine.
  @Test func pathsAreCompletedAndResolvedByTheCore() {
    let bench = Bench()
    func asked() -> String? {
      if case .completePath(let path) = bench.core.requests.first?.request { path } else { nil }
    }
    bench.press("{^O}~/a{tab}")
    #expect(asked() == "~/a")
    bench.core.answer(.success(PathCompletion(path: "/home/there/a", names: ["abc", "abd/"]).json))
    #expect(bench.bottom.contains("abc  abd/"))
    bench.press("{tab}")
    #expect(asked() == "~/ab")
    bench.core.answer(.success(PathCompletion(path: "/home/there/ab", names: ["abc"]).json))
    bench.press("{enter}")
    #expect(asked() == "~/abc")
    bench.core.answer(.success(PathCompletion(path: "/home/there/abc", names: []).json))
    guard case .newView(let wanted)? = bench.core.requests.first?.request else {
      Issue.record("nothing is opened")
      return
    }
    #expect(wanted.path == "/home/there/abc")
  }

  @Test(arguments: ["{^O}", "{alt s}"]) func aPathThatIsNotWaitedForIsNotTaken(keys: String) {
    let bench = Bench(path: nil)
    bench.press(keys + "~/a{enter}{esc}")
    bench.core.answer(.success(PathCompletion(path: "/home/there/a", names: []).json))
    #expect(bench.core.requests.isEmpty && bench.editor.views.all.count == 1)
  }

  @Test func whatIsTypedDuringACompletionComesBehindIt() {
    let bench = Bench()
    bench.press("{^O}a{tab}x{enter}")
    bench.core.answer(.success(PathCompletion(path: "a", names: ["abc"]).json))
    guard case .newView(let wanted)? = bench.core.requests.first?.request else {
      Issue.record("nothing is opened")
      return
    }
    #expect(wanted.path == "abcx")
  }

  @Test func aCompletionThatWasLeftIsDropped() {
    let bench = Bench()
    bench.press("{^O}a{tab}{esc}{esc}{^O}b")
    bench.core.answer(.success(PathCompletion(path: "a", names: ["abc"]).json))
    #expect(bench.bottom.contains("b") && !bench.bottom.contains("abc"))
    bench.press("{tab}")
    bench.core.answer(.failure(.internalError("no")))
    #expect(bench.bottom.contains("No file starts like that"))
  }

  @Test func aSearchStartsWhereTheCaretIsByThen() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^F}t")
    bench.show(["xone"], handledEdits: 3)
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 1)))
    _ = bench.core.takeEdits()
    bench.core.answer(.success([:]))
    #expect(
      bench.core.takeEdits().first
        == .gesture(LineColumn(line: 0, column: 1), .select(.point, multi: false)))
  }

  @Test func aSilentCoreHoldsNothingForEver() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^Q}")
    #expect(bench.editor.gate.awaitsCore)
    for _ in 0..<InputGate.ticksToDespair { bench.editor.gate.tick() }
    #expect(bench.bottom.contains("^Q quits without it"))
    bench.press("{^R}")
    #expect(bench.editor.screen.takeEffects() == [.restartCore])
  }
}
