import Dispatch
import EditorProtocol
import EventLoop
import Glibc
import JSON
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// When a session writes its journals.
@Suite struct SessionJournalTests: JournalSuite {
  let files = TemporaryFolder()

  @Test func noEditIsAcknowledgedBeforeItIsWrittenDown() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem())
    driver.open(path)
    var acknowledged: [Int] = []
    driver.onNotification = { [unowned driver] notification in
      guard case .update(_, let update) = notification, let count = update.handledEdits, count > 0 else { return }
      acknowledged.append(count)
      let folder = driver.session.recovery.folder
      let journal = folder.flatMap { folder in try? recovered(folder) }
      #expect(journal?.edits.last?.handledEdits == count)
    }
    for _ in 0..<3 { driver.edit("insert", ["chars": "x"]) }
    #expect(acknowledged == [1, 2, 3])
  }

  /// A front end keeps what it sends as long as it is told of a load: there is no journal then.
  @Test func aLoadIsToldBeforeAnyEditIsAcknowledged() throws {
    files.write(String(repeating: "a line\n", count: 200_000), to: "a")
    let driver = try driver(FaultyFileSystem())
    var isLoading = false
    driver.onNotification = { [unowned driver] notification in
      switch notification {
      case .progress(_, let progress): isLoading = progress.done < progress.total
      case .update(_, let update):
        guard let count = update.handledEdits, count > 0, !isLoading else { return }
        let journal = driver.session.recovery.folder.flatMap { folder in try? recovered(folder) }
        #expect(journal?.edits.last?.handledEdits == count)
      default: break
      }
    }
    driver.open(path)
    #expect(isLoading)
    driver.edit("insert", ["chars": "typed "])
    driver.edit("insert", ["chars": "meanwhile "])
    driver.run { !isLoading }
    #expect(driver.document?.file.loadJob == nil)
    let journal = try recovered(try recoveryFolder())
    #expect(journal.edits.map(\.handledEdits) == [1, 2])
    guard case .text(let text, _, _) = journal.replay(on: try file(), folder: try recoveryFolder()) else {
      Issue.record("no text")
      return
    }
    #expect(text == driver.document?.buffer.text)
  }

  /// One sync for many edits, and none while nothing happens.
  @Test func whatIsWrittenDownIsSyncedSoonAndOnce() throws {
    files.write("text", to: "a")
    let system = FaultyFileSystem()
    let driver = try driver(system)
    driver.open(path)
    func syncCount() -> Int { system.calls.count { $0 == "synchronizeData" } }
    for round in 1...2 {
      for _ in 0..<3 { driver.edit("insert", ["chars": "x"]) }
      driver.run { syncCount() == round }
      driver.edit("move_left")
      #expect(syncCount() == round)
    }
    driver.edit("insert", ["chars": "the last one"])
    driver.session.finish()
    #expect(syncCount() == 3)
  }

  /// Or it could not be told, from what is left of both, what had been saved.
  @Test func theJournalIsSyncedBeforeASave() throws {
    files.write("text", to: "a")
    let system = FaultyFileSystem()
    let driver = CoreDriver(handshake: true, system: system, recoveryFolder: try recoveryFolder(system))
    driver.open(path)
    driver.edit("insert", ["chars": "x"])
    let journal = try #require(files.journal(in: try recoveryFolder()))
    driver.notify(.save(driver.view, path: path))
    #expect(files.contents("a") == "xtext\n")
    let (calls, folder) = (system.namedCalls, journal.pathFolder)
    // The copy of what the file was is renamed too, and need not be waited for.
    let save = try #require(calls.firstIndex { $0 == ("rename", path) })
    let contents = try #require(calls.firstIndex { $0 == ("synchronizeData", journal) })
    let name = try #require(calls.firstIndex { $0.call == "synchronize" && $0.path == folder })
    #expect(contents < save && name < save, "\(calls)")
  }

  /// By its name a front end asks for it when this core has died.
  @Test func theJournalOfASaveElsewhereIsTold() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem())
    driver.open(path)
    driver.edit("insert", ["chars": "1"])
    let isTyped = DispatchSemaphore(value: 0)
    driver.session.files.service.afterOthers { isTyped.wait() }
    driver.save(to: files("b"))
    driver.perform(driver.view, .insert("2"))
    driver.session.views.sendUpdates()
    isTyped.signal()
    driver.settle()
    driver.run { driver.fileInformation?.recoveryID?.hasPrefix("b-") == true }
    #expect(driver.fileInformation?.recoveryID == driver.document?.recovery.journal?.id)
    #expect(files.contents("b") == "1text\n")
  }

  @Test(arguments: [true, false])
  func aCloseDuringASaveKeepsWhatWasNotSaved(isSaved: Bool) throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem())
    let view = driver.open(path)
    driver.edit("insert", ["chars": "x"])
    let target = isSaved ? path : files("no/such/folder")
    let answer = driver.request("xiedit_save", ["view_id": .string(view.rawValue), "file_path": .string(target)]) {
      driver.notify(.closeView(view))
    }
    #expect((answer == .success([:])) == isSaved)
    driver.session.finish()
    #expect((files.journal(in: try recoveryFolder()) == nil) == isSaved)
  }

  /// By whatever is left of it after a loss of power.
  @Test func whatWasUndoneIsNotOfferedAfterAnEnd() {
    for seed in UInt64(0)..<20 {
      let disk = SimulatedDisk(folders: ["/", "/disk", "/disk/recovery"])
      disk.write(Array("text\n".utf8), to: "/disk/a")
      func driver(on disk: SimulatedDisk) -> CoreDriver {
        CoreDriver(handshake: true, system: disk, recoveryFolder: RecoveryFolder(at: "/disk/recovery", system: disk))
      }
      let before = driver(on: disk)
      before.open("/disk/a")
      before.edit("insert", ["chars": "x"])
      before.document?.recovery.journal?.synchronize()
      before.edit("undo")
      before.session.finish()
      var power: SplitMix64? = SplitMix64(state: seed)
      let after = driver(on: disk.afterDeath(losingPower: &power))
      after.open("/disk/a")
      let isOffered = after.notifications.contains { if case .recoveryFound = $0 { true } else { false } }
      #expect(!isOffered, "seed \(seed)")
    }
  }

  /// Also what the end of the session itself has it do.
  @Test func theWorkOfFilesIsDoneAfterTheEnd() throws {
    for hasThread in [false, true] {
      let service = FileService(on: Loop(), system: FaultyFileSystem())
      if hasThread { service.afterOthers {} }
      service.finish()
      files.write("", to: "left")
      service.perform(.removeTemporary(files("left"), try recoveryFolder()))
      #expect(files.contents("left") == nil)
    }
  }

  /// Such as a document that goes with the closure, and with it a save that nobody wants any more.
  @Test func whatGoesWithWhoWaitsMayForgetInItsTurn() {
    final class Waiter {
      let end: () -> Void
      init(_ end: @escaping () -> Void) { self.end = end }
      deinit { end() }
    }
    let service = FileService(on: Loop(), system: FaultyFileSystem())
    var ended = 0
    for _ in 0..<2 {
      let waiter = Waiter { [unowned service] in
        ended += 1
        service.forget()
      }
      service.save(Rope(), as: FileImage(), to: "/none/a", overwriting: .nothing) { _, _ in
        withExtendedLifetime(waiter) {}
      } onProgress: { _ in
      } completion: { _ in
      }
    }
    service.forget()
    #expect(ended == 2)
    service.finish()
  }

  /// What is typed after a save elsewhere is looked for there, whenever the process ends.
  @Test(arguments: [false, true], [("1", "\n"), ("", "\n"), ("", "")])
  func aSaveElsewhereTakesItsJournalAlong(losingPower: Bool, _ texts: (before: String, end: String)) throws {
    func driver(on disk: SimulatedDisk) -> CoreDriver {
      CoreDriver(handshake: true, system: disk, recoveryFolder: RecoveryFolder(at: "/disk/recovery", system: disk))
    }
    /// The text of the file, with what is offered for it.
    func text(of path: String, on disk: SimulatedDisk) -> String {
      let next = driver(on: disk)
      next.open(path)
      for case .recoveryFound(let offer) in next.notifications where !offer.baseChanged {
        next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
      }
      let text = next.document.map { $0.buffer.text.string(in: $0.buffer.text.fullRange) } ?? ""
      // Which a save may have added.
      return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
    let states = ["", texts.before, texts.before + "2", texts.before + "23"].map { $0 + "text" }
    var (call, isWhole) = (0, false)
    while !isWhole, call < 500 {
      defer { call += 1 }
      let disk = SimulatedDisk(folders: ["/", "/disk", "/disk/recovery"])
      disk.write(Array(("text" + texts.end).utf8), to: "/disk/a")
      let session = driver(on: disk)
      session.open("/disk/a")
      disk.expect(.death(atCall: call))
      if !texts.before.isEmpty { session.edit("insert", ["chars": .string(texts.before)]) }
      session.document?.recovery.journal?.synchronize()
      var promised = disk.isDead ? 0 : 1
      session.save(to: "/disk/b")
      session.perform(session.view, .insert("2"))
      session.settle()
      let isSaved = session.document?.file.path == "/disk/b" && !disk.isDead
      if isSaved { promised = losingPower ? 1 : 2 }
      // The journal does not begin anew before this.
      let isTyped = DispatchSemaphore(value: 0)
      if call % 2 == 0 { session.session.files.service.afterOthers { isTyped.wait() } }
      session.edit("insert", ["chars": "3"])
      if !disk.isDead, !losingPower { promised = 3 }
      isTyped.signal()
      session.document?.recovery.journal?.synchronize()
      isWhole = !disk.isDead
      if isWhole { promised = 3 }
      var power: SplitMix64? = losingPower ? SplitMix64(state: UInt64(call)) : nil
      let after = disk.afterDeath(losingPower: &power)
      var found = text(of: "/disk/b", on: after)
      // It may have died before it could tell of the save.
      if !isSaved, found == "" { found = text(of: "/disk/a", on: after) }
      #expect(states[promised...].contains(found), "call \(call), saved: \(isSaved): \(found)")
    }
    #expect(isWhole)
  }

  /// Also when nothing more is typed.
  @Test(arguments: ["2", long]) func whatCouldNotBeWrittenIsWrittenWhenThereIsRoom(typed: String) throws {
    let disk = SimulatedDisk(folders: ["/", "/disk", "/disk/recovery"])
    func driver(on disk: SimulatedDisk) throws -> CoreDriver {
      var folder = try #require(RecoveryFolder(at: "/disk/recovery", system: disk))
      (folder.largestRecordAtOnce, folder.pieceOfLongRecord) = (1000, 256)
      return CoreDriver(handshake: true, system: disk, recoveryFolder: folder)
    }
    disk.write(Array("text\n".utf8), to: "/disk/a")
    let session = try driver(on: disk)
    session.open("/disk/a")
    session.edit("insert", ["chars": "1"])
    var kept: [Int?] = []
    session.onNotification = { if case .update(_, let update) = $0 { kept.append(update.keptEdits) } }
    disk.fill(true)
    session.edit("insert", ["chars": .string(typed)])
    // By the edit, and by two syncs after it.
    session.run { disk.refusedWriteCount > 2 && session.document?.recovery.journal?.lacksRecord == true }
    #expect(session.document?.recovery.journal?.lacksRecord == true)
    #expect(kept.last == 1)
    disk.fill(false)
    session.run { kept.last == .some(nil) }
    #expect(kept.last == .some(nil), "it is told that all is kept")
    #expect(session.document?.recovery.journal?.lacksRecord == false)
    var power: SplitMix64?
    let next = try driver(on: disk.afterDeath(losingPower: &power))
    next.open("/disk/a")
    for case .recoveryFound(let offer) in next.notifications {
      next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
    }
    #expect(next.document?.buffer.text == Rope("1\(typed)text\n"))
  }

  /// By one who has no inotify any more.
  @Test func filesThatCannotBeWatchedAreTold() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem())
    driver.session.files.watcher.makeDescriptor = {
      errno = EMFILE
      return -1
    }
    for _ in 0..<2 { driver.open(path) }
    driver.open(files("b"))
    #expect(driver.alerts.filter { $0.contains("cannot be watched: Too many open files") }.count == 1)
  }

  /// The copy of a file is there as long as its journal is.
  @Test func aReloadLeavesNoCopy() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem())
    driver.open(path)
    driver.edit("insert", ["chars": "x"])
    driver.notify(.save(driver.view, path: path))
    // The copy is written when the journal has gone.
    let isReloaded = DispatchSemaphore(value: 0)
    driver.document?.buffer.now = { [service = driver.session.files.service] in
      service.afterOthers { isReloaded.wait() }
      return .now
    }
    files.write("another's", to: "a")
    driver.run { driver.document?.buffer.text == "another's" }
    isReloaded.signal()
    // What was put off until then is begun.
    let isThrough = DispatchSemaphore(value: 0)
    driver.session.files.service.afterOthers { isThrough.signal() }
    isThrough.wait()
    driver.settle()
    driver.awaitJournal()
    var names: [String] = []
    // What can be undone stays.
    driver.run {
      names = (try? LinuxFileSystem().names(inDirectory: files("recovery"))) ?? []
      return names.count == 2 && names.allSatisfy { $0.hasSuffix(".lock") || $0.hasSuffix(".journal") }
    }
    #expect(names.count == 2, "\(names)")
  }

  @Test func whatKilledSavesHadWrittenGoesAtTheNextStart() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    let copy = "recovery/\(folder.key(for: try place)).saving.new"
    for name in [copy, ".a.xiedit-save", ".b.xiedit-save"] { files.write("te", to: name) }
    let system = LinuxFileSystem()
    let lock = try FileLock.take(of: place, folder: folder)
    try driver(FaultyFileSystem()).open(path)
    #expect(files.contents(copy) == "te", "another may be writing it")
    #expect(files.contents(".a.xiedit-save") == "te")
    _ = consume lock
    // A save that runs has it locked.
    try system.withOpen(files(".a.xiedit-save"), O_RDONLY) { descriptor throws(FileError) in
      _ = try system.lock(descriptor)
      _ = try? driver(FaultyFileSystem()).open(path)
      #expect(files.contents(".a.xiedit-save") == "te")
    }
    #expect(files.contents(copy) == nil)
    // So has one that saves to this file from elsewhere, whose lock is of another.
    files.write("te", to: copy)
    try system.withOpen(files(copy), O_RDONLY) { descriptor throws(FileError) in
      _ = try system.lock(descriptor)
      _ = try? driver(FaultyFileSystem()).open(path)
      #expect(files.contents(copy) == "te")
    }
    try driver(FaultyFileSystem()).open(path)
    #expect(files.contents(".a.xiedit-save") == nil)
    #expect(files.contents(".b.xiedit-save") == "te")
  }

  /// There is one journal of what was restored, whenever the process ends.
  @Test(arguments: [false, true]) func aDeathAfterRestoringLeavesOneJournal(losingPower: Bool) throws {
    func open(on disk: SimulatedDisk) -> CoreDriver {
      let folder = RecoveryFolder(at: "/disk/recovery", system: disk)
      let driver = CoreDriver(handshake: true, system: disk, recoveryFolder: folder)
      driver.open("/disk/a")
      return driver
    }
    func restore(in driver: CoreDriver) {
      guard let offer = driver.recoveryOffers.last else { return }
      driver.notify(.recover(driver.view, recoveryID: offer.recoveryID, .restore))
    }
    var (call, isWhole) = (0, false)
    while !isWhole, call < 500 {
      defer { call += 1 }
      var power: SplitMix64? = losingPower ? SplitMix64(state: UInt64(call)) : nil
      let disk = SimulatedDisk(folders: ["/", "/disk", "/disk/recovery"])
      disk.write(Array("text\n".utf8), to: "/disk/a")
      let first = open(on: disk)
      first.edit("insert", ["chars": "one "])
      first.document?.recovery.journal?.synchronize()
      let second = disk.afterDeath(losingPower: &power)
      let session = open(on: second)
      second.expect(.death(atCall: call))
      restore(in: session)
      session.document?.recovery.journal?.synchronize()
      isWhole = !second.isDead
      let third = second.afterDeath(losingPower: &power)
      #expect(third.fileNames.count { $0.hasSuffix(".journal") } == 1, "call \(call)")
      let last = open(on: third)
      restore(in: last)
      #expect(last.document?.buffer.text == "one text\n", "call \(call)")
      last.edit("insert", ["chars": "two "])
      last.notify(.save(last.view, path: "/disk/a"))
      last.notify(.closeView(last.view))
      last.session.finish()
      let left = third.fileNames.filter { !$0.hasSuffix(".lock") && !$0.hasSuffix(".undo") }
      #expect(left == ["/disk/a"], "call \(call)")
    }
    #expect(isWhole)
  }

  /// A front end that sends again what is not done counts its own edits.
  @Test func aRestoredJournalCountsTheEditsOfItsSession() throws {
    files.write("text", to: "a")
    var first: CoreDriver? = try driver(FaultyFileSystem())
    first?.open(path)
    for _ in 0..<5 { first?.edit("insert", ["chars": "x"]) }
    first = nil
    var next: CoreDriver? = try driver(FaultyFileSystem())
    next?.open(path)
    let offer = try #require(next?.recoveryOffers.last)
    next?.edit("move_right")
    let view = try #require(next?.view)
    next?.notify(.recover(view, recoveryID: offer.recoveryID, .restore))
    #expect(next?.document?.buffer.text == "xxxxxtext")
    let id = try #require(next?.fileInformation?.recoveryID)
    next = nil
    let last = try driver(FaultyFileSystem())
    _ = last.request("new_view", ["file_path": .string(path), "xiedit": ["recover": .string(id)]])
    let told = last.notifications.compactMap { if case .recovered(_, let count, _, _, _) = $0 { count } else { nil } }
    #expect(told == [1])
    #expect(last.session.views.documents.last?.buffer.text == "xxxxxtext")
  }

  /// What the worker has still to write is nobody's any more.
  @Test func aCloseAfterTheFirstEditLeavesNothing() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem())
    let view = driver.open(path)
    let isClosed = DispatchSemaphore(value: 0)
    driver.session.files.service.afterOthers { isClosed.wait() }
    driver.edit("insert", ["chars": "x"])
    #expect(files.journal(in: try recoveryFolder()) != nil)
    driver.notify(.closeView(view))
    isClosed.signal()
    driver.session.finish()
    let names = try LinuxFileSystem().names(inDirectory: files("recovery"))
    #expect(names.filter { !$0.hasSuffix(".lock") }.isEmpty)
  }

  /// A front end keeps what the journal does not, and lets go of it when a save has it.
  @Test func whatTheJournalLacksIsNotSaidToBeKept() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem())
    driver.open(path)
    var told: [Int?] = []
    driver.onNotification = { notification in
      if case .update(_, let update) = notification { told.append(update.keptEdits) }
    }
    driver.edit("insert", ["chars": "x"])
    #expect(told == [nil])
    // The copy of the base is being written.
    let isWritten = DispatchSemaphore(value: 0)
    driver.session.files.service.afterOthers { isWritten.signal() }
    isWritten.wait()
    for name in try LinuxFileSystem().names(inDirectory: files("recovery")) { unlink(files("recovery/" + name)) }
    try #require(rmdir(files("recovery")) == 0)
    files.write("in its place", to: "recovery")
    for _ in 0..<2 { driver.edit("insert", ["chars": "x"]) }
    #expect(told == [nil, 1, 1])
    driver.notify(.save(driver.view, path: path))
    driver.settle()
    #expect(files.contents("a") == "xxxtext\n")
    #expect(told.count > 3 && told.last == .some(nil))
    driver.edit("insert", ["chars": "x"])
    #expect(told.last == 3)
    unlink(files("recovery"))
    driver.edit("insert", ["chars": "y"])
    #expect(told.last == .some(nil))
  }

  /// The disk may take an edit, and not what was selected then.
  @Test func withoutCaretsWhatFollowsBelongsBehindTheLastEdit() throws {
    files.write("one two", to: "a")
    let folder = try recoveryFolder(FaultyFileSystem(.noLocks))
    let session = try session(folder)
    let delta = Delta(baseByteCount: 7, replacing: 4..<4, with: "xy")
    try session.journal.append([JournalEdit(revision: 1, undoGroup: 0, delta: delta, selections: [])])
    // No process has that number.
    let dead = session.journal.path.replacing(".\(getpid()).", with: ".99999999.")
    try LinuxFileSystem().rename(session.journal.path, to: dead)
    let driver = try driver(FaultyFileSystem(.noLocks))
    let id = LinuxFileSystem().name(of: dead)
    _ = driver.request("new_view", ["file_path": .string(path), "xiedit": ["recover": .string(id)]])
    let document = try #require(driver.session.views.documents.first)
    #expect(document.buffer.text == "one xytwo")
    #expect(document.views.all.first?.selection == .caret(6))
  }

  /// The first letter makes a cluster with the mark, and the second one belongs between them.
  @Test func aCaretWithinAClusterStaysThere() throws {
    files.write("\u{301}b", to: "a")
    var first: CoreDriver? = try driver(FaultyFileSystem())
    first?.open(path)
    first?.edit("insert", ["chars": "*"])
    let id = try #require(first?.fileInformation?.recoveryID)
    first = nil
    let next = try driver(FaultyFileSystem())
    let view = next.request("new_view", ["file_path": .string(path), "xiedit": ["recover": .string(id)]])
    next.view = ViewID(try view.get().string ?? "")
    next.edit("insert", ["chars": "l"])
    #expect(next.document?.buffer.text == "*l\u{301}b")
  }

  @Test func aFailureIsToldOnce() throws {
    let driver = try driver(FaultyFileSystem())
    driver.open()
    #expect(rmdir(files("recovery")) == 0)
    files.write("in its place", to: "recovery")
    for _ in 0..<3 { driver.edit("insert", ["chars": "x"]) }
    #expect(driver.alerts.count == 1)
    #expect(driver.alerts.first?.hasPrefix("What you type is in memory only: cannot open ") == true)
    #expect(driver.fileInformation?.isInMemoryOnly == true)
    unlink(files("recovery"))
    driver.edit("insert", ["chars": "y"])
    #expect(driver.fileInformation?.isInMemoryOnly == false)
    #expect(try recovered(try recoveryFolder()).edits.map(\.handledEdits) == [1, 2, 3, 4], "made up for")
  }

  /// By a program that cleans up, or a user: what was typed before is there again with the next key.
  @Test(arguments: [true, false], [true, false])
  func whatIsRemovedIsMadeAgain(withFolder: Bool, isTypedInto: Bool) throws {
    files.write("text", to: "a")
    let system = FaultyFileSystem()
    let driver = try driver(system)
    driver.open(path)
    driver.edit("insert", ["chars": "one "])
    func names() -> [String] { (try? LinuxFileSystem().names(inDirectory: files("recovery"))) ?? [] }
    driver.run { names().contains { $0.hasSuffix("-base") } }
    let before = names()
    #expect(before.count == 3, "the journal, the copy of the file, the lock")
    for name in before where withFolder || !name.hasSuffix(".lock") { unlink(files("recovery/" + name)) }
    if withFolder { #expect(rmdir(files("recovery")) == 0) }
    if isTypedInto { driver.edit("insert", ["chars": "two "]) } else { driver.edit("move_right") }
    driver.run { names() == before }
    #expect(names() == before)
    let text = driver.document?.buffer.text
    let folder = try recoveryFolder()
    guard case .text(let found, _, _) = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("no text")
      return
    }
    #expect(found == text && driver.alerts == [])
    files.write("another", to: "a")
    guard case .textOfCopy(text, "text") = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("no copy")
      return
    }
  }

  @Test func whatIsRemovedWhileNothingHappensIsMadeAgain() throws {
    files.write("text", to: "a")
    let system = FaultyFileSystem()
    let driver = try driver(system)
    driver.open(path)
    driver.edit("insert", ["chars": "one "])
    let folder = try recoveryFolder()
    for round in 1...2 {
      // From then on it is watched.
      if round == 1 { driver.run { system.calls.contains("synchronizeData") } }
      driver.settle()
      unlink(try #require(files.journal(in: folder)))
      driver.run { files.journal(in: folder) != nil }
      #expect(try recovered(folder).edits.count == 1)
    }
    #expect(driver.alerts == [] && !system.ownCalls.contains("synchronizeData"))
  }

  @Test func aJournalThatIsRemovedDuringALongEditIsMadeAgain() throws {
    files.write("text", to: "a")
    let driver = try driverOfPieces(FaultyFileSystem())
    driver.open(path)
    driver.edit("insert", ["chars": "one "])
    driver.perform(driver.view, .paste(Self.long))
    driver.session.views.sendUpdates()
    #expect(driver.document?.recovery.journal?.isBehind == true)
    unlink(try #require(files.journal(in: try recoveryFolder())))
    driver.settle()
    driver.edit("insert", ["chars": "x"])
    let folder = try recoveryFolder()
    guard case .text(let text, _, _) = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("no text")
      return
    }
    #expect(text == driver.document?.buffer.text && driver.alerts == [])
  }

  @Test func aJournalThatCannotBeMadeAgainIsTold() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem())
    driver.open(path)
    driver.edit("insert", ["chars": "one "])
    driver.run {
      (try? LinuxFileSystem().names(inDirectory: files("recovery")))?.contains { $0.hasSuffix("-base") } == true
    }
    for name in try LinuxFileSystem().names(inDirectory: files("recovery")) { unlink(files("recovery/" + name)) }
    #expect(rmdir(files("recovery")) == 0)
    files.write("in its place", to: "recovery")
    driver.edit("insert", ["chars": "two "])
    driver.edit("move_right")
    #expect(driver.alerts.count == 1)
    #expect(driver.alerts.first?.hasPrefix("What you type is in memory only: ") == true)
    unlink(files("recovery"))
    driver.edit("insert", ["chars": "three "])
    #expect(try recovered(try recoveryFolder()).edits.count == 3, "made up for")
  }

  /// But the user knows.
  @Test func whatIsPrivateInMemoryIsNotWrittenDown() throws {
    files.write("text", to: "a")
    let driver = try driver(FaultyFileSystem(.filesAreInMemory))
    driver.open(path)
    driver.edit("insert", ["chars": "secret"])
    #expect(files.names.sorted() == ["a", "recovery"])
    #expect(try LinuxFileSystem().names(inDirectory: files("recovery")).isEmpty)
    #expect(driver.alerts.count == 1)
    #expect(driver.alerts.first?.hasPrefix("What you type is in memory only: ") == true)
    #expect(driver.fileInformation?.isInMemoryOnly == true)
  }

  /// It comes back all the same.
  @Test(arguments: [true, false]) func whatIsPrivateInMemoryIsWrittenToMemoryOfOnesOwn(isOwn: Bool) throws {
    files.write("text", to: "a")
    mkdir(files("run"), 0o755)
    if !isOwn { mkdir(files("run/xiedit"), 0o755) }
    var folder = try recoveryFolder(FaultyFileSystem(.filesAreInMemory))
    folder.memoryPaths = [files("run/xiedit/journals")]
    var driver: CoreDriver? = CoreDriver(handshake: true, recoveryFolder: folder)
    driver?.open(path)
    driver?.edit("insert", ["chars": "secret "])
    #expect(try LinuxFileSystem().names(inDirectory: files("recovery")).isEmpty)
    #expect(driver?.alerts.isEmpty == isOwn)
    guard isOwn else { return }
    #expect(folder.all.count == 2 && files.journal(in: folder.all[1]) != nil)
    driver = nil
    let next = CoreDriver(handshake: true, recoveryFolder: folder)
    next.open(path)
    let offer = try #require(next.recoveryOffers.last)
    next.notify(.recover(next.view, recoveryID: offer.recoveryID, .restore))
    #expect(next.document?.buffer.text == "secret text")
    next.notify(.save(next.view, path: path))
    next.session.finish()
    #expect(files.journal(in: folder.all[1]) == nil)
  }

  /// It outlives the process.
  @Test func whatAnybodyMayReadInMemoryIsWrittenDown() throws {
    files.write("text", to: "a")
    chmod(files.path, 0o755)
    chmod(path, 0o644)
    let driver = try driver(FaultyFileSystem(.filesAreInMemory))
    driver.open(path)
    driver.edit("insert", ["chars": "typed "])
    #expect(try recovered(try recoveryFolder()).edits.count == 1)
    #expect(driver.alerts == [])
  }

  /// Nothing waits for the disk, and what was typed during the save is in a journal all the time.
  @Test func aSaveThatIsTypedIntoHoldsNothingElse() throws {
    files.write("text", to: "a")
    let system = FaultyFileSystem()
    let driver = try driver(system)
    driver.open(path)
    let before = system.ownCalls.count
    for letter in ["1", "2"] {
      driver.perform(driver.view, .insert(letter))
      driver.session.views.sendUpdates()
      driver.save(to: path)
      driver.perform(driver.view, .insert("x"))
      driver.session.views.sendUpdates()
      driver.settle()
      driver.perform(driver.view, .insert("y"))
      driver.session.views.sendUpdates()
    }
    let folder = try recoveryFolder()
    func journal() -> RecoveredJournal? {
      files.journal(in: folder).flatMap { try? RecoveredJournal(at: $0, system: LinuxFileSystem()) }
    }
    func hasLeftovers() -> Bool {
      (try? LinuxFileSystem().names(inDirectory: folder.path).contains { $0.hasSuffix(".new") }) != false
    }
    let saved = Rope(try #require(files.contents("a")))
    driver.run { journal()?.base.contents == ContentIdentity(of: saved) && !hasLeftovers() }
    #expect(saved == "1xy2text\n" && !hasLeftovers())
    #expect(journal()?.edits.count == 2)
    let calls = system.ownCalls.dropFirst(before)
    #expect(!calls.contains("synchronizeData") && !calls.contains("synchronize") && !calls.contains("read"))
    guard case .text(let text, _, _)? = journal()?.replay(on: try file(), folder: folder) else {
      Issue.record("it does not lead on")
      return
    }
    #expect(text == driver.document?.buffer.text)
  }

  /// What is beside the journal is what its edits were made to.
  @Test(arguments: [true, false]) func aBeginningThatIsCutOffLeavesTheCopy(byFailure: Bool) throws {
    files.write("text", to: "a")
    let driver = try driverOfPieces(FaultyFileSystem(byFailure ? .noGenerations : .none))
    driver.open(path)
    driver.edit("insert", ["chars": "1"])
    driver.perform(driver.view, .insert("2"))
    driver.session.views.sendUpdates()
    driver.save(to: path)
    driver.perform(driver.view, .insert("3"))
    driver.session.views.sendUpdates()
    var isSaved = false
    driver.onNotification = { [unowned driver] notification in
      guard !isSaved, case .languageChanged = notification else { return }
      isSaved = true
      guard !byFailure else { return }
      driver.perform(driver.view, .paste(Self.long))
      driver.session.views.sendUpdates()
    }
    driver.run { isSaved }
    driver.settle()
    if byFailure { driver.run { !driver.alerts.isEmpty } }
    driver.edit("insert", ["chars": "4"])
    // What the worker has to do is done.
    let isDone = Lock(false)
    driver.session.files.service.afterOthers { isDone.withLock { $0 = true } }
    driver.run { isDone.withLock { $0 } }
    let folder = try recoveryFolder()
    let saved = Rope("12text\n")
    let (text, base) = (driver.document?.buffer.text, byFailure ? "text" : saved)
    driver.run { (try? recovered(folder))?.base.contents == ContentIdentity(of: base) }
    let isCopied = Lock(false)
    driver.session.files.service.afterOthers { isCopied.withLock { $0 = true } }
    driver.run { isCopied.withLock { $0 } }
    driver.session.finish()
    files.write("another", to: "a")
    guard case .textOfCopy(let found, _) = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("no copy")
      return
    }
    #expect(found == text)
    #expect(driver.alerts.count == (byFailure ? 1 : 0))
  }

  /// The file is not touched before the journal has what was typed, and nothing waits for that.
  @Test func aSaveWaitsForALongEdit() throws {
    files.write("text", to: "a")
    let driver = try driverOfPieces(FaultyFileSystem())
    driver.open(path)
    driver.edit("insert", ["chars": "1"])
    driver.save(to: path)
    driver.perform(driver.view, .paste(Self.long))
    driver.session.views.sendUpdates()
    driver.settle()
    #expect(files.contents("a") == "1text\n")
    let folder = try recoveryFolder()
    let text = driver.document?.buffer.text
    driver.run { (try? recovered(folder))?.base.contents == ContentIdentity(of: "1text\n") }
    guard case .text(let found, _, _) = try recovered(folder).replay(on: try file(), folder: folder) else {
      Issue.record("it does not lead on")
      return
    }
    #expect(found == text && driver.alerts == [])
  }
}
