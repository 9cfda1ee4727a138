import JSON
import Rope

/// A save takes what came before it out of the journal, which begins anew on what is saved.
extension DocumentJournal {
  func revision(_ documentRevision: Int) -> UInt64 { firstRevision &+ UInt64(documentRevision) }

  /// The undo steps of the text as it is, to be written down.
  ///
  /// - Parameter indentation: See ``JournalHistory/Found``.
  func history(of document: Document, _ indentation: JSONObject) -> JournalHistory {
    document.journaledHistory(revision: revision(document.buffer.revision), indentation, folder.historyLimit)
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
      then(lacksEdit ? nil : journal.writer.file)
    }
    if journal.writer.isBehind { writeOn() } else { stopWaiting() }
  }

  /// The file was found to hold what the text became just now.
  func didRead(documentRevision: Int, _ file: FileVersion, _ history: JournalHistory) {
    renewal = nil
    // What cannot be written is written with the edit itself.
    try? journal.willSave(
      revision: revision(documentRevision), contents: file.contents, image: file.image, to: place, history)
  }

  func stopWaiting() {
    let waited = waiting
    waiting = []
    for body in waited { body() }
  }

  /// Why the journal is to be written anew.
  struct Renewal {
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
    noteFile(file)
    dropGeneration()
    if isElsewhere { journal.move(to: place) }
    beginAnew()
    if isElsewhere { takeLock() }
  }

  func beginAnew() {
    guard let renewal else { return }
    do throws(FileError) {
      if journal.wantsGeneration(after: renewal.revision) { try journal.flush() }
      // It is called again.
      if journal.wantsGeneration(after: renewal.revision), journal.writer.isBehind { return writeOn() }
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
      files.perform(.removeTemporary(generation.temporary, folder))
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
    journal.beginWithAddedEnd()
    if journal.writer.file != nil, !journal.holdsEdits {
      // Of what it was: behind what may be writing it.
      files.perform(.removeTemporary(folder.baseCopyPath(of: journal.path), folder))
    }
    keepBaseCopy()
    scheduleSync()
  }

  /// The journal goes on as it was: it knows of the save. For the sake of undo steps alone it does not.
  func renewalFailed(_ error: FileError) {
    guard let failed = renewal else { return }
    dropGeneration()
    journal.forgetHistory()
    if failed.revision != nil, !journal.wantsGeneration(after: failed.revision) {
      _ = journal.beginGeneration(revision: failed.revision, as: failed.base)
      return beganAnew()
    }
    // It may not know of the save, and would be offered for something newer: what came since is all that is wanted of it.
    if failed.revision != nil, !hasAll, let anew = anew() {
      journal.begin(anew)
      // There may be room where it was.
      do throws(FileError) { try flush() } catch { onWriteFailure?(error) }
      keepBaseCopy()
      return scheduleSync()
    }
    renewal = nil
    if failed.revision == nil { onSyncFailure?(error) } else { onRenewalFailure?(error) }
  }

  func dropGeneration() {
    if let temporary = journal.dropGeneration() { files.perform(.removeTemporary(temporary, folder)) }
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
    guard journal.writer.file != nil else { return }
    let path = journal.path
    journal.discard()
    // Again: the worker may have written the copy of the base just now.
    files.perform(.removeJournal(path, folder))
  }
}
