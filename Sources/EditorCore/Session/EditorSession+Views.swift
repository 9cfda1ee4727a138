import EditorProtocol
import EventLoop
import Glibc
import JSON
import JSONRPC
import Rope
import TextMetrics

extension EditorSession {
  static let plainText = "Plain Text"
  static let plainTheme = "InspiredGitHub"
  static let handshake = Handshake(
    unicode: CellMetrics.unicodeVersion,
    extensions: [
      .editCount, .encodings, .files, .gotoPosition, .heldCopies, .partialLines, .progress, .recovery, .refuseMatch,
      .reload,
    ])

  // MARK: Opening and closing

  func openView(_ wanted: NewView, _ reply: Reply) {
    do throws(FileError) {
      var opened = try open(wanted.path, isWhole: wanted.recoveryID != nil)
      let recovered = recovered(wanted.recoveryID, of: wanted.path, &opened.file)
      let view = ViewID("view-id-\(nextID())")
      // Buffers have numbers too, which no front end sees.
      _ = nextID()
      add(opened, as: view, isReadOnly: wanted.isReadOnly)
      reply.succeed(.string(view.rawValue))
      if let buffer = buffers[view] {
        beginLoading(buffer, opened)
        beginJournal(of: buffer, opened.file, resuming: recovered, isResumed: wanted.recoveryID != nil)
        watchFile(of: buffer)
        if opened.hasGrown, opened.isWhole { checkFile(of: buffer) }
        if !manifests.isEmpty {
          buffer.keepsHistory = true
          tellPlugins(ofNew: buffer)
        }
      }
      announce(view)
      if let path = opened.path, opened.file.version.status != nil, !wanted.isReadOnly { warnIfUnwritable(path) }
    } catch {
      reply.fail(ResponseError(code: ErrorCode.inputOutput, message: "\(error)"))
    }
  }

  /// A file as it was opened; without a file, an empty one that is to be made.
  private struct OpenedFile {
    var path: String?
    var file = FileContents.none
    var isWhole = true
    /// It grew while it was read.
    var hasGrown = false
  }

  /// - Parameter isWhole: Reads all at once, however large it is.
  private func open(_ path: String?, isWhole: Bool) throws(FileError) -> OpenedFile {
    guard let path else { return OpenedFile() }
    do throws(FileError) {
      let reader = try FileReader(path, system: files.system, pieceByteCount: loader.pieceByteCount)
      var builder = Rope.Builder()
      while isWhole || reader.offset < loader.firstByteCount, try reader.readPiece(into: &builder) {}
      let bytes = builder.finish()
      if isWhole || reader.isAtEnd && FileImage.isSplitAtOnce(bytes) {
        return OpenedFile(path: path, file: FileContents(bytes, from: reader), hasGrown: reader.hasGrown)
      }
      let beginning = reader.isAtEnd ? bytes.slice(0..<ByteOffset(FileImage.largestAtOnce)) : bytes
      return OpenedFile(path: path, file: FileContents(beginning: beginning, from: reader), isWhole: false)
    } catch  where error.code == .notFound && error.systemError != ENOTDIR {
      return OpenedFile(path: path)
    }
  }

  private func add(_ opened: OpenedFile, as view: ViewID, isReadOnly: Bool) {
    let (path, file) = (opened.path, opened.file)
    let text =
      opened.isWhole
      ? file.version.image.text(of: file.bytes) ?? file.bytes : FileImage.certainText(ofBeginning: file.bytes)
    let language = language(ofFile: path)
    if path != nil, BufferConfig(config.table(for: view, language: language, path: path)).detectsWhitespace {
      config.setDetected(view, TextStyleDetection.settings(of: text))
    }
    let buffer = Buffer(
      id: view, text: text, language: language, configTable: config.table(for: view, language: language, path: path))
    buffer.path = path
    (buffer.file, buffer.image, buffer.format) = (file.version, file.version.image, TextFormat(of: text))
    buffer.isReadOnly = isReadOnly
    buffer.view.sendsPartialLines = takesPartialLines
    buffer.view.followsCaret = speaksExtensions
    buffer.document.hasUndoStepsOfXi = !speaksExtensions
    if !speaksExtensions { buffer.view.lines.widths = widths }
    buffers[view] = buffer
  }

  /// Loads what is not there yet.
  private func beginLoading(_ buffer: Buffer, _ opened: OpenedFile) {
    guard !opened.isWhole, let path = opened.path, let status = opened.file.version.status else { return }
    do {
      buffer.loadJob = try loader.load(path, expecting: opened.file.version, behind: buffer.text) {
        [unowned self] event in
        switch event {
        case .piece(let piece): buffer.appendLoaded(piece)
        case .end(let file, let format, let hasGrown):
          (buffer.file, buffer.image, buffer.format) = (file.version, file.version.image, format)
          // What was typed meanwhile is written down before what was made to a part.
          writeJournal(of: buffer)
          journalLoaded(buffer, file)
          buffer.loadEnded()
          sendFileInformation(of: buffer)
          tellPlugins(ofAll: buffer)
          if hasGrown { checkFile(of: buffer) }
        case .failure(let error): loadFailed(buffer, error)
        }
        sendLoadProgress(of: buffer, total: status.size)
        sendUpdates()
      }
      sendLoadProgress(of: buffer, total: status.size)
    } catch {
      loadFailed(buffer, FileError(.system, "cannot read", path: path, systemError: error.systemError))
    }
  }

  /// What is there can be read, and saved elsewhere; saved over the file it would cut it short.
  func loadFailed(_ buffer: Buffer, _ error: FileError) {
    alert("\(error): only the first \(buffer.text.byteCount) bytes are shown")
    buffer.isReadOnly = true
    (buffer.path, buffer.partlyReadPath) = (nil, buffer.path)
    buffer.loadEnded()
    sendFileInformation(of: buffer)
  }

  private func sendLoadProgress(of buffer: Buffer, total: Int) {
    guard speaksExtensions else { return }
    let done = buffer.loadJob == nil ? total : min(buffer.text.byteCount, total - 1)
    send(.progress(buffer.view.id, Progress(.load, done: done, total: total)))
  }

  private func announce(_ view: ViewID) {
    guard let buffer = buffers[view] else { return }
    for plugin in plugins { send(.pluginStarted(view, plugin: plugin.name)) }
    if haveStarted || manifests.isEmpty { announcePlugins(in: view) }
    for plugin in plugins { announceCommands(of: plugin, in: view) }
    send(.configChanged(view, changes: buffer.configTable))
    send(.languageChanged(view, languageID: buffer.language))
    sendFileInformation(of: buffer)
  }

  /// Better known before the first edit than at the save.
  private func warnIfUnwritable(_ path: String) {
    guard speaksExtensions, !files.system.isWritable(path) else { return }
    alert("\(path) can be read, but not written")
  }

  func sendFileInformation(of buffer: Buffer) {
    guard speaksExtensions else { return }
    let (format, image, status) = (buffer.format, buffer.image, buffer.file.status)
    let endsWithNewline = format.endsWithNewline || !buffer.file.image.addedEnd.isEmpty
    send(
      .fileInformation(
        buffer.view.id,
        FileInformation(
          path: buffer.path,
          encoding: format.isValidUTF8 ? image.encoding : nil,
          lineEnding: format.hasMixedLineEndings
            ? .mixed : format.lineEnding == .lineFeed ? .lineFeed : .carriageReturnLineFeed,
          hasFinalNewline: status == nil || status?.size == 0 || endsWithNewline,
          isReadOnly: buffer.isReadOnly, isNew: buffer.path != nil && status == nil,
          usedByProcess: buffer.journal?.otherProcess, recoveryID: buffer.journal?.id)))
  }

  func closeView(_ view: ViewID) {
    guard let buffer = buffers[view] else { return }
    // What was asked for before it, such as a save, is done before it.
    buffer.enqueue(.init { [unowned self] in close(buffer) })
  }

  private func close(_ buffer: Buffer) {
    let view = buffer.view.id
    guard buffers[view] === buffer else { return }
    searchWorker.cancel(view: view.rawValue)
    // A save that still runs may fail: then the text is offered the next time.
    let isSaving = buffer.savesInFlight > 0
    buffer.enqueue(
      .init(order: .file, needs: .idleFile) {
        if !isSaving || buffer.document.isPristine { buffer.journal?.discard() }
      })
    if let job = buffer.loadJob {
      loader.cancel(job)
      buffer.loadCancelled()
    }
    if let watch = buffer.fileWatch { watcher.stop(watch) }
    if buffer.text.byteCount > 1 << 20 {
      // When a search or a save has let go of the text too.
      buffer.enqueue(
        .init(order: .file, needs: .idleFile) { [loop] in
          loop.after(.seconds(1)) { Allocator.giveBackFreeMemory() }
        })
    }
    buffers[view] = nil
    config.forget(view)
    tellPlugins("did_close", view)
  }

  // MARK: Saving

  func save(_ view: ViewID, to path: String) {
    guard let buffer = buffers[view] else { return }
    let giveUp = { [unowned self] in alert("\(path) was not saved") }
    buffer.enqueue(
      .init(needs: [.wholeText, .replacedText], giveUp: giveUp) { [unowned self] in
        save(buffer, to: path, .ifUnchanged) { [unowned self] error in
          if let error { alert("\(error.message)") }
        }
      })
  }

  /// The extension: the outcome is the answer.
  func save(_ buffer: Buffer, to path: String, _ policy: OverwritePolicy, _ reply: Reply) {
    save(buffer, to: path, policy) { error in
      if let error { reply.fail(error) } else { reply.succeed([:]) }
    }
  }

  /// The text as it is now.
  private func save(
    _ buffer: Buffer, to path: String, _ policy: OverwritePolicy, completion: @escaping (ResponseError?) -> Void
  ) {
    writeJournal(of: buffer)
    let state = SavedState(
      text: buffer.text, image: buffer.imageToSave, revision: buffer.document.revision, mark: buffer.document.saveMark)
    // One after another: each expects the file as the one before has left it.
    buffer.enqueue(
      .init(order: .file, needs: .idleFile) { [unowned self] in
        write(state, of: buffer, to: path, policy, completion: completion)
      })
  }

  /// A text as it was when it was to be saved.
  private struct SavedState {
    let text: Rope
    let image: FileImage
    let revision: Int
    let mark: UndoHistory.SaveMark
  }

  private func write(
    _ state: SavedState, of buffer: Buffer, to path: String, _ policy: OverwritePolicy,
    completion: @escaping (ResponseError?) -> Void
  ) {
    if path == buffer.partlyReadPath {
      let message = "\(path) was not read to its end: a save over it would cut it short"
      return completion(ResponseError(code: ErrorCode.inputOutput, message: message))
    }
    let overwriting: FileWriter.Overwriting =
      switch policy {
      case .ifNew: .nothing
      case .ifUnchanged where path == buffer.path:
        buffer.file.status.map { .version($0, buffer.file.contents) } ?? .nothing
      case .ifUnchanged, .always: .anything
      }
    buffer.savesInFlight += 1
    var showsProgress = false
    let showProgress = { [unowned self] (byteCount: Int) in
      let total = state.text.byteCount
      guard speaksExtensions, total > 0 else { return }
      showsProgress = byteCount < total
      send(.progress(buffer.view.id, Progress(.save, done: min(byteCount, total), total: total)))
    }
    files.save(state.text, as: state.image, to: path, overwriting: overwriting) { identity in
      buffer.journal?.willSave(documentRevision: state.revision, contents: identity, image: state.image)
    } onProgress: { byteCount in
      showProgress(min(byteCount, state.text.byteCount - 1))
    } completion: { [unowned self] result in
      if showsProgress { showProgress(state.text.byteCount) }
      switch result {
      case .success(let outcome):
        for remark in outcome.remarks { alert("\(path) was saved, but \(remark)") }
        journalSaved(buffer, state.revision, to: path, outcome.file)
        saved(buffer, state.mark, to: path, outcome.file.version)
        completion(nil)
      case .failure(let error):
        let code =
          switch error.code {
          case .changedOnDisk: ErrorCode.changedOnDisk
          case .vanished: ErrorCode.vanished
          case .exists: ErrorCode.fileExists
          case .losesCapabilities: ErrorCode.losesCapabilities
          case .notEncodable: ErrorCode.notEncodable
          default: ErrorCode.inputOutput
          }
        completion(
          ResponseError(
            code: code, message: "\(error)", data: error.code == .notEncodable ? .string(error.detail) : nil))
      }
      buffer.saveEnded()
      sendUpdates()
    }
  }

  private func saved(_ buffer: Buffer, _ mark: UndoHistory.SaveMark, to path: String, _ file: FileVersion) {
    buffer.document.markSaved(mark)
    let isRenamed = buffer.path != path
    buffer.path = path
    buffer.file = file
    buffer.changedStatus = nil
    buffer.needsUpdate = true
    guard buffers[buffer.view.id] === buffer else { return }
    if isRenamed, !buffer.languageIsChosen { buffer.language = language(ofFile: path) }
    send(.languageChanged(buffer.view.id, languageID: buffer.language))
    if isRenamed {
      tellPlugins("language_changed", buffer.view.id, ["new_lang": .string(buffer.language)])
      applyConfig()
      watchFile(of: buffer)
    }
    sendFileInformation(of: buffer)
    tellPlugins("did_save", buffer.view.id, ["path": .string(path)])
    sendUpdates()
  }
}
