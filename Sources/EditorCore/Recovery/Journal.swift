import EventLoop
import Glibc
import Rope

/// Every edit of one document, on disk before its update is sent: what a killed core leaves to be recovered.
///
/// The file is made at the first edit. `append` is one `write`, of microseconds, but for an edit with much text, which is written in
/// pieces; `descriptor` is for the worker, which syncs it at most a
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
  /// Not encoded yet, in their order.
  private var waiting: [JournalRecord] = []
  /// Comes before those that wait.
  private var stream: JournalStream?
  private var isTorn = false
  private var lastRevision: UInt64 = 0
  /// Of the text, as the journal has it.
  private var origin: JournalOrigin
  /// Of the file whose edits the journal on the disk tells.
  private var writtenPath: String
  private var generationCount = 0
  /// Told when the file, or its folder, had been removed and was made again: what lies beside it may have gone, too.
  package var onMadeAgain: (() -> Void)?
  /// What is written beside this journal, and what it lacks of it.
  private var pending: (generation: Generation, records: [JournalRecord])?

  package init(base: JournalBase, name: String, folder: RecoveryFolder) {
    self.base = base
    self.name = name
    self.folder = folder
    system = folder.system
    origin = base.origin
    writtenPath = base.path
    path = folder.newJournalPath(for: base.path, name: name)
  }

  /// Goes on with the journal that `recovered` was read from: what was cut short at its end is dropped.
  package init(continuing recovered: RecoveredJournal, name: String, folder: RecoveryFolder) throws(FileError) {
    base = recovered.base
    origin = recovered.origin ?? base.origin
    writtenPath = base.path
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
  package func append(_ edits: [JournalEdit], _ selections: [JournalSelection] = []) throws(FileError) {
    guard let last = edits.last else { return }
    lastRevision = last.revision
    try append(edits.map(JournalRecord.edit) + selections.map(JournalRecord.selection))
  }

  /// Writes down what is selected. It need not survive the machine, only this process: no sync is wanted for it.
  package func append(_ selections: [JournalSelection]) throws(FileError) {
    guard !selections.isEmpty else { return }
    let neededSync = needsSync
    try append(selections.map(JournalRecord.selection))
    needsSync = neededSync
  }

  /// Writes down what of the file the text is, where there are edits.
  func append(_ origin: JournalOrigin) throws(FileError) {
    guard origin != self.origin, file != nil || !unwritten.isEmpty || !waiting.isEmpty else { return }
    self.origin = origin
    try append([.origin(origin)])
  }

  /// To be called before a save begins: so that recovery knows these contents when it meets them in the file.
  ///
  /// What it returns must be synced before the file is touched.
  package func willSave(
    revision: UInt64, contents: ContentIdentity, image: FileImage
  ) throws(FileError) -> JournalFile? {
    guard file != nil else { return nil }
    // What is synced must be what is there when the file is touched; that save begins the journal anew.
    pending = nil
    origin.encoding = image.encoding
    try append([.saving(revision: revision, contents: contents, image: image)])
    try catchUp()
    return file
  }

  /// To be called when all of a file is there of which the base has only the beginning.
  package func didLoad(_ version: FileVersion) throws(FileError) {
    (base.contents, base.image) = (version.contents, version.image)
    origin = base.origin
    if file != nil || !unwritten.isEmpty { try append([.loaded(version.contents, version.image)]) }
  }

  /// The file now holds the text at `revision`: edits after it are kept, all others are forgotten.
  ///
  /// - Returns: What is to be written for that, on any thread, and handed to ``finish(_:)``; nil when no edit is left. Until then this
  ///   journal goes on as it is: it knows of the save.
  package func beginGeneration(revision: UInt64, as base: JournalBase) throws(FileError) -> Generation? {
    let isElsewhere = base.path != writtenPath
    (self.base, origin) = (base, base.origin)
    guard lastRevision > revision else {
      discard()
      if isElsewhere { path = folder.newJournalPath(for: base.path, name: name) }
      writtenPath = base.path
      return nil
    }
    // What could not be written goes along.
    try flush()
    try catchUp()
    guard let file else { return nil }
    generationCount += 1
    let target = isElsewhere ? folder.newJournalPath(for: base.path, name: name) : path
    let generation = Generation(
      number: generationCount, source: file, sourceByteCount: byteCount, revision: revision, base: base, target: target,
      system: system)
    pending = (generation, [])
    return generation
  }

  /// Puts it in the place of this journal, with what has been journaled meanwhile, if it is wanted still. It is to be synced.
  package func finish(_ written: Generation.Written) throws(FileError) {
    let generation = written.generation
    guard let (wanted, records) = pending, wanted.number == generation.number else {
      return try system.remove(generation.temporary)
    }
    pending = nil
    var (bytes, checksum): ([UInt8], UInt64) = ([], written.checksum)
    for record in records {
      let encoded = JournalFormat.encode(record, after: checksum)
      bytes += encoded.bytes
      checksum = encoded.checksum
    }
    do throws(FileError) {
      try written.file.append(bytes)
      try system.rename(generation.temporary, to: generation.target)
    } catch {
      try? system.remove(generation.temporary)
      throw error
    }
    if path != generation.target { folder.removeJournal(path) }
    (path, file, writtenPath) = (generation.target, written.file, generation.base.path)
    (self.checksum, byteCount, unwritten, isTorn) = (checksum, written.byteCount + bytes.count, [], false)
    needsSync = true
  }

  /// What ``beginGeneration(revision:as:)`` gave is wanted still.
  package var isBeginningAnew: Bool { pending != nil }

  /// Where what is being written lies; it is not wanted any more.
  package func dropGeneration() -> String? {
    defer { pending = nil }
    return pending?.generation.temporary
  }

  /// Writes all to another file: what could not be synced once is not known to be on the disk, whatever is said later.
  package func renew() throws(FileError) {
    try catchUp()
    if let file { try replace(file) }
  }

  /// Makes it again if somebody has removed it.
  private func makeAgainIfGone() throws(FileError) {
    guard let file, (try? file.isAt(path)) == false else { return }
    if let record = stream?.record {
      waiting.insert(record, at: 0)
      stream = nil
    }
    try replace(file)
    onMadeAgain?()
  }

  /// By a copy of what was written to it, which is had also when it has lost its name.
  private func replace(_ old: JournalFile) throws(FileError) {
    let bytes = try old.read(byteCount)
    let temporary = path + ".new"
    let next = try makeFile(temporary, O_CREAT | O_TRUNC)
    try next.append(bytes)
    try next.synchronizeContents()
    try system.rename(temporary, to: path)
    (file, isTorn, needsSync) = (next, false, true)
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
    (file, pending, origin) = (nil, nil, base.origin)
    (checksum, byteCount, unwritten, isTorn, needsSync) = (0, 0, [], false, false)
    (waiting, stream) = ([], nil)
    if isBegun { folder.removeJournal(path) }
  }

  /// Writes what could not be written before, or is not there any more.
  package func flush() throws(FileError) {
    try makeAgainIfGone()
    if !unwritten.isEmpty || !waiting.isEmpty { try writeWaiting() }
  }

  private func append(_ records: [JournalRecord]) throws(FileError) {
    pending?.records += records
    waiting += records
    try flush()
  }

  private func writeWaiting() throws(FileError) {
    guard stream == nil else { return }
    if byteCount == 0, unwritten.isEmpty { (unwritten, checksum) = JournalFormat.start(base) }
    var count = 0
    defer { waiting.removeFirst(count) }
    for record in waiting {
      if record.textByteCount > folder.largestRecordAtOnce {
        // One that takes as long has no place in what is written beside.
        pending = nil
        try writeEncoded()
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
    try writeEncoded()
  }

  private func writeEncoded() throws(FileError) {
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

  /// A long record is being written, and ``writeMore()`` goes on with it; what follows waits.
  package var isBehind: Bool { stream != nil }

  /// Some tenths of a millisecond. When it fails, the record is begun again with the next.
  package func writeMore() throws(FileError) {
    try makeAgainIfGone()
    guard var next = stream, let file else { return try flush() }
    do throws(FileError) {
      try file.append(next.takeBytes(folder.pieceOfLongRecord))
    } catch {
      waiting.insert(next.record, at: 0)
      stream = nil
      throw error
    }
    stream = next
    guard next.isAtEnd else { return }
    stream = nil
    (checksum, isTorn, needsSync) = (next.checksum, false, true)
    byteCount += next.byteCount
    if !waiting.isEmpty { try writeWaiting() }
  }

  /// Until nothing waits: at the end of the process, and where the disk must have all.
  package func catchUp() throws(FileError) {
    while isBehind { try writeMore() }
  }

  private func openFile() throws(FileError) -> JournalFile {
    if let file { return file }
    let file = try makeFile(path, O_CREAT | O_EXCL)
    self.file = file
    return file
  }

  private func makeFile(_ path: String, _ flags: CInt) throws(FileError) -> JournalFile {
    do throws(FileError) { return try JournalFile(path, flags, system: system) } catch {
      guard error.code == .notFound, RecoveryFolder(at: folder.path, system: system) != nil else { throw error }
    }
    let file = try JournalFile(path, flags, system: system)
    onMadeAgain?()
    return file
  }
}

extension Journal {
  /// What a journal has to say after a save, as it is written beside it.
  package struct Generation: Sendable {
    fileprivate let number: Int
    fileprivate let source: JournalFile
    /// What is appended from here on is not its.
    fileprivate let sourceByteCount: Int
    fileprivate let revision: UInt64
    fileprivate let base: JournalBase
    fileprivate let target: String
    fileprivate let system: any FileSystem
    fileprivate var temporary: String { "\(target).\(number).new" }

    package struct Written: Sendable {
      fileprivate let generation: Generation
      fileprivate let file: JournalFile
      fileprivate let byteCount: Int
      fileprivate let checksum: UInt64
    }

    /// O(bytes of the journal), and waits for the disk.
    package func write() throws(FileError) -> Written {
      let old = try source.read(sourceByteCount)
      var (bytes, checksum) = JournalFormat.start(base)
      var isWanted = false
      for record in JournalFormat.decode(old)?.records ?? [] {
        switch record {
        case .edit(let edit): isWanted = edit.revision > revision
        case .origin: break
        case .base, .saving, .loaded, .selection: continue
        }
        guard isWanted else { continue }
        let encoded = JournalFormat.encode(record, after: checksum)
        bytes += encoded.bytes
        checksum = encoded.checksum
      }
      do throws(FileError) {
        let file = try JournalFile(temporary, O_CREAT | O_TRUNC, system: system)
        try file.append(bytes)
        try file.synchronizeContents()
        return Written(generation: self, file: file, byteCount: bytes.count, checksum: checksum)
      } catch {
        try? system.remove(temporary)
        throw error
      }
    }
  }
}

/// The open file of a journal: the worker may sync it while the loop appends to it. Closed when the last of them lets go.
package final class JournalFile: Sendable {
  let descriptor: CInt
  private let system: any FileSystem
  /// That it was opened by.
  private let path: String
  private let status: FileStatus
  /// Whether its name is on the disk.
  private let isNamed = Lock(false)

  /// Locked as long as it is open: who finds a journal that is not may recover from it.
  init(_ path: String, _ flags: CInt, system: any FileSystem) throws(FileError) {
    self.system = system
    self.path = path
    let descriptor = try system.open(path, O_RDWR | O_APPEND | O_NOFOLLOW | flags, mode: 0o600)
    do throws(FileError) {
      status = try system.status(of: descriptor)
      if try system.lockIfPossible(descriptor) == .busy { throw FileError(.inUse, "cannot write", path: path) }
    } catch {
      // One that was just made would be in the way of the next attempt.
      if flags & O_EXCL != 0 { try? system.remove(path) }
      system.close(descriptor)
      throw error.of(path)
    }
    self.descriptor = descriptor
  }

  /// Whether it has that name still, or again.
  func isAt(_ path: String) throws(FileError) -> Bool {
    try system.status(at: path, followingLinks: false)?.isSameFile(as: status) == true
  }

  /// Its first bytes, also when it has no name any more.
  func read(_ byteCount: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    var done = 0
    do throws(FileError) {
      while done < byteCount {
        let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(FileError) in
          let rest = UnsafeMutableBufferPointer(rebasing: bytes[done...])
          return try system.read(descriptor, into: UnsafeMutableRawBufferPointer(rest), at: done)
        }
        if count == 0 { throw FileError(.changedOnDisk, "cannot read all of", path: path) }
        done += count
      }
    } catch { throw error.of(path) }
    return bytes
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
