import EventLoop
import EditorProtocol
import Foundation
import JSON
import JSONRPC
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// Files that are larger than what is read at once.
@Suite struct LoadingTests {
  private static let line = "a line of a file that is read in the background, é\n"

  /// A file of some 1.1 MB, removed afterwards.
  private func withFile(_ body: (String, String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID().uuidString)").path
    let text = "first\n" + String(repeating: Self.line, count: 21_000)
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path, text)
  }

  private func awaitLoad(_ driver: CoreDriver) { driver.run { driver.document?.file.loadJob == nil } }

  /// The core would end in the middle of it, with all other texts, and the next one again.
  @Test func whatMemoryHasNoRoomForIsRefused() throws {
    try withFile { path, _ in
      // Of holes.
      guard truncate(path, off_t(SystemMemory.limit) + 1) == 0 else { return }
      let driver = CoreDriver(handshake: true)
      driver.open()
      driver.edit("insert", ["chars": "mine"])
      let error = #expect(throws: ResponseError.self) {
        try driver.request("new_view", ["file_path": .string(path)]).get()
      }
      #expect(error?.message.contains("and a text can have") == true, "\(String(describing: error))")
      #expect(driver.document?.buffer.text == "mine")
    }
  }

  @Test func whatIsTypedMeanwhileStaysAndCanBeUndone() throws {
    try withFile { path, text in
      let driver = CoreDriver(handshake: true)
      driver.open(path)
      #expect(driver.document?.file.loadJob != nil)
      driver.edit("scroll", [0, 20])
      driver.edit("insert", ["chars": "typed "])
      driver.edit("gesture", ["line": 1, "col": 2, "ty": "point_select"])
      driver.edit("delete_backward")
      awaitLoad(driver)
      let contents = "typed " + text
      let afterDeletion = "typed first\naline" + contents.dropFirst("typed first\na line".count)
      #expect(driver.document?.buffer.text == Rope(afterDeletion))
      try expectCacheShowsText(driver)
      driver.edit("undo")
      #expect(driver.document?.buffer.text == Rope(contents))
      driver.edit("undo")
      #expect(driver.document?.buffer.text == Rope(text))
      #expect(driver.cache.isPristine)
      driver.edit("redo")
      #expect(driver.document?.buffer.text == Rope(contents))
      try expectCacheShowsText(driver)
    }
  }

  /// It is not guessed from the first piece, which may end anywhere.
  @Test(arguments: [true, false]) func theFinalNewlineIsToldWhenItIsKnown(endsInOne: Bool) throws {
    try withFile { path, text in
      if !endsInOne { try Data(text.utf8.dropLast()).write(to: URL(filePath: path)) }
      let driver = CoreDriver(handshake: true)
      driver.open(path)
      #expect(driver.document?.file.loadJob != nil)
      awaitLoad(driver)
      let told = driver.notifications.compactMap { notification in
        if case .fileInformation(_, let file) = notification { file.hasFinalNewline } else { nil }
      }
      #expect(told.first == true && told.last == endsInOne)
      #expect(!endsInOne || !told.contains(false), "\(told)")
    }
  }

  /// Whatever the front end says of it then: it has not heard of the end before the save.
  @Test(arguments: [true, false]) func aSaveDuringTheLoadAddsNoLineEnd(insertsOne: Bool) throws {
    try withFile { path, text in
      try Data(text.utf8.dropLast()).write(to: URL(filePath: path))
      let driver = CoreDriver(handshake: true)
      if insertsOne { driver.notify(.modifyUserConfig(.general, changes: ["insert_final_newline": true])) }
      driver.open(path)
      #expect(driver.document?.file.loadJob != nil)
      driver.edit("insert", ["chars": "typed "])
      driver.notify(.save(driver.view, path: path))
      awaitLoad(driver)
      driver.settle()
      let saved = try String(contentsOfFile: path, encoding: .utf8)
      #expect(saved == "typed " + text.dropLast() + (insertsOne ? "\n" : ""))
    }
  }

  @Test func commandsOnTheWholeTextWaitForIt() throws {
    try withFile { path, text in
      let driver = CoreDriver()
      driver.open(path)
      driver.edit("move_to_end_of_document")
      driver.edit("insert", ["chars": "end"])
      let contents = try driver.request("debug_get_contents", ["view_id": .string(driver.view.rawValue)]).get()
      #expect(contents.string == text + "end")
    }
  }

  /// Who asks for it to be done is not told before that it is.
  @Test(arguments: ["replace_all", "replace_next"]) func whoWaitsForAReplacementWaitsForTheText(method: String) throws {
    try withFile { path, text in
      let driver = CoreDriver(handshake: true)
      driver.open(path)
      driver.edit("find", ["chars": "first", "case_sensitive": true])
      driver.edit("replace", ["chars": "1st"])
      driver.edit(method)
      #expect(driver.document?.file.loadJob != nil)
      _ = try driver.request("get_config", ["view_id": .string(driver.view.rawValue)]).get()
      let (isReplaced, isPristine) = (
        driver.document?.buffer.text == Rope("1st" + text.dropFirst("first".count)), driver.cache.isPristine
      )
      #expect(isReplaced && !isPristine)
    }
  }

  @Test func aReplacementThatIsCancelledKeepsNobodyWaiting() throws {
    try withFile { path, text in
      let driver = CoreDriver(handshake: true)
      driver.open(path)
      driver.edit("find", ["chars": "first", "case_sensitive": true])
      driver.edit("replace", ["chars": "1st"])
      driver.edit("replace_all")
      _ = try driver.request("get_config", ["view_id": .string(driver.view.rawValue)]) {
        driver.notify(.cancel(driver.view))
      }.get()
      awaitLoad(driver)
      #expect(driver.document?.buffer.text == Rope(text))
    }
  }

  /// Also what was typed behind it, which was meant for another place.
  @Test func whatWaitsForTheWholeTextCanBeCancelled() throws {
    try withFile { path, text in
      let driver = CoreDriver(handshake: true)
      driver.open(path)
      driver.edit("move_to_end_of_document")
      driver.edit("insert", ["chars": "end"])
      driver.notify(.cancel(driver.view))
      #expect(driver.alerts == ["What waited for the file was cancelled"])
      driver.edit("insert", ["chars": "start "])
      #expect(driver.document?.file.loadJob != nil)
      awaitLoad(driver)
      #expect(driver.document?.buffer.text == Rope("start " + text))
      driver.notify(.cancel(driver.view))
      #expect(driver.alerts.count == 1)
    }
  }

  /// Or front end and core would count differently from there on.
  @Test(arguments: ["copy", "cut"]) func aCopyThatIsCancelledIsCounted(method: String) throws {
    try withFile { path, _ in
      let driver = CoreDriver(handshake: true)
      driver.open(path)
      driver.edit("select_all")
      let outcome = driver.request(
        "edit", ["view_id": .string(driver.view.rawValue), "method": .string(method), "params": []]
      ) { driver.notify(.cancel(driver.view)) }
      #expect(outcome == .failure(ResponseError(code: ErrorCode.cancelled, message: "cancelled")))
      driver.edit("insert", ["chars": "x"])
      let view = try #require(driver.textView)
      #expect(view.edits.handled == 3 && view.document.performedEdits(in: view) == 3)
    }
  }

  @Test func aSaveThatWaitsCanBeCancelled() throws {
    try withFile { path, text in
      let driver = CoreDriver(handshake: true)
      driver.open(path)
      driver.edit("insert", ["chars": "x"])
      let outcome = driver.request(
        "xiedit_save", ["view_id": .string(driver.view.rawValue), "file_path": .string(path), "policy": "if_unchanged"]
      ) { driver.notify(.cancel(driver.view)) }
      #expect(outcome == .failure(ResponseError(code: ErrorCode.cancelled, message: "cancelled")))
      #expect(driver.document?.file.loadJob != nil)
      awaitLoad(driver)
      #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
      #expect(driver.document?.buffer.text == Rope("x" + text))
    }
  }

  @Test func aCopyWaitsForWhatIsToBeSelected() throws {
    try withFile { path, text in
      let driver = CoreDriver(handshake: true)
      driver.open(path)
      driver.edit("select_all")
      let copied = try driver.request("edit", ["view_id": .string(driver.view.rawValue), "method": "copy"]).get()
      #expect(copied.string == text)
    }
  }

  @Test(arguments: [1, 7, 50])
  func wrappedLinesFollowTheLoad(pieceByteCount: Int) {
    let whole = Array(String(repeating: "words of several lengths, and a line end\n", count: 12).utf8)
    let view = TextView(id: ViewID("view"), of: Document())
    view.wrap(.bytes(10), tabSize: 4)
    for start in stride(from: 0, to: whole.count, by: pieceByteCount) {
      view.appendLoaded(Rope(whole[..<min(start + pieceByteCount, whole.count)]))
    }
    var fresh = VisualLines()
    fresh.wrap(view.text, .bytes(10), tabSize: 4, around: 0, rowCount: 10)
    #expect(view.lineCount == fresh.count(view.text))
    #expect(view.shadow.lineCount == view.lineCount)
  }

  @Test func aViewMayBeClosedMeanwhile() throws {
    try withFile { path, _ in
      let driver = CoreDriver()
      let view = driver.open(path)
      driver.notify(.closeView(view))
      driver.open()
      driver.edit("insert", ["chars": "x"])
      #expect(driver.markedText == "x‸")
    }
  }

  /// What it was asked for before is done before.
  @Test func aCloseWaitsForTheSaveBeforeIt() throws {
    try withFile { path, text in
      let driver = CoreDriver()
      let view = driver.open(path)
      driver.edit("insert", ["chars": "x"])
      driver.notify(.save(view, path: path))
      let contents = driver.request("debug_get_contents", ["view_id": .string(view.rawValue)]) {
        driver.notify(.closeView(view))
      }
      #expect(contents == .success(.string("x" + text)))
      #expect(driver.session.views.all.isEmpty)
      driver.session.finish()
      #expect(FileManager.default.contents(atPath: path) == Data(("x" + text).utf8))
    }
  }

  @Test func recordedCommandsWaitForItToo() throws {
    try withFile { path, text in
      let driver = CoreDriver()
      driver.open()
      driver.edit("toggle_recording", ["recording_name": "end"])
      driver.edit("move_to_end_of_document")
      driver.edit("insert", ["chars": "end"])
      driver.edit("toggle_recording", [:])
      driver.edit("toggle_recording", ["recording_name": "there"])
      driver.edit("insert", ["chars": " there"])
      driver.edit("toggle_recording", [:])
      driver.open(path)
      driver.edit("play_recording", ["recording_name": "end"])
      driver.edit("play_recording", ["recording_name": "there"])
      let contents = try driver.request("debug_get_contents", ["view_id": .string(driver.view.rawValue)]).get()
      #expect(contents.string == text + "end there")
      driver.edit("undo")
      driver.edit("undo")
      #expect(driver.document?.buffer.text == Rope(text))
    }
  }

  /// Also not by a save that waited for the rest, and not by a front end that knows the name itself.
  @Test func whatCouldNotBeReadIsNotCutShort() throws {
    try withFile { path, text in
      let driver = CoreDriver()
      let view = driver.open(path)
      driver.notify(.save(view, path: path))
      let document = try #require(driver.document)
      driver.session.files.loader.cancel(try #require(document.file.loadJob))
      driver.session.files.loadFailed(document, FileError(.changedOnDisk, "cannot go on reading", path: path))
      driver.notify(.save(view, path: path))
      #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
      #expect(driver.alerts.count == 3)
      #expect(driver.alerts.last == "\(path) was not read to its end: a save over it would cut it short")
      driver.edit("insert", ["chars": "x"])
      #expect(driver.alerts.last == "This view is read-only.")
      driver.notify(.save(view, path: path + ".part"))
      defer { try? FileManager.default.removeItem(atPath: path + ".part") }
      let part = Data(text.utf8).prefix(1 << 20)
      #expect(FileManager.default.contents(atPath: path + ".part") == part + Data("\n".utf8))
    }
  }

  /// As in `/proc`. The end shows only by a piece without anything where what is there fills all pieces.
  @Test(arguments: [-1, 0, 1]) func aFileThatDoesNotTellItsSizeIsReadToItsEnd(difference: Int) throws {
    try withFile { path, text in
      let bytes = Data(text.utf8).prefix((1 << 20) + (32 << 10) + difference)
      try #require(bytes.count < text.utf8.count, "the pieces are not filled")
      try bytes.write(to: URL(filePath: path))
      let driver = CoreDriver(handshake: true, system: FaultyFileSystem(.noSizes))
      driver.open(path)
      #expect(driver.document?.file.loadJob != nil)
      awaitLoad(driver)
      #expect(driver.document?.buffer.text == Rope(Array(bytes)))
      #expect(driver.document?.file.path == path, "\(driver.alerts)")
      let told = driver.notifications.compactMap { if case .progress(_, let progress) = $0 { progress } else { nil } }
      #expect(
        told.allSatisfy { $0.done >= 0 && $0.done <= $0.total } && told.dropLast().allSatisfy { $0.done < $0.total })
      #expect(told.last.map { $0.done == $0.total } == true)
    }
  }

  @Test(arguments: [true, false]) func aFileThatHasChangedIsAFailure(isShorter: Bool) throws {
    try withFile { path, _ in
      let loop = Loop()
      let loader = FileLoader(on: loop, system: LinuxFileSystem()) {}
      var version = FileContents(Rope(), from: try FileReader(path, system: LinuxFileSystem())).version
      if isShorter { version.status?.size += 1 } else { version.contents = ContentIdentity(of: "another beginning") }
      var failure: FileError?
      _ = try loader.load(path, expecting: version, behind: Rope()) { event in
        if case .failure(let error) = event { failure = error }
      }
      let deadline = ContinuousClock.now + patience
      while failure == nil, ContinuousClock.now < deadline { loop.iterate(waiting: true) }
      #expect(failure?.code == .changedOnDisk)
    }
  }
}
