import EditorProtocol
import Glibc
import Rope

/// What would be lost with the process: journals, and the offers of what a dead core left.
final class RecoveryCoordinator {
  /// Where journals are; without it, none are written.
  let folder: RecoveryFolder?
  /// The user is to be told, once, that there is none.
  var warnsOfMissingFolder = false
  private var hasToldOfLocks = false
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession, folder: RecoveryFolder?) {
    self.session = session
    self.folder = folder
  }

  // MARK: Journals of new views

  /// The journal that a front end asks for, and the file as the text of that has it.
  func recovered(_ id: String?, of path: String?, _ file: inout FileContents) -> RecoveredJournal? {
    guard let folder, let journal = id.flatMap({ abandonedJournal(RecoveryID($0).journal) }) else { return nil }
    if journal.base.path == path ?? "", case .text(_, _, let image) = journal.replay(on: file, folder: folder) {
      file.version.image = image
    }
    return journal
  }

  private var folders: [RecoveryFolder] { folder?.all ?? [] }

  func hasJournal(_ id: String) -> Bool { folders.contains { $0.hasJournal(id) } }

  private func abandonedJournal(_ id: String) -> RecoveredJournal? {
    folders.lazy.compactMap { $0.abandonedJournal(id) }.first
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
      document.number(view, id.view)
    }
    document.recovery.folder = folder.flatMap { folder(for: document.file.path, $0) }
    guard let folder = document.recovery.folder else {
      if isResumed { frontEnd.send(.recovered(view.id, handledEdits: 0, hasSelection: false)) }
      if self.folder == nil, warnsOfMissingFolder, frontEnd.speaksExtensions {
        warnsOfMissingFolder = false
        frontEnd.alert("What you type is in memory only: no folder for recovery can be had in $XDG_STATE_HOME or $HOME")
      }
      return
    }
    let found = recovered.map { replay($0, in: view, on: file, folder) } ?? Replayed()
    do throws(FileError) {
      document.recovery.journal = try DocumentJournal(
        path: document.file.path ?? "", file: file, name: view.id.rawValue,
        continuing: found.goesOn ? recovered.map { ($0, document.revision) } : nil, folder: folder,
        files: session.files.service, watcher: session.files.watcher, loop: session.loop)
      document.recovery.journal?.onSyncFailure = { [unowned self] error in
        frontEnd.alert("What you type may not survive a loss of power: \(error)")
      }
      document.recovery.journal?.onWriteFailure = { [unowned self, weak document] error in
        if let document { journalFailed(document, error) }
      }
      document.recovery.journal?.onCatchingUp = { [unowned self, weak document] in
        document?.advanceQueue()
        session.views.sendUpdates()
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
    if let text = found.otherText {
      // After its own journal was begun, which has to have it.
      document.commit(
        Delta(baseByteCount: document.text.byteCount, replacing: document.text.fullRange, with: text), as: .other)
      document.recovery.source = recovered
    }
    recovered.map(tellOfDamage)
    if isResumed {
      frontEnd.send(.recovered(view.id, handledEdits: view.handledEdits, hasSelection: found.hasSelection))
    }
    if !found.goesOn, document.recovery.source == nil { offerRecovery(to: view, file, folder) }
  }

  /// The end of the session.
  func finish() {
    for document in session.views.documents {
      // A front end that vanished may want what is not saved, and only that.
      guard let journal = document.recovery.journal else { continue }
      if document.isTextSaved { journal.discard() }
      writeJournal(of: document)
      journal.synchronize()
      if !document.recovery.journalHasFailed { letGoOfRecovered(document) }
    }
  }

  /// A save that still runs may fail: then the text is offered the next time.
  func documentCloses(_ document: Document) {
    let isSaving = document.file.savesInFlight > 0
    if isSaving { writeJournal(of: document) }
    document.enqueue(
      .init(order: .file, needs: .idleFile) { [unowned self] in
        guard let journal = document.recovery.journal, !isSaving || document.isTextSaved else { return }
        journal.discard()
        letGoOfRecovered(document)
      })
  }

  /// What is offered stays: at the end of a session, but for the files that are open.
  func removeExpired() {
    for folder in folders {
      let open = Set(session.views.documents.map { folder.key(for: $0.file.path ?? "") })
      session.files.service.perform { folder.removeExpired(now: time(nil), except: open) }
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
    if document.recovery.openedContents != nil { document.recovery.openedContents = file }
    do throws(FileError) {
      try document.recovery.journal?.didLoad(file)
    } catch {
      journalFailed(document, error)
    }
  }

  private struct Replayed {
    /// Its journal can simply go on.
    var goesOn = false
    /// All is selected that was.
    var hasSelection = false
    /// What is not of the file.
    var otherText: Rope?
  }

  /// Gives a view the text that it had, and what was selected in it.
  private func replay(
    _ journal: RecoveredJournal, in view: TextView, on file: FileContents, _ folder: RecoveryFolder
  ) -> Replayed {
    let document = view.document
    let isSameFile = journal.base.path == (document.file.path ?? "")
    let selection = journal.selections[view.number]
    if isSameFile { view.handledEdits = selection?.handledEdits ?? 0 }
    // Once the edits are made, which the places of their carets come after.
    defer { if isSameFile { keepAbsentViews(of: journal, but: view) } }
    switch journal.replay(on: file, folder: folder) {
    case .nothing:
      drop(journal, in: folder)
      return Replayed(hasSelection: isSameFile && selectAgain(selection, in: view))
    case .text(_, let edits, _) where isSameFile:
      return Replayed(goesOn: true, hasSelection: make(edits, of: journal, in: view))
    case .text(let text, _, _), .textOfCopy(let text, _), .typed(let text):
      // The view of a file that has changed shows that file; what was typed is offered beside it.
      return Replayed(otherText: document.file.path == nil ? text : nil)
    }
  }

  /// - Returns: Whether all is selected that was.
  @discardableResult
  private func make(_ edits: [JournalEdit], of journal: RecoveredJournal, in view: TextView) -> Bool {
    let document = view.document
    var group: UInt64?
    for edit in edits {
      if edit.undoGroup != group { document.closeUndoStep() }
      group = edit.undoGroup
      if let origin = edit.origin {
        document.commit(edit.delta, of: document.file.origin(origin))
      } else {
        document.commit(edit.delta, as: .insert)
      }
    }
    document.closeUndoStep()
    if let origin = journal.origin { document.file.origin = document.file.origin(origin) }
    document.needsUpdate()
    return selectAgain(journal.selections[view.number], in: view)
  }

  /// - Returns: Whether it is a selection of this text.
  private func selectAgain(_ known: JournalSelection?, in view: TextView) -> Bool {
    guard let selection = known.map({ selection($0, in: view.text) }), !selection.isEmpty else { return false }
    view.select(selection)
    return true
  }

  /// Empty when it is none of this text.
  private func selection(_ known: JournalSelection, in text: Rope) -> Selection {
    var selection = Selection()
    for region in known.regions {
      guard max(region.anchor, region.active) <= text.endOffset else { return Selection() }
      selection.add(
        SelectionRegion(
          text.graphemeBoundary(atOrBefore: region.anchor), text.graphemeBoundary(atOrBefore: region.active)))
    }
    return selection
  }

  // MARK: Views of one document

  private func keepAbsentViews(of journal: RecoveredJournal, but view: TextView) {
    let document = view.document
    for (number, known) in journal.selections where number != view.number {
      document.recovery.absentViews[number] = .init(
        handledEdits: known.handledEdits, selection: selection(known, in: document.text))
    }
  }

  /// One more view of a document that is open, which a core that died had too.
  func resume(_ view: TextView, as id: RecoveryID) {
    let document = view.document
    let known = document.recovery.absentViews.removeValue(forKey: id.view)
    if id.journal == document.recovery.resumedID { document.number(view, id.view) }
    view.handledEdits = known?.handledEdits ?? 0
    if let known, !known.selection.isEmpty { view.select(known.selection.wholeClusters(in: view.text)) }
    frontEnd.send(
      .recovered(view.id, handledEdits: view.handledEdits, hasSelection: known?.selection.isEmpty == false))
  }

  // MARK: Offers

  /// At once, also when the file is being loaded: what is known of it without its contents must do.
  private func offerRecovery(to view: TextView, _ file: FileContents, _ folder: RecoveryFolder) {
    let document = view.document
    guard frontEnd.speaksExtensions, document.recovery.journal?.otherProcess == nil else { return }
    if offerInterruptedSave(to: view, file, folder) { return }
    let abandoned = folders.compactMap { try? $0.abandoned(of: document.file.path ?? "") }
    for path in abandoned.flatMap(\.damaged) { tellOfDamaged(path) }
    let journals = abandoned.flatMap(\.journals)
    guard let found = journals.max(by: { $0.modificationTime < $1.modificationTime }) else { return }
    var hasChanged = !found.seemsToBeOf(file.version.status)
    if document.file.loadJob == nil {
      switch found.replay(on: file, folder: folder) {
      case .nothing: return drop(found, in: folder)
      case .text: hasChanged = false
      case .textOfCopy, .typed: hasChanged = true
      }
    }
    document.recovery.openedContents = file
    offer(found, to: view, hasChanged: hasChanged)
  }

  private func offer(_ journal: RecoveredJournal, to view: TextView, hasChanged: Bool) {
    let id = journal.path.split(separator: "/").last.map(String.init) ?? ""
    let time = Int(journal.modificationTime / 1_000_000_000)
    frontEnd.send(
      .recoveryFound(RecoveryOffer(view: view.id, recoveryID: id, time: time, baseChanged: hasChanged)))
  }

  /// The name of the offer of what a save in place would have written: it is no journal's.
  private static let interruptedSaveID = "save"

  /// The copy of a save in place that was cut short, unless the file holds it after all.
  private func offerInterruptedSave(to view: TextView, _ file: FileContents, _ folder: RecoveryFolder) -> Bool {
    let document = view.document
    guard let target = document.file.path.flatMap({ try? session.files.system.resolvingLinks($0) }),
      let copy = try? folder.interruptedSave(of: target)
    else { return false }
    guard document.file.loadJob != nil || copy.contents != file.bytes else {
      folder.discardInterruptedSave(of: target)
      return false
    }
    document.recovery.openedContents = file
    frontEnd.send(
      .recoveryFound(
        RecoveryOffer(
          view: view.id, recoveryID: Self.interruptedSaveID, time: copy.time, baseChanged: false,
          isInterruptedSave: true)))
    return true
  }

  private func recoverInterruptedSave(in view: TextView, _ choice: RecoveryChoice, _ folder: RecoveryFolder) {
    let document = view.document
    guard let opened = document.recovery.openedContents,
      let target = document.file.path.flatMap({ try? session.files.system.resolvingLinks($0) })
    else { return }
    if choice == .discard {
      folder.discardInterruptedSave(of: target)
      return offerRecovery(to: view, opened, folder)
    }
    guard document.revision == 0, let copy = try? folder.interruptedSave(of: target) else {
      return frontEnd.alert("The text was edited before the other could be restored. That one is kept.")
    }
    let (image, text) = FileImage.split(copy.contents)
    document.commit(
      LineDifference.delta(from: document.text, to: text), of: document.file.origin(in: image.encoding))
    (document.file.image, document.file.format) = (image, TextFormat(of: text))
    document.recovery.holdsInterruptedSave = true
    document.needsUpdate()
    // What was typed after that save was begun.
    guard let found = try? folder.abandonedJournals(of: document.file.path ?? "").first else { return }
    let saved = FileContents(
      bytes: copy.contents,
      version: FileVersion(status: nil, contents: ContentIdentity(of: copy.contents), image: image))
    switch found.replay(on: saved, folder: folder) {
    case .nothing: drop(found, in: folder)
    case .text(_, let edits, let image):
      restore(edits, of: found, on: saved, as: image, in: view)
    case .textOfCopy, .typed: break
    }
  }

  /// Makes the edits that lead on from a file's text by `image`, which may lack a line end that the view shows.
  private func restore(
    _ edits: [JournalEdit], of journal: RecoveredJournal, on file: FileContents, as image: FileImage, in view: TextView
  ) {
    let document = view.document
    let isOfOtherEncoding = image.encoding != document.file.image.encoding
    if let text = image.text(of: file.bytes), text != document.text {
      document.commit(
        LineDifference.delta(from: document.text, to: text), of: document.file.origin(in: image.encoding))
    }
    if isOfOtherEncoding {
      // The edits are of a text that was read in another encoding than this one.
      var file = file
      file.version.image = image
      (document.file.version.image, document.file.image, document.file.format) = (
        image, image, TextFormat(of: document.text)
      )
      journalSaved(document, document.revision, to: document.file.path ?? "", file)
      session.files.sendInformation(of: document)
    }
    make(edits, of: journal, in: view)
    document.recovery.source = journal
    tellOfDamage(to: journal)
  }

  /// All that could be read of it is in the file.
  private func drop(_ journal: RecoveredJournal, in folder: RecoveryFolder) {
    if let kept = folder.discard(journal) { tellOfDamaged(kept) }
  }

  private func tellOfDamaged(_ path: String) {
    frontEnd.alert("A journal of what was typed is damaged, and kept for a week: \(path)")
  }

  private func tellOfDamage(to journal: RecoveredJournal) {
    if journal.isDamaged {
      frontEnd.alert("The end of the journal could not be read: what was typed last may be missing")
    }
  }

  /// The answer to an offer. What is restored is made to the whole file.
  func recover(_ view: TextView, _ id: String, _ choice: RecoveryChoice) {
    let document = view.document
    guard let folder = document.recovery.folder, choice != .later else { return }
    let giveUp = { [unowned self] in frontEnd.alert("Nothing was restored, and all is kept") }
    document.enqueue(
      .init(needs: .wholeText, giveUp: giveUp) { [unowned self] in recover(view, id, choice, folder) })
  }

  private func recover(_ view: TextView, _ id: String, _ choice: RecoveryChoice, _ folder: RecoveryFolder) {
    let document = view.document
    if id == Self.interruptedSaveID { return recoverInterruptedSave(in: view, choice, folder) }
    guard let journal = abandonedJournal(id) else { return }
    if choice == .discard { return folder.setAside(journal) }
    guard document.revision == 0, let opened = document.recovery.openedContents else {
      return frontEnd.alert("The text was edited before the other could be restored. That one is kept.")
    }
    switch journal.replay(on: opened, folder: folder) {
    case .text(_, let edits, let image): restore(edits, of: journal, on: opened, as: image, in: view)
    case .nothing: drop(journal, in: folder)
    // It did not seem so.
    case .textOfCopy, .typed: offer(journal, to: view, hasChanged: true)
    }
  }

  /// What came after the text that a file now holds is journaled against that file.
  func journalSaved(_ document: Document, _ revision: Int, to path: String, _ file: FileContents) {
    writeJournal(of: document)
    document.recovery.journal?.didSave(documentRevision: revision, to: path, file)
  }

  /// Writes down what a view's text became, before the front end is told.
  func writeJournal(of document: Document) {
    guard let journal = document.recovery.journal, document.isOpen else { return }
    do throws(FileError) {
      try journal.write(
        document.views.map {
          .init(view: $0.number, selection: $0.selection, handledEdits: document.performedEdits(in: $0))
        }, document.file.journaledOrigin)
      if !journal.lacksEdit { document.recovery.journalHasFailed = false }
      letGoOfRecovered(document, journal)
    } catch {
      journalFailed(document, error)
    }
  }

  private func journalFailed(_ document: Document, _ error: FileError) {
    if !document.recovery.journalHasFailed { frontEnd.alert("What you type is in memory only: \(error)") }
    document.recovery.journalHasFailed = true
  }

  /// Only when what was restored is on the disk in the view's own journal is that let go which it came from.
  private func letGoOfRecovered(_ document: Document, _ journal: DocumentJournal) {
    guard document.recovery.source != nil || document.recovery.holdsInterruptedSave, !document.recovery.isLettingGo
    else { return }
    document.recovery.isLettingGo = true
    journal.synchronize { [weak self] isSynced in
      document.recovery.isLettingGo = false
      if isSynced { self?.letGoOfRecovered(document) }
    }
  }

  private func letGoOfRecovered(_ document: Document) {
    if let old = document.recovery.source { folder?.discard(old) }
    if document.recovery.holdsInterruptedSave, let path = document.file.path,
      let target = try? session.files.system.resolvingLinks(path)
    {
      document.recovery.folder?.discardInterruptedSave(of: target)
    }
    (document.recovery.source, document.recovery.holdsInterruptedSave) = (nil, false)
  }
}

extension DocumentFile {
  fileprivate var journaledOrigin: JournalOrigin {
    JournalOrigin(encoding: image.encoding, isOutdated: isOutdated(textEdition))
  }

  fileprivate func origin(_ journaled: JournalOrigin) -> TextOrigin {
    TextOrigin(encoding: journaled.encoding, edition: journaled.isOutdated ? fileEdition - 1 : fileEdition)
  }

  fileprivate func origin(in encoding: TextEncoding) -> TextOrigin { origin(JournalOrigin(encoding: encoding)) }
}
