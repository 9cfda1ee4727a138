/// Writes records into a journal's file, each with the checksum of all before it.
///
/// What could not be written is kept, and comes before what is written next. A long record goes in pieces, and what follows it waits.
/// Not thread-safe.
package final class JournalWriter {
  /// The open file; nil before the first record.
  package private(set) var file: JournalFile?
  /// Of the records that are encoded.
  private(set) var checksum: UInt64 = 0
  /// Of what is written whole.
  private(set) var byteCount = 0
  /// Whether records were written since ``beginSync()``.
  package var needsSync = false
  /// Encoded.
  private var unwritten: [UInt8] = []
  /// Not encoded yet, in their order.
  private var waiting: [JournalRecord] = []
  /// Comes before those that wait.
  private var stream: JournalStream?
  /// Something stands behind what is written whole, or may.
  private(set) var isTorn = false
  private let folder: RecoveryFolder

  init(_ folder: RecoveryFolder) { self.folder = folder }

  /// Goes on with a file of so many bytes.
  init(_ folder: RecoveryFolder, _ file: JournalFile, byteCount: Int, checksum: UInt64) {
    self.folder = folder
    (self.file, self.byteCount, self.checksum) = (file, byteCount, checksum)
  }

  /// There are records, whether they could be written or not.
  var isBegun: Bool { file != nil || lacksAny }
  /// Nothing is encoded yet.
  var isAtStart: Bool { byteCount == 0 && unwritten.isEmpty }
  /// With what of a long record is there.
  var fileByteCount: Int { byteCount + (stream?.byteCount ?? 0) }
  var lacksAny: Bool { !unwritten.isEmpty || !waiting.isEmpty }

  /// A long record is being written, and ``writeMore()`` goes on with it; what follows waits.
  package var isBehind: Bool { stream != nil }
  /// Something could not be written, and is to be written again.
  package var lacksRecord: Bool { !isBehind && lacksAny }

  // MARK: Writing

  /// The beginning of the file, and what comes before all that waits.
  func start(_ base: JournalBase, _ records: [JournalRecord]) {
    (unwritten, checksum) = JournalFormat.start(base)
    waiting.insert(contentsOf: records, at: 0)
  }

  func add(_ records: [JournalRecord]) { waiting += records }

  /// Writes all that waits, up to the first long record, with one call.
  ///
  /// - Parameters:
  ///   - open: Makes the file if there is none.
  ///   - meetsLong: Called before a long record is begun.
  func writeWaiting(
    _ open: () throws(FileError) -> JournalFile, meetsLong: () -> Void
  ) throws(FileError) {
    var count = 0
    defer { waiting.removeFirst(count) }
    for record in waiting {
      if record.textByteCount > folder.largestRecordAtOnce {
        meetsLong()
        try writeEncoded(open)
        count += 1
        stream = JournalStream(record, after: checksum)
        isTorn = true
        return
      }
      let (bytes, checksum) = JournalFormat.encode(record, after: checksum)
      self.checksum = checksum
      unwritten += bytes
      count += 1
    }
    try writeEncoded(open)
  }

  private func writeEncoded(_ open: () throws(FileError) -> JournalFile) throws(FileError) {
    let file = if let file { file } else { try open() }
    self.file = file
    // What a failed write left would break the chain.
    if isTorn { try file.truncate(to: byteCount) }
    isTorn = true
    try file.append(unwritten)
    isTorn = false
    byteCount += unwritten.count
    unwritten.removeAll(keepingCapacity: true)
    needsSync = true
  }

  /// Some tenths of a millisecond. When it fails, the record is begun again with the next.
  func writeMore() throws(FileError) {
    guard var next = stream, let file else { return }
    do throws(FileError) {
      try file.append(next.takeBytes(folder.pieceOfLongRecord))
    } catch {
      restartLong()
      throw error
    }
    stream = next
    guard next.isAtEnd else { return }
    stream = nil
    (checksum, isTorn, needsSync) = (next.checksum, false, true)
    byteCount += next.byteCount
  }

  /// The long record, if there is one, is to be written again.
  func restartLong() {
    guard let record = stream?.record else { return }
    waiting.insert(record, at: 0)
    stream = nil
  }

  /// What the worker is to sync, if there is anything new. The file stays open until it is done.
  package func beginSync() -> JournalFile? {
    guard needsSync else { return nil }
    needsSync = false
    return file
  }

  // MARK: Other files

  /// Another file has the same bytes.
  func goOn(in copy: JournalFile) { (file, isTorn, needsSync) = (copy, false, true) }

  /// Another file has all, also what could not be written before.
  func goOn(in next: JournalFile, byteCount: Int, checksum: UInt64) {
    goOn(in: next)
    (self.byteCount, self.checksum, unwritten, waiting) = (byteCount, checksum, [], [])
  }

  /// Begins anew, without a file.
  func reset() {
    (file, checksum, byteCount, needsSync) = (nil, 0, 0, false)
    (unwritten, waiting, stream, isTorn) = ([], [], nil, false)
  }

  func removeWaiting(where areUnwanted: (JournalRecord) -> Bool) { waiting.removeAll(where: areUnwanted) }
}
