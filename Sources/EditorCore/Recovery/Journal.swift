import EventLoop
import Glibc
import Rope

/// Every edit of one document, on disk before its update is sent: what a killed core leaves to be recovered.
///
/// The file is made at the first edit. `append` is one `write`, of microseconds; `descriptor` is for the worker, which syncs it at most a
/// second later. A record that could not be written is kept and written before the next. Not thread-safe.
package final class Journal {
  package private(set) var path: String
  /// The file that the edits are made to.
  package private(set) var base: JournalBase
  /// Whether records were written since `beginSync`.
  package private(set) var needsSync = false
  /// The open file; nil before the first edit.
  package private(set) var file: JournalFile?
  /// Tells the documents of this process apart.
  private let name: String
  private let folder: RecoveryFolder
  private let system: any FileSystem
  private var checksum: UInt64 = 0
  private var byteCount = 0
  private var unwritten: [UInt8] = []
  private var isTorn = false
  private var lastRevision: UInt64 = 0

  package init(base: JournalBase, name: String, folder: RecoveryFolder) {
    self.base = base
    self.name = name
    self.folder = folder
    system = folder.system
    path = folder.newJournalPath(for: base.path, name: name)
  }

  /// Goes on with the journal that `recovered` was read from: what was cut short at its end is dropped.
  package init(continuing recovered: RecoveredJournal, name: String, folder: RecoveryFolder) throws(FileError) {
    base = recovered.base
    self.name = name
    path = recovered.path
    self.folder = folder
    system = folder.system
    checksum = recovered.checksum
    byteCount = recovered.validByteCount
    lastRevision = recovered.edits.last?.revision ?? 0
    let file = try JournalFile(path, 0, system: system)
    try file.truncate(to: byteCount)
    self.file = file
  }

  /// Its name in the folder, by which a front end asks for it.
  package var id: String { system.name(of: path) }

  /// Writes edits down, and what was selected later, in one call. They are kept, and written with the next, when this fails.
  package func append(_ edits: [JournalEdit], _ selection: JournalSelection? = nil) throws(FileError) {
    guard let last = edits.last else { return }
    lastRevision = last.revision
    try append(edits.map(JournalRecord.edit) + (selection.map { [.selection($0)] } ?? []))
  }

  /// Writes down what is selected. It need not survive the machine, only this process: no sync is wanted for it.
  package func append(_ selection: JournalSelection) throws(FileError) {
    let neededSync = needsSync
    try append([.selection(selection)])
    needsSync = neededSync
  }

  /// To be called before a save begins: so that recovery knows these contents when it meets them in the file.
  ///
  /// What it returns must be synced before the file is touched.
  package func willSave(
    revision: UInt64, contents: ContentIdentity, image: FileImage
  ) throws(FileError) -> JournalFile? {
    guard file != nil else { return nil }
    try append([.saving(revision: revision, contents: contents, image: image)])
    return file
  }

  /// To be called when all of a file is there of which the base has only the beginning.
  package func didLoad(_ version: FileVersion) throws(FileError) {
    (base.contents, base.image) = (version.contents, version.image)
    if file != nil || !unwritten.isEmpty { try append([.loaded(version.contents, version.image)]) }
  }

  /// Starts a new generation: the file now holds the text at `revision`. Edits after it are kept, all others are forgotten.
  package func didSave(revision: UInt64, as base: JournalBase) throws(FileError) {
    let isElsewhere = base.path != self.base.path
    self.base = base
    let old = path
    guard lastRevision > revision else {
      discard()
      if isElsewhere { path = folder.newJournalPath(for: base.path, name: name) }
      return
    }
    // What could not be written goes along.
    try flush()
    let later = try RecoveredJournal(at: path, system: system).edits
    try startGeneration(
      later.filter { $0.revision > revision },
      at: isElsewhere ? folder.newJournalPath(for: base.path, name: name) : path)
    if isElsewhere { folder.removeJournal(old) }
  }

  private func startGeneration(_ edits: [JournalEdit], at path: String) throws(FileError) {
    var (bytes, checksum) = start(base)
    for edit in edits {
      let record = JournalFormat.encode(.edit(edit), after: checksum)
      bytes += record.bytes
      checksum = record.checksum
    }
    try replaceFile(with: bytes, checksum, at: path)
    unwritten = []
  }

  /// Writes all to another file: what could not be synced once is not known to be on the disk, whatever is said later.
  package func renew() throws(FileError) {
    guard file != nil else { return }
    let contents = try FileReader(path, system: system).readAll()
    try replaceFile(with: contents.bytes(in: 0..<ByteOffset(min(byteCount, contents.byteCount))), checksum, at: path)
  }

  private func replaceFile(with bytes: [UInt8], _ checksum: UInt64, at path: String) throws(FileError) {
    let temporary = path + ".new"
    let next = try JournalFile(temporary, O_CREAT | O_TRUNC, system: system)
    try next.append(bytes)
    try next.synchronizeContents()
    try system.rename(temporary, to: path)
    (self.path, file, self.checksum, byteCount, isTorn) = (path, next, checksum, bytes.count, false)
    needsSync = true
    try next.synchronizeName()
    needsSync = false
  }

  /// What the worker is to sync, if there is anything new. The file stays open until it is done.
  package func beginSync() -> JournalFile? {
    guard needsSync else { return nil }
    needsSync = false
    return file
  }

  /// Removes the journal: its edits are saved, or not wanted any more.
  package func discard() {
    let isBegun = file != nil
    file = nil
    (checksum, byteCount, unwritten, isTorn, needsSync) = (0, 0, [], false, false)
    if isBegun { folder.removeJournal(path) }
  }

  /// Writes what could not be written before.
  package func flush() throws(FileError) {
    if !unwritten.isEmpty { try append([JournalRecord]()) }
  }

  private func append(_ records: [JournalRecord]) throws(FileError) {
    if byteCount == 0, unwritten.isEmpty { (unwritten, checksum) = start(base) }
    for record in records {
      let (bytes, checksum) = JournalFormat.encode(record, after: checksum)
      self.checksum = checksum
      unwritten += bytes
    }
    let file = try openFile()
    // What a failed write left would break the chain.
    if isTorn { try file.truncate(to: byteCount) }
    isTorn = true
    try file.append(unwritten)
    isTorn = false
    byteCount += unwritten.count
    unwritten.removeAll(keepingCapacity: true)
    needsSync = true
  }

  private func openFile() throws(FileError) -> JournalFile {
    if let file { return file }
    let file = try JournalFile(path, O_CREAT | O_EXCL, system: system)
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
  /// That it was opened by.
  private let path: String
  /// Whether its name is on the disk.
  private let isNamed = Lock(false)

  /// Locked as long as it is open: who finds a journal that is not may recover from it.
  init(_ path: String, _ flags: CInt, system: any FileSystem) throws(FileError) {
    self.system = system
    self.path = path
    descriptor = try system.open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | flags, mode: 0o600)
    do throws(FileError) {
      if try system.lockIfPossible(descriptor) == .busy { throw FileError(.inUse, "cannot write", path: path) }
    } catch {
      // One that was just made would be in the way of the next attempt.
      if flags & O_EXCL != 0 { try? system.remove(path) }
      system.close(descriptor)
      throw error.of(path)
    }
  }

  deinit { system.close(descriptor) }

  /// Any thread. Milliseconds, or many of them on a busy disk.
  package func synchronize() throws(FileError) {
    try synchronizeContents()
    try synchronizeName()
  }

  func synchronizeContents() throws(FileError) {
    do throws(FileError) { try system.synchronizeData(descriptor) } catch { throw error.of(path) }
  }

  func synchronizeName() throws(FileError) {
    guard !isNamed.withLock({ $0 }) else { return }
    try system.synchronizeFolder(system.folder(of: path))
    isNamed.withLock { $0 = true }
  }

  func append(_ bytes: [UInt8]) throws(FileError) {
    do throws(FileError) {
      try bytes.withUnsafeBufferPointer { bytes throws(FileError) in
        try system.writeAll(descriptor, UnsafeRawBufferPointer(bytes))
      }
    } catch { throw error.of(path) }
  }

  func truncate(to byteCount: Int) throws(FileError) {
    do throws(FileError) { try system.truncate(descriptor, to: byteCount) } catch { throw error.of(path) }
  }
}
