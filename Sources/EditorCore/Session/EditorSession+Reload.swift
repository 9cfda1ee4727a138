import EditorProtocol
import EventLoop
import Rope

/// Files that other programs write to.
extension EditorSession {
  /// What the worker has read.
  struct Reloaded: Sendable {
    let view: ViewID
    /// Of the document that `delta` is for.
    let revision: Int
    let result: Result<Contents, FileError>

    struct Contents: Sendable {
      let delta: Delta
      let file: FileContents
      let format: TextFormat
    }
  }

  /// Follows the file of a view, in place of the one before.
  func watchFile(of buffer: Buffer) {
    if let watch = buffer.fileWatch { watcher.stop(watch) }
    buffer.fileWatch = buffer.path.flatMap { path in
      watcher.watch(path) { [unowned self, weak buffer] in
        guard let buffer else { return }
        // The program's own saves are over then.
        buffer.whenLoaded { [unowned self] in buffer.whenSaved { [unowned self] in checkFile(of: buffer) } }
      }
    }
  }

  /// Reads a file that has changed; asks first if that would take the place of what was typed.
  func checkFile(of buffer: Buffer) {
    guard let path = buffer.path, buffers[buffer.view.id] === buffer,
      let status = try? files.system.status(at: path, followingLinks: true), status.kind == .regular,
      buffer.file.status.map({ !status.hasSameContents(as: $0) }) ?? true, buffer.changedStatus != status
    else { return }
    if buffer.document.isPristine { return reload(buffer) }
    // Once for each change; a save asks in any case.
    buffer.changedStatus = status
    if speaksExtensions {
      send(.fileChanged(buffer.view.id, isReloaded: false))
    } else {
      alert("\(path) has changed on disk.")
    }
  }

  /// Makes the text that of the file, as an edit that can be undone.
  func reload(_ buffer: Buffer) {
    guard let path = buffer.path, buffer.loadJob == nil else { return }
    let (view, revision, old) = (buffer.view.id, buffer.document.revision, buffer.text)
    let (system, reloads) = (files.system, reloads)
    reloadsInFlight += 1
    files.perform {
      let result = Result { () throws(FileError) in
        let reader = try FileReader(path, system: system)
        let contents = try reader.readAll()
        let text = FileImage.split(contents).text
        return Reloaded.Contents(
          delta: LineDifference.delta(from: old, to: text), file: FileContents(contents, from: reader),
          format: TextFormat(of: text))
      }
      reloads.send(Reloaded(view: view, revision: revision, result: result))
    }
  }

  func reloaded(_ reloaded: Reloaded) {
    reloadsInFlight -= 1
    guard let buffer = buffers[reloaded.view] else { return }
    switch reloaded.result {
    case .success(let file):
      // What was typed meanwhile is not lost, and not mixed with it.
      guard buffer.document.revision == reloaded.revision else { return checkFile(of: buffer) }
      replaceText(of: buffer, by: file)
    case .failure(let error) where error.code == .changedOnDisk:
      // It is being written still: the next change is told, too.
      log("\(error)")
    case .failure(let error): alert("\(error)")
    }
  }

  private func replaceText(of buffer: Buffer, by new: Reloaded.Contents) {
    buffer.document.closeUndoStep()
    let selection = buffer.view.selection.mapped { new.delta.place(ofReloaded: $0) }
    buffer.view.withoutScrolling {
      buffer.commit(new.delta, as: .other)
      buffer.view.select(selection.mapped { buffer.text.graphemeBoundary(atOrBefore: $0) })
    }
    buffer.document.closeUndoStep()
    buffer.document.markSaved(buffer.document.saveMark)
    buffer.format = new.format
    buffer.file = new.file.version
    buffer.image = new.file.version.image
    buffer.changedStatus = nil
    buffer.needsUpdate = true
    journalSaved(buffer, buffer.document.revision, to: buffer.path ?? "", new.file)
    sendFileInformation(of: buffer)
    if speaksExtensions { send(.fileChanged(buffer.view.id, isReloaded: true)) }
    sendUpdates()
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
