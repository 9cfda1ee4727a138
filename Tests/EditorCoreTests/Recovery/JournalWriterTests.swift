import EventLoop
import Glibc
import Rope
import Testing

@testable import EditorCore

/// Records in their order, whole or not at all, whatever the disk does.
@Suite struct JournalWriterTests: JournalSuite {
  let files = TemporaryFolder()

  private func edit(_ revision: UInt64, _ text: Rope) -> JournalRecord {
    let delta = Delta(baseByteCount: 0, replacing: 0..<0, with: text)
    return .edit(JournalEdit(revision: revision, undoGroup: 1, delta: delta, selections: []))
  }

  private func write(_ writer: JournalWriter, _ system: any FileSystem = LinuxFileSystem()) throws {
    try writer.writeWaiting(
      { () throws(FileError) in try JournalFile(path, O_CREAT | O_EXCL, system: system) }, meetsLong: {})
  }

  private func revisions(_ writer: JournalWriter) throws -> [UInt64] {
    let bytes = try #require(writer.file).read(writer.byteCount)
    let contents = try #require(JournalFormat.decode(bytes))
    #expect(contents.validByteCount == bytes.count)
    // It has what could not be written, too.
    if !writer.lacksRecord { #expect(contents.checksum == writer.checksum) }
    return contents.records.compactMap { if case .edit(let edit) = $0 { edit.revision } else { nil } }
  }

  @Test func recordsAreWrittenInTheirOrder() throws {
    let writer = JournalWriter(try recoveryFolder())
    #expect(!writer.isBegun && writer.isAtStart)
    writer.add([edit(2, "two")])
    writer.start(JournalBase(of: nil, version: .none), [edit(1, "one")])
    #expect(writer.isBegun && writer.lacksRecord)
    try write(writer)
    writer.add([edit(3, "three")])
    try write(writer)
    #expect(try revisions(writer) == [1, 2, 3])
    #expect(!writer.lacksRecord && writer.beginSync() != nil && writer.beginSync() == nil)
  }

  @Test func whatFollowsALongRecordWaits() throws {
    var folder = try recoveryFolder()
    (folder.largestRecordAtOnce, folder.pieceOfLongRecord) = (100, 64)
    let writer = JournalWriter(folder)
    writer.start(JournalBase(of: nil, version: .none), [])
    writer.add([edit(1, "one"), edit(2, Rope(String(repeating: "x", count: 500))), edit(3, "three")])
    try write(writer)
    #expect(writer.isBehind && !writer.lacksRecord)
    #expect(try revisions(writer) == [1])
    try writer.writeMore()
    #expect(writer.isTorn && writer.fileByteCount == writer.byteCount + 64 + 4)
    while writer.isBehind { try writer.writeMore() }
    #expect(try revisions(writer) == [1, 2])
    #expect(writer.lacksRecord)
    try write(writer)
    #expect(try revisions(writer) == [1, 2, 3])
  }

  /// What a write that failed has left does not stand in the way.
  @Test func whatCouldNotBeWrittenComesFirst() throws {
    let isFull = Lock(false)
    let system = FaultyFileSystem(.full(isFull))
    var folder = try recoveryFolder()
    (folder.largestRecordAtOnce, folder.pieceOfLongRecord) = (100, 64)
    let writer = JournalWriter(folder)
    writer.start(JournalBase(of: nil, version: .none), [edit(1, "one")])
    try write(writer, system)
    isFull.withLock { $0 = true }
    writer.add([edit(2, "two")])
    #expect(throws: FileError.self) { try write(writer, system) }
    #expect(writer.lacksRecord)
    #expect(try revisions(writer) == [1])
    isFull.withLock { $0 = false }
    writer.add([edit(3, Rope(String(repeating: "x", count: 500)))])
    try write(writer, system)
    try writer.writeMore()
    isFull.withLock { $0 = true }
    #expect(throws: FileError.self) { try writer.writeMore() }
    #expect(!writer.isBehind && writer.lacksRecord, "it is begun again")
    isFull.withLock { $0 = false }
    try write(writer, system)
    while writer.isBehind { try writer.writeMore() }
    #expect(try revisions(writer) == [1, 2, 3])
  }

  @Test func withoutAFileItBeginsAnew() throws {
    let writer = JournalWriter(try recoveryFolder())
    writer.start(JournalBase(of: nil, version: .none), [edit(1, "one")])
    try write(writer)
    writer.add([edit(2, "two")])
    writer.reset()
    #expect(!writer.isBegun && writer.isAtStart && writer.file == nil && writer.beginSync() == nil)
  }
}
