import EditorProtocol
import Rope

extension EditorSession {
  /// The file of a view as it was opened, for its journal.
  struct OpenedContents {
    var path: String?
    /// As the file holds it.
    var contents: Rope
    var status: FileStatus?
    var hash: UInt64

    var base: JournalBase {
      JournalBase(
        path: path ?? "", contents: ContentIdentity(size: contents.byteCount, hash: hash),
        modificationTime: status?.modificationTime ?? 0)
    }
  }

  // MARK: Journals of new views

  /// Begins the journal of a view, after what a dead core left for it was made good.
  func beginJournal(of buffer: Buffer, _ opened: OpenedContents, recoveryID: String?) {
    guard let folder = recoveryFolder, opened.path.map(folder.mayHoldEdits(of:)) ?? true else {
      if recoveryID != nil { send(.recovered(buffer.view.id, handledEdits: 0, hasSelection: false)) }
      if recoveryFolder == nil, warnsOfMissingRecovery, speaksExtensions {
        warnsOfMissingRecovery = false
        alert("What you type is in memory only: no folder for recovery can be had in $XDG_STATE_HOME or $HOME")
      }
      return
    }
    let recovered = recoveryID.flatMap { folder.abandonedJournal($0) }
    let (isContinued, hasSelection) = recovered.map { replay($0, in: buffer, on: opened, folder) } ?? (false, false)
    do throws(FileError) {
      buffer.journal = try BufferJournal(
        base: opened.base, contents: opened.contents, name: buffer.view.id.rawValue,
        continuing: isContinued ? recovered.map { ($0, buffer.document.revision) } : nil, folder: folder, files: files,
        loop: loop)
    } catch {
      alert("Without a journal, for \(error)")
    }
    if recoveryID != nil {
      send(.recovered(buffer.view.id, handledEdits: buffer.handledEdits, hasSelection: hasSelection))
    }
    if !isContinued, buffer.recoveredFrom == nil { offerRecovery(to: buffer, opened, folder) }
  }

  /// Gives a view the text that it had, and what was selected in it.
  /// - Returns: Whether its journal can simply go on, and whether all is selected that was.
  private func replay(
    _ journal: RecoveredJournal, in buffer: Buffer, on opened: OpenedContents, _ folder: RecoveryFolder
  ) -> (goesOn: Bool, hasSelection: Bool) {
    let isSameFile = journal.base.path == (opened.path ?? "")
    if isSameFile { buffer.handledEdits = journal.selection?.handledEdits ?? 0 }
    switch journal.replay(on: opened.contents, folder: folder) {
    case .nothing:
      folder.discard(journal)
      return (false, isSameFile && selectAgain(journal.selection, in: buffer))
    case .text(_, let edits) where isSameFile:
      return (true, make(edits, of: journal, in: buffer))
    case .text(let text, _), .textOfCopy(let text, _), .typed(let text):
      // The view of a file that has changed shows that file; what was typed is offered beside it.
      guard opened.path == nil else { return (false, false) }
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

  private func offerRecovery(to buffer: Buffer, _ opened: OpenedContents, _ folder: RecoveryFolder) {
    guard speaksExtensions, buffer.journal?.otherProcess == nil else { return }
    if offerInterruptedSave(to: buffer, opened, folder) { return }
    guard let found = try? folder.abandonedJournals(of: opened.path ?? "").first
    else { return }
    let hasChanged: Bool
    switch found.replay(on: opened.contents, folder: folder) {
    case .nothing: return folder.discard(found)
    case .text: hasChanged = false
    case .textOfCopy, .typed: hasChanged = true
    }
    buffer.openedContents = opened
    send(
      .recoveryFound(
        RecoveryOffer(
          view: buffer.view.id, recoveryID: (found.path.split(separator: "/").last).map(String.init) ?? "",
          time: Int(found.modificationTime / 1_000_000_000), baseChanged: hasChanged)))
  }

  /// The name of the offer of what a save in place would have written: it is no journal's.
  private static let interruptedSaveID = "save"

  /// The copy of a save in place that was cut short, unless the file holds it after all.
  private func offerInterruptedSave(to buffer: Buffer, _ opened: OpenedContents, _ folder: RecoveryFolder) -> Bool {
    guard let target = opened.path.flatMap({ try? files.system.resolvingLinks($0) }),
      let copy = try? folder.interruptedSave(of: target)
    else { return false }
    guard copy.contents != opened.contents else {
      folder.discardInterruptedSave(of: target)
      return false
    }
    buffer.openedContents = opened
    send(
      .recoveryFound(
        RecoveryOffer(
          view: buffer.view.id, recoveryID: Self.interruptedSaveID, time: copy.time, baseChanged: false,
          isInterruptedSave: true)))
    return true
  }

  private func recoverInterruptedSave(in buffer: Buffer, _ choice: RecoveryChoice, _ folder: RecoveryFolder) {
    guard let opened = buffer.openedContents,
      let target = opened.path.flatMap({ try? files.system.resolvingLinks($0) })
    else { return }
    if choice == .discard {
      folder.discardInterruptedSave(of: target)
      return offerRecovery(to: buffer, opened, folder)
    }
    guard buffer.document.revision == 0, let copy = try? folder.interruptedSave(of: target) else {
      return alert("The text was edited before the other could be restored. That one is kept.")
    }
    let (format, text) = TextFormat.split(copy.contents)
    buffer.commit(LineDifference.delta(from: buffer.text, to: text), as: .other)
    buffer.document.closeUndoStep()
    buffer.format = format
    buffer.holdsInterruptedSave = true
    buffer.needsUpdate = true
    // What was typed after that save was begun.
    guard let found = try? folder.abandonedJournals(of: opened.path ?? "").first else { return }
    switch found.replay(on: copy.contents, folder: folder) {
    case .nothing: folder.discard(found)
    case .text(_, let edits):
      make(edits, of: found, in: buffer)
      buffer.recoveredFrom = found
    case .textOfCopy, .typed: break
    }
  }

  /// The answer to an offer.
  func recover(_ view: ViewID, _ id: String, _ choice: RecoveryChoice) {
    guard let buffer = buffers[view], let folder = recoveryFolder, choice != .later else { return }
    if id == Self.interruptedSaveID { return recoverInterruptedSave(in: buffer, choice, folder) }
    guard let journal = folder.abandonedJournal(id) else { return }
    if choice == .discard { return folder.discard(journal) }
    guard buffer.document.revision == 0, let opened = buffer.openedContents,
      case .text(_, let edits) = journal.replay(on: opened.contents, folder: folder)
    else { return alert("The text was edited before the other could be restored. That one is kept.") }
    make(edits, of: journal, in: buffer)
    buffer.recoveredFrom = journal
  }

  /// What came after the text that a file now holds is journaled against that file.
  func journalSaved(
    _ buffer: Buffer, _ revision: Int, to path: String, _ file: FileService.SavedFile, _ contents: Rope
  ) {
    writeJournal(of: buffer)
    let base = JournalBase(path: path, contents: file.contents, modificationTime: file.status.modificationTime)
    do throws(FileError) {
      try buffer.journal?.didSave(documentRevision: revision, as: base, contents: contents)
    } catch {
      alert("Saved, but the journal did not begin anew: \(error)")
    }
  }

  /// Writes down what a view's text became, before the front end is told.
  func writeJournal(of buffer: Buffer) {
    guard let journal = buffer.journal else { return }
    do throws(FileError) {
      try journal.write(selection: buffer.view.selection, handledEdits: buffer.handledEdits)
      buffer.journalHasFailed = false
      letGoOfRecovered(buffer, journal)
    } catch {
      if !buffer.journalHasFailed { alert("What you type is in memory only: \(error)") }
      buffer.journalHasFailed = true
    }
  }

  /// Only when what was restored is on the disk in the view's own journal is that let go which it came from.
  private func letGoOfRecovered(_ buffer: Buffer, _ journal: BufferJournal) {
    guard buffer.recoveredFrom != nil || buffer.holdsInterruptedSave else { return }
    journal.synchronize()
    if let old = buffer.recoveredFrom { recoveryFolder?.discard(old) }
    if buffer.holdsInterruptedSave, let path = buffer.openedContents?.path,
      let target = try? files.system.resolvingLinks(path)
    {
      recoveryFolder?.discardInterruptedSave(of: target)
    }
    (buffer.recoveredFrom, buffer.holdsInterruptedSave) = (nil, false)
  }
}
