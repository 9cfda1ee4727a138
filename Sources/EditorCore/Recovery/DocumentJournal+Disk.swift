import EventLoop
import Rope

/// What is on the disk of it, and when.
extension DocumentJournal {
  /// What is shown of the text must wait, as the journal lacks a long edit. One that could not be written keeps nobody waiting.
  var isBehind: Bool { journal.writer.isBehind && !lacksEdit }

  func writeOn() {
    guard writing == nil, journal.writer.isBehind else { return }
    writing = loop.onIdle { [weak self] in
      guard let self else { return false }
      do throws(FileError) {
        try journal.writeMore()
        lacksEdit = lacksEdit && journal.writer.isBehind
      } catch {
        lacksEdit = true
        onWriteFailure?(error)
        renewalFailed(error)
      }
      guard !journal.writer.isBehind else { return true }
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
  func flush() throws(FileError) {
    let lackedRecord = journal.writer.lacksRecord
    try journal.flush()
    if lackedRecord, hasAll { onCatchingUp?() }
  }

  func keepBaseCopy() {
    guard let contents = baseContents, journal.writer.file != nil, journal.holdsEdits else { return }
    (baseContents, copiedContents) = (nil, contents)
    guard isBaseGone || contents.byteCount <= folder.largestBaseCopy else { return }
    let path = journal.path
    files.keepBaseCopy(contents, of: path, in: folder) { [weak self] error in
      guard let self, journal.writer.file != nil else { return }
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
    noteFile(file)
    keepBaseCopy()
    scheduleSync()
  }

  /// One-shot: an idle core stays idle.
  func scheduleSync() {
    guard timer == nil, journal.writer.needsSync || journal.writer.lacksRecord else { return }
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
      if let file = journal.writer.beginSync() { synchronize(file) }
    }
  }

  private func synchronize(_ file: JournalFile, then done: @escaping (Bool) -> Void = { _ in }) {
    files.synchronize(file) { [weak self] error in
      done(error == nil)
      guard let self, journal.writer.file === file, renewal == nil else { return }
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
    guard !journal.writer.isBehind, !lacksEdit else { return done(false) }
    guard let file = journal.writer.file else { return done(true) }
    _ = journal.writer.beginSync()
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

  func stopWatching() {
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
    try? journal.writer.beginSync()?.synchronize()
    journal.dropGeneration().map(folder.removeTemporary)
  }
}
