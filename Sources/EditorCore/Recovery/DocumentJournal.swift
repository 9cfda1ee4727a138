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
  var journal: Journal {
    didSet {
      watchName()
      if journal.path != oldValue.path { onMove?() }
    }
  }
  private let name: String
  let folder: RecoveryFolder
  let files: FileService
  let loop: Loop
  var lock: FileLock?
  var unwritten: [JournalEdit] = []
  /// As the journal has it, an edit may go on with the last undo step.
  private var isStepOpen = false
  /// What must be added to the document's revisions: a journal that goes on counts on.
  var firstRevision: UInt64
  /// What the base of the journal holds, all of it, until the first edit has it copied.
  var baseContents: Rope?
  /// What was, in case that the copy is removed, or was not made and is wanted.
  var copiedContents: Rope?
  /// The file as it was read or saved last; nil while there is only its beginning.
  private var known: (base: JournalBase, bytes: Rope)?
  /// What the edits are made to is nowhere else any more: it is copied however large it is.
  var isBaseGone = false
  var timer: LoopSource?
  /// What the journal is to be written anew for, beside it and when it is not behind.
  var renewal: Renewal?
  var isBeginningAnew: Bool { renewal != nil }
  /// It was written anew as it could not be synced, and was not synced since.
  var hasRenewedUnsynced = false
  /// Wait for the journal to have all, or to have failed.
  var waiting: [() -> Void] = []
  /// Of the file that the lock is for; nil without one.
  var place: FilePlace?
  /// The watcher's number of the journal.
  var watch: (id: Int, path: String)?
  var isWatched: Bool { watch != nil }
  /// The session's. A document whose save never ends outlives that, and would keep the descriptor.
  weak let watcher: FileWatcher?
  /// Told when what was typed is not known to be on the disk.
  var onSyncFailure: ((FileError) -> Void)?
  /// Told when what the edits are made to is gone, and cannot be copied.
  var onCopyFailure: ((FileError) -> Void)?
  /// Writes a long edit while nothing else is to be done.
  var writing: LoopSource?
  var lacksEdit = false
  var lacksRecord: Bool { journal.writer.lacksRecord }
  /// All that was noted is written down: it survives this process.
  var hasAll: Bool { unwritten.isEmpty && !journal.writer.isBehind && !journal.writer.lacksRecord && !lacksEdit }
  /// Told when a long edit was written, or could not be, and when there is room again for what could not be.
  var onCatchingUp: (() -> Void)?
  var onWriteFailure: ((FileError) -> Void)?
  /// Told when it has another name.
  var onMove: (() -> Void)?
  /// Told when it did not begin anew after a save.
  var onRenewalFailure: ((FileError) -> Void)?
  var selections = JournaledSelections()
  /// How often it was given the document as it is, with all its views.
  private(set) var writeCount = 0
  /// Gives the document as it is.
  var present: (() -> State)?

  /// What is written down of a document.
  struct State {
    let text: Rope
    let revision: Int
    let origin: JournalOrigin
    let views: [JournaledSelections.View]
    let isStepOpen: Bool
  }

  /// - Parameters:
  ///   - file: The file at `place`, or as much of it as was read.
  ///   - key: Of the file that the text lies beside, if it does.
  ///   - continued: The journal of a core that died, which this one goes on with; the document has made its edits already.
  init(
    place: FilePlace?, file: FileContents, foundBy key: String? = nil, name: String,
    continuing continued: (RecoveredJournal.Sound, revision: Int)? = nil,
    folder: RecoveryFolder, files: FileService, watcher: FileWatcher, loop: Loop
  ) throws(FileError) {
    self.folder = folder
    self.name = name
    self.place = place
    self.watcher = watcher
    self.files = files
    self.loop = loop
    if let (sound, revision) = continued {
      let recovered = sound.journal
      journal = try Journal(continuing: sound, of: place, name: name, folder: folder)
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
    noteFile(file)
    takeLock()
    watchName()
    if continued != nil, place != nil { journal.move(to: place) }
  }

  func noteFile(_ file: FileContents) {
    let base = JournalBase(of: place, version: file.version)
    known = base.isPart ? nil : (base, file.bytes)
  }

  private func watchName() {
    journal.onCut = { [unowned self] in anew() }
    journal.onMadeAgain = { [unowned self] in madeAgain() }
    journal.onMove = { [unowned self] in onMove?() }
  }

  /// To go on with it as the document's own; nil if that is begun, or it is another file's, damaged, or in use.
  func reopen(_ recovered: RecoveredJournal) -> Journal? {
    guard journal.writer.file == nil, let sound = recovered.sound, recovered.canGoOn(at: place),
      folder.system.folder(of: recovered.path) == folder.path
    else {
      return nil
    }
    return try? Journal(continuing: sound, of: place, name: name, folder: folder)
  }

  /// Goes on with a journal whose edits the document has made, and nothing else: its own would have them a second time.
  ///
  /// - Parameter reopened: ``reopen(_:)``
  func goOn(with reopened: Journal, of recovered: RecoveredJournal, revision: Int, _ file: FileContents) {
    reopened.move(to: place)
    (journal, unwritten, baseContents, copiedContents) = (reopened, [], nil, nil)
    if file.version.contents == recovered.base.contents { baseContents = file.bytes }
    noteFile(file)
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
  func takeLock() {
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
  func note(_ change: TextBuffer.Change, of origin: JournalOrigin, inView view: Int, handledEdits: Int) {
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
  func write(_ state: State) throws(FileError) {
    writeCount += 1
    let (views, origin, closesStep) = (state.views, state.origin, isStepOpen && !state.isStepOpen)
    isStepOpen = state.isStepOpen
    guard !unwritten.isEmpty else {
      defer { scheduleSync() }
      try journal.append(origin)
      keepBaseCopy()
      writeOn()
      let isBegun = journal.writer.file != nil
      return try journal.append(
        views.compactMap { selections.moved(in: $0, isBegun: isBegun) }, closingStep: closesStep)
    }
    var edits = unwritten
    unwritten = []
    var moved: [JournalSelection] = []
    let lastEdits = Dictionary(edits.indices.map { (edits[$0].view, $0) }) { $1 }
    for state in views {
      guard let last = lastEdits[state.view].map({ edits[$0] }) else {
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
    try journal.append(edits, moved, origin, closingStep: closesStep)
    keepBaseCopy()
  }

  /// The text as one edit of the file: for a journal that was cut short, or cannot tell what of its edits a save has.
  func anew() -> Journal.Anew? {
    guard let known, let state = present?(), let old = known.base.image.text(of: known.bytes) else { return nil }
    (unwritten, selections, lacksEdit) = ([], JournaledSelections(), false)
    (baseContents, copiedContents) = (known.bytes, nil)
    if let renewal { isBaseGone = renewal.isBaseGone }
    (renewal, hasRenewedUnsynced) = (nil, false)
    let delta = LineDifference.delta(from: old, to: state.text)
    var selected = state.views.map { selections.written($0) }
    var edit: JournalEdit?
    if !delta.isIdentity, let first = selected.first {
      selected.removeFirst()
      edit = JournalEdit(
        revision: revision(state.revision), undoGroup: 0, view: first.view, handledEdits: first.handledEdits,
        delta: delta, selections: first.regions)
      edit?.step = .init(.opensStep, .other)
    }
    return Journal.Anew(base: known.base, edit: edit, origin: state.origin, selections: selected)
  }
}
