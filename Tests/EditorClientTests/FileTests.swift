import EditorProtocol
import JSON
import JSONRPC
import Testing

@testable import EditorClient

@Suite struct FileTests {
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

  @Test func aSecondEditorOnTheFileIsTold() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", usedByProcess: 77)))
    #expect(bench.bottom.contains("process 77"))
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

  /// A core of xi knows nothing of bytes.
  @Test(arguments: [true, false]) func bytesGoToACoreThatTakesThem(_ isOurCore: Bool) {
    let bench = Bench(isOurCore: isOurCore)
    bench.editor.files.open(path: nil)
    bench.editor.files.insert([0x63, 0xE9, 0x0D, 0x0A])
    bench.core.answer(.success("view-id-2"))
    let edits = bench.core.takeEdits()
    #expect(edits.contains(.insertBytes(RawBytes([0x63, 0xE9, 0x0D, 0x0A]))) == isOurCore)
    #expect(edits.contains(.paste("c\u{FFFD}\r\n")) != isOurCore)
    #expect(bench.told.contains("takes UTF-8 alone") != isOurCore)
  }
}
