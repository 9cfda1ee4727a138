import EditorProtocol
import EventLoop
import Rope

/// Files that other programs write to are watched, and read again.
final class ReloadCoordinator {
  /// How many are being read.
  private(set) var inFlight = 0
  private lazy var reloads = Inbox<Reloaded>(on: session.loop) { [unowned self] in reloaded($0) }
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  /// What the worker has read.
  private struct Reloaded: Sendable {
    let view: ViewID
    /// Of the document that `delta` is for.
    let revision: Int
    /// By the user.
    let isAsked: Bool
    /// The one that it is to be read in, if that was said.
    let encoding: TextEncoding?
    let result: Result<Contents, FileError>

    typealias Change = (delta: Delta, format: TextFormat)

    struct Contents: Sendable {
      let file: FileContents
      /// Nil when the file holds what it held.
      var change: Change?
    }
  }

  /// Follows the file of a view, in place of the one before.
  func watchFile(of buffer: Buffer) {
    if let watch = buffer.fileWatch { session.files.watcher.stop(watch) }
    buffer.fileWatch = buffer.path.flatMap { path in
      session.files.watcher.watch(path) { [unowned self, weak buffer] in
        guard let buffer else { return }
        // The program's own saves are over then.
        buffer.enqueue(
          .init(order: .file, needs: [.wholeText, .idleFile]) { [unowned self] in checkFile(of: buffer) })
      }
    }
  }

  func viewCloses(_ buffer: Buffer) { if let watch = buffer.fileWatch { session.files.watcher.stop(watch) } }

  /// Reads a file that seems to have changed.
  func checkFile(of buffer: Buffer) {
    guard let path = buffer.path, session.views.isOpen(buffer), buffer.loadJob == nil,
      let status = try? session.files.system.status(at: path, followingLinks: true), status.kind == .regular,
      buffer.file.status.map({ !status.hasSameContents(as: $0) }) ?? true, buffer.changedStatus != status
    else { return }
    read(buffer, isAsked: false)
  }

  /// Makes the text that of the file, as an edit that can be undone.
  func reload(_ buffer: Buffer) { read(buffer, isAsked: true) }

  func setEncoding(_ encoding: TextEncoding, of buffer: Buffer, readsAgain: Bool) {
    let giveUp = { [unowned self] in frontEnd.alert("The encoding is what it was") }
    buffer.enqueue(
      .init(needs: [.wholeText, .replacedText], giveUp: giveUp) { [unowned self] in
        if readsAgain { return read(buffer, isAsked: true, in: encoding) }
        buffer.image.encoding = encoding
        buffer.needsUpdate = true
        session.files.sendInformation(of: buffer)
        session.views.sendUpdates()
      })
  }

  private func read(_ buffer: Buffer, isAsked: Bool, in encoding: TextEncoding? = nil) {
    guard let path = buffer.path, buffer.loadJob == nil else { return }
    let (view, revision, old) = (buffer.view.id, buffer.document.revision, buffer.text)
    let (system, reloads, known, image) = (session.files.system, reloads, buffer.file.contents, buffer.file.image)
    inFlight += 1
    session.files.service.perform {
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
      reloads.send(Reloaded(view: view, revision: revision, isAsked: isAsked, encoding: encoding, result: result))
    }
  }

  private func reloaded(_ reloaded: Reloaded) {
    inFlight -= 1
    guard let buffer = session.views.buffers[reloaded.view], let path = buffer.path else { return }
    switch reloaded.result {
    case .success(let new):
      guard let change = new.change else {
        // It was touched, or written as it was.
        if new.file.version.contents == buffer.file.contents { buffer.file.status = new.file.version.status }
        if reloaded.isAsked { frontEnd.alert("\(path) is as it was read or saved last") }
        return
      }
      // What was typed meanwhile is not lost, and not mixed with it.
      let isUpToDate = buffer.document.revision == reloaded.revision
      if isUpToDate, reloaded.isAsked || buffer.isPristine {
        replaceText(of: buffer, by: new.file, change)
        if frontEnd.speaksExtensions, reloaded.encoding == nil {
          frontEnd.send(.fileChanged(buffer.view.id, isReloaded: true))
        }
        return
      }
      if buffer.isPristine { return checkFile(of: buffer) }
      if reloaded.isAsked { return frontEnd.alert("\(path) was not reloaded, for what was typed meanwhile") }
      tellOfChange(to: path, new.file.version, of: buffer)
    case .failure(let error) where error.code == .changedOnDisk && !reloaded.isAsked:
      // It is being written still: the next change is told, too.
      frontEnd.log("\(error)")
    case .failure(let error): frontEnd.alert("\(error)")
    }
  }

  /// Once for each change; a save asks in any case.
  private func tellOfChange(to path: String, _ version: FileVersion, of buffer: Buffer) {
    guard buffer.changedStatus != version.status else { return }
    buffer.changedStatus = version.status
    if frontEnd.speaksExtensions {
      frontEnd.send(.fileChanged(buffer.view.id, isReloaded: false))
    } else {
      frontEnd.alert("\(path) has changed on disk.")
    }
  }

  private func replaceText(of buffer: Buffer, by file: FileContents, _ change: Reloaded.Change) {
    buffer.document.closeUndoStep()
    let selection = buffer.view.selection.mapped { change.delta.place(ofReloaded: $0) }
    buffer.view.withoutScrolling {
      buffer.commit(change.delta, as: .other)
      buffer.view.select(selection.mapped { buffer.text.graphemeBoundary(atOrBefore: $0) })
    }
    buffer.document.closeUndoStep()
    buffer.document.markSaved(buffer.document.saveMark)
    buffer.format = change.format
    (buffer.file, buffer.image) = (file.version, file.version.image)
    buffer.changedStatus = nil
    buffer.needsUpdate = true
    session.recovery.journalSaved(buffer, buffer.document.revision, to: buffer.path ?? "", file)
    session.files.sendInformation(of: buffer)
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
