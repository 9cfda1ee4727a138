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
    guard let folder, let journal = id.flatMap({ folder.abandonedJournal($0) }) else { return nil }
    if journal.base.path == path ?? "", case .text(_, _, let image) = journal.replay(on: file, folder: folder) {
      file.version.image = image
    }
    return journal
  }

  /// Begins the journal of a view, after what a dead core left for it was made good.
  ///
  /// - Parameters:
  ///   - file: As much of it as there is.
  ///   - isResumed: A front end has asked for `recovered`, which may be nil as there was none.
  func beginJournal(of buffer: Buffer, _ file: FileContents, resuming recovered: RecoveredJournal?, isResumed: Bool) {
    guard let folder, mayHoldEdits(of: buffer.path, folder) else {
      if isResumed { frontEnd.send(.recovered(buffer.view.id, handledEdits: 0, hasSelection: false)) }
      if self.folder == nil, warnsOfMissingFolder, frontEnd.speaksExtensions {
        warnsOfMissingFolder = false
        frontEnd.alert("What you type is in memory only: no folder for recovery can be had in $XDG_STATE_HOME or $HOME")
      }
      return
    }
    let (isContinued, hasSelection) = recovered.map { replay($0, in: buffer, on: file, folder) } ?? (false, false)
    do throws(FileError) {
      buffer.journal = try BufferJournal(
        path: buffer.path ?? "", file: file, name: buffer.view.id.rawValue,
        continuing: isContinued ? recovered.map { ($0, buffer.document.revision) } : nil, folder: folder,
        files: session.files.service, loop: session.loop)
      buffer.journal?.onSyncFailure = { [unowned self] error in
        frontEnd.alert("What you type may not survive a loss of power: \(error)")
      }
      if buffer.journal?.isUnlocked == true, !hasToldOfLocks {
        hasToldOfLocks = true
        frontEnd.alert("Other editors of the same file are not noticed: no lock can be had in \(folder.path)")
      }
    } catch {
      frontEnd.alert("Without a journal, for \(error)")
    }
    recovered.map(tellOfDamage)
    if isResumed {
      frontEnd.send(.recovered(buffer.view.id, handledEdits: buffer.handledEdits, hasSelection: hasSelection))
    }
    if !isContinued, buffer.recoveredFrom == nil { offerRecovery(to: buffer, file, folder) }
  }

  /// The end of the session.
  func finish() {
    for buffer in session.views.buffers.values {
      // A front end that vanished may want what is not saved, and only that.
      if buffer.document.isPristine { buffer.journal?.discard() }
      writeJournal(of: buffer)
      buffer.journal?.synchronize()
    }
  }

  /// A save that still runs may fail: then the text is offered the next time.
  func viewCloses(_ buffer: Buffer) {
    let isSaving = buffer.savesInFlight > 0
    buffer.enqueue(
      .init(order: .file, needs: .idleFile) {
        if !isSaving || buffer.document.isPristine { buffer.journal?.discard() }
      })
  }

  /// What is offered stays: at the end of a session, but for the files that are open.
  func removeExpired() {
    guard let folder else { return }
    let open = Set(session.views.buffers.values.map { folder.key(for: $0.path ?? "") })
    session.files.service.perform { folder.removeExpired(now: time(nil), except: open) }
  }

  private func mayHoldEdits(of path: String?, _ folder: RecoveryFolder) -> Bool {
    guard let path else { return true }
    do throws(FileError) { return try folder.mayHoldEdits(of: path) } catch {
      frontEnd.alert("Without a journal, for \(error)")
      return false
    }
  }

  /// All of a file is there of which the journal knows a part.
  func journalLoaded(_ buffer: Buffer, _ file: FileContents) {
    if buffer.openedContents != nil { buffer.openedContents = file }
    do throws(FileError) {
      try buffer.journal?.didLoad(file)
    } catch {
      journalFailed(buffer, error)
    }
  }

  /// Gives a view the text that it had, and what was selected in it.
  /// - Returns: Whether its journal can simply go on, and whether all is selected that was.
  private func replay(
    _ journal: RecoveredJournal, in buffer: Buffer, on file: FileContents, _ folder: RecoveryFolder
  ) -> (goesOn: Bool, hasSelection: Bool) {
    let isSameFile = journal.base.path == (buffer.path ?? "")
    if isSameFile { buffer.handledEdits = journal.selection?.handledEdits ?? 0 }
    switch journal.replay(on: file, folder: folder) {
    case .nothing:
      folder.discard(journal)
      return (false, isSameFile && selectAgain(journal.selection, in: buffer))
    case .text(_, let edits, _) where isSameFile:
      return (true, make(edits, of: journal, in: buffer))
    case .text(let text, _, _), .textOfCopy(let text, _), .typed(let text):
      // The view of a file that has changed shows that file; what was typed is offered beside it.
      guard buffer.path == nil else { return (false, false) }
      buffer.commit(
        Delta(baseByteCount: buffer.text.byteCount, replacing: buffer.text.fullRange, with: text), as: .other)
      buffer.recoveredFrom = journal
    }
    return (false, false)
  }

  /// - Returns: Whether all is selected that was.
  @discardableResult
  private func make(_ edits: [JournalEdit], of journal: RecoveredJournal, in buffer: Buffer) -> Bool {
    var group: UInt64?
    for edit in edits {
      if edit.undoGroup != group { buffer.document.closeUndoStep() }
      group = edit.undoGroup
      buffer.commit(edit.delta, as: .insert)
    }
    buffer.document.closeUndoStep()
    buffer.needsUpdate = true
    return selectAgain(journal.selection, in: buffer)
  }

  /// - Returns: Whether it is a selection of this text.
  private func selectAgain(_ regions: JournalSelection?, in buffer: Buffer) -> Bool {
    var selection = Selection()
    for region in regions?.regions ?? [] {
      guard max(region.anchor, region.active) <= buffer.text.endOffset else { return false }
      selection.add(
        SelectionRegion(
          buffer.text.graphemeBoundary(atOrBefore: region.anchor),
          buffer.text.graphemeBoundary(atOrBefore: region.active)))
    }
    guard !selection.isEmpty else { return false }
    buffer.view.select(selection)
    return true
  }

  // MARK: Offers

  /// At once, also when the file is being loaded: what is known of it without its contents must do.
  private func offerRecovery(to buffer: Buffer, _ file: FileContents, _ folder: RecoveryFolder) {
    guard frontEnd.speaksExtensions, buffer.journal?.otherProcess == nil else { return }
    if offerInterruptedSave(to: buffer, file, folder) { return }
    guard let abandoned = try? folder.abandoned(of: buffer.path ?? "") else { return }
    for path in abandoned.damaged {
      frontEnd.alert("A journal of what was typed is damaged, and kept for a week: \(path)")
    }
    guard let found = abandoned.journals.first else { return }
    var hasChanged = !found.seemsToBeOf(file.version.status)
    if buffer.loadJob == nil {
      switch found.replay(on: file, folder: folder) {
      case .nothing: return folder.discard(found)
      case .text: hasChanged = false
      case .textOfCopy, .typed: hasChanged = true
      }
    }
    buffer.openedContents = file
    offer(found, to: buffer, hasChanged: hasChanged)
  }

  private func offer(_ journal: RecoveredJournal, to buffer: Buffer, hasChanged: Bool) {
    let id = journal.path.split(separator: "/").last.map(String.init) ?? ""
    let time = Int(journal.modificationTime / 1_000_000_000)
    frontEnd.send(
      .recoveryFound(RecoveryOffer(view: buffer.view.id, recoveryID: id, time: time, baseChanged: hasChanged)))
  }

  /// The name of the offer of what a save in place would have written: it is no journal's.
  private static let interruptedSaveID = "save"

  /// The copy of a save in place that was cut short, unless the file holds it after all.
  private func offerInterruptedSave(to buffer: Buffer, _ file: FileContents, _ folder: RecoveryFolder) -> Bool {
    guard let target = buffer.path.flatMap({ try? session.files.system.resolvingLinks($0) }),
      let copy = try? folder.interruptedSave(of: target)
    else { return false }
    guard buffer.loadJob != nil || copy.contents != file.bytes else {
      folder.discardInterruptedSave(of: target)
      return false
    }
    buffer.openedContents = file
    frontEnd.send(
      .recoveryFound(
        RecoveryOffer(
          view: buffer.view.id, recoveryID: Self.interruptedSaveID, time: copy.time, baseChanged: false,
          isInterruptedSave: true)))
    return true
  }

  private func recoverInterruptedSave(in buffer: Buffer, _ choice: RecoveryChoice, _ folder: RecoveryFolder) {
    guard let opened = buffer.openedContents,
      let target = buffer.path.flatMap({ try? session.files.system.resolvingLinks($0) })
    else { return }
    if choice == .discard {
      folder.discardInterruptedSave(of: target)
      return offerRecovery(to: buffer, opened, folder)
    }
    guard buffer.document.revision == 0, let copy = try? folder.interruptedSave(of: target) else {
      return frontEnd.alert("The text was edited before the other could be restored. That one is kept.")
    }
    let (image, text) = FileImage.split(copy.contents)
    buffer.commit(LineDifference.delta(from: buffer.text, to: text), as: .other)
    buffer.document.closeUndoStep()
    (buffer.image, buffer.format) = (image, TextFormat(of: text))
    buffer.holdsInterruptedSave = true
    buffer.needsUpdate = true
    // What was typed after that save was begun.
    guard let found = try? folder.abandonedJournals(of: buffer.path ?? "").first else { return }
    let saved = FileContents(
      bytes: copy.contents,
      version: FileVersion(status: nil, contents: ContentIdentity(of: copy.contents), image: image))
    switch found.replay(on: saved, folder: folder) {
    case .nothing: folder.discard(found)
    case .text(_, let edits, let image):
      restore(edits, of: found, on: saved, as: image, in: buffer)
    case .textOfCopy, .typed: break
    }
  }

  /// Makes the edits that lead on from a file's text by `image`, which may lack a line end that the view shows.
  private func restore(
    _ edits: [JournalEdit], of journal: RecoveredJournal, on file: FileContents, as image: FileImage, in buffer: Buffer
  ) {
    if let text = image.text(of: file.bytes), text != buffer.text {
      buffer.commit(LineDifference.delta(from: buffer.text, to: text), as: .other)
    }
    if image.encoding != buffer.image.encoding {
      // The edits are of a text that was read in another encoding than this one.
      var file = file
      file.version.image = image
      (buffer.file.image, buffer.image, buffer.format) = (image, image, TextFormat(of: buffer.text))
      journalSaved(buffer, buffer.document.revision, to: buffer.path ?? "", file)
      session.files.sendInformation(of: buffer)
    }
    make(edits, of: journal, in: buffer)
    buffer.recoveredFrom = journal
    tellOfDamage(to: journal)
  }

  private func tellOfDamage(to journal: RecoveredJournal) {
    if journal.isDamaged {
      frontEnd.alert("The end of the journal could not be read: what was typed last may be missing")
    }
  }

  /// The answer to an offer. What is restored is made to the whole file.
  func recover(_ buffer: Buffer, _ id: String, _ choice: RecoveryChoice) {
    guard let folder, choice != .later else { return }
    let giveUp = { [unowned self] in frontEnd.alert("Nothing was restored, and all is kept") }
    buffer.enqueue(
      .init(needs: .wholeText, giveUp: giveUp) { [unowned self] in recover(buffer, id, choice, folder) })
  }

  private func recover(_ buffer: Buffer, _ id: String, _ choice: RecoveryChoice, _ folder: RecoveryFolder) {
    if id == Self.interruptedSaveID { return recoverInterruptedSave(in: buffer, choice, folder) }
    guard let journal = folder.abandonedJournal(id) else { return }
    if choice == .discard { return folder.setAside(journal) }
    guard buffer.document.revision == 0, let opened = buffer.openedContents else {
      return frontEnd.alert("The text was edited before the other could be restored. That one is kept.")
    }
    switch journal.replay(on: opened, folder: folder) {
    case .text(_, let edits, let image): restore(edits, of: journal, on: opened, as: image, in: buffer)
    case .nothing: folder.discard(journal)
    // It did not seem so.
    case .textOfCopy, .typed: offer(journal, to: buffer, hasChanged: true)
    }
  }

  /// What came after the text that a file now holds is journaled against that file.
  func journalSaved(_ buffer: Buffer, _ revision: Int, to path: String, _ file: FileContents) {
    writeJournal(of: buffer)
    do throws(FileError) {
      try buffer.journal?.didSave(documentRevision: revision, to: path, file)
    } catch {
      frontEnd.alert("Saved, but the journal did not begin anew: \(error)")
    }
  }

  /// Writes down what a view's text became, before the front end is told.
  func writeJournal(of buffer: Buffer) {
    guard let journal = buffer.journal else { return }
    do throws(FileError) {
      try journal.write(selection: buffer.view.selection, handledEdits: buffer.performedEdits)
      buffer.journalHasFailed = false
      letGoOfRecovered(buffer, journal)
    } catch {
      journalFailed(buffer, error)
    }
  }

  private func journalFailed(_ buffer: Buffer, _ error: FileError) {
    if !buffer.journalHasFailed { frontEnd.alert("What you type is in memory only: \(error)") }
    buffer.journalHasFailed = true
  }

  /// Only when what was restored is on the disk in the view's own journal is that let go which it came from.
  private func letGoOfRecovered(_ buffer: Buffer, _ journal: BufferJournal) {
    guard buffer.recoveredFrom != nil || buffer.holdsInterruptedSave else { return }
    journal.synchronize()
    if let old = buffer.recoveredFrom { folder?.discard(old) }
    if buffer.holdsInterruptedSave, let path = buffer.path,
      let target = try? session.files.system.resolvingLinks(path)
    {
      folder?.discardInterruptedSave(of: target)
    }
    (buffer.recoveredFrom, buffer.holdsInterruptedSave) = (nil, false)
  }
}
