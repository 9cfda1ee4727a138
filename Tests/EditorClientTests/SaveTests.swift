import EditorProtocol
import JSON
import JSONRPC
import Testing

@testable import EditorClient

/// What a save asks, and where it goes.
@Suite struct SaveTests {
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

  /// It stays on the screen for as long as the file is away.
  @Test func aFileThatGoesIsTold() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt")))
    bench.editor.handle(.fileChanged(Bench.view, isReloaded: false))
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", isGone: true)))
    bench.show(["one"], pristine: false, handledEdits: 2)
    #expect(bench.bottom == "f.txt is gone from disk: ^S writes it anew")
    bench.press("{right}")
    #expect(bench.bottom.contains("^Q Quit"))
    #expect(bench.screen[10].hasPrefix(" f.txt * [gone from disk] ") && !bench.screen[10].contains("changed"))
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", isGone: true)))
    #expect(!bench.bottom.contains("gone"), "once")
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt")))
    #expect(!bench.screen[10].contains("gone"))
  }

  /// The alarm goes with the next key, and what it says holds on.
  @Test(arguments: [true, false]) func whatIsKeptNowhereIsTold(isReadOnly: Bool) {
    let bench = Bench()
    func learn(_ isInMemoryOnly: Bool) {
      let file = FileInformation(path: "/f.txt", isReadOnly: isReadOnly, isInMemoryOnly: isInMemoryOnly)
      bench.editor.handle(.fileInformation(Bench.view, file))
    }
    learn(true)
    for _ in 0..<2 {
      #expect(bench.screen[10].contains("[kept nowhere]") == !isReadOnly, "nothing is typed into what is read only")
      bench.press("{right}")
    }
    learn(false)
    #expect(!bench.screen[10].contains("[kept nowhere]"))
  }

  /// The offer of a save says as much, and has the key for it.
  @Test func theOfferToWriteItAnewIsNotHidden() {
    let bench = Bench()
    bench.press("{^S}")
    bench.core.answer(.failure(ResponseError(code: ErrorCode.vanished, message: "no")))
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", isGone: true)))
    #expect(bench.bottom.contains("^B writes it anew") && bench.screen[10].contains("[gone from disk]"))
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

  @Test func aMissingFinalNewlineIsKept() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", hasFinalNewline: false)))
    #expect(
      bench.core.takeSent() == [.modifyUserConfig(.userOverride(Bench.view), changes: ["save_with_newline": false])])
  }

  /// It is not known before all of it is there.
  @Test func aFinalNewlineThatALongFileLacksIsKeptMissing() {
    let bench = Bench()
    let setting = FrontEndNotification.modifyUserConfig(
      .userOverride(Bench.view), changes: ["save_with_newline": false])
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt")))
    bench.editor.handle(.progress(Bench.view, Progress(.load, done: 1, total: 2)))
    #expect(!bench.core.takeSent().contains(setting))
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", hasFinalNewline: false)))
    #expect(bench.core.takeSent().contains(setting))
  }

  @Test func aForeignCoreSavesByNotification() {
    let bench = Bench(isOurCore: false)
    bench.core.answersBarriers = false
    bench.press("{^S}")
    #expect(bench.core.takeSent() == [.save(Bench.view, path: "/f.txt")])
    bench.core.answer(.success([:]))
    #expect(bench.bottom == "Saved f.txt")
  }
}
