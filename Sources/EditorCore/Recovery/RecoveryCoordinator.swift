import EditorProtocol
import Glibc
import Rope

/// The journals of what would be lost with the process.
final class RecoveryCoordinator {
  /// Where journals are; without it, none are written.
  let folder: RecoveryFolder?
  /// The user is to be told, once, that there is none.
  var warnsOfMissingFolder = false
  private var hasToldOfLocks = false
  private(set) lazy var offers = RecoveryOffers(of: session)
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession, folder: RecoveryFolder?) {
    self.session = session
    self.folder = folder
  }

  // MARK: Journals of new views

  /// The journal that a front end asks for, and the file as the text of that has it.
  func recovered(_ id: String?, of place: FilePlace?, _ file: inout FileContents) -> RecoveredJournal? {
    guard let journal = id.flatMap({ abandonedJournal(RecoveryID($0).journal) }) else { return nil }
    if journal.canGoOn(at: place), let (image, _) = journal.state(of: file), image.text(of: file.bytes) != nil {
      file.version.image = image
    }
    return journal
  }

  var folders: [RecoveryFolder] { folder?.all ?? [] }

  func hasJournal(_ id: String) -> Bool { folders.contains { $0.hasJournal(id) } }

  func abandonedJournal(_ id: String) -> RecoveredJournal? {
    // A lazy search would look twice, and the journal may be taken between.
    for folder in folders { if let journal = folder.abandonedJournal(id) { return journal } }
    return nil
  }

  /// Begins the journal of a view, after what a dead core left for it was made good.
  ///
  /// - Parameters:
  ///   - file: As much of it as there is.
  ///   - id: By which the front end has asked for `recovered`, which may be nil as there was none.
  func beginJournal(of view: TextView, _ file: FileContents, resuming recovered: RecoveredJournal?, as id: String?) {
    let document = view.document
    let isResumed = id != nil
    if let id = id.map(RecoveryID.init) {
      document.recovery.resumedID = id.journal
      document.views.number(view, id.view)
      // A text that lies beside a file has a journal from the start. A view without any need not have been typed into.
      if recovered == nil, document.file.path == nil, let name = JournalName(id.journal),
        name.key != RecoveryFolder.untitled
      {
        offers.tellOfMissing()
      }
    }
    document.recovery.folder = folder.flatMap { folder(for: document.file.path, $0) }
    let isBeside = document.file.path == nil && recovered.map { $0.key != RecoveryFolder.untitled } == true
    // What is private and in memory stays there.
    if isBeside, let path = recovered?.path {
      document.recovery.folder = folders.first { $0.path == $0.system.folder(of: path) } ?? document.recovery.folder
    }
    guard let folder = document.recovery.folder else {
      if isResumed { frontEnd.send(.recovered(view.id, handledEdits: 0, hasSelection: false)) }
      if self.folder == nil, warnsOfMissingFolder, frontEnd.speaksExtensions {
        warnsOfMissingFolder = false
        frontEnd.alert("What you type is in memory only: no folder for recovery can be had in $XDG_STATE_HOME or $HOME")
      }
      return
    }
    if document.file.loadJob == nil { noteEarlierUndo(of: document) }
    folder.removeLeftovers(of: document.file.place)
    var found = recovered.map { replay($0, in: view, on: file, folder) } ?? Replayed()
    document.recovery.leavesResumed = found.isLeft
    do throws(FileError) {
      document.recovery.journal = try DocumentJournal(
        place: document.file.place, file: file, foundBy: isBeside ? recovered?.key : nil, name: view.id.rawValue,
        continuing: found.goesOn.map { ($0, document.buffer.revision) }, folder: folder,
        files: session.files.service, watcher: session.files.watcher, loop: session.loop)
      document.recovery.journal?.present = { [unowned document] in document.journaledState }
      document.recovery.journal?.onSyncFailure = { [unowned self] error in
        frontEnd.alert("What you type may not survive a loss of power: \(error)")
      }
      document.recovery.journal?.onCopyFailure = { [unowned self] error in
        frontEnd.alert("The file has changed, and after a crash only what you typed may be had: \(error)")
      }
      document.recovery.journal?.onWriteFailure = { [unowned self, weak document] error in
        if let document { journalFailed(document, error) }
      }
      document.recovery.journal?.onCatchingUp = { [unowned self, weak document] in
        document?.advanceQueue()
        if let document { noteKeptEdits(of: document) }
        session.views.sendUpdates()
      }
      document.recovery.journal?.onMove = { [unowned self, weak document] in
        if let document { session.files.sendInformation(of: document) }
      }
      document.recovery.journal?.onRenewalFailure = { [unowned self] error in
        frontEnd.alert("Saved, but the journal did not begin anew: \(error)")
      }
      if document.recovery.journal?.isUnlocked == true, !hasToldOfLocks {
        hasToldOfLocks = true
        frontEnd.alert("Other editors of the same file are not noticed: no lock can be had in \(folder.path)")
      }
    } catch {
      frontEnd.alert("Without a journal, for \(error)")
    }
    removeCutSaves(of: document, folder)
    if let text = found.otherText {
      // After its own journal was begun, which has to have it.
      document.commit(
        Delta(baseByteCount: document.buffer.text.byteCount, replacing: document.buffer.text.fullRange, with: text),
        of: document.file.origin(of: text, in: document.file.image.encoding))
      // Of a damaged one all that can be read is here, and it is kept anyway.
      document.recovery.source = recovered.map { ($0, isWhole: $0.isDamaged) }
      if found.isOnlyTyped {
        // It has no place but its end.
        view.select(Selection.caret(document.buffer.text.endOffset))
      } else {
        found.hasSelection = view.selectAgain(recovered?.selections[view.number])
      }
    }
    recovered.map(offers.tellOfDamage)
    if isResumed {
      frontEnd.send(
        .recovered(
          view.id, handledEdits: view.edits.handled, hasSelection: found.hasSelection, isLeft: found.isLeft,
          savedEdits: recovered?.savedEdits(inView: view.number, of: file)))
    }
    if found.isLeft, let recovered { return offers.offer(recovered, to: view, file) }
    if found.goesOn == nil, document.recovery.source == nil {
      offers.offer(to: view, file, folder, isResumed: isResumed)
    }
  }

  /// What saves that were killed had written so far, beside the file and here.
  private func removeCutSaves(of document: Document, _ folder: RecoveryFolder) {
    let system = session.files.system
    guard document.recovery.journal?.isAlone == true, let path = document.file.path, let place = document.file.place,
      let target = try? system.resolvingLinks(path)
    else { return }
    folder.removeCutCopies(for: place)
    try? TemporaryFile(besides: target, system: system).removeAbandoned()
  }

  /// The end of the session.
  func finish() {
    for document in session.views.documents {
      // A front end that vanished may want what is not saved, and only that.
      guard let journal = document.recovery.journal else { continue }
      // One that is discarded is not begun again: it may not have come to the file as it was saved last.
      if document.isPristine { journal.discard() } else { writeJournal(of: document) }
      journal.synchronize()
      if document.isPristine || !document.recovery.journalHasFailed { letGoOfRecovered(document) }
    }
  }

  /// A save that still runs may fail: then the text is offered the next time.
  func documentCloses(_ document: Document) {
    let isSaving = document.file.savesInFlight > 0
    if isSaving { writeJournal(of: document) }
    document.enqueue(
      .init(order: .file, needs: .idleFile) { [unowned self] in
        keepUndo(of: document)
        guard let journal = document.recovery.journal, !isSaving || document.buffer.history.isAtSavedState else {
          return
        }
        journal.close()
        letGoOfRecovered(document)
      })
  }

  /// What is offered stays: at the end of a session, but for the files that are open.
  func removeExpired() {
    for folder in folders {
      let open = Set(session.views.documents.map { folder.key(for: $0.file.place) })
      session.files.service.perform(.removeExpired(folder, now: time(nil), except: open))
    }
  }

  private func folder(for path: String?, _ ordinary: RecoveryFolder) -> RecoveryFolder? {
    guard let path else { return ordinary }
    do throws(FileError) {
      if let folder = try ordinary.holdingEdits(of: path) { return folder }
      frontEnd.alert("What you type is in memory only: \(path) is private and in memory, as secrets are kept off disks")
    } catch {
      frontEnd.alert("Without a journal, for \(error)")
    }
    return nil
  }

  /// All of a file is there of which the journal knows a part.
  func journalLoaded(_ document: Document, _ file: FileContents) {
    noteEarlierUndo(of: document)
    if document.recovery.openedContents != nil { document.recovery.openedContents = file }
    do throws(FileError) {
      try document.recovery.journal?.didLoad(file)
    } catch {
      journalFailed(document, error)
    }
  }

  // MARK: Undo steps between runs

  /// Steps of earlier runs may be had for the file, all of which is known.
  private func noteEarlierUndo(of document: Document) {
    let file = document.file
    guard frontEnd.speaksExtensions, document.settings.config.keepsUndo, file.version.status != nil,
      let place = file.place, let folder = document.recovery.folder
    else { return }
    document.recovery.earlierUndo = EarlierUndo(folder: folder, place: place, version: file.version) {
      [weak frontEnd] message in frontEnd?.log(message)
    }
  }

  /// Whether the steps of earlier runs are asked for, and there may be some: which ones is known once all of the file is there.
  func mayNeedEarlierUndo(_ command: EditCommand, in document: Document) -> Bool {
    guard frontEnd.speaksExtensions, document.settings.config.keepsUndo, let place = document.file.place,
      let folder = document.recovery.folder, document.recovery.earlierUndo == nil
    else { return false }
    let own = command == .plain(.undo) ? document.buffer.history.done : document.buffer.history.undone
    return own.isEmpty && folder.hasKeptUndo(of: place)
  }

  /// Keeps the steps of a text that its file now holds.
  ///
  /// - Parameter history: Nil where it has no journal, either.
  func keepUndo(_ history: JournalHistory?, of document: Document, revision: Int, isSaved: Bool = true) {
    document.recovery.keptUndoRevision = revision
    guard frontEnd.speaksExtensions, let place = document.file.place, let folder = document.recovery.folder else {
      return
    }
    guard document.settings.config.keepsUndo, !place.isOfGit else {
      return session.files.service.perform(.forgetUndo(place, folder))
    }
    // A secret, such as a password, is to be gone with its file.
    guard let history, document.file.version.status != nil, !folder.isForSecrets,
      (try? folder.mayHoldEdits(of: place.path)) == true
    else { return }
    let undo = KeptUndo(
      place: place, base: JournalBase(of: place, version: document.file.version), history: history, isSaved: isSaved)
    session.files.service.keep(undo, in: folder) { [weak frontEnd] error in
      if let error { frontEnd?.log("undo steps are not kept: \(error)") }
    }
  }

  /// What was undone, and made again, since the file was saved; of what a killed core has saved, all.
  private func keepUndo(of document: Document) {
    guard document.buffer.revision != document.recovery.keptUndoRevision, document.isPristine,
      document.file.changedStatus == nil, document.file.loadJob == nil
    else { return }
    let history = document.recovery.journal?.history(of: document, session.settings.found(in: document))
    keepUndo(history, of: document, revision: document.buffer.revision, isSaved: false)
  }

  /// Of all that is open at the end.
  func keepUndo() { session.views.documents.forEach(keepUndo) }

  private struct Replayed {
    /// The journal that can simply go on.
    var goesOn: RecoveredJournal.Sound?
    /// All is selected that was.
    var hasSelection = false
    /// What is not of the file.
    var otherText: Rope?
    /// That is only what was typed.
    var isOnlyTyped = false
    /// It is neither shown nor gone.
    var isLeft = false
  }

  /// Gives a view the text that it had, and what was selected in it.
  private func replay(
    _ journal: RecoveredJournal, in view: TextView, on file: FileContents, _ folder: RecoveryFolder
  ) -> Replayed {
    let document = view.document
    let selection = journal.selections[view.number]
    // What the journal has is not to be made a second time, wherever it is shown.
    view.edits = EditCount(keptByOther: selection?.handledEdits ?? 0)
    // Once the edits are made, which the places of their carets come after.
    defer { document.keepAbsentViews(of: journal, but: view) }
    let history = journal.state(of: file)?.history
    let canGoOn = journal.canGoOn(at: document.file.place)
    switch (journal.replay(on: file, folder: folder), canGoOn ? journal.sound : nil) {
    case (.nothing, let sound?) where history != nil: return goOn([], of: sound, behind: history, in: view)
    case (.nothing, _):
      offers.drop(journal, in: folder)
      return Replayed(hasSelection: view.selectAgain(selection))
    case (.text(_, let edits, _), let sound?): return goOn(edits, of: sound, behind: history, in: view)
    // It is damaged: what can be read of it is shown, and it stays as it is.
    case (.text(let text, _, _), nil) where canGoOn: return Replayed(otherText: text)
    // The view of a file that has changed shows that file; what was typed is offered beside it.
    case _ where document.file.path != nil:
      return textOfCutSave(of: document, journal, holding: file.bytes, folder).map { Replayed(otherText: $0) }
        ?? Replayed(isLeft: true)
    case (.text(let text, _, _), _), (.textOfCopy(let text, _), _): return Replayed(otherText: text)
    case (.typed(let text), _): return Replayed(hasSelection: true, otherText: text, isOnlyTyped: true)
    }
  }

  /// What a save in place would have written that the core began before it died, and what was typed since: the file holds the beginning of
  /// that, and the end of what was there before.
  private func textOfCutSave(
    of document: Document, _ journal: RecoveredJournal, holding current: Rope, _ folder: RecoveryFolder
  ) -> Rope? {
    guard document.file.loadJob == nil, let path = document.file.path, let place = document.file.place,
      let copy = folder.interruptedSave(of: place, holding: current)
    else { return nil }
    let (image, _) = FileImage.split(copy.contents)
    let saved = FileContents(
      bytes: copy.contents,
      version: FileVersion(status: nil, contents: ContentIdentity(of: copy.contents), image: image))
    // Of that very save: another may have been left before.
    guard let known = journal.state(of: saved)?.image, var text = known.text(of: copy.contents) else { return nil }
    if case .text(let edited, _, _) = journal.replay(on: saved, folder: folder) { text = edited }
    document.file.image = known
    document.recovery.interruptedSave = copy.path
    frontEnd.alert("The save of \(path) was cut short: it is damaged on the disk until you save it again")
    return text
  }

  private func goOn(
    _ edits: [JournalEdit], of sound: RecoveredJournal.Sound, behind history: JournalHistory?, in view: TextView
  ) -> Replayed {
    if let found = history?.found { session.settings.restore(found.indentation, foundIn: view.document) }
    return Replayed(goesOn: sound, hasSelection: view.make(edits, of: sound.journal, behind: history))
  }

  /// One more view of a document that is open, which a core that died had too.
  func resume(_ view: TextView, as id: RecoveryID) {
    let document = view.document
    let known = document.recovery.absentViews.removeValue(forKey: id.view)
    if id.journal == document.recovery.resumedID { document.views.number(view, id.view) }
    view.edits = EditCount(keptByOther: known?.handledEdits ?? 0)
    if let known, !known.selection.isEmpty { view.goOnTyping(at: known.selection) }
    frontEnd.send(
      .recovered(
        view.id, handledEdits: view.edits.handled, hasSelection: known?.selection.isEmpty == false,
        isLeft: document.recovery.leavesResumed && id.journal == document.recovery.resumedID))
  }

  /// The text was made that of its file, as that is now.
  func journalRead(_ document: Document, _ file: FileContents) {
    if let journal = document.recovery.journal {
      let history = journal.history(of: document, session.settings.found(in: document))
      journal.didRead(documentRevision: document.buffer.revision, file.version, history)
    }
    journalSaved(document, document.buffer.revision, to: document.file.place, file)
  }

  /// What came after the text that a file now holds is journaled against that file.
  func journalSaved(_ document: Document, _ revision: Int, to place: FilePlace?, _ file: FileContents) {
    writeJournal(of: document)
    document.recovery.journal?.didSave(documentRevision: revision, to: place, file)
  }

  /// Writes down what a view's text became, before the front end is told.
  func writeJournal(of document: Document) {
    guard let journal = document.recovery.journal, !document.views.isEmpty else { return }
    do throws(FileError) {
      try journal.write(document.journaledState)
      noteKeptEdits(of: document)
      letGoOfRecovered(document, journal)
    } catch {
      journalFailed(document, error)
    }
  }

  /// Not before the journal has all: what follows an edit that it lacks is of no use without that.
  private func noteKeptEdits(of document: Document) {
    guard document.recovery.journal?.hasAll == true else { return }
    setFailed(false, document)
    document.noteKeptEdits()
  }

  private func journalFailed(_ document: Document, _ error: FileError) {
    if !document.recovery.journalHasFailed { frontEnd.alert("What you type is in memory only: \(error)") }
    setFailed(true, document)
  }

  private func setFailed(_ hasFailed: Bool, _ document: Document) {
    guard document.recovery.journalHasFailed != hasFailed else { return }
    document.recovery.journalHasFailed = hasFailed
    session.files.sendInformation(of: document)
  }

  /// Only when what was restored is on the disk in the view's own journal is that let go which it came from.
  private func letGoOfRecovered(_ document: Document, _ journal: DocumentJournal) {
    guard document.recovery.source != nil || document.recovery.interruptedSave != nil, !document.recovery.isLettingGo
    else { return }
    document.recovery.isLettingGo = true
    journal.synchronize { [weak self] isSynced in
      document.recovery.isLettingGo = false
      if isSynced { self?.letGoOfRecovered(document) }
    }
  }

  private func letGoOfRecovered(_ document: Document) {
    if let (old, isWhole) = document.recovery.source, let folder {
      if isWhole { offers.drop(old, in: folder) } else { folder.setAside(old) }
    }
    if let copy = document.recovery.interruptedSave { document.recovery.folder?.discardCopy(copy) }
    (document.recovery.source, document.recovery.interruptedSave) = (nil, nil)
  }
}
