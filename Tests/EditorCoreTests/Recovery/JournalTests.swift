import Glibc
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// A text being edited, with its journal.
private struct Session {
  var text: Rope
  var revision: UInt64 = 0
  let journal: Journal

  mutating func type(_ typed: String, at offset: Int) throws {
    revision += 1
    let delta = Delta(
      baseByteCount: text.byteCount, replacing: ByteOffset(offset)..<ByteOffset(offset), with: Rope(typed))
    text.apply(delta)
    let cursor = ByteOffset(offset + typed.utf8.count)
    let selection = JournalEdit.Selection(anchor: cursor, active: cursor)
    try journal.append([
      JournalEdit(
        revision: revision, undoGroup: revision / 3, handledEdits: Int(revision) * 2, delta: delta,
        selections: [selection])
    ])
  }
}

@Suite struct JournalTests {
  private let files = TemporaryFolder()
  private var path: String { files("a") }

  private func recoveryFolder(_ system: any FileSystem = LinuxFileSystem()) throws -> RecoveryFolder {
    try #require(RecoveryFolder(at: files("recovery"), system: system))
  }

  private func contents() throws -> Rope { try FileReader(path, system: LinuxFileSystem()).readAll() }

  private func base() throws -> JournalBase {
    let reader = try FileReader(path, system: LinuxFileSystem())
    let contents = try reader.readAll()
    return JournalBase(
      path: path, contents: ContentIdentity(of: contents), modificationTime: reader.status.modificationTime)
  }

  private func session(_ folder: RecoveryFolder) throws -> Session {
    Session(text: try contents(), journal: Journal(base: try base(), name: "view", folder: folder))
  }

  private func recovered(_ folder: RecoveryFolder) throws -> RecoveredJournal {
    try RecoveredJournal(at: try #require(files.journal(in: folder)), system: LinuxFileSystem())
  }

  @Test func everyEditComesBack() throws {
    files.write("one\ntwo\n", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    #expect(files.journal(in: folder) == nil)
    for number in 0..<20 { try session.type("é\(number)", at: number % 4) }
    let journal = try recovered(folder)
    #expect(journal.edits.count == 20)
    #expect(journal.edits.last?.revision == 20)
    #expect(journal.edits.last?.handledEdits == 40)
    #expect(journal.edits.last?.selections == [.init(anchor: 7, active: 7)])
    #expect(!journal.isCutShort)
    guard case .text(let text, let edits) = journal.replay(on: try contents(), folder: folder) else {
      Issue.record("no text")
      return
    }
    #expect(text == session.text)
    #expect(edits == journal.edits)
    #expect(try LinuxFileSystem().status(at: journal.path, followingLinks: false)?.mode == 0o600)
    #expect(try LinuxFileSystem().status(at: folder.path, followingLinks: false)?.mode == 0o700)
    // A process writes to it, and then no more.
    #expect(try folder.abandonedJournals(of: path).isEmpty)
    withExtendedLifetime(session) {}
  }

  @Test func syncIsWantedOnceAfterEdits() throws {
    files.write("", to: "a")
    var session = try session(try recoveryFolder())
    #expect(session.journal.beginSync() == nil)
    try session.type("a", at: 0)
    try session.type("b", at: 0)
    try #require(session.journal.beginSync()).synchronize()
    #expect(session.journal.beginSync() == nil)
  }

  /// Cut anywhere, or one bit turned over anywhere: some first edits come back, none that was not made.
  @Test func damagedTailIsTolerated() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    var texts = [session.text]
    for number in 0..<6 {
      try session.type("\(number)", at: number)
      texts.append(session.text)
    }
    let whole = try FileReader(session.journal.path, system: LinuxFileSystem()).readAll()
    let bytes = whole.bytes(in: whole.fullRange)
    var found: Set<Int> = []
    for index in bytes.indices {
      var flipped = bytes
      flipped[index] ^= 1 << UInt8(index % 8)
      for damaged in [Array(bytes[..<index]), flipped] {
        guard let contents = JournalFormat.decode(damaged) else { continue }
        #expect(contents.validByteCount <= damaged.count)
        var text: Rope = "text"
        for case .edit(let edit) in contents.records { text.apply(edit.delta) }
        #expect(texts.contains(text))
        found.insert(contents.records.count)
      }
    }
    #expect(found == Set(0...6))
  }

  @Test func goesOnAfterACutTail() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    let kept = try typeAndDie(folder)
    let cut = try recovered(folder)
    #expect(cut.isCutShort && cut.edits.count == 1)
    var next = Session(text: kept, revision: 1, journal: try Journal(continuing: cut, name: "view", folder: folder))
    try next.type("three ", at: 4)
    guard case .text(let text, _) = try recovered(folder).replay(on: try contents(), folder: folder) else {
      Issue.record("no text")
      return
    }
    #expect(text == "one three text")
  }

  /// Two edits by a session that ends, the second of them cut short; the text before that one.
  private func typeAndDie(_ folder: RecoveryFolder) throws -> Rope {
    var session = try session(folder)
    try session.type("one ", at: 0)
    let kept = session.text
    try session.type("two ", at: 0)
    let status = try LinuxFileSystem().status(at: session.journal.path, followingLinks: true)
    truncate(session.journal.path, (status?.size ?? 0) - 3)
    return kept
  }

  @Test func changedFileGivesWhatWasTyped() throws {
    files.write("base text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    try session.type("first", at: 0)
    try session.type("second", at: 10)
    try session.type("X", at: 2)
    files.write("other text", to: "a")
    guard case .typed(let typed) = try recovered(folder).replay(on: try contents(), folder: folder) else {
      Issue.record("it was guessed")
      return
    }
    #expect(typed == "fiXrst\nsecond\n")
  }

  @Test func changedFileWithACopyGivesTheText() throws {
    files.write("base text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    let writer = FileWriter(system: LinuxFileSystem(), recoveryFolder: folder)
    try folder.keepBaseCopy(session.text, of: session.journal.path, writer: writer)
    try session.type("the ", at: 0)
    unlink(path)
    guard case .textOfCopy(let text, "base text") = try recovered(folder).replay(on: nil, folder: folder) else {
      Issue.record("no text")
      return
    }
    #expect(text == "the base text")
    folder.discard(try recovered(folder))
    #expect(try LinuxFileSystem().names(inDirectory: folder.path).isEmpty)
  }

  @Test func saveStartsAGeneration() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    let writer = FileWriter(system: LinuxFileSystem(), recoveryFolder: folder)
    var session = try session(folder)
    try session.type("one ", at: 0)
    let saved = session.text
    _ = try session.journal.willSave(revision: 1, contents: ContentIdentity(of: saved))
    // Killed before the save, and after it.
    guard case .text("one text", _) = try recovered(folder).replay(on: "text", folder: folder),
      case .nothing = try recovered(folder).replay(on: saved, folder: folder)
    else {
      Issue.record("neither")
      return
    }
    _ = try writer.save(saved, to: path)
    // Typed while it was saved.
    try session.type("two ", at: 0)
    guard case .text("two one text", let edits) = try recovered(folder).replay(on: saved, folder: folder) else {
      Issue.record("no text")
      return
    }
    #expect(edits.map(\.revision) == [2])
    try session.journal.didSave(revision: 1, as: try base())
    #expect(try recovered(folder).edits.map(\.revision) == [2])
    guard case .text("two one text", _) = try recovered(folder).replay(on: try contents(), folder: folder) else {
      Issue.record("no text")
      return
    }
    try session.journal.didSave(revision: 2, as: try base())
    #expect(try LinuxFileSystem().names(inDirectory: folder.path).isEmpty)
  }

  /// A process that another test is just starting holds what is open here, locks included, until it runs its program.
  private func waitForLocks(in folder: RecoveryFolder) throws {
    let system = LinuxFileSystem()
    let deadline = ContinuousClock.now + patience
    for name in try system.names(inDirectory: folder.path) where name.hasSuffix(".journal") {
      while try !system.withOpen(
        folder.path + "/" + name, O_RDONLY,
        { descriptor throws(FileError) in
          try system.lock(descriptor)
        }), ContinuousClock.now < deadline
      {}
    }
  }

  /// Edits and a save with the process killed at every system call: what was typed is in the file or in the journal.
  @Test func deathAtEveryCallLosesNothing() throws {
    let counting = FaultyFileSystem()
    files.write("text", to: "a")
    #expect(try script(counting) == 3)
    for call in counting.calls.indices {
      files.write("text", to: "a")
      try? LinuxFileSystem().names(inDirectory: files("recovery")).forEach { unlink(files("recovery") + "/" + $0) }
      // Only edits whose `append` returned were acknowledged.
      let acknowledged = (try? script(FaultyFileSystem(.death(atCall: call)))) ?? 0
      let folder = try recoveryFolder()
      try waitForLocks(in: folder)
      let present = try contents()
      var text = present
      if let journal = try folder.abandonedJournals(of: path).first,
        case .text(let recovered, _) = journal.replay(on: present, folder: folder)
      {
        text = recovered
      }
      let expected = ["text", "1text", "21text", "321text"]
      let found = expected.firstIndex { Rope($0) == text }
      #expect(
        (found ?? -1) >= acknowledged, "call \(call), \(counting.calls[call]): \(text.string(in: text.fullRange))")
    }
  }

  /// Two edits, a save, one more edit while it runs. Returns how many edits were acknowledged.
  private func script(_ system: FaultyFileSystem) throws -> Int {
    guard let folder = RecoveryFolder(at: files("recovery"), system: system) else { return 0 }
    var session = try session(folder)
    var acknowledged = 0
    do {
      for number in 1...2 {
        try session.type("\(number)", at: 0)
        acknowledged += 1
      }
      let saved = session.text
      try session.journal.willSave(revision: 2, contents: ContentIdentity(of: saved))?.synchronize()
      let status = try FileWriter(system: system, recoveryFolder: folder).save(saved, to: path)
      try session.type("3", at: 0)
      acknowledged += 1
      let contents = ContentIdentity(of: saved)
      try session.journal.didSave(
        revision: 2, as: JournalBase(path: path, contents: contents, modificationTime: status.modificationTime))
    } catch {}
    return acknowledged
  }

  @Test func failedWriteIsMadeUpFor() throws {
    files.write("", to: "a")
    _ = try recoveryFolder()
    let counting = FaultyFileSystem()
    var first = try session(try recoveryFolder(counting))
    try first.type("a", at: 0)
    first.journal.discard()
    let write = try #require(counting.calls.lastIndex(of: "write"))
    let system = FaultyFileSystem(.error(ENOSPC, atCall: write))
    let folder = try recoveryFolder(system)
    var session = try session(folder)
    #expect(failure { try session.type("a", at: 0) }?.code == .diskFull)
    try session.type("b", at: 1)
    #expect(try recovered(folder).edits.map(\.revision) == [1, 2])
  }

  @Test func randomBytesAreNoJournal() throws {
    files.write("not a journal", to: "b.journal")
    #expect(
      failure { _ = try RecoveredJournal(at: files("b.journal"), system: LinuxFileSystem()) }?.code == .notAJournal)
    for count in 0..<60 {
      let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) | 0x80 }
      #expect(JournalRecord(payload: payload[...]) == nil)
      for kind in 1...3 as ClosedRange<UInt8> { #expect(JournalRecord(payload: ([kind] + payload)[...]) == nil) }
    }
  }
}

@Suite struct RecoveryFolderTests {
  private let files = TemporaryFolder()
  private let system = LinuxFileSystem()

  @Test func isMadePrivate() throws {
    let folder = try #require(RecoveryFolder(environment: ["XDG_STATE_HOME": files("state")], system: system))
    #expect(folder.path == files("state/xiedit/recovery"))
    #expect(try system.status(at: folder.path, followingLinks: false)?.mode == 0o700)
    let home = RecoveryFolder(environment: ["HOME": files.path, "XDG_STATE_HOME": "relative"], system: system)
    #expect(home?.path == files(".local/state/xiedit/recovery"))
    #expect(RecoveryFolder(environment: [:], system: system) == nil)
  }

  @Test func isNotInAnothersHome() throws {
    // As seen by another user, or by root in a user's home.
    try #require(chown(files.path, 12345, 12345) == 0 || geteuid() != 0)
    guard geteuid() == 0 else { return }
    #expect(RecoveryFolder(environment: ["HOME": files.path], system: system) == nil)
    #expect(files.names.isEmpty)
  }

  @Test func doesNotTakeWhatLiesInMemory() throws {
    let folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    #expect(folder.mayHoldEdits(of: files("new")))
    guard let descriptor = try? system.open("/dev/shm", O_RDONLY | O_DIRECTORY, mode: 0) else { return }
    defer { system.close(descriptor) }
    #expect(folder.mayHoldEdits(of: "/dev/shm/secret") == !system.isInMemory(descriptor))
  }

  @Test func secondEditorIsTold() throws {
    let folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    guard case .held(let lock) = try FileLock.take(of: files("a"), folder: folder) else {
      Issue.record("nobody has it")
      return
    }
    guard case .heldByProcess(Int(getpid())) = try FileLock.take(of: files("a"), folder: folder) else {
      Issue.record("it is had twice")
      return
    }
    guard case .held = try FileLock.take(of: files("b"), folder: folder) else {
      Issue.record("another file")
      return
    }
    withExtendedLifetime(lock) {}
  }

  @Test func lockEndsWithItsHolder() throws {
    let folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    for _ in 0..<2 {
      guard case .held = try FileLock.take(of: files("a"), folder: folder) else {
        Issue.record("it was kept")
        return
      }
    }
    #expect(try system.names(inDirectory: folder.path).isEmpty)
  }
}

extension TemporaryFolder {
  /// The path of the one journal, whoever writes to it.
  fileprivate func journal(in folder: RecoveryFolder) -> String? {
    (try? LinuxFileSystem().names(inDirectory: folder.path))?.first { $0.hasSuffix(".journal") }.map {
      folder.path + "/" + $0
    }
  }
}
