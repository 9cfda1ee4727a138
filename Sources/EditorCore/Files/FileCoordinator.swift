import EditorProtocol
import EventLoop
import Glibc
import JSONRPC
import Rope

/// Files are opened, loaded and saved here.
final class FileCoordinator {
  let system: any FileSystem
  private(set) lazy var service = FileService(on: session.loop, system: system, recoveryFolder: session.recovery.folder)
  private(set) lazy var loader = FileLoader(on: session.loop, system: system) { Allocator.giveBackFreeMemory() }
  private(set) lazy var watcher = FileWatcher(on: session.loop, system: system)
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession, system: any FileSystem) {
    self.session = session
    self.system = system
  }

  // MARK: Opening

  /// A file as it was opened; without a file, an empty one that is to be made.
  struct Opened {
    var path: String?
    var file = FileContents.none
    var isWhole = true
    /// It grew while it was read.
    var hasGrown = false

    var text: Rope {
      isWhole
        ? file.version.image.text(of: file.bytes) ?? file.bytes : FileImage.certainText(ofBeginning: file.bytes)
    }
  }

  /// - Parameter isWhole: Reads all at once, however large it is.
  func open(_ path: String?, isWhole: Bool) throws(FileError) -> Opened {
    guard let path else { return Opened() }
    do throws(FileError) {
      let reader = try FileReader(path, system: system, pieceByteCount: loader.pieceByteCount)
      var builder = Rope.Builder()
      while isWhole || reader.offset < loader.firstByteCount, try reader.readPiece(into: &builder) {}
      let bytes = builder.finish()
      if isWhole || reader.isAtEnd && FileImage.isSplitAtOnce(bytes) {
        return Opened(path: path, file: FileContents(bytes, from: reader), hasGrown: reader.hasGrown)
      }
      let beginning = reader.isAtEnd ? bytes.slice(0..<ByteOffset(FileImage.largestAtOnce)) : bytes
      return Opened(path: path, file: FileContents(beginning: beginning, from: reader), isWhole: false)
    } catch  where error.code == .notFound && error.systemError != ENOTDIR {
      return Opened(path: path)
    }
  }

  // MARK: Loading

  /// Loads what is not there yet.
  func beginLoading(_ buffer: Buffer, _ opened: Opened) {
    guard !opened.isWhole, let path = opened.path, let status = opened.file.version.status else { return }
    do {
      buffer.loadJob = try loader.load(path, expecting: opened.file.version, behind: buffer.text) {
        [unowned self] event in
        switch event {
        case .piece(let piece): buffer.appendLoaded(piece)
        case .end(let file, let format, let hasGrown):
          (buffer.file, buffer.image, buffer.format) = (file.version, file.version.image, format)
          // What was typed meanwhile is written down before what was made to a part.
          session.recovery.writeJournal(of: buffer)
          session.recovery.journalLoaded(buffer, file)
          buffer.loadEnded()
          sendInformation(of: buffer)
          session.plugins.tell(ofAll: buffer)
          if hasGrown { session.reloads.checkFile(of: buffer) }
        case .failure(let error): loadFailed(buffer, error)
        }
        sendLoadProgress(of: buffer, total: status.size)
        session.views.sendUpdates()
      }
      sendLoadProgress(of: buffer, total: status.size)
    } catch {
      loadFailed(buffer, FileError(.system, "cannot read", path: path, systemError: error.systemError))
    }
  }

  /// What is there can be read, and saved elsewhere; saved over the file it would cut it short.
  func loadFailed(_ buffer: Buffer, _ error: FileError) {
    frontEnd.alert("\(error): only the first \(buffer.text.byteCount) bytes are shown")
    buffer.isReadOnly = true
    (buffer.path, buffer.partlyReadPath) = (nil, buffer.path)
    buffer.loadEnded()
    sendInformation(of: buffer)
  }

  private func sendLoadProgress(of buffer: Buffer, total: Int) {
    guard frontEnd.speaksExtensions else { return }
    let done = buffer.loadJob == nil ? total : min(buffer.text.byteCount, total - 1)
    frontEnd.send(.progress(buffer.view.id, Progress(.load, done: done, total: total)))
  }

  /// The view of it is closed.
  func viewCloses(_ buffer: Buffer) {
    if let job = buffer.loadJob {
      loader.cancel(job)
      buffer.loadCancelled()
    }
    guard buffer.text.byteCount > 1 << 20 else { return }
    // When a search or a save has let go of the text too.
    buffer.enqueue(
      .init(order: .file, needs: .idleFile) { [loop = session.loop] in
        loop.after(.seconds(1)) { Allocator.giveBackFreeMemory() }
      })
  }

  // MARK: What the front end is told

  func sendInformation(of buffer: Buffer) {
    guard frontEnd.speaksExtensions else { return }
    let (format, image, status) = (buffer.format, buffer.image, buffer.file.status)
    let endsWithNewline = format.endsWithNewline || !buffer.file.image.addedEnd.isEmpty
    frontEnd.send(
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

  // MARK: Saving

  func save(_ buffer: Buffer, to path: String) {
    let giveUp = { [unowned self] in frontEnd.alert("\(path) was not saved") }
    buffer.enqueue(
      .init(needs: [.wholeText, .replacedText], giveUp: giveUp) { [unowned self] in
        save(buffer, to: path, .ifUnchanged) { [unowned self] error in
          if let error { frontEnd.alert("\(error.message)") }
        }
      })
  }

  /// The text as it is now.
  func save(
    _ buffer: Buffer, to path: String, _ policy: OverwritePolicy, completion: @escaping (ResponseError?) -> Void
  ) {
    session.recovery.writeJournal(of: buffer)
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
      guard frontEnd.speaksExtensions, total > 0 else { return }
      showsProgress = byteCount < total
      frontEnd.send(.progress(buffer.view.id, Progress(.save, done: min(byteCount, total), total: total)))
    }
    service.save(state.text, as: state.image, to: path, overwriting: overwriting) { identity in
      buffer.journal?.willSave(documentRevision: state.revision, contents: identity, image: state.image)
    } onProgress: { byteCount in
      showProgress(min(byteCount, state.text.byteCount - 1))
    } completion: { [unowned self] result in
      if showsProgress { showProgress(state.text.byteCount) }
      switch result {
      case .success(let outcome):
        for remark in outcome.remarks { frontEnd.alert("\(path) was saved, but \(remark)") }
        session.recovery.journalSaved(buffer, state.revision, to: path, outcome.file)
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
      session.views.sendUpdates()
    }
  }

  private func saved(_ buffer: Buffer, _ mark: UndoHistory.SaveMark, to path: String, _ file: FileVersion) {
    buffer.document.markSaved(mark)
    let isRenamed = buffer.path != path
    buffer.path = path
    buffer.file = file
    buffer.changedStatus = nil
    buffer.needsUpdate = true
    guard session.views.isOpen(buffer) else { return }
    if isRenamed, !buffer.languageIsChosen { buffer.language = session.settings.language(ofFile: path) }
    frontEnd.send(.languageChanged(buffer.view.id, languageID: buffer.language))
    if isRenamed {
      session.plugins.tell("language_changed", buffer.view.id, ["new_lang": .string(buffer.language)])
      session.settings.apply()
      session.reloads.watchFile(of: buffer)
    }
    sendInformation(of: buffer)
    session.plugins.tell("did_save", buffer.view.id, ["path": .string(path)])
    session.views.sendUpdates()
  }
}
