import Dispatch
import EditorProtocol
import EventLoop
import Glibc
import JSON
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// What becomes of journals of long edits, and of those that cannot be written or read.
@Suite struct JournalFaultTests: JournalSuite {
  let files = TemporaryFolder()

  // MARK: Long edits

  /// The loop does something else between its pieces, and what is not journaled is not shown.
  @Test func aLongEditIsWrittenInPieces() throws {
    files.write("text", to: "a")
    let system = FaultyFileSystem()
    let driver = try driverOfPieces(system)
    driver.open(path)
    var acknowledged: [Int] = []
    let folder = try recoveryFolder()
    driver.onNotification = { [unowned driver] notification in
      guard case .update(_, let update) = notification, let count = update.handledEdits, count > 0 else { return }
      acknowledged.append(count)
      #expect((try? recovered(folder))?.edits.last?.handledEdits == count)
      #expect(driver.document?.recovery.journal?.isBehind == false)
    }
    driver.perform(driver.view, .paste(Self.long))
    driver.session.views.sendUpdates()
    #expect(driver.document?.recovery.journal?.isBehind == true)
    driver.perform(driver.view, .insert("x"))
    driver.session.views.sendUpdates()
    driver.settle()
    #expect(acknowledged == [2])
    driver.onNotification = { _ in }
    #expect(system.calls.count { $0 == "write" } >= Self.long.utf8.count / 256)
    driver.edit("select_all")
    driver.edit("delete_backward")
    driver.edit("undo")
    driver.edit("insert", ["chars": "y"])
    let text = driver.document?.buffer.text
    guard case .text(let replayed, _, _) = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("it does not lead on")
      return
    }
    #expect(replayed == text)
  }

  /// What comes in one message with it, too.
  @Test func requestsWaitForALongEditToBeShown() throws {
    files.write("text", to: "a")
    let driver = try driverOfPieces(FaultyFileSystem())
    driver.open(path)
    driver.perform(driver.view, .paste(Self.long))
    var isShown = false
    driver.onNotification = { if case .update(_, let update) = $0, update.handledEdits == 1 { isShown = true } }
    let contents = try driver.request("debug_get_contents", ["view_id": .string(driver.view.rawValue)]).get()
    #expect(isShown && contents.string == Self.long + "text")
    driver.perform(driver.view, .plain(.undo))
    driver.notify(.save(driver.view, path: path))
    driver.run { files.contents("a") == "text\n" }
    #expect(driver.document?.buffer.history.isAtSavedState == true && driver.alerts == [])
  }

  /// It is of what was there when it was asked for, and the reload of what it has written.
  @Test func aReloadDoesNotOvertakeASaveThatWaitsForALongEdit() throws {
    files.write("text\n", to: "a")
    let driver = try driverOfPieces(FaultyFileSystem())
    driver.open(path)
    driver.perform(driver.view, .paste(Self.long))
    let save: JSONValue = [
      "view_id": .string(driver.view.rawValue), "file_path": .string(path), "overwrite": "always",
    ]
    files.write("theirs\n", to: "a")
    #expect(driver.request("xiedit_save", save) { driver.notify(.reload(driver.view)) } == .success([:]))
    driver.settle()
    driver.run { !driver.session.reloads.isReading }
    #expect(files.contents("a") == Self.long + "text\n")
    #expect(driver.document?.buffer.text == Rope(Self.long + "text\n"))
  }

  /// What waits for a journal that nobody needs any more is done, and the file is free.
  @Test(arguments: ["get_config", "debug_get_contents"]) func aCloseDuringALongEditLeavesNothingWaiting(
    _ method: String
  ) throws {
    files.write("text", to: "a")
    let driver = try driverOfPieces(FaultyFileSystem())
    driver.open(path)
    driver.perform(driver.view, .paste(Self.long))
    weak let document = driver.document
    let answer = driver.request(method, ["view_id": .string(driver.view.rawValue)]) {
      driver.notify(.closeView(driver.view))
    }
    #expect(throws: Never.self) { try answer.get() }
    driver.run { document == nil }
    #expect(document == nil)
    #expect(try !LinuxFileSystem().names(inDirectory: files("recovery")).contains { $0.hasSuffix(".lock") })
  }

  /// It is told, and typing goes on; what did not fit is in the journal when there is room.
  @Test func aLongEditThatDoesNotFitKeepsNothingWaiting() throws {
    files.write("text", to: "a")
    let driver = try driverOfPieces(FaultyFileSystem(.fullDisk(afterBytes: 3000)))
    driver.open(path)
    driver.edit("paste", ["chars": .string(Self.long)])
    driver.run { !driver.alerts.isEmpty }
    driver.edit("insert", ["chars": "x"])
    driver.run { driver.document?.recovery.journalHasFailed == true }
    #expect(driver.alerts.count == 1 && driver.alerts[0].hasPrefix("What you type is in memory only: "))
    #expect(driver.fileInformation?.isInMemoryOnly == true)
    #expect(driver.cache.lines.last??.text == "xtext")
  }

  /// Its front end keeps it, and what follows, until it is there.
  @Test func aLongEditThatDoesNotFitIsNotSaidToBeKept() throws {
    files.write("text", to: "a")
    let driver = try driverOfPieces(FaultyFileSystem(.fullDisk(afterBytes: 3000)))
    driver.open(path)
    var kept: [Int?] = []
    driver.onNotification = { if case .update(_, let update) = $0 { kept.append(update.keptEdits) } }
    driver.edit("insert", ["chars": "1"])
    #expect(kept == [nil])
    driver.edit("paste", ["chars": .string(Self.long)])
    driver.run { !driver.alerts.isEmpty && kept.count > 1 }
    #expect(kept == [nil, 1])
    driver.edit("insert", ["chars": "x"])
    #expect(kept == [nil, 1, 1])
  }

  // MARK: Faults

  @Test func whatCannotBeSyncedIsTold() throws {
    files.write("text", to: "a")
    let system = FaultyFileSystem(.unsynchronizable(folders: false))
    let driver = try driver(system)
    driver.open(path)
    driver.edit("insert", ["chars": "x"])
    driver.run { !driver.alerts.isEmpty }
    #expect(driver.alerts.first?.hasPrefix("What you type may not survive a loss of power: ") == true)
    #expect(driver.alerts.first?.contains(files("recovery/")) == true)
    #expect(!system.ownCalls.contains("synchronizeData"), "nothing waits for it")
    // And it can be saved.
    driver.notify(.save(driver.view, path: path))
    #expect(files.contents("a") == "xtext\n")
  }

  /// Once: it is not written anew for ever.
  @Test func aFolderThatCannotBeSyncedIsTold() throws {
    files.write("text", to: "a")
    let system = FaultyFileSystem(.unsynchronizable(folders: true))
    let driver = try driver(system)
    driver.open(path)
    driver.edit("insert", ["chars": "x"])
    driver.run { !driver.alerts.isEmpty }
    #expect(driver.alerts.first?.hasPrefix("What you type may not survive a loss of power: ") == true)
    #expect(system.calls.count { $0 == "synchronizeData" } == 3)
  }

  @Test func aFolderWithoutLocksHasJournals() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem(.noLocks))
    driver.open(path)
    driver.edit("insert", ["chars": "x"])
    #expect(driver.alerts.count == 1)
    #expect(driver.alerts.first?.hasPrefix("Other editors of the same file are not noticed") == true)
    #expect(files.journal(in: try recoveryFolder()) != nil)
    let folder = try recoveryFolder(FaultyFileSystem(.noLocks))
    #expect(try folder.abandonedJournals(of: place).isEmpty, "its process lives")
  }

  /// A session that died with its text not saved.
  private func die(_ body: (String) throws -> Void) throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder(FaultyFileSystem(.noLocks))
    var session = try session(folder)
    try session.type("one ", at: 0)
    let living = session.journal.path
    // No process has that number.
    let dead = living.replacing(".\(getpid()).", with: ".99999999.")
    try LinuxFileSystem().rename(living, to: dead)
    try body(dead)
  }

  /// It is a text that is not saved, and no file's: its own journal has it before that of the dead process goes.
  @Test func whatIsOpenedBesideIsJournaled() throws {
    files.write("text", to: "a")
    var first: CoreDriver? = try driver(FaultyFileSystem())
    first?.open(path)
    first?.edit("insert", ["chars": "one "])
    first?.run { (try? recoveryFolder().hasBaseCopies) == true }
    first = nil
    files.write("another's", to: "a")
    let system = FaultyFileSystem()
    var next: CoreDriver? = try driver(system)
    next?.open(path)
    let offer = try #require(next?.recoveryOffers.last)
    #expect(offer.baseChanged)
    _ = next?.request("new_view", ["xiedit": ["recover": .string(offer.recoveryID)]])
    let folder = try recoveryFolder()
    func isOnlyOne() -> Bool { folder.hasJournal(offer.recoveryID) == false }
    next?.run { isOnlyOne() }
    #expect(isOnlyOne() && !system.ownCalls.contains("synchronizeData"))
    #expect(next?.session.views.documents.last?.isPristine == false)
    next = nil
    let last = try driver(FaultyFileSystem())
    last.open(path)
    let found = try #require(last.recoveryOffers.last)
    #expect(found.baseChanged)
    _ = last.request("new_view", ["xiedit": ["recover": .string(found.recoveryID)]])
    #expect(last.session.views.documents.map(\.buffer.text).contains("one text"))
  }

  /// The front end goes on in the text that the journal has, where its carets were; without the former contents, at the end.
  @Test(arguments: [true, false]) func aFrontEndIsToldOfAFileThatHasChanged(hasCopy: Bool) throws {
    files.write("text", to: "a")
    var first: CoreDriver? = try driver(FaultyFileSystem())
    first?.open(path)
    first?.edit("insert", ["chars": "one "])
    first?.run { (try? recoveryFolder().hasBaseCopies) == true }
    let id = try #require(first?.fileInformation?.recoveryID)
    first = nil
    files.write("another's", to: "a")
    if !hasCopy { try recoveryFolder().removeBaseCopies() }
    let next = try driver(FaultyFileSystem())
    func resume(_ path: String?) throws -> (count: Int, isLeft: Bool) {
      let file: JSONValue =
        path.map { ["file_path": .string($0), "xiedit": ["recover": .string(id)]] } ?? [
          "xiedit": ["recover": .string(id)]
        ]
      let view = next.request("new_view", file)
      next.view = ViewID(try view.get().string ?? "")
      let told = next.notifications.compactMap { notification -> (Int, Bool)? in
        if case .recovered(_, let count, _, let isLeft, _) = notification { (count, isLeft) } else { nil }
      }
      return try #require(told.last)
    }
    #expect(try resume(path) == (1, true))
    #expect(next.markedText == "‸another's")
    next.notify(.closeView(next.view))
    #expect(try resume(nil) == (1, false))
    #expect(next.markedText == (hasCopy ? "one ‸text" : "one \n‸"))
  }

  @Test func whatIsDiscardedStaysForAWhile() throws {
    try die { path in
      let driver = try driver(FaultyFileSystem(.noLocks))
      driver.open(self.path)
      let id = LinuxFileSystem().name(of: path)
      driver.notify(.recover(driver.view, recoveryID: id, .discard))
      let names = try LinuxFileSystem().names(inDirectory: files("recovery"))
      #expect(names.contains(id + ".discarded"))
      #expect(!names.contains(id))
    }
  }

  /// An empty buffer in its place would say nothing.
  @Test func whatIsToBeOpenedBesideAndHasGoneIsTold() throws {
    try die { path in
      let driver = try driver(FaultyFileSystem(.noLocks))
      driver.open(self.path)
      let id = try #require(driver.recoveryOffers.last).recoveryID
      unlink(path)
      // The other is that of a view without a file, which a core has had that died: nothing need have been typed into it.
      for id in [id, "untitled.99999999.view-id-1.journal"] {
        _ = driver.request("new_view", ["xiedit": ["recover": .string(id)]])
      }
      #expect(driver.alerts.count { $0.contains("is not there any more") } == 1)
    }
  }

  @Test func aDamagedJournalIsTold() throws {
    try die { path in
      let whole = try FileReader(path, system: LinuxFileSystem()).readAll()
      var bytes = whole.bytes(in: whole.fullRange)
      bytes[40] ^= 1
      files.write(bytes, to: "recovery/" + LinuxFileSystem().name(of: path))
      let driver = try driver(FaultyFileSystem(.noLocks))
      driver.open(self.path)
      #expect(driver.alerts.contains { $0.contains("is damaged") })
      #expect(LinuxFileSystem().isWritable(path + ".damaged"))
    }
  }

  /// Whether the copy of the file is beside it or not.
  @Test(arguments: [0, 20], [true, false]) func anEmptiedJournalIsTold(byteCount: Int, hasCopy: Bool) throws {
    try die { path in
      let whole = try FileReader(path, system: LinuxFileSystem()).readAll()
      files.write(whole.bytes(in: 0..<ByteOffset(byteCount)), to: "recovery/" + LinuxFileSystem().name(of: path))
      if hasCopy { files.write("text", to: "recovery/" + LinuxFileSystem().name(of: path) + "-base") }
      let driver = try driver(FaultyFileSystem(.noLocks))
      driver.open(self.path)
      #expect(driver.alerts.contains { $0.contains("is damaged") })
      #expect(LinuxFileSystem().isWritable(path + ".damaged"))
      #expect(
        files.contents("recovery/" + LinuxFileSystem().name(of: path) + ".damaged-base") == (hasCopy ? "text" : nil))
    }
  }

  /// Of its edits none can be read: all that is left is in the file, and more was there.
  @Test func damageInTheFirstEditIsToldToo() throws {
    try die { path in
      let whole = try FileReader(path, system: LinuxFileSystem()).readAll()
      var bytes = whole.bytes(in: whole.fullRange)
      let base = JournalFormat.magic.count
      let length = (0..<4).reduce(0) { $0 | Int(bytes[base + $1]) << (8 * $1) }
      bytes[base + length + 12 + 5] ^= 1
      files.write(bytes, to: "recovery/" + LinuxFileSystem().name(of: path))
      let driver = try driver(FaultyFileSystem(.noLocks))
      driver.open(self.path)
      #expect(driver.alerts.contains { $0.contains("is damaged") })
      #expect(LinuxFileSystem().isWritable(path + ".damaged"))
      #expect(try LinuxFileSystem().status(at: path, followingLinks: false) == nil)
    }
  }

  @Test func aDamagedEndIsTold() throws {
    try die { path in
      let whole = try FileReader(path, system: LinuxFileSystem()).readAll()
      let bytes = whole.bytes(in: whole.fullRange) + [UInt8](repeating: 0, count: 40)
      files.write(bytes, to: "recovery/" + LinuxFileSystem().name(of: path))
      let driver = try driver(FaultyFileSystem(.noLocks))
      driver.open(self.path)
      driver.notify(.recover(driver.view, recoveryID: LinuxFileSystem().name(of: path), .restore))
      #expect(driver.document?.buffer.text == "one text")
      #expect(driver.alerts.contains { $0.hasPrefix("The end of the journal could not be read") })
    }
  }

  /// A new core goes on with what can be read, and cuts off nothing of what may be read by others.
  @Test func aDamagedJournalIsNotGoneOnWith() throws {
    try die { path in
      let whole = try FileReader(path, system: LinuxFileSystem()).readAll()
      let bytes = whole.bytes(in: whole.fullRange) + [UInt8](repeating: 0, count: 40)
      files.write(bytes, to: "recovery/" + LinuxFileSystem().name(of: path))
      let driver = try driver(FaultyFileSystem(.noLocks))
      let id = LinuxFileSystem().name(of: path)
      let opened = driver.request("new_view", ["file_path": .string(self.path), "xiedit": ["recover": .string(id)]])
      driver.view = ViewID(try opened.get().string ?? "")
      #expect(driver.document?.buffer.text == "one text")
      #expect(driver.alerts.contains { $0.hasPrefix("The end of the journal could not be read") })
      driver.edit("insert", ["chars": "more "])
      driver.run { LinuxFileSystem().isWritable(path + ".damaged") }
      let kept = try FileReader(path + ".damaged", system: LinuxFileSystem()).readAll()
      #expect(kept == Rope(bytes))
      #expect(files.journal(in: try recoveryFolder()) != nil)
    }
  }

  /// Kept for later, it is there after saves that were not cut short: only who made a copy removes it, or who was asked.
  @Test(arguments: [true, false]) func whatACutSaveWouldHaveWrittenStays(hasLink: Bool) throws {
    files.write("text\n", to: "a")
    if hasLink { link(files("a"), files("b")) }
    let folder = try recoveryFolder()
    let writer = FileWriter(system: LinuxFileSystem(), recoveryFolder: folder)
    let copies = try ["cut short", "cut short again"].map {
      try folder.keepCopy(of: Rope($0), for: place, writer: writer)
    }
    func offer(_ driver: CoreDriver) -> RecoveryOffer? {
      driver.notifications.compactMap { if case .recoveryFound(let offer) = $0 { offer } else { nil } }.last
    }
    for _ in 0..<2 {
      let driver = try driver(FaultyFileSystem())
      driver.open(path)
      let found = try #require(offer(driver))
      #expect(found.isInterruptedSave)
      driver.notify(.recover(driver.view, recoveryID: found.recoveryID, .later))
      driver.edit("insert", ["chars": "x"])
      driver.notify(.save(driver.view, path: path))
      driver.notify(.closeView(driver.view))
      #expect(copies.allSatisfy(LinuxFileSystem().isWritable))
      #expect(try LinuxFileSystem().names(inDirectory: folder.path).count { $0.hasSuffix(".saving") } == 2)
    }
    for text in ["xxtext\n", "cut short again"] {
      let driver = try driver(FaultyFileSystem())
      driver.open(path)
      let found = try #require(offer(driver))
      #expect(driver.document?.buffer.text == "xxtext\n")
      driver.notify(.recover(driver.view, recoveryID: found.recoveryID, text == "xxtext\n" ? .later : .restore))
      #expect(driver.document?.buffer.text == Rope(text))
      driver.session.finish()
    }
    #expect(copies.map(LinuxFileSystem().isWritable) == [true, false])
  }

  /// A front end goes on with a new core: what it showed is there, and is not taken for what the file holds, which may be half of it.
  @Test func aSaveThatIsCutShortIsGoneOnWith() throws {
    let old = String(repeating: "0123456789\n", count: 100)
    var callsBeforeSave = 0
    func begin(_ system: FaultyFileSystem) throws -> String? {
      files.write(old, to: "a")
      unlink(files("b"))
      #expect(link(files("a"), files("b")) == 0)
      let driver = try driver(system)
      driver.open(path)
      driver.edit("select_all")
      driver.edit("insert", ["chars": "new\n"])
      driver.document.map(driver.session.recovery.writeJournal)
      callsBeforeSave = system.calls.count
      driver.notify(.save(driver.view, path: path))
      driver.run { driver.document?.file.savesInFlight == 0 }
      return driver.fileInformation?.recoveryID
    }
    let counting = FaultyFileSystem()
    _ = try begin(counting)
    var cutCount = 0
    for call in callsBeforeSave..<counting.calls.count {
      let id = try begin(FaultyFileSystem(.death(atCall: call)))
      // The copy is whole, and the file is not yet: half of it is written.
      let isCut = try LinuxFileSystem().names(inDirectory: recoveryFolder().path).contains { $0.hasSuffix(".saving") }
      if isCut {
        cutCount += 1
        files.write("new\n" + old.dropFirst(4), to: "a")
      }
      let next = try driver(FaultyFileSystem())
      if isCut, let id {
        let opened = next.request("new_view", ["file_path": .string(path), "xiedit": ["recover": .string(id)]])
        next.view = ViewID(try opened.get().string ?? "")
        #expect(next.document?.buffer.text == "new\n", "call \(call)")
        #expect(next.document?.isPristine == false)
        #expect(next.alerts.contains { $0.contains("cut short") })
        next.notify(.save(next.view, path: path))
        next.settle()
        #expect(try FileReader(path, system: LinuxFileSystem()).readAll() == "new\n")
      }
      next.session.finish()
      for name in try LinuxFileSystem().names(inDirectory: recoveryFolder().path) {
        unlink(try recoveryFolder().path + "/" + name)
      }
    }
    #expect(cutCount > 0, "\(callsBeforeSave) \(counting.calls)")
  }

  // MARK: Without room

  /// The file has what the journal has by then, and only the journal's later edits are worth anything.
  @Test(arguments: [true, false], [true, false])
  func aSaveThatTheJournalHasNoRoomForLeavesNothingStale(isInFlight: Bool, isRoomMade: Bool) throws {
    files.write("text\n", to: "a")
    let isFull = Lock(false)
    var driver: CoreDriver? = try driver(FaultyFileSystem(.full(isFull)))
    driver?.open(path)
    for typed in ["1", "2"] {
      driver?.edit("insert", ["chars": .string(typed)])
      driver?.edit("move_right")
    }
    driver?.run { (try? recoveryFolder().hasBaseCopies) == true }
    isFull.withLock { $0 = true }
    driver?.save(to: path)
    if !isInFlight { driver?.settle() }
    for _ in 0..<2 {
      if let driver { driver.perform(driver.view, .plain(.undo)) }
      driver?.session.views.sendUpdates()
    }
    driver?.settle()
    #expect(files.contents("a") == "1t2ext\n" && driver?.document?.buffer.text == "text\n")
    #expect(driver?.alerts.contains { $0.hasPrefix("What you type is in memory only: ") } == true)
    if isRoomMade {
      isFull.withLock { $0 = false }
      driver?.run { driver?.document?.recovery.journal?.hasAll == true }
      // A sync that runs would hold the journal open.
      let isDone = Lock(false)
      driver?.session.files.service.afterOthers { isDone.withLock { $0 = true } }
      driver?.run { isDone.withLock { $0 } }
    }
    driver = nil
    let next = try self.driver(FaultyFileSystem())
    next.open(path)
    #expect(next.recoveryOffers.map(\.baseChanged) == (isRoomMade ? [false] : []))
    guard let offer = next.recoveryOffers.last else { return }
    next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
    #expect(next.document?.buffer.text == "text\n")
  }

  // MARK: Other programs

  enum Moment: CaseIterable { case idle, typing, movement, afterASave, duringALongEdit, afterADeath }

  /// What is appended to the rest would be lost with it.
  @Test(arguments: [0, 60, 1000], Moment.allCases)
  func aJournalThatIsCutShortIsWrittenAnew(byteCount: Int, moment: Moment) throws {
    files.write("text\n", to: "a")
    var driver = try driverOfPieces(FaultyFileSystem())
    driver.open(path)
    driver.edit("insert", ["chars": "one "])
    if moment == .afterASave {
      driver.notify(.save(driver.view, path: path))
      driver.edit("insert", ["chars": "more "])
      driver.awaitJournal()
    }
    let folder = try recoveryFolder()
    if moment == .afterADeath {
      let id = try #require(driver.fileInformation?.recoveryID)
      driver = try self.driver(FaultyFileSystem())
      let view = driver.request("new_view", ["file_path": .string(path), "xiedit": ["recover": .string(id)]])
      driver.view = ViewID(try view.get().string ?? "")
    }
    if moment == .idle {
      // From then on it is watched.
      driver.run { driver.document?.recovery.journal?.isWatched == true }
    }
    let journal = try #require(files.journal(in: folder))
    let bytes = try FileReader(journal, system: LinuxFileSystem()).readAll()
    if moment == .duringALongEdit {
      driver.perform(driver.view, .paste(Self.long))
      driver.session.views.sendUpdates()
    }
    let others = bytes.bytes(in: 0..<min(ByteOffset(byteCount), bytes.endOffset))
    files.write(others + [UInt8](repeating: 0, count: byteCount == 1000 ? 1000 : 0), to: "recovery/" + journal.pathName)
    switch moment {
    case .idle: break
    case .movement: driver.edit("move_right")
    default: driver.edit("insert", ["chars": "two "])
    }
    driver.run { (try? recovered(folder))?.isCutShort == false }
    driver.settle()
    let found = try recovered(folder)
    guard case .text(let text, _, _) = found.replay(on: try file(), folder: folder) else {
      Issue.record("no text")
      return
    }
    #expect(text == driver.document?.buffer.text && !found.isCutShort && driver.alerts == [])
    #expect(found.selections[0]?.handledEdits == driver.textView?.edits.handled)
    driver.edit("insert", ["chars": "three "])
    #expect(try recovered(folder).edits.count > 1)
    // The copy of the file is there again.
    driver.run { folder.hasBaseCopies }
    #expect(folder.hasBaseCopies)
  }
}
