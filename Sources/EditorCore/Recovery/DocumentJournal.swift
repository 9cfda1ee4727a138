import EventLoop
import JSON
import Rope

/// What stands between a document and the loss of its text: its journal, written before each update and synced a second later at most.
final class DocumentJournal {
  /// By which a front end asks for the journal when this core has died.
  var id: String { journal.id }
  /// Another process that edits the file.
  private(set) var otherProcess: Int?
  /// No other process edits the file.
  var isAlone: Bool { lock != nil }
  /// No lock could be had, as where the file system of the journals knows none: other processes are not noticed.
  private(set) var isUnlocked = false
  private var journal: Journal {
    didSet {
      watchName()
      if journal.path != oldValue.path { onMove?() }
    }
  }
  private let name: String
  private let folder: RecoveryFolder
  private let files: FileService
  private let loop: Loop
  private var lock: FileLock?
  private var unwritten: [JournalEdit] = []
  /// As the journal has it, an edit may go on with the last undo step.
  private var isStepOpen = false
  /// What must be added to the document's revisions: a journal that goes on counts on.
  private var firstRevision: UInt64
  /// What the base of the journal holds, all of it, until the first edit has it copied.
  private var baseContents: Rope?
  /// What was, in case that the copy is removed, or was not made and is wanted.
  private var copiedContents: Rope?
  /// What the edits are made to is nowhere else any more: it is copied however large it is.
  private var isBaseGone = false
  private var timer: LoopSource?
  /// What the journal is to be written anew for, beside it and when it is not behind.
  private var renewal: Renewal?
  var isBeginningAnew: Bool { renewal != nil }
  /// It was written anew as it could not be synced, and was not synced since.
  private var hasRenewedUnsynced = false
  /// Wait for the journal to have all, or to have failed.
  private var waiting: [() -> Void] = []
  /// Of the file that the lock is for; nil without one.
  private var place: FilePlace?
  /// The watcher's number of the journal.
  private var watch: (id: Int, path: String)?
  /// The session's. A document whose save never ends outlives that, and would keep the descriptor.
  private weak let watcher: FileWatcher?
  /// Told when what was typed is not known to be on the disk.
  var onSyncFailure: ((FileError) -> Void)?
  /// Told when what the edits are made to is gone, and cannot be copied.
  var onCopyFailure: ((FileError) -> Void)?
  /// Writes a long edit while nothing else is to be done.
  private var writing: LoopSource?
  private(set) var lacksEdit = false
  var lacksRecord: Bool { journal.lacksRecord }
  /// All that was noted is written down: it survives this process.
  var hasAll: Bool { unwritten.isEmpty && !journal.isBehind && !journal.lacksRecord && !lacksEdit }
  /// Told when a long edit was written, or could not be, and when there is room again for what could not be.
  var onCatchingUp: (() -> Void)?
  var onWriteFailure: ((FileError) -> Void)?
  /// Told when it has another name.
  var onMove: (() -> Void)?
  /// Told when it did not begin anew after a save.
  var onRenewalFailure: ((FileError) -> Void)?
  private var selections = JournaledSelections()

  /// - Parameters:
  ///   - file: The file at `place`, or as much of it as was read.
  ///   - key: Of the file that the text lies beside, if it does.
  ///   - continued: The journal of a core that died, which this one goes on with; the document has made its edits already.
  init(
    place: FilePlace?, file: FileContents, foundBy key: String? = nil, name: String,
    continuing continued: (RecoveredJournal, revision: Int)? = nil,
    folder: RecoveryFolder, files: FileService, watcher: FileWatcher, loop: Loop
  ) throws(FileError) {
    self.folder = folder
    self.name = name
    self.place = place
    self.watcher = watcher
    self.files = files
    self.loop = loop
    if let (recovered, revision) = continued {
      journal = try Journal(continuing: recovered, of: place, name: name, folder: folder)
      // What follows is made to all of it.
      if recovered.isOfPart { try journal.didLoad(file.version) }
      firstRevision = recovered.lastRevision &- UInt64(revision)
      isStepOpen = true
      // The one that died may not have come to it.
      if file.version.contents == recovered.base.contents { baseContents = file.bytes }
      selections = JournaledSelections(of: recovered)
    } else {
      journal = Journal(of: place, file.version, foundBy: key, name: name, folder: folder)
      firstRevision = 0
      baseContents = journal.base.isPart ? nil : file.bytes
    }
    takeLock()
    watchName()
    if continued != nil, place != nil { journal.move(to: place) }
  }

  private func watchName() {
    journal.onMadeAgain = { [unowned self] in madeAgain() }
    journal.onMove = { [unowned self] in onMove?() }
  }

  /// To go on with it as the document's own; nil if that is begun, or it is another file's, damaged, or in use.
  func reopen(_ recovered: RecoveredJournal) -> Journal? {
    guard journal.file == nil, !recovered.isDamaged, recovered.canGoOn(at: place),
      folder.system.folder(of: recovered.path) == folder.path
    else {
      return nil
    }
    return try? Journal(continuing: recovered, of: place, name: name, folder: folder)
  }

  /// Goes on with a journal whose edits the document has made, and nothing else: its own would have them a second time.
  ///
  /// - Parameter reopened: ``reopen(_:)``
  func goOn(with reopened: Journal, of recovered: RecoveredJournal, revision: Int, _ file: FileContents) {
    reopened.move(to: place)
    (journal, unwritten, baseContents, copiedContents) = (reopened, [], nil, nil)
    if file.version.contents == recovered.base.contents { baseContents = file.bytes }
    firstRevision = recovered.lastRevision &- UInt64(revision)
    isStepOpen = true
    // What it says of views is of those that were.
    selections = JournaledSelections(of: nil)
    keepBaseCopy()
    scheduleSync()
  }

  /// The journal was, and its folder perhaps: the rest that was there is to be, too.
  private func madeAgain() {
    if baseContents == nil { baseContents = copiedContents }
    takeLock()
  }

  /// What is typed is journaled also without a lock.
  private func takeLock() {
    (lock, otherProcess, isUnlocked) = (nil, nil, false)
    guard let place else { return }
    switch try? FileLock.take(of: place, folder: folder) {
    case .held(let lock): self.lock = lock
    case .heldByProcess(let process): otherProcess = process
    case .unknown, nil: isUnlocked = true
    }
  }

  deinit { stopWatching() }

  // MARK: Edits

  /// Remembers a change until `write`. Recovery has all changes of one edit message or none.
  ///
  /// - Parameter origin: Of the text after it.
  func note(_ change: Document.Change, of origin: JournalOrigin, inView view: Int, handledEdits: Int) {
    guard !change.delta.isIdentity else { return }
    var edit = JournalEdit(
      revision: revision(change.revision + 1), undoGroup: UInt64(change.undoGroup), view: view,
      handledEdits: handledEdits, delta: change.delta, selections: [])
    (edit.origin, edit.step) = (origin, change.step)
    isStepOpen = true
    // Not over a change of the origin, which has a record of its own.
    if let last = unwritten.last, (last.view, last.handledEdits, last.origin) == (view, handledEdits, origin) {
      unwritten[unwritten.count - 1].step?.hasMore = true
    }
    unwritten.append(edit)
  }

  /// The edits of that undo step, the last ones, have cancelled each other out.
  func forgetStep(_ group: Int) {
    while let last = unwritten.last, last.undoGroup == UInt64(group) { unwritten.removeLast() }
    if !unwritten.isEmpty { unwritten[unwritten.count - 1].step?.hasMore = false }
  }

  /// Writes down what was noted, what is selected and what of the file the text is. Call before an update, or a save, is begun.
  func write(
    _ views: [JournaledSelections.View], _ origin: JournalOrigin, isStepOpen: Bool
  ) throws(FileError) {
    let closesStep = self.isStepOpen && !isStepOpen
    self.isStepOpen = isStepOpen
    guard !unwritten.isEmpty else {
      try journal.flush()
      try journal.append(origin)
      scheduleSync()
      keepBaseCopy()
      writeOn()
      let isBegun = journal.file != nil
      return try journal.append(
        views.compactMap { selections.moved(in: $0, isBegun: isBegun) }, closingStep: closesStep)
    }
    var edits = unwritten
    unwritten = []
    var moved: [JournalSelection] = []
    for state in views {
      guard let last = edits.last(where: { $0.view == state.view }) else {
        if let selection = selections.moved(in: state, isBegun: true, isPassed: true) { moved.append(selection) }
        continue
      }
      let selection = selections.written(state)
      // The carets may have been moved since the last edit, or by those of other views.
      if (last.revision, last.handledEdits) == (edits[edits.count - 1].revision, state.handledEdits) {
        edits[edits.count - 1].selections = selection.regions
      } else {
        moved.append(selection)
      }
    }
    defer { scheduleSync() }
    defer { writeOn() }
    try journal.append(edits, moved, closingStep: closesStep)
    try journal.append(origin)
    keepBaseCopy()
  }

  /// What is shown of the text must wait, as the journal lacks a long edit. One that could not be written keeps nobody waiting.
  var isBehind: Bool { journal.isBehind && !lacksEdit }

  private func writeOn() {
    guard writing == nil, journal.isBehind else { return }
    writing = loop.onIdle { [weak self] in
      guard let self else { return false }
      do throws(FileError) {
        try journal.writeMore()
        lacksEdit = lacksEdit && journal.isBehind
      } catch {
        lacksEdit = true
        onWriteFailure?(error)
      }
      guard !journal.isBehind else { return true }
      writing = nil
      stopWaiting()
      if !lacksEdit { beginAnew() }
      keepBaseCopy()
      scheduleSync()
      onCatchingUp?()
      return false
    }
  }

  /// Writes what could not be written before. Nothing else need happen that the front end would be told of.
  private func flush() throws(FileError) {
    let lackedRecord = journal.lacksRecord
    try journal.flush()
    if lackedRecord, hasAll { onCatchingUp?() }
  }

  private func keepBaseCopy() {
    guard let contents = baseContents, journal.file != nil, journal.holdsEdits else { return }
    (baseContents, copiedContents) = (nil, contents)
    guard isBaseGone || contents.byteCount <= folder.largestBaseCopy else { return }
    let path = journal.path
    files.keepBaseCopy(contents, of: path, in: folder) { [weak self] error in
      guard let self, journal.file != nil else { return }
      // Under its old name the copy was not wanted any more.
      if journal.path != path, baseContents == nil { baseContents = copiedContents }
      if isBaseGone, let error { return onCopyFailure?(error) ?? () }
      if journal.path != path { keepBaseCopy() }
    }
  }

  /// The file is another one now, or none.
  func fileHasChanged() {
    renewal?.isBaseGone = true
    guard !isBaseGone else { return }
    isBaseGone = true
    if baseContents == nil { baseContents = copiedContents }
    keepBaseCopy()
  }

  /// All of the file is there, of which there was a part.
  func didLoad(_ file: FileContents) throws(FileError) {
    try journal.didLoad(file.version)
    baseContents = file.bytes
    keepBaseCopy()
    scheduleSync()
  }

  /// One-shot: an idle core stays idle.
  private func scheduleSync() {
    guard timer == nil, journal.needsSync || journal.lacksRecord else { return }
    timer = loop.after(.seconds(1)) { [weak self] in
      guard let self else { return }
      timer = nil
      do throws(FileError) { try flush() } catch {
        onWriteFailure?(error)
        // There may be room again.
        return scheduleSync()
      }
      keepBaseCopy()
      writeOn()
      watchJournal()
      if let file = journal.beginSync() { synchronize(file) }
    }
  }

  private func synchronize(_ file: JournalFile, then done: @escaping (Bool) -> Void = { _ in }) {
    files.synchronize(file) { [weak self] error in
      done(error == nil)
      guard let self, journal.file === file, renewal == nil else { return }
      guard let error else {
        hasRenewedUnsynced = false
        return
      }
      // It is of no use to write it anew again, until there is more.
      if hasRenewedUnsynced {
        hasRenewedUnsynced = false
        onSyncFailure?(error)
        return
      }
      renewal = Renewal(revision: nil, base: journal.base, contents: nil)
      beginAnew()
    }
  }

  /// Calls `done` when all that was noted is on the disk, or with false when it is not to be had there.
  func synchronize(then done: @escaping (Bool) -> Void) {
    guard !journal.isBehind, !lacksEdit else { return done(false) }
    guard let file = journal.file else { return done(true) }
    _ = journal.beginSync()
    synchronize(file, then: done)
  }

  /// Whoever removes the journal while nothing is typed is noticed.
  private func watchJournal() {
    guard watch?.path != journal.path else { return }
    stopWatching()
    let path = journal.path
    watch = watcher?.watch(path) { [weak self] in
      guard let self else { return }
      do throws(FileError) { try flush() } catch { return onWriteFailure?(error) ?? () }
      keepBaseCopy()
      writeOn()
      scheduleSync()
    }.map { ($0, path) }
  }

  private func stopWatching() {
    if let watch { watcher?.stop(watch.id) }
    watch = nil
  }

  /// Writes to the disk, and waits for it: at the end of the process.
  func synchronize() {
    timer?.cancel()
    timer = nil
    stopWatching()
    try? journal.catchUp()
    // What would have begun anew where it belongs is dropped.
    if journal.isAstray { journal.move(to: place) }
    try? journal.beginSync()?.synchronize()
    journal.dropGeneration().map(folder.removeTemporary)
  }

  // MARK: Saves

  func revision(_ documentRevision: Int) -> UInt64 { firstRevision &+ UInt64(documentRevision) }

  /// The undo steps of the text as it is, to be written down.
  ///
  /// - Parameter indentation: See ``JournalHistory/Found``.
  func history(of document: Document, _ indentation: JSONObject) -> JournalHistory {
    document.journaledHistory(revision: revision(document.revision), indentation, folder.historyLimit)
  }

  /// Calls `then` with what is to be synced before the file is touched; without anything when there is no journal.
  ///
  /// - Parameter history: Of that revision.
  func willSave(
    documentRevision: Int, contents: ContentIdentity, image: FileImage, to place: FilePlace?,
    _ history: JournalHistory?, then: @escaping (JournalFile?) -> Void
  ) {
    renewal = nil
    do throws(FileError) {
      try journal.willSave(
        revision: revision(documentRevision), contents: contents, image: image, to: place, history)
    } catch { return then(nil) }
    waiting.append { [unowned self] in
      if lacksEdit { journal.forgetHistory() }
      then(lacksEdit ? nil : journal.file)
    }
    if journal.isBehind { writeOn() } else { stopWaiting() }
  }

  /// The file was found to hold what the text became just now.
  func didRead(documentRevision: Int, _ file: FileVersion, _ history: JournalHistory) {
    renewal = nil
    // What cannot be written is written with the edit itself.
    try? journal.willSave(
      revision: revision(documentRevision), contents: file.contents, image: file.image, to: place, history)
  }

  private func stopWaiting() {
    let waited = waiting
    waiting = []
    for body in waited { body() }
  }

  /// Why the journal is to be written anew.
  private struct Renewal {
    /// What came up to it is saved; nil if it could not be synced.
    var revision: UInt64?
    var base: JournalBase
    /// Of the base, to be copied.
    var contents: Rope?
    /// It is nowhere else any more.
    var isBaseGone = false
  }

  /// The file at `place` is now the text at that revision.
  func didSave(documentRevision: Int, to place: FilePlace?, _ file: FileContents) {
    renewal = Renewal(
      revision: revision(documentRevision), base: JournalBase(of: place, version: file.version), contents: file.bytes)
    let isElsewhere = place != self.place
    self.place = place
    dropGeneration()
    if isElsewhere { journal.move(to: place) }
    beginAnew()
    if isElsewhere { takeLock() }
  }

  private func beginAnew() {
    guard let renewal else { return }
    do throws(FileError) {
      if journal.wantsGeneration(after: renewal.revision) { try journal.flush() }
      // It is called again.
      if journal.wantsGeneration(after: renewal.revision), journal.isBehind { return writeOn() }
    } catch { return renewalFailed(error) }
    if renewal.revision != nil { selections = JournaledSelections(of: nil) }
    guard let generation = journal.beginGeneration(revision: renewal.revision, as: renewal.base) else {
      return beganAnew()
    }
    files.write(generation) { [weak self, folder] result in
      guard let self else { return folder.removeTemporary(generation.temporary) }
      finish(generation, result)
    }
  }

  private func finish(_ generation: Journal.Generation, _ result: Result<Journal.Generation.Written, FileError>) {
    // A long edit, or another save, has come between.
    guard journal.isWanted(generation) else {
      files.perform { [folder] in folder.removeTemporary(generation.temporary) }
      return
    }
    let lackedSome = !hasAll
    do throws(FileError) {
      try journal.finish(result.get())
      beganAnew()
    } catch { return renewalFailed(error) }
    if lackedSome, hasAll { onCatchingUp?() }
  }

  private func beganAnew() {
    hasRenewedUnsynced = renewal.map { $0.revision == nil } ?? false
    if let renewal, let contents = renewal.contents { (baseContents, isBaseGone) = (contents, renewal.isBaseGone) }
    (renewal, lacksEdit) = (nil, false)
    if journal.file != nil, !journal.holdsEdits {
      let (folder, path) = (folder, journal.path)
      // Of what it was: behind what may be writing it.
      files.perform { folder.removeTemporary(folder.baseCopyPath(of: path)) }
    }
    keepBaseCopy()
    scheduleSync()
  }

  /// The journal goes on as it was: it knows of the save. For the sake of undo steps alone it does not.
  private func renewalFailed(_ error: FileError) {
    guard let failed = renewal else { return }
    dropGeneration()
    journal.forgetHistory()
    if failed.revision != nil, !journal.wantsGeneration(after: failed.revision) {
      _ = journal.beginGeneration(revision: failed.revision, as: failed.base)
      return beganAnew()
    }
    renewal = nil
    if failed.revision == nil { onSyncFailure?(error) } else { onRenewalFailure?(error) }
  }

  private func dropGeneration() {
    guard let temporary = journal.dropGeneration() else { return }
    let folder = folder
    files.perform { folder.removeTemporary(temporary) }
  }

  /// The document is closed, and what becomes of its file is not its matter any more.
  func close() {
    discard()
    lock = nil
  }

  /// The text is saved, or not wanted.
  func discard() {
    timer?.cancel()
    timer = nil
    writing?.cancel()
    (writing, renewal) = (nil, nil)
    unwritten = []
    stopWatching()
    dropGeneration()
    defer { stopWaiting() }
    guard journal.file != nil else { return }
    let (folder, path) = (folder, journal.path)
    journal.discard()
    files.perform {
      // Again: the worker may have written the copy of the base just now.
      folder.removeJournal(path)
      // With the power, what was undone would come back.
      _ = try? folder.system.synchronizeFolder(folder.path)
    }
  }
}
