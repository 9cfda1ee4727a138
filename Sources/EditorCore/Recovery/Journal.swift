import Glibc
import Rope

/// Every edit of one buffer, on disk before its update is sent: what a killed core leaves to be recovered.
///
/// The file is made at the first edit. `append` is one `write`, of microseconds; `descriptor` is for the worker, which syncs it at most a
/// second later. A record that could not be written is kept and written before the next. Not thread-safe.
package final class Journal {
  package let path: String
  /// The file that the edits are made to.
  package private(set) var base: JournalBase
  /// Whether records were written since `beginSync`.
  package private(set) var needsSync = false
  /// The open file; nil before the first edit.
  package private(set) var file: JournalFile?
  private let folder: RecoveryFolder
  private let system: any FileSystem
  private var checksum: UInt64 = 0
  private var byteCount = 0
  private var unwritten: [UInt8] = []
  private var isTorn = false
  private var lastRevision: UInt64 = 0

  /// For the buffer of `base.path`, or one without a file that `name` tells apart.
  package init(base: JournalBase, name: String = "", folder: RecoveryFolder) {
    self.base = base
    self.folder = folder
    system = folder.system
    path = folder.path(for: base.path.isEmpty ? name : base.path, suffix: "journal")
  }

  /// Goes on with the journal that `recovered` was read from: what was cut short at its end is dropped.
  package init(continuing recovered: RecoveredJournal, folder: RecoveryFolder) throws(FileError) {
    base = recovered.base
    path = recovered.path
    self.folder = folder
    system = folder.system
    checksum = recovered.checksum
    byteCount = recovered.validByteCount
    lastRevision = recovered.edits.last?.revision ?? 0
    let file = try JournalFile(path, O_WRONLY | O_APPEND | O_NOFOLLOW, system: system)
    try system.truncate(file.descriptor, to: byteCount)
    self.file = file
  }

  /// Writes an edit down. It is kept, and written with the next, when this fails.
  package func append(_ edit: JournalEdit) throws(FileError) {
    lastRevision = edit.revision
    try append(.edit(edit))
  }

  /// To be called before a save begins: so that recovery knows these contents when it meets them in the file.
  package func willSave(revision: UInt64, contents: ContentIdentity) throws(FileError) {
    guard file != nil else { return }
    try append(.saving(revision: revision, contents: contents))
    try file?.synchronize()
  }

  /// Starts a new generation: the file now holds the text at `revision`. Edits after it are kept, all others are forgotten.
  package func didSave(revision: UInt64, as base: JournalBase) throws(FileError) {
    self.base = base
    guard file != nil else { return }
    if lastRevision <= revision { return discard() }
    let old = try RecoveredJournal(at: path, system: system)
    let edits = old.edits.filter { $0.revision > revision }
    let temporary = path + ".new"
    let next = try JournalFile(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_APPEND, system: system)
    var (bytes, checksum) = start(base)
    for edit in edits {
      let record = JournalFormat.encode(.edit(edit), after: checksum)
      bytes += record.bytes
      checksum = record.checksum
    }
    try next.append(bytes)
    try next.synchronize()
    try system.rename(temporary, to: path)
    try system.synchronizeFolder(folder.path)
    (file, self.checksum, byteCount, unwritten, isTorn, needsSync) = (next, checksum, bytes.count, [], false, false)
  }

  /// What the worker is to sync, if there is anything new. The file stays open until it is done.
  package func beginSync() -> JournalFile? {
    guard needsSync else { return nil }
    needsSync = false
    return file
  }

  /// Removes the journal: its edits are saved, or not wanted any more.
  package func discard() {
    guard file != nil else { return }
    file = nil
    (checksum, byteCount, unwritten, isTorn, needsSync) = (0, 0, [], false, false)
    try? system.remove(path)
    try? system.remove(folder.baseCopyPath(of: path))
  }

  private func append(_ record: JournalRecord) throws(FileError) {
    if byteCount == 0, unwritten.isEmpty { (unwritten, checksum) = start(base) }
    let (bytes, checksum) = JournalFormat.encode(record, after: checksum)
    self.checksum = checksum
    unwritten += bytes
    let file = try openFile()
    // What a failed write left would break the chain.
    if isTorn { try system.truncate(file.descriptor, to: byteCount) }
    isTorn = true
    try file.append(unwritten)
    isTorn = false
    byteCount += unwritten.count
    unwritten.removeAll(keepingCapacity: true)
    needsSync = true
  }

  private func openFile() throws(FileError) -> JournalFile {
    if let file { return file }
    let file = try JournalFile(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_APPEND, system: system)
    self.file = file
    return file
  }

  private func start(_ base: JournalBase) -> (bytes: [UInt8], checksum: UInt64) {
    let record = JournalFormat.encode(.base(base), after: 0)
    return (JournalFormat.magic + record.bytes, record.checksum)
  }
}

/// The open file of a journal: the worker may sync it while the loop appends to it. Closed when the last of them lets go.
package final class JournalFile: Sendable {
  let descriptor: CInt
  private let system: any FileSystem

  init(_ path: String, _ flags: CInt, system: any FileSystem) throws(FileError) {
    self.system = system
    descriptor = try system.open(path, flags, mode: 0o600)
  }

  deinit { system.close(descriptor) }

  /// Any thread. Milliseconds, or many of them on a busy disk.
  package func synchronize() throws(FileError) { try system.synchronizeData(descriptor) }

  func append(_ bytes: [UInt8]) throws(FileError) {
    try bytes.withUnsafeBufferPointer { bytes throws(FileError) in
      try system.writeAll(descriptor, UnsafeRawBufferPointer(bytes))
    }
  }
}
