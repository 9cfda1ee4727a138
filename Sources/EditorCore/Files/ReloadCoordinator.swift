import EditorProtocol
import EventLoop
import Rope

/// Files that other programs write to are watched, and read again.
final class ReloadCoordinator {
  /// Those that are being read, or were and are to be looked at again.
  private(set) var documents: [Int: Document] = [:]
  private var lastJob = 0
  private lazy var reloads = Inbox<Reloaded>(on: session.loop) { [weak self] in self?.reloaded($0) }
  let thread = ReadingThread(name: "reload")
  /// Programs that write a file anew, git among them, may remove it first.
  private static let patience = Duration.milliseconds(300)
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  var isReading: Bool { !documents.isEmpty }
  private func isReading(_ document: Document) -> Bool { documents.values.contains { $0 === document } }

  /// What the worker has read.
  private struct Reloaded: Sendable {
    let job: Int
    /// Of the document that `delta` is for.
    let revision: Int
    /// Before it was begun to be read.
    let saveSteps: Int
    /// By the user.
    let isAsked: Bool
    /// The one that it is to be read in, if that was said.
    let encoding: TextEncoding?
    let result: Result<Contents, FileError>
    /// How long it took.
    let duration: Duration

    typealias Change = (delta: Delta, format: TextFormat)

    struct Contents: Sendable {
      let file: FileContents
      /// Nil when the file holds what it held.
      var change: Change?
    }
  }

  /// Follows the file of a view, in place of the one before.
  func watchFile(of document: Document) {
    if let watch = document.file.watch { session.files.watcher.stop(watch) }
    document.file.watch = document.file.path.flatMap { path in
      session.files.watcher.watch(path) { [unowned self, weak document] in
        guard let document else { return }
        document.enqueue(.init(order: .file, needs: .wholeText) { [unowned self] in checkFile(of: document) })
      }
    }
  }

  func documentCloses(_ document: Document) { if let watch = document.file.watch { session.files.watcher.stop(watch) } }

  /// Reads a file that seems to have changed, once the program's own saves are over.
  func checkFile(of document: Document) {
    document.enqueue(.init(order: .file, needs: .idleFile) { [unowned self] in checkIdleFile(of: document) })
  }

  private func checkIdleFile(of document: Document) {
    if isReading(document) { return document.file.wantsCheck = true }
    guard let path = document.file.path, !document.views.isEmpty, document.file.loadJob == nil else { return }
    let found: FileStatus?
    do throws(FileError) { found = try session.files.system.status(at: path, followingLinks: true) } catch {
      // It may be there.
      return document.recovery.journal?.fileHasChanged() ?? ()
    }
    guard let found, found.kind == .regular else { return fileIsMissing(document, path) }
    document.file.missedSince = nil
    guard document.file.version.status.map({ !found.hasSameContents(as: $0) }) ?? true,
      document.file.changedStatus != found
    else { return fileIsBack(document) }
    readIdleFile(of: document, isAsked: false)
  }

  /// Told when it has stayed away for a while.
  private func fileIsMissing(_ document: Document, _ path: String) {
    document.recovery.journal?.fileHasChanged()
    guard document.file.version.status != nil, !document.file.isGone else { return }
    let since = document.file.missedSince ?? .now
    document.file.missedSince = since
    let rest = Self.patience - (.now - since)
    guard rest <= .zero else {
      session.loop.after(rest) { [weak self, weak document] in
        if let document { self?.checkFile(of: document) }
      }
      return
    }
    // Whatever comes in its place is news.
    document.file.changedStatus = nil
    setGone(true, document)
    if !frontEnd.speaksExtensions { frontEnd.alert("\(path) is gone from disk.") }
  }

  private func fileIsBack(_ document: Document) { if document.file.isGone { setGone(false, document) } }

  private func setGone(_ isGone: Bool, _ document: Document) {
    document.file.isGone = isGone
    document.views.needUpdate()
    session.files.sendInformation(of: document)
    session.views.sendUpdates()
  }

  /// Makes the text that of the file, as an edit that can be undone.
  func reload(_ document: Document) {
    let giveUp = { [unowned self] in frontEnd.alert("\(document.file.path ?? "The file") was not read again") }
    document.enqueue(
      .init(needs: [.wholeText, .replacedText], giveUp: giveUp) { [unowned self] in read(document, isAsked: true) })
  }

  func setEncoding(_ encoding: TextEncoding, of document: Document, readsAgain: Bool) {
    let giveUp = { [unowned self] in frontEnd.alert("The encoding is what it was") }
    document.enqueue(
      .init(needs: [.wholeText, .replacedText], giveUp: giveUp) { [unowned self] in
        if readsAgain { return read(document, isAsked: true, in: encoding) }
        document.file.image.encoding = encoding
        document.views.needUpdate()
        session.files.sendInformation(of: document)
        session.views.sendUpdates()
      })
  }

  /// What saves that were asked for before have written is read, too.
  private func read(_ document: Document, isAsked: Bool, in encoding: TextEncoding? = nil) {
    document.enqueue(
      .init(order: .file, needs: .idleFile) { [unowned self] in
        readIdleFile(of: document, isAsked: isAsked, in: encoding)
      })
  }

  private func readIdleFile(of document: Document, isAsked: Bool, in encoding: TextEncoding? = nil) {
    guard let path = document.file.path, !document.views.isEmpty, document.file.loadJob == nil else { return }
    lastJob += 1
    documents[lastJob] = document
    let (job, revision, saveSteps) = (lastJob, document.buffer.revision, document.file.saveSteps)
    let old = document.buffer.text
    let (system, reloads, known, image) = (
      session.files.system, reloads, document.file.version.contents, document.file.version.image
    )
    thread.perform {
      let start = ContinuousClock.now
      let result = Result { () throws(FileError) in
        let reader = try FileReader(path, system: system)
        let bytes = try reader.readAll()
        let (found, text) =
          if let encoding {
            try FileImage.split(bytes, in: encoding, path: path)
          } else {
            FileImage.split(bytes, formerly: image)
          }
        let file = FileContents(bytes, of: found, from: reader)
        if file.version.contents == known, encoding == nil { return Reloaded.Contents(file: file) }
        return Reloaded.Contents(
          file: file, change: (LineDifference.delta(from: old, to: text), TextFormat(of: text)))
      }
      reloads.send(
        Reloaded(
          job: job, revision: revision, saveSteps: saveSteps, isAsked: isAsked, encoding: encoding, result: result,
          duration: .now - start))
    }
  }

  private func reloaded(_ reloaded: Reloaded) {
    guard let document = documents.removeValue(forKey: reloaded.job), !document.views.isEmpty else { return }
    if let path = document.file.path { take(reloaded, for: document, path) }
    guard document.file.wantsCheck, !isReading(document) else { return }
    // The worker has other things to do than to read a long file that grows.
    documents[reloaded.job] = document
    session.loop.after(reloaded.duration) { [weak self] in
      guard let self, let document = documents.removeValue(forKey: reloaded.job) else { return }
      document.file.wantsCheck = false
      checkFile(of: document)
    }
  }

  private func take(_ reloaded: Reloaded, for document: Document, _ path: String) {
    // What is read in the middle of a save may be of before it, and would be taken for what another program has written since.
    guard reloaded.saveSteps == document.file.saveSteps else {
      if reloaded.isAsked { frontEnd.alert("\(path) was not read again, as it was saved meanwhile") }
      return document.file.wantsCheck = true
    }
    switch reloaded.result {
    case .success(let new):
      fileIsBack(document)
      guard let change = new.change else {
        // It was touched, or written as it was.
        if new.file.version.contents == document.file.version.contents {
          document.file.version.status = new.file.version.status
        }
        if reloaded.isAsked { frontEnd.alert("\(path) is as it was read or saved last") }
        return
      }
      // What was typed meanwhile is not lost, and not mixed with it; nor is what redo would bring back.
      let isUpToDate = document.buffer.revision == reloaded.revision
      if isUpToDate, reloaded.isAsked || document.isPristine && document.buffer.history.undone.isEmpty {
        replaceText(of: document, by: new.file, change)
        if frontEnd.speaksExtensions, reloaded.encoding == nil {
          frontEnd.send(toViewsOf: document) { .fileChanged($0, isReloaded: true) }
        }
        return
      }
      if document.isPristine, !isUpToDate { return document.file.wantsCheck = true }
      if reloaded.isAsked { return frontEnd.alert("\(path) was not reloaded, for what was typed meanwhile") }
      tellOfChange(to: path, new.file.version, of: document)
    case .failure(let error) where error.code == .changedOnDisk && !reloaded.isAsked:
      // It is being written still: the next change is told, too.
      document.recovery.journal?.fileHasChanged()
      frontEnd.log("\(error)")
    case .failure(let error): frontEnd.alert("\(error)")
    }
  }

  /// Once for each change; a save asks in any case.
  private func tellOfChange(to path: String, _ version: FileVersion, of document: Document) {
    guard document.file.changedStatus != version.status else { return }
    document.file.changedStatus = version.status
    document.recovery.journal?.fileHasChanged()
    if frontEnd.speaksExtensions {
      frontEnd.send(toViewsOf: document) { .fileChanged($0, isReloaded: false) }
    } else {
      frontEnd.alert("\(path) has changed on disk.")
    }
  }

  private func replaceText(of document: Document, by file: FileContents, _ change: Reloaded.Change) {
    let selections = document.views.all.map { $0.selection.mapped { change.delta.place(ofReloaded: $0) } }
    document.file.note(file.version)
    document.views.withoutScrolling(over: change.delta) {
      document.commit(
        change.delta,
        of: TextOrigin(
          encoding: file.version.image.encoding, edition: document.file.fileEdition, format: change.format))
      for (view, selection) in zip(document.views.all, selections) {
        view.select(selection.mapped { document.buffer.text.graphemeBoundary(atOrBefore: $0) })
      }
    }
    document.buffer.history.markSaved(document.buffer.saveMark)
    document.noteKeptEdits()
    document.file.image = file.version.image
    document.file.changedStatus = nil
    document.views.needUpdate()
    session.recovery.journalRead(document, file)
    session.changes.documentReloaded(document)
    session.files.sendInformation(of: document)
    session.views.sendUpdates()
  }
}

extension Delta {
  /// Where a caret stands best that was at `offset`: with its text, or as far in what took the place of that.
  fileprivate func place(ofReloaded offset: ByteOffset) -> ByteOffset {
    guard let edit = edits.last(where: { $0.range.lowerBound <= offset }), edit.range.contains(offset) else {
      return transform(offset, bias: .right)
    }
    return edit.newStart + min(offset - edit.range.lowerBound, edit.replacement.byteCount)
  }
}

extension Selection {
  fileprivate func mapped(_ transform: (ByteOffset) -> ByteOffset) -> Selection {
    var selection = Selection()
    for region in regions { selection.add(SelectionRegion(transform(region.anchor), transform(region.active))) }
    return selection
  }
}
