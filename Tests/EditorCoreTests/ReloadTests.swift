import EditorProtocol
import Foundation
import JSON
import JSONRPC
import Rope
import Testing

@testable import EditorCore

/// Another program writes to a file that is open.
@Suite struct ReloadTests {
  private let path = NSTemporaryDirectory() + "reload-\(UUID().uuidString).txt"
  private let driver = CoreDriver(handshake: true)

  private func write(_ text: String, atomically: Bool = true) throws {
    try text.write(toFile: path, atomically: atomically, encoding: .utf8)
  }

  private func remove() { try? FileManager.default.removeItem(atPath: path) }

  private var changes: [Bool] {
    driver.notifications.compactMap { if case .fileChanged(_, let isReloaded) = $0 { isReloaded } else { nil } }
  }

  @Test(arguments: [true, false])
  func aCleanTextIsReadAgain(_ isReplaced: Bool) throws {
    try write("one\ntwo\nthree\n")
    driver.open(path)
    driver.edit("move_down")
    try write("zero\none\ntwo\nthree\n", atomically: isReplaced)
    driver.run { changes == [true] }
    #expect(driver.markedText == "zero\none\n‸two\nthree\n", "the caret stays with its line")
    #expect(driver.document?.buffer.history.isAtSavedState == true)
    driver.edit("undo")
    #expect(driver.markedText == "one\n‸two\nthree\n")
    #expect(driver.document?.buffer.history.isAtSavedState == false)
    remove()
  }

  @Test func anEditedTextIsAskedAbout() throws {
    try write("one\n")
    driver.open(path)
    driver.edit("insert", ["chars": "mine "])
    try write("theirs\n")
    driver.run { changes == [false] }
    #expect(driver.markedText == "mine ‸one\n")
    driver.notify(.reload(driver.view))
    driver.run { changes == [false, true] }
    #expect(driver.document?.buffer.text == "theirs\n")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "mine one\n", "what was typed is one step away")
    remove()
  }

  /// What it took back is not to be typed into it by a front end whose core has died.
  @Test func aReloadIsKeptInTheFile() throws {
    try write("one\n")
    driver.open(path)
    var kept: [Int?] = []
    driver.onNotification = { if case .update(_, let update) = $0 { kept.append(update.keptEdits) } }
    driver.edit("insert", ["chars": "mine "])
    #expect(kept.last == 0, "it has no journal")
    try write("theirs\n")
    driver.notify(.reload(driver.view))
    driver.run { changes.last == true }
    #expect(driver.document?.buffer.text == "theirs\n")
    driver.run { kept.last == .some(nil) }
    #expect(kept.last == .some(nil))
    remove()
  }

  @Test func whatIsTypedMeanwhileIsNotMixedIn() throws {
    try write("one\n")
    driver.open(path)
    let isTyped = DispatchSemaphore(value: 0)
    driver.session.reloads.thread.perform { isTyped.wait() }
    try write("another's\n")
    driver.notify(.reload(driver.view))
    driver.edit("insert", ["chars": "mine "])
    isTyped.signal()
    // Saved after the file was read.
    driver.notify(.save(driver.view, path: path + ".mine"))
    #expect(try String(contentsOfFile: path + ".mine", encoding: .utf8) == "mine one\n")
    #expect(driver.markedText == "mine ‸one\n")
    #expect(!changes.contains(true))
    try FileManager.default.removeItem(atPath: path + ".mine")
    remove()
  }

  /// Whichever comes first, the file holds what was saved, and the text is not that of a file from before it.
  @Test(arguments: [true, false], [nil, TextEncoding.latin1])
  func aReadThatMeetsASave(isSavedFirst: Bool, encoding: TextEncoding?) throws {
    try write("one\n")
    driver.open(path)
    driver.edit("insert", ["chars": "mine "])
    let isAsked = DispatchSemaphore(value: 0)
    driver.session.files.service.afterOthers { isAsked.wait() }
    try write("theirs\n")
    let document = try #require(driver.document)
    let read = { [reloads = driver.session.reloads] in
      guard let encoding else { return reloads.reload(document) }
      reloads.setEncoding(encoding, of: document, readsAgain: true)
    }
    var answers: [ResponseError?] = []
    if !isSavedFirst { read() }
    driver.session.files.save(document, to: path, .always) { answers.append($0) }
    if isSavedFirst { read() }
    isAsked.signal()
    driver.run { answers.count == 1 }
    #expect(answers == [nil])
    driver.run { !driver.session.reloads.isReading }
    driver.settle()
    #expect(contents == "mine one\n")
    #expect(driver.document?.buffer.text == "mine one\n")
    #expect(driver.document?.buffer.history.isAtSavedState == true)
    #expect(changes.allSatisfy { !$0 })
    remove()
  }

  /// A mount that does not answer holds up who reads from it, and nobody who saves; nor is it waited for at the end.
  @Test func aSaveDoesNotWaitForWhoReads() throws {
    try write("one\n")
    driver.open(path)
    let isAnswered = DispatchSemaphore(value: 0)
    let hung = FaultyFileSystem(.meanwhile(before: "names") { isAnswered.wait() })
    let other = CoreDriver(handshake: true, system: hung)
    other.start("xiedit_paths", ["path": "/"])
    other.open(path + ".other")
    other.edit("insert", ["chars": "saved"])
    other.notify(.save(other.view, path: path + ".other"))
    #expect(try String(contentsOfFile: path + ".other", encoding: .utf8) == "saved\n")
    other.session.finish()
    isAnswered.signal()
    // As is a file that is read again.
    driver.session.reloads.thread.perform { isAnswered.wait() }
    try write("another's\n")
    driver.notify(.reload(driver.view))
    driver.edit("insert", ["chars": "mine "])
    driver.notify(.save(driver.view, path: path + ".mine"))
    #expect(try String(contentsOfFile: path + ".mine", encoding: .utf8) == "mine one\n")
    driver.session.finish()
    isAnswered.signal()
    for name in [".mine", ".other"] { try FileManager.default.removeItem(atPath: path + name) }
    remove()
  }

  /// What else is saved does not wait for a read of each.
  @Test func manyChangesAreOneRead() throws {
    try write("one\n")
    driver.open(path)
    let isWritten = DispatchSemaphore(value: 0)
    driver.session.reloads.thread.perform { isWritten.wait() }
    let document = try #require(driver.document)
    for number in 0..<5 {
      try write("\(number)\n")
      driver.session.reloads.checkFile(of: document)
      #expect(driver.session.reloads.documents.count == 1)
    }
    isWritten.signal()
    driver.run { !driver.session.reloads.isReading && document.buffer.text == "4\n" }
    #expect(document.buffer.text == "4\n")
    remove()
  }

  @Test func ownSavesAreNoChanges() throws {
    try write("one\n")
    driver.open(path)
    for _ in 0..<5 {
      driver.edit("insert", ["chars": "x"])
      driver.notify(.save(driver.view, path: path))
    }
    // The next change of another program is told after whatever was told of those.
    try write("end\n")
    driver.run { !changes.isEmpty }
    #expect(changes == [true])
    remove()
  }

  @Test func aSaveAfterAReloadIsNotRefused() throws {
    try write("one\n")
    driver.open(path)
    try write("two\n")
    driver.run { changes == [true] }
    driver.edit("insert", ["chars": "x"])
    let params: JSONValue = ["view_id": .string(driver.view.rawValue), "file_path": .string(path)]
    #expect(throws: Never.self) { try driver.request("xiedit_save", params).get() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "xtwo\n")
    remove()
  }

  /// What was typed and taken back is not lost, either.
  @Test func whatRedoBringsBackIsNotReloadedAwayUnasked() throws {
    try write("one\n")
    driver.open(path)
    driver.edit("insert", ["chars": "typed "])
    driver.edit("undo")
    try write("one\ntwo\n")
    driver.run { changes == [false] }
    driver.edit("redo")
    #expect(driver.markedText == "typed ‸one\n")
    driver.edit("undo")
    driver.notify(.reload(driver.view))
    driver.run { changes == [false, true] }
    #expect(driver.markedText == "‸one\ntwo\n")
    remove()
  }

  private func save(_ driver: CoreDriver, _ policy: String = "if_unchanged", to other: String? = nil) -> Int? {
    let answer = driver.request(
      "xiedit_save",
      [
        "view_id": .string(driver.view.rawValue), "file_path": .string(other ?? path), "overwrite": .string(policy),
      ])
    if case .failure(let error) = answer { return error.code } else { return nil }
  }

  private var contents: String? { try? String(contentsOfFile: path, encoding: .utf8) }

  /// It would take away what the other program wrote, as any text that was read before it.
  @Test(arguments: [true, false]) func aTextFromBeforeAReloadIsNotSavedUnasked(isAsked: Bool) throws {
    try write("one\n")
    driver.open(path)
    if isAsked { driver.edit("insert", ["chars": "mine "]) }
    try write("two\n")
    driver.run { changes == [!isAsked] }
    if isAsked { driver.notify(.reload(driver.view)) }
    driver.run { changes.last == true }
    driver.edit("undo")
    #expect(save(driver) == ErrorCode.changedOnDisk)
    driver.edit("redo")
    driver.edit("move_to_beginning_of_document")
    driver.edit("insert", ["chars": "x"])
    #expect(save(driver) == nil)
    #expect(contents == "xtwo\n")
    // Also when it is in what was saved here since.
    driver.edit("undo")
    #expect(save(driver) == nil)
    driver.edit("undo")
    driver.edit("move_to_beginning_of_document")
    driver.edit("insert", ["chars": "y"])
    #expect(save(driver) == ErrorCode.changedOnDisk)
    #expect(contents == "two\n")
    // By the user's word it is gone, and nothing is left to ask about.
    #expect(save(driver, "always") == nil)
    driver.edit("insert", ["chars": "z"])
    #expect(save(driver) == nil)
    #expect(driver.document?.buffer.text == Rope(contents ?? ""))
    remove()
  }

  /// Nobody else has written to the other file, until somebody does.
  @Test(arguments: [true, false]) func aTextFromBeforeAReloadIsSavedToAnotherFile(isNew: Bool) throws {
    try write("one\n")
    driver.open(path)
    try write("two\n")
    driver.run { changes == [true] }
    let other = path + ".other"
    if !isNew { try "else\n".write(toFile: other, atomically: true, encoding: .utf8) }
    #expect(save(driver, "always", to: other) == nil)
    driver.edit("undo")
    #expect(save(driver, to: other) == nil)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "one\n")
    try "three\n".write(toFile: other, atomically: true, encoding: .utf8)
    // What redo would bring back is not read away.
    driver.run { changes == [true, false] }
    for _ in 0..<2 {
      driver.edit("undo")
      #expect(save(driver, to: other) == ErrorCode.changedOnDisk)
    }
    try FileManager.default.removeItem(atPath: other)
    remove()
  }

  /// By any of its names it is the same file.
  @Test func aTextFromBeforeAReloadIsNotSavedUnaskedByAnotherName() throws {
    try write("one\n")
    driver.open(path)
    try write("two\n")
    driver.run { changes == [true] }
    let link = path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(save(driver, to: link) == nil)
    driver.edit("undo")
    #expect(save(driver, to: link) == ErrorCode.changedOnDisk)
    try FileManager.default.removeItem(atPath: link)
    remove()
  }

  @Test func eachReloadIsAskedAboutWhenItIsUndone() throws {
    try write("one\n")
    driver.open(path)
    for (count, text) in ["two\n", "three\n"].enumerated() {
      try write(text)
      driver.run { changes.count == count + 1 }
    }
    for method in ["undo", "undo", "redo"] {
      driver.edit(method)
      #expect(save(driver) == ErrorCode.changedOnDisk)
    }
    driver.edit("redo")
    #expect(save(driver) == nil)
    #expect(contents == "three\n")
    remove()
  }

  @Test func aTextFromBeforeAReloadIsNotSavedUnaskedAfterACrash() throws {
    let recovery = RecoveryFolder(at: path + "-recovery", system: LinuxFileSystem())
    try write("one\n")
    var first: CoreDriver? = CoreDriver(handshake: true, recoveryFolder: recovery)
    first?.open(path)
    try write("two\n")
    first?.run { first?.document?.buffer.text == "two\n" }
    first?.edit("undo")
    first?.edit("move_to_beginning_of_document")
    first?.edit("insert", ["chars": "x"])
    first?.awaitJournal()
    first = nil
    let next = CoreDriver(handshake: true, recoveryFolder: recovery)
    next.open(path)
    let offer = try #require(next.recoveryOffers.last)
    next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
    #expect(next.document?.buffer.text == "xone\n")
    #expect(save(next) == ErrorCode.changedOnDisk)
    next.edit("undo")
    #expect(next.document?.buffer.text == "one\n")
    #expect(save(next) == ErrorCode.changedOnDisk)
    #expect(contents == "two\n")
    try? FileManager.default.removeItem(atPath: path + "-recovery")
    remove()
  }

  @Test func aFileThatAppearsIsRead() throws {
    driver.open(path)
    try write("there\n")
    driver.run { changes == [true] }
    #expect(driver.document?.buffer.text == "there\n")
    remove()
  }

  @Test func aFileThatGoesLeavesItsText() throws {
    try write("one\n")
    driver.open(path)
    remove()
    for _ in 0..<3 { driver.loop.iterate() }
    try write("two\n")
    driver.run { changes == [true] }
    #expect(driver.document?.buffer.text == "two\n")
    remove()
  }

  // MARK: Files that go

  private var isGone: Bool { driver.fileInformation?.isGone == true && !driver.cache.isPristine }
  /// Whether it was ever told.
  private var wasGone: Bool {
    driver.notifications.contains { if case .fileInformation(_, let file) = $0 { file.isGone } else { false } }
  }

  /// What may stand in the place of a file that has gone.
  enum Successor: CaseIterable { case nothing, folder, pipe }

  private func put(_ successor: Successor) {
    switch successor {
    case .nothing: break
    case .folder: mkdir(path, 0o700)
    case .pipe: mkfifo(path, 0o600)
    }
  }

  @Test(arguments: Successor.allCases, [true, false])
  func aFileThatGoesIsToldAndAskedAbout(_ successor: Successor, isEdited: Bool) throws {
    try write("one\n")
    driver.open(path)
    if isEdited { driver.edit("insert", ["chars": "x"]) }
    remove()
    put(successor)
    driver.run { isGone }
    #expect(changes.isEmpty)
    #expect((save(driver) == nil) == (successor == .nothing))
    if successor != .nothing {
      remove()
      #expect(save(driver) == nil)
    }
    #expect(contents == (isEdited ? "xone\n" : "one\n"))
    #expect(!isGone && driver.cache.isPristine)
    remove()
    driver.run { isGone }
    remove()
  }

  @Test(arguments: [true, false]) func aFileThatComesBackIsNotGone(isMoved: Bool) throws {
    try write("one\n")
    driver.open(path)
    for _ in 0..<2 {
      let other = path + ".away"
      #expect(rename(path, other) == 0)
      driver.run { isGone }
      if isMoved { #expect(rename(other, path) == 0) } else { try write("one\n") }
      driver.run { !isGone }
      #expect(driver.cache.isPristine && changes.isEmpty)
      try? FileManager.default.removeItem(atPath: other)
    }
    remove()
  }

  @Test(arguments: [true, false]) func aFileThatComesBackAsAnotherIsReadOrAskedAbout(isEdited: Bool) throws {
    try write("one\n")
    driver.open(path)
    if isEdited { driver.edit("insert", ["chars": "x"]) }
    remove()
    driver.run { isGone }
    // Nothing of it is written over unasked, whether that is known or not.
    try write("two\n")
    #expect([ErrorCode.fileExists, ErrorCode.changedOnDisk, nil].contains(save(driver)) && contents == "two\n")
    driver.run { !changes.isEmpty }
    #expect(changes == [!isEdited] && driver.fileInformation?.isGone == false)
    #expect(driver.document?.buffer.text == (isEdited ? "xone\n" : "two\n"))
    remove()
  }

  @Test func theFolderOfAFileMayGo() throws {
    let folder = path + ".folder"
    mkdir(folder, 0o700)
    try "one\n".write(toFile: folder + "/a", atomically: true, encoding: .utf8)
    driver.open(folder + "/a")
    #expect(rename(folder, folder + ".away") == 0)
    driver.run { isGone }
    #expect(save(driver, to: folder + "/a") == ErrorCode.folderMissing)
    #expect(rename(folder + ".away", folder) == 0)
    driver.run { !isGone }
    #expect(driver.cache.isPristine)
    try FileManager.default.removeItem(atPath: folder)
  }

  /// Many programs write a file by removing it first.
  @Test func aFileThatIsGoneForAMomentIsNotGone() throws {
    try write("one\n")
    driver.open(path)
    let document = try #require(driver.document)
    for _ in 0..<3 {
      remove()
      driver.run { document.file.missedSince != nil }
      try write("one\n")
      driver.run { document.file.missedSince == nil }
    }
    #expect(!wasGone)
    remove()
  }

  @Test func aFileThatIsYetToBeMadeIsNotGone() throws {
    driver.open(path)
    try write("")
    remove()
    try write("there\n")
    driver.run { changes == [true] }
    #expect(!wasGone)
    remove()
  }

  /// A new file takes the place of the old one.
  @Test func anOwnSaveLeavesNoFileGone() throws {
    try write("one\n")
    driver.open(path)
    let end = ContinuousClock.now + .milliseconds(600)
    while ContinuousClock.now < end {
      driver.edit("insert", ["chars": "x"])
      #expect(save(driver) == nil)
      driver.loop.iterate()
    }
    #expect(!wasGone)
    remove()
  }

  /// What it has of the file is told as it would be of a change.
  @Test func aForeignFrontEndIsToldOfAFileThatGoes() throws {
    let driver = CoreDriver()
    try write("one\n")
    driver.open(path)
    remove()
    driver.run { !driver.cache.isPristine }
    #expect(driver.alerts == ["\(path) is gone from disk."])
  }

  @Test func aLinkLeadsToWhatIsWatched() throws {
    try write("one\n")
    let link = path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    driver.open(link)
    try write("two\n", atomically: false)
    driver.run { changes == [true] }
    #expect(driver.document?.buffer.text == "two\n")
    remove()
    try FileManager.default.removeItem(atPath: link)
  }

  @Test func theFormatFollows() throws {
    try write("one\n")
    driver.open(path)
    try write("\u{FEFF}one\r\ntwo\r\n")
    driver.run { changes == [true] }
    #expect(driver.document?.file.image.encoding == .utf8WithMark)
    #expect(driver.document?.file.format.lineEnding == .carriageReturnLineFeed)
    #expect(driver.document?.buffer.text == "one\r\ntwo\r\n")
    remove()
  }

  private static let lineEnds = [
    ("x\r\ny\r\n", "one\ntwo\n"), ("x\ny\n", "one\r\ntwo\r\n"), ("", "one\r\ntwo\r\n"), ("x\r\n", "one"),
    ("x", "one\r\ntwo"),
  ]

  /// What is put in, and what a save adds, ends its lines as is shown.
  private func checkLineEnds(_ driver: CoreDriver, _ text: String) {
    let end = text.utf8.contains(0x0D) ? "\r\n" : "\n"
    #expect(driver.document?.buffer.text == Rope(text))
    #expect(driver.fileInformation?.lineEnding == (end == "\n" ? .lineFeed : .carriageReturnLineFeed))
    #expect(driver.document?.settings.table["line_ending"]?.string == end)
    #expect(driver.document?.imageToSave.addedEnd == (text.isEmpty || text.hasSuffix(end) ? "" : end))
    driver.edit("move_to_beginning_of_document")
    driver.edit("paste", ["chars": "p\nq"])
    driver.edit("insert_newline")
    #expect(driver.document?.buffer.text == Rope("p\(end)q\(end)" + text))
    driver.edit("undo")
    driver.edit("undo")
  }

  @Test(arguments: lineEnds) func theLineEndFollows(_ first: String, _ second: String) throws {
    try write(first)
    driver.open(path)
    checkLineEnds(driver, first)
    try write(second)
    // There is something to redo.
    driver.run { changes == [false] }
    driver.notify(.reload(driver.view))
    driver.run { changes == [false, true] }
    for _ in 0..<2 {
      driver.edit("undo")
      #expect(driver.document?.buffer.text == Rope(first))
      driver.edit("redo")
      #expect(driver.document?.buffer.text == Rope(second))
    }
    checkLineEnds(driver, second)
    driver.edit("undo")
    checkLineEnds(driver, first)
    remove()
  }

  @Test(arguments: lineEnds) func theLineEndIsRecovered(_ first: String, _ second: String) throws {
    let recovery = RecoveryFolder(at: path + "-recovery", system: LinuxFileSystem())
    try write(first)
    var dead: CoreDriver? = CoreDriver(handshake: true, recoveryFolder: recovery)
    dead?.open(path)
    try write(second)
    dead?.run { dead?.document?.buffer.text == Rope(second) }
    dead?.edit("undo")
    dead?.awaitJournal()
    dead = nil
    let next = CoreDriver(handshake: true, recoveryFolder: recovery)
    next.open(path)
    let offer = try #require(next.recoveryOffers.last)
    next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
    // The reload that was undone can be made again.
    next.edit("redo")
    checkLineEnds(next, second)
    next.edit("undo")
    checkLineEnds(next, first)
    try? FileManager.default.removeItem(atPath: path + "-recovery")
    remove()
  }

  /// Beside the file, which has changed.
  @Test func theLineEndOfATextWithoutAFileIsRecovered() throws {
    let recovery = RecoveryFolder(at: path + "-recovery", system: LinuxFileSystem())
    try write("x\r\n")
    var dead: CoreDriver? = CoreDriver(handshake: true, recoveryFolder: recovery)
    dead?.open(path)
    dead?.edit("insert_newline")
    dead = nil
    try write("one\n")
    let next = CoreDriver(handshake: true, recoveryFolder: recovery)
    next.open(path)
    let offer = try #require(next.recoveryOffers.last)
    let id = try next.request("new_view", ["xiedit": ["recover": .string(offer.recoveryID)]]).get().string
    let view = next.session.views[ViewID(id ?? "")]
    #expect(view?.document.lineEnding == "\r\n")
    try? FileManager.default.removeItem(atPath: path + "-recovery")
    remove()
  }

  /// The same bytes are lines of another end.
  @Test func theLineEndFollowsTheEncoding() throws {
    let bytes = Data([0xFF, 0xFE, 0x61, 0, 0x0D, 0, 0x0A, 0])
    try bytes.write(to: URL(fileURLWithPath: path))
    driver.open(path)
    checkLineEnds(driver, "a\r\n")
    driver.notify(.setEncoding(driver.view, .latin1, readsAgain: true))
    driver.run { !driver.session.reloads.isReading }
    #expect(driver.document?.lineEnding == "\n")
    #expect(driver.fileInformation?.lineEnding == .lineFeed)
    driver.edit("undo")
    checkLineEnds(driver, "a\r\n")
    remove()
  }

  /// By a front end, for one document: that is shown, too.
  @Test func aLineEndCanBeChosen() throws {
    try write("x\n")
    driver.open(path)
    for (choice, end) in [("\r\n" as JSONValue, "\r\n"), (.null, "\n")] {
      driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["line_ending": choice]))
      #expect(driver.document?.lineEnding == end)
      #expect(driver.fileInformation?.lineEnding == (end == "\n" ? .lineFeed : .carriageReturnLineFeed))
      #expect(driver.document?.settings.table["line_ending"]?.string == end)
    }
    remove()
  }

  // MARK: What is no change

  @Test(arguments: [true, false])
  func aTouchIsNoChange(isEdited: Bool) throws {
    try write("one\n")
    driver.open(path)
    driver.edit("insert", ["chars": "x"])
    if !isEdited { driver.edit("undo") }
    let before = driver.document?.file.version.status
    utimensat(AT_FDCWD, path, [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)], 0)
    if let document = driver.document { driver.session.reloads.checkFile(of: document) }
    driver.run { driver.session.reloads.isReading == false && driver.document?.file.version.status != before }
    #expect(changes.isEmpty)
    #expect(driver.document?.buffer.history.isAtSavedState == !isEdited)
    driver.edit(isEdited ? "undo" : "redo")
    #expect(driver.document?.buffer.text == (isEdited ? "one\n" : "xone\n"))
    // And it can be saved.
    driver.notify(.save(driver.view, path: path))
    #expect(driver.alerts.isEmpty)
    remove()
  }

  @Test func aReloadOfWhatHasNotChangedDropsNothing() throws {
    try write("one\n")
    driver.open(path)
    driver.edit("insert", ["chars": "mine "])
    driver.notify(.reload(driver.view))
    driver.run { !driver.alerts.isEmpty }
    #expect(driver.alerts == ["\(path) is as it was read or saved last"])
    #expect(driver.document?.buffer.text == "mine one\n")
    #expect(changes.isEmpty)
    remove()
  }

  @Test func aReloadThatMeetsAKeySaysSo() throws {
    try write("one\n")
    driver.open(path)
    let isTyped = DispatchSemaphore(value: 0)
    driver.session.reloads.thread.perform { isTyped.wait() }
    try write("another's\n")
    driver.notify(.reload(driver.view))
    driver.edit("insert", ["chars": "mine "])
    isTyped.signal()
    driver.run { !driver.alerts.isEmpty }
    #expect(driver.alerts == ["\(path) was not reloaded, for what was typed meanwhile"])
    remove()
  }
}
