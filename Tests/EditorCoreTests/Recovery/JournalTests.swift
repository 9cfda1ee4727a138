import EventLoop
import Glibc
import Rope
import Testing

@testable import EditorCore

/// What is written is what is read.
@Suite struct JournalTests: JournalSuite {
  let files = TemporaryFolder()

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
    guard case .text(let text, let edits, _) = journal.replay(on: try file(), folder: folder) else {
      Issue.record("no text")
      return
    }
    #expect(text == session.text)
    #expect(edits == journal.edits)
    #expect(try LinuxFileSystem().status(at: journal.path, followingLinks: false)?.mode == 0o600)
    #expect(try LinuxFileSystem().status(at: folder.path, followingLinks: false)?.mode == 0o700)
    // A process writes to it.
    #expect(try folder.abandonedJournals(of: place).isEmpty)
    // That process was killed, and is not gone yet.
    let late = try recoveryFolder(FaultyFileSystem(.endingHolder(for: .milliseconds(40))))
    withExtendedLifetime(session) {}
    session = try self.session(folder)
    #expect(try late.abandonedJournals(of: place).count == 1)
    #expect(late.abandonedJournal(late.system.name(of: journal.path))?.edits == journal.edits)
  }

  /// What was selected last is known, whether an edit went before it or not; it is no edit, and wants no sync.
  @Test func whatWasSelectedComesBack() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    let regions = [JournalSelection.Region(anchor: 0, active: 2), .init(anchor: 4, active: 3)]
    try session.journal.append([JournalSelection(handledEdits: 3, regions: regions)])
    #expect(!session.journal.writer.needsSync)
    #expect(try recovered(folder).selections[0] == JournalSelection(handledEdits: 3, regions: regions))
    #expect(try recovered(folder).edits == [])
    try session.type("x", at: 0)
    #expect(session.journal.writer.needsSync)
    #expect(try recovered(folder).selections[0]?.regions == [.init(anchor: 1, active: 1)])
  }

  @Test func whatIsDamagedDoesNotTakeThePlaceOfAJournal() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    for _ in 0..<3 { try session.type("x", at: 0) }
    let generation = try #require(session.journal.beginGeneration(revision: 1, as: try base()))
    let path = session.journal.path
    let size = try #require(try LinuxFileSystem().status(at: path, followingLinks: false)?.size)
    let descriptor = open(path, O_WRONLY)
    #expect(pwrite(descriptor, "#", 1, size - 10) == 1)
    close(descriptor)
    #expect(failure { _ = try generation.write() } != nil)
  }

  /// As where the core ends before it has heard of what was written.
  @Test func whatNobodyTakesAtTheEndIsRemoved() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    for _ in 0..<2 { try session.type("x", at: 0) }
    let generation = try #require(session.journal.beginGeneration(revision: 1, as: try base()))
    let service = FileService(on: Loop(), system: LinuxFileSystem(), recoveryFolder: folder)
    service.write(generation) { _ in Issue.record("nobody runs the loop") }
    service.finish()
    #expect(try LinuxFileSystem().names(inDirectory: folder.path).filter { $0.hasSuffix(".new") } == [])
  }

  /// Whichever call fails, what it was to write is in the journal that was begun meanwhile, once.
  @Test(arguments: 0..<2) func whatCouldNotBeWrittenIsWrittenOnce(call: Int) throws {
    files.write("text", to: "a")
    func begin(_ system: FaultyFileSystem) throws -> (JournaledText, Journal.Generation) {
      var session = try self.session(try recoveryFolder(system))
      for _ in 0..<2 { try session.type("x", at: 0) }
      return (session, try #require(session.journal.beginGeneration(revision: 1, as: try base())))
    }
    _ = try recoveryFolder()
    let counting = FaultyFileSystem()
    unlink(try begin(counting).0.journal.path)
    let failing = counting.calls.count + call
    var (session, generation) = try begin(FaultyFileSystem(.error(EIO, atCall: failing)))
    try? session.type("y", at: 0)
    try session.journal.finish(generation.write())
    try session.type("z", at: 0)
    let journal = try RecoveredJournal(at: session.journal.path, system: LinuxFileSystem())
    #expect(journal.edits.map(\.revision) == [2, 3, 4])
  }

  /// A save as it was written down before it had a path: a journal of then is read to its end.
  @Test func aSaveWithoutAPathIsOfTheBase() throws {
    files.write("text", to: "a")
    let folder = try recoveryFolder()
    var session = try session(folder)
    try session.type("1", at: 0)
    let path = session.journal.path
    let whole = try FileReader(path, system: LinuxFileSystem()).readAll()
    let known = try #require(JournalFormat.decode(whole.bytes(in: whole.fullRange)))
    var bytes = JournalFormat.magic
    var checksum: UInt64 = 0
    func add(_ payload: [UInt8]) {
      var hash = ContentHash()
      JournalFormat.littleEndianBytes(checksum).withUnsafeBytes { hash.update($0) }
      payload.withUnsafeBytes { hash.update($0) }
      checksum = hash.value
      bytes +=
        JournalFormat.littleEndianBytes(UInt32(payload.count)) + payload + JournalFormat.littleEndianBytes(checksum)
    }
    var saving = ByteEncoder()
    // Its kind, the revision, the contents, and an image: UTF-8, and no added end.
    for number: UInt64 in [3, 0, 4, ContentIdentity(of: "text").hash, 0, 0] { saving.write(number) }
    add(known.records[0].payload)
    add(saving.bytes)
    add(known.records[1].payload)
    files.write(bytes, to: "recovery/" + LinuxFileSystem().name(of: path))
    let journal = try recovered(folder)
    #expect(journal.edits.count == 1 && !journal.isCutShort)
    guard case .text("1text", _, _) = journal.replay(on: try file(), folder: folder) else {
      Issue.record("no text")
      return
    }
  }

  /// A name that it is given while the worker syncs the one before is synced the next time.
  @Test func aNameGivenDuringASyncIsSynced() throws {
    files.write("", to: "a")
    let file = Lock<JournalFile?>(nil)
    let system = FaultyFileSystem(.meanwhile(before: "synchronize") { file.withLock { $0 }?.lostName() })
    let journal = try JournalFile(path, 0, system: system)
    file.withLock { $0 = journal }
    for expected in [1, 2, 2] {
      try journal.synchronizeName()
      #expect(system.calls.count { $0 == "synchronize" } == expected)
    }
    file.withLock { $0 = nil }
  }

  @Test func syncIsWantedOnceAfterEdits() throws {
    files.write("", to: "a")
    var session = try session(try recoveryFolder())
    #expect(session.journal.writer.beginSync() == nil)
    try session.type("a", at: 0)
    try session.type("b", at: 0)
    try #require(session.journal.writer.beginSync()).synchronize()
    #expect(session.journal.writer.beginSync() == nil)
  }

  /// That of a record may be longer than four bytes can say.
  @Test func lengthsOfAnySizeAreToldApart() throws {
    for count in [0, 1, 1 << 20, Int(UInt32.max) - 1, Int(UInt32.max), 1 << 32, 5 << 32, Int.max] {
      let bytes = JournalFormat.lengthBytes(count)
      let read = try #require(JournalFormat.length(at: (bytes + [9])[...]))
      #expect(read.count == count && read.end == bytes.count)
      #expect(bytes.count == (count < UInt32.max ? 4 : 12))
    }
    // The long form of a short record.
    let edit = JournalRecord.edit(
      JournalEdit(
        revision: 1, undoGroup: 1, delta: Delta(baseByteCount: 0, replacing: 0..<0, with: "x"), selections: []))
    let (start, checksum) = JournalFormat.start(JournalBase(of: nil, version: .none))
    let short = JournalFormat.encode(edit, after: checksum).bytes
    let bytes =
      start + [0xFF, 0xFF, 0xFF, 0xFF] + JournalFormat.littleEndianBytes(UInt64(edit.payload.count))
      + short.dropFirst(4)
    let contents = try #require(JournalFormat.decode(bytes))
    #expect(contents.records.last == edit && contents.validByteCount == bytes.count)
    #expect(JournalFormat.isCutRecord([0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 30)))
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
    var next = JournaledText(
      text: kept, revision: 1,
      journal: try Journal(continuing: #require(cut.sound), of: place, name: "view", folder: folder))
    try next.type("three ", at: 4)
    guard case .text(let text, _, _) = try recovered(folder).replay(on: try file(), folder: folder) else {
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
      // The tenth has no members.
      for kind in 1...11 as ClosedRange<UInt8> where kind != 10 || count > 0 {
        #expect(JournalRecord(payload: ([kind] + payload)[...]) == nil)
      }
    }
  }

  /// In pieces or at once, the bytes are the same.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func aStreamIsTheRecord(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let edits = (0..<Int.random(in: 0..<5, using: &random)).map { index in
      (index, Rope([UInt8](repeating: 0xE9, count: [0, 3, 200, 5000, 9000].randomElement(using: &random) ?? 0)))
    }
    var builder = Delta.Builder(baseByteCount: 100)
    for (index, text) in edits { builder.replace(ByteOffset(index * 10)..<ByteOffset(index * 10 + 5), with: text) }
    let selections = [JournalEdit.Selection(anchor: 3, active: 5)]
    var edit = JournalEdit(
      revision: 7, undoGroup: 300, view: Int(seed % 3), handledEdits: 2, delta: builder.build(),
      selections: selections)
    // Earlier versions told nothing of the steps.
    if seed % 2 == 0 {
      edit.step = .init(UndoHistory.Effect.allCases.randomElement(using: &random) ?? .undoes, .surround)
      edit.step?.hasMore = seed % 4 == 0
    }
    var record = JournalRecord.edit(edit)
    if seed % 5 == 0 { record = .history(history(of: edit.delta)) }
    #expect(JournalRecord(payload: record.payload[...]) == record)
    let whole = JournalFormat.encode(record, after: 42)
    var stream = JournalStream(record, after: 42)
    var bytes: [UInt8] = []
    while !stream.isAtEnd { bytes += stream.takeBytes(Int.random(in: 1..<3000, using: &random)) }
    #expect(bytes == whole.bytes && stream.checksum == whole.checksum && stream.byteCount == bytes.count)
  }

  private func history(of delta: Delta) -> JournalHistory {
    let plain = JournalHistory.Step(stateBefore: 3, stateAfter: 4, delta: delta)
    var (step, format) = (plain, TextFormat())
    (format.lineEnding, format.endsWithNewline) = (.carriageReturnLineFeed, true)
    step.origin = .init(origin: JournalOrigin(encoding: .shiftJIS, isOutdated: true), format: format)
    return JournalHistory(
      revision: 300, done: [plain, step], undone: [step], state: 4, openKind: .delete, openByteCount: 39,
      found: .init(format: format, indentation: ["translate_tabs_to_spaces": true, "tab_size": 3]))
  }

  /// Of the changes of one message a killed process has left all or none, and that is no damage.
  @Test func aMessageIsReadWholeOrNotAtAll() throws {
    files.write("text", to: "a")
    var edit = JournalEdit(revision: 1, undoGroup: 1, delta: Delta(identityOf: 4), selections: [])
    edit.step = .init(.opensStep, .insert)
    let (start, first) = JournalFormat.start(try base())
    let whole = JournalFormat.encode(.edit(edit), after: first)
    edit.step?.hasMore = true
    let begun = JournalFormat.encode(.edit(edit), after: whole.checksum)
    edit.step?.hasMore = false
    let end = JournalFormat.encode(.edit(edit), after: begun.checksum)
    let (bytes, wholeCount) = (start + whole.bytes + begun.bytes + end.bytes, start.count + whole.bytes.count)
    for count in wholeCount...bytes.count {
      files.write(Array(bytes[..<count]), to: "cut.journal")
      let journal = try RecoveredJournal(at: files("cut.journal"), system: LinuxFileSystem())
      let isWhole = count == bytes.count
      #expect(journal.edits.count == (isWhole ? 3 : 1) && journal.validByteCount == (isWhole ? count : wholeCount))
      #expect(!journal.isDamaged)
    }
  }
}
