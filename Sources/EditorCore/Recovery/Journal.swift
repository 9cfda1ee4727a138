import EventLoop
import Glibc
import Rope

/// Every edit of one document, on disk before its update is sent: what a killed core leaves to be recovered.
///
/// The file is made at the first edit. `append` writes an edit with one `write`, which takes microseconds for what is typed; an edit that
/// puts much text in is written in pieces. An edit at many places is not: all of it is encoded and written at once. The worker syncs the
/// file with what ``JournalWriter/beginSync()`` gives, a second later at most. Not thread-safe.
package final class Journal {
  package private(set) var path: String { didSet { if path != oldValue { onMove?() } } }
  /// The file that the edits in the journal are made to.
  package private(set) var base: JournalBase
  package let writer: JournalWriter
  /// Of the file that is opened to find it, which the text may only lie beside.
  private var key: String
  /// Tells the documents of this process apart.
  private let name: String
  private let folder: RecoveryFolder
  private let system: any FileSystem
  /// The last save before the first edit, which may be made while it runs.
  private var lastSave: [JournalRecord] = []
  private var lastRevision: UInt64 = 0
  /// There are edits to the base, and not its undo steps alone.
  private(set) var holdsEdits = false
  /// Of the last undo steps that were written down.
  private var historyRevision: UInt64?
  /// Of the text, as the journal has it.
  private var origin: JournalOrigin
  private var generationCount = 0
  /// Told when the file, or its folder, had been removed and was made again: what lies beside it may have gone, too.
  package var onMadeAgain: (() -> Void)?
  /// Told when it has another name.
  var onMove: (() -> Void)?
  /// Gives what it is to be written anew from when somebody has cut it short, with all that was to be appended; nil when that is not known.
  var onCut: (() -> Anew?)?
  /// What is written beside this journal, and what it lacks of it.
  private var pending: (generation: Generation, records: [JournalRecord])?

  /// - Parameters:
  ///   - place: Nil for a document without a file.
  ///   - key: Where such a document is to be looked for, if not with all that have none.
  package init(
    of place: FilePlace?, _ version: FileVersion, foundBy key: String? = nil, name: String, folder: RecoveryFolder
  ) {
    (self.key, base) = (key ?? folder.key(for: place), JournalBase(of: place, version: version))
    self.name = name
    self.folder = folder
    system = folder.system
    writer = JournalWriter(folder)
    origin = base.origin
    path = folder.newJournalPath(for: self.key, name: name)
  }

  /// Goes on with the journal that `sound` was read from: what was cut short at its end is dropped.
  package init(
    continuing sound: RecoveredJournal.Sound, of place: FilePlace?, name: String, folder: RecoveryFolder
  ) throws(FileError) {
    let recovered = sound.journal
    (key, base) = (place.map(folder.key(for:)) ?? recovered.key, recovered.base)
    origin = recovered.origin ?? base.origin
    self.name = name
    path = recovered.path
    self.folder = folder
    system = folder.system
    (lastRevision, historyRevision) = (recovered.lastRevision, recovered.lastHistoryRevision)
    holdsEdits = !recovered.edits.isEmpty
    let file = try JournalFile(path, 0, system: system)
    try file.truncate(to: recovered.validByteCount)
    writer = JournalWriter(folder, file, byteCount: recovered.validByteCount, checksum: recovered.checksum)
  }

  /// Its name in the folder, by which a front end asks for it.
  package var id: String { system.name(of: path) }

  /// Writes edits down, and what was selected later, in one call. They are kept, and written with the next, when this fails.
  ///
  /// - Parameters:
  ///   - origin: Of the text as it is, which may have been chosen later.
  ///   - closingStep: The edits are followed by one that opens an undo step.
  func append(
    _ edits: [JournalEdit], _ selections: [JournalSelection] = [], _ origin: JournalOrigin? = nil,
    closingStep: Bool = false
  ) throws(FileError) {
    guard let last = edits.last else { return }
    (lastRevision, holdsEdits) = (last.revision, true)
    var records: [JournalRecord] = []
    for var edit in edits {
      let changes = edit.origin.map { $0 != origin } ?? false
      edit.step?.changesOrigin = changes
      records.append(.edit(edit))
      // Directly behind the edit that led to it: undo takes both back.
      if changes, let origin = edit.origin {
        self.origin = origin
        records.append(.origin(origin))
      }
    }
    records += selections.map(JournalRecord.selection) + (closingStep ? [.stepClosed] : [])
    if let origin { records += note(origin) }
    try append(records)
  }

  /// Writes down what is selected. It need not survive the machine, only this process: no sync is wanted for it.
  package func append(_ selections: [JournalSelection], closingStep: Bool = false) throws(FileError) {
    let closes = closingStep && writer.isBegun
    guard !selections.isEmpty || closes else { return }
    let neededSync = writer.needsSync
    try append(selections.map(JournalRecord.selection) + (closes ? [.stepClosed] : []))
    writer.needsSync = neededSync
  }

  /// Writes down what of the file the text is, and what could not be written before. What was chosen without an edit begins the journal,
  /// too: it stands before the edit that follows, and is not taken back with that.
  func append(_ origin: JournalOrigin) throws(FileError) { try append(note(origin)) }

  private func note(_ origin: JournalOrigin) -> [JournalRecord] {
    guard origin != self.origin else { return [] }
    self.origin = origin
    return [.origin(origin)]
  }

  /// To be called before a save begins: so that recovery knows these contents when it meets them in the file.
  ///
  /// When the journal is not behind any more, ``file`` must be synced before the file is touched.
  ///
  /// - Parameter history: Of that revision. It is left out where attempts to save have made the journal long.
  func willSave(
    revision: UInt64, contents: ContentIdentity, image: FileImage, to place: FilePlace?,
    _ history: JournalHistory? = nil
  ) throws(FileError) {
    // What is synced must be what is there when the file is touched; that save begins the journal anew.
    pending = nil
    origin.encoding = image.encoding
    var records = [
      JournalRecord.saving(revision: revision, contents: contents, image: image, path: place?.path ?? "")
    ]
    if let history, !history.isEmpty, revision != historyRevision, writer.byteCount < folder.largestJournalWithHistory {
      records.insert(.history(history), at: 0)
      historyRevision = revision
    }
    guard writer.isBegun else { return lastSave = records }
    do throws(FileError) { try append(records) } catch {
      // One that does not know of the save is not kept behind it for the steps' sake.
      forgetHistory()
      throw error
    }
  }

  /// It could not be moved to where it will be looked for.
  private(set) var isAstray = false

  /// The text has been saved to `place`, where what was typed since will be looked for. If it cannot be moved, that is tried again with
  /// the next edit, and it is to begin anew there anyway.
  func move(to place: FilePlace?) { move(to: folder.key(for: place)) }

  /// Its name is one by which it is looked for.
  private var isThere: Bool { id.hasPrefix(key + ".") }

  private func move(to key: String) {
    self.key = key
    if isThere { return isAstray = false }
    let (old, target) = (path, folder.newJournalPath(for: key, name: name))
    guard let file = writer.file else {
      path = target
      return
    }
    do throws(FileError) { try system.rename(old, to: target) } catch {
      isAstray = true
      return
    }
    isAstray = false
    try? system.rename(folder.baseCopyPath(of: old), to: folder.baseCopyPath(of: target))
    file.lostName()
    (path, writer.needsSync) = (target, true)
  }

  /// To be called when all of a file is there of which the base has only the beginning.
  package func didLoad(_ version: FileVersion) throws(FileError) {
    (base.contents, base.image) = (version.contents, version.image)
    origin = base.origin
    if writer.isBegun { try append([.loaded(version.contents, version.image)]) }
  }

  /// The file now holds the text at `revision`: edits after it are kept, all others are forgotten.
  ///
  /// - Parameter revision: Nil to keep all: what could not be synced once is not known to be on the disk, whatever is said later.
  /// - Returns: What is to be written for that, on any thread, and handed to ``finish(_:)``; nil when nothing is left. Until then this
  ///   journal goes on as it is: it knows of the save. All must be written.
  package func beginGeneration(revision: UInt64?, as base: JournalBase) -> Generation? {
    let target = isThere ? path : folder.newJournalPath(for: key, name: name)
    guard wantsGeneration(after: revision) else {
      discard()
      (self.base, origin, path) = (base, base.origin, target)
      return nil
    }
    guard let file = writer.file else { return nil }
    generationCount += 1
    let generation = Generation(
      number: generationCount, source: file, sourceByteCount: writer.byteCount, sourceChecksum: writer.checksum,
      revision: revision, base: base, target: target, system: system)
    pending = (generation, origin == base.origin ? [] : [.origin(origin)])
    return generation
  }

  /// Begins without an edit where the file has an end that the text has not: a core that takes over is not to show that.
  func beginWithAddedEnd() {
    guard !writer.isBegun, !base.image.addedEnd.isEmpty else { return }
    do throws(FileError) { try writeWaiting() } catch {
      // Nothing was typed that could be lost.
      discard()
    }
  }

  private func hasEdits(after revision: UInt64?) -> Bool { revision.map { lastRevision > $0 } ?? true }

  /// The undo steps that were to be written down last are not kept for themselves, and what waits does not wait for them.
  func forgetHistory() {
    historyRevision = nil
    writer.removeWaiting { if case .history = $0 { true } else { false } }
  }

  /// There are later edits, or undo steps of that revision.
  package func wantsGeneration(after revision: UInt64?) -> Bool {
    hasEdits(after: revision) || writer.isBegun && revision == historyRevision
  }

  /// Puts it in the place of this journal, with what has been journaled meanwhile, if it is wanted still. It is to be synced.
  package func finish(_ written: Generation.Written) throws(FileError) {
    let generation = written.generation
    guard let records = pending?.records, isWanted(generation) else {
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
    (path, base, isAstray) = (generation.target, generation.base, false)
    writer.goOn(in: written.file, byteCount: written.byteCount + bytes.count, checksum: checksum)
    holdsEdits = hasEdits(after: generation.revision)
  }

  package func isWanted(_ generation: Generation) -> Bool { pending?.generation.number == generation.number }

  /// Where what is being written lies; it is not wanted any more.
  package func dropGeneration() -> String? {
    defer { pending = nil }
    return pending?.generation.temporary
  }

  /// A journal of a text that is all there, without the steps that have led to it.
  struct Anew {
    let base: JournalBase
    let edit: JournalEdit?
    let origin: JournalOrigin
    let selections: [JournalSelection]
  }

  /// Begins with nothing but that. What it was, and all that waits, goes. It is written with the next record, or by ``flush()``.
  func begin(_ anew: Anew) {
    let target = isThere ? path : folder.newJournalPath(for: key, name: name)
    discard()
    (base, path, origin) = (anew.base, target, anew.base.origin)
    writer.add(note(anew.origin))
    if let edit = anew.edit {
      (lastRevision, holdsEdits) = (edit.revision, true)
      writer.add([.edit(edit), .stepClosed])
    }
    writer.add(anew.selections.map(JournalRecord.selection))
  }

  /// Makes it again if somebody has removed it, or has cut it short: what is appended to what is left would be lost with that.
  private func makeAgainIfGone() throws(FileError) {
    guard let file = writer.file, let state = try? file.state(at: path, byteCount: writer.fileByteCount) else {
      return
    }
    switch state {
    case .whole: return
    case .longer where writer.isTorn: return
    case .gone:
      writer.restartLong()
      do throws(FileError) {
        try replace(file)
        return onMadeAgain?() ?? ()
      } catch {
        // It had been cut short, too.
        guard error.code == .changedOnDisk else { throw error }
      }
    case .shorter, .longer: break
    }
    guard let anew = onCut?() else {
      throw FileError(.changedOnDisk, "cannot go on with", path: path, detail: "another program has written to it")
    }
    begin(anew)
    onMadeAgain?()
  }

  /// By a copy of what was written to it, which is had also when it has lost its name.
  private func replace(_ old: JournalFile) throws(FileError) {
    let bytes = try old.read(writer.byteCount)
    let temporary = path + ".new"
    let next = try makeFile(temporary, O_CREAT | O_TRUNC)
    try next.append(bytes)
    try system.rename(temporary, to: path)
    writer.goOn(in: next)
  }

  /// Removes the journal: its edits are saved, or not wanted any more.
  package func discard() {
    let isMade = writer.file != nil
    (pending, lastSave, origin, isAstray) = (nil, [], base.origin, false)
    (holdsEdits, historyRevision) = (false, nil)
    writer.reset()
    if isMade { folder.removeJournal(path) }
  }

  /// Writes what could not be written before, or is not there any more.
  package func flush() throws(FileError) {
    try makeAgainIfGone()
    if isAstray { move(to: key) }
    if writer.lacksAny { try writeWaiting() }
  }

  private func append(_ records: [JournalRecord]) throws(FileError) {
    pending?.records += records
    writer.add(records)
    try flush()
  }

  private func writeWaiting() throws(FileError) {
    guard !writer.isBehind else { return }
    if writer.isAtStart {
      writer.start(base, lastSave)
      lastSave = []
    }
    // A record that takes as long has no place in what is written beside.
    try writer.writeWaiting(
      { () throws(FileError) in try makeFile(path, O_CREAT | O_EXCL) }, meetsLong: { pending = nil })
  }

  /// Goes on with a long record, for some tenths of a millisecond. When it fails, the record is begun again with the next.
  package func writeMore() throws(FileError) {
    try makeAgainIfGone()
    guard writer.isBehind else { return try flush() }
    try writer.writeMore()
    if !writer.isBehind, writer.lacksAny { try writeWaiting() }
  }

  /// Until nothing waits: at the end of the process, and where the disk must have all.
  package func catchUp() throws(FileError) {
    while writer.isBehind { try writeMore() }
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
