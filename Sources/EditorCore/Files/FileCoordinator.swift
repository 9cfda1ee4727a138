import EditorProtocol
import EventLoop
import Glibc
import JSON
import JSONRPC
import Rope

/// Files are opened, loaded and saved here.
final class FileCoordinator {
  let system: any FileSystem
  let service: FileService
  private(set) lazy var loader = FileLoader(on: session.loop, system: system) { Allocator.giveBackFreeMemory() }
  private(set) lazy var watcher = {
    let watcher = FileWatcher(on: session.loop) { [system] in (try? system.resolvingLinks($0)) ?? $0 }
    watcher.onShortage = { [unowned self] error in
      frontEnd.alert(
        "What other programs write is noticed at a save only: files cannot be watched: \(String(cString: strerror(error)))"
      )
    }
    return watcher
  }()
  /// Once is enough.
  private var hasToldOfUnsyncedNames = false
  /// For what is asked of any path.
  let lookupThread = ReadingThread(name: "lookups")
  /// Those who have asked what a typed path is.
  private var lookups: [Int: Reply] = [:]
  private var lastLookup = 0
  private lazy var looked = Inbox<(number: Int, found: PathCompletion)>(on: session.loop) { [weak self] looked in
    self?.lookups.removeValue(forKey: looked.number)?.succeed(looked.found.json)
  }
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession, system: any FileSystem, recoveryFolder: RecoveryFolder?) {
    self.session = session
    self.system = system
    service = FileService(on: session.loop, system: system, recoveryFolder: recoveryFolder)
  }

  deinit { service.forget() }

  // MARK: Opening

  /// A file as it was opened; without a file, an empty one that is to be made.
  struct Opened {
    var path: String?
    var place: FilePlace?
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
    // Each document has a lock, and a journal from its first edit on; a save needs one for a moment.
    guard DescriptorReserve.hasRoom(leaving: { $0 / 2 }) else {
      throw FileError(systemError: EMFILE, "cannot open", path: path ?? "a buffer")
    }
    guard let path else { return Opened() }
    let place = try place(of: path)
    do throws(FileError) {
      let reader = try FileReader(path, system: system, pieceByteCount: loader.pieceByteCount)
      try checkRoom(for: reader.status.size, at: path)
      var builder = Rope.Builder()
      while isWhole || reader.offset < loader.firstByteCount, try reader.readPiece(into: &builder) {}
      let bytes = builder.finish()
      if isWhole || reader.isAtEnd && FileImage.isSplitAtOnce(bytes) {
        return Opened(path: path, place: place, file: FileContents(bytes, from: reader), hasGrown: reader.hasGrown)
      }
      let beginning = reader.isAtEnd ? bytes.slice(0..<ByteOffset(FileImage.largestAtOnce)) : bytes
      return Opened(path: path, place: place, file: FileContents(beginning: beginning, from: reader), isWhole: false)
    } catch  where error.code == .notFound && error.systemError != ENOTDIR {
      return Opened(path: path, place: place)
    }
  }

  /// What is open is in memory, with what was typed into it: a file for which there can be no room would take all that with it.
  private func checkRoom(for size: Int, at path: String) throws(FileError) {
    guard size > SystemMemory.limit else { return }
    let (has, may) = (size >> 20, SystemMemory.limit >> 20)
    throw FileError(
      .system, "cannot open", path: path, detail: "it has \(has) MB, and a text can have \(may) MB of memory")
  }

  /// Nil where the working folder, which `path` is of, has been removed: nothing of that name can be made.
  private func place(of path: String) throws(FileError) -> FilePlace? {
    do throws(FileError) { return try system.place(of: path) } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// A folder may be large, or on a network.
  func complete(_ path: String, _ reply: Reply) {
    lastLookup += 1
    lookups[lastLookup] = reply
    let (system, looked, number) = (system, looked, lastLookup)
    let home = getenv("HOME").map { String(cString: $0) }
    lookupThread.perform { looked.send((number, PathCompletion(of: path, home: home, in: system))) }
  }

  // MARK: Loading

  /// Loads what is not there yet.
  func beginLoading(_ document: Document, _ opened: Opened) {
    guard !opened.isWhole, let path = opened.path, let status = opened.file.version.status else { return }
    do {
      document.file.loadJob = try loader.load(path, expecting: opened.file.version, behind: document.buffer.text) {
        [unowned self] event in
        switch event {
        case .piece(let piece): document.appendLoaded(piece)
        case .end(let file, let format, let hasGrown):
          (document.file.version, document.file.image, document.file.format) = (
            file.version, file.version.image, format
          )
          // What was typed meanwhile is written down before what was made to a part.
          session.recovery.writeJournal(of: document)
          session.recovery.journalLoaded(document, file)
          keepFinalNewline(of: document)
          document.loadEnded()
          session.changes.documentLoaded(document)
          sendInformation(of: document)
          session.plugins.tell(ofAll: document)
          if hasGrown { session.reloads.checkFile(of: document) }
        case .failure(let error): loadFailed(document, error)
        }
        sendLoadProgress(of: document, total: status.size)
        session.views.sendUpdates()
      }
      sendLoadProgress(of: document, total: status.size)
    } catch {
      loadFailed(document, FileError(.system, "cannot read", path: path, systemError: error.systemError))
    }
  }

  /// A file without a line end at its end is saved without one: the front end would say so too late for a save that has waited for all of
  /// the text.
  private func keepFinalNewline(of document: Document) {
    guard frontEnd.speaksExtensions, let view = document.views.all.first, !hasFinalNewline(document.file) else {
      return
    }
    session.settings.modify(.userOverride(view.id), ["save_with_newline": false])
  }

  /// What is empty lacks none.
  private func hasFinalNewline(_ file: DocumentFile) -> Bool {
    let (version, format) = (file.version, file.format)
    return version.status == nil || version.status?.size == 0 || format.endsWithNewline
      || !version.image.addedEnd.isEmpty
  }

  /// What is there can be read, and saved elsewhere; saved over the file it would cut it short.
  func loadFailed(_ document: Document, _ error: FileError) {
    frontEnd.alert("\(error): only the first \(document.buffer.text.byteCount) bytes are shown")
    document.isReadOnly = true
    document.file.partlyRead = document.file.place
    (document.file.path, document.file.place) = (nil, nil)
    document.loadEnded()
    sendInformation(of: document)
  }

  func sendLoadProgress(of document: Document, total: Int) {
    guard frontEnd.speaksExtensions else { return }
    // Some files of the system do not tell how long they are.
    let total = total > 0 ? total : document.buffer.text.byteCount + 1
    let done = document.file.loadJob == nil ? total : min(document.buffer.text.byteCount, total - 1)
    frontEnd.send(toViewsOf: document) { .progress($0, Progress(.load, done: done, total: total)) }
  }

  /// Its last view is closed.
  func documentCloses(_ document: Document) {
    if let job = document.file.loadJob {
      loader.cancel(job)
      document.loadCancelled()
    }
    guard document.buffer.text.byteCount > 1 << 20 else { return }
    // When a search or a save has let go of the text too.
    document.enqueue(
      .init(order: .file, needs: .idleFile) { [loop = session.loop] in
        loop.after(.seconds(1)) { Allocator.giveBackFreeMemory() }
      })
  }

  // MARK: What the front end is told

  func sendInformation(of document: Document) { for view in document.views.all { sendInformation(to: view) } }

  func sendInformation(to view: TextView) {
    guard frontEnd.speaksExtensions else { return }
    let document = view.document
    let (file, journal) = (document.file, document.recovery.journal)
    let (format, status) = (file.format, file.version.status)
    view.toldOrigin = file.origin
    let information = FileInformation(
      path: file.path, encoding: format.isValidUTF8 ? file.image.encoding : nil,
      lineEnding: format.hasMixedLineEndings
        ? .mixed : document.lineEnding == "\r\n" ? .carriageReturnLineFeed : .lineFeed,
      // Of what is still being loaded the end is not known: it is told when it is.
      hasFinalNewline: file.loadJob != nil || hasFinalNewline(file),
      isReadOnly: view.isReadOnly, isNew: file.path != nil && status == nil,
      usedByProcess: journal?.otherProcess,
      recoveryID: journal.map { RecoveryID(journal: $0.id, view: view.number).text }, isGone: file.isGone,
      isInMemoryOnly: document.recovery.isInMemoryOnly)
    frontEnd.send(.fileInformation(view.id, information))
  }

  // MARK: Saving

  func save(_ document: Document, to path: String) {
    let giveUp = { [unowned self] in frontEnd.alert("\(path) was not saved") }
    session.recovery.writeJournal(of: document)
    document.enqueue(
      .init(needs: [.wholeText, .replacedText, .journal], giveUp: giveUp) { [unowned self] in
        save(document, to: path, .ifUnchanged) { [unowned self] error in
          if let error { frontEnd.alert("\(error.message)") }
        }
      })
  }

  /// The text as it is now.
  func save(
    _ document: Document, to path: String, _ policy: OverwritePolicy, makingFolders: Bool = false,
    completion: @escaping (ResponseError?) -> Void
  ) {
    if document.settings.editsCode, document.settings.config.trimsTrailingBlanks, !document.isReadOnly {
      document.views.used?.trimTrailingBlanks()
    }
    session.recovery.writeJournal(of: document)
    // What is selected in just this text no journal tells then: if the core ends, what was typed behind the save is sent again to that place.
    if frontEnd.speaksExtensions, document.recovery.journal?.hasAll != true { session.views.sendUpdates() }
    let state = SavedState(
      text: document.buffer.text, image: document.imageToSave, revision: document.buffer.revision,
      mark: document.buffer.saveMark,
      edition: document.file.textEdition, edits: document.views.all.map { ($0, document.performedEdits(in: $0)) },
      history: document.recovery.journal?.history(of: document, session.settings.found(in: document)))
    document.file.saveSteps += 1
    // One after another: each expects the file as the one before has left it.
    document.enqueue(
      .init(order: .file, needs: .idleFile) { [unowned self] in
        write(state, of: document, to: path, policy, makingFolders: makingFolders, completion: completion)
      })
  }

  /// A text as it was when it was to be saved.
  private struct SavedState {
    let text: Rope
    let image: FileImage
    let revision: Int
    let mark: UndoHistory.SaveMark
    let edition: Int
    /// How many edits of each view are in it.
    let edits: [(view: TextView, count: Int)]
    let history: JournalHistory?
  }

  private func write(
    _ state: SavedState, of document: Document, to path: String, _ policy: OverwritePolicy, makingFolders: Bool,
    completion: @escaping (ResponseError?) -> Void
  ) {
    let place: FilePlace?
    do throws(FileError) { place = try self.place(of: path) } catch {
      return completion(ResponseError(code: ErrorCode.inputOutput, message: "\(error)"))
    }
    if let place, place == document.file.partlyRead {
      let message = "\(path) was not read to its end: a save over it would cut it short"
      return completion(ResponseError(code: ErrorCode.inputOutput, message: message))
    }
    if let other = session.views.document(ofFile: path), other !== document {
      // Two texts of one file would be saved over each other.
      let message = "\(path) is open in another view: it was not written"
      return completion(ResponseError(code: ErrorCode.inputOutput, message: message))
    }
    let isOwn = isFile(of: document, path)
    if policy == .ifUnchanged, isOwn, document.file.isOutdated(state.edition) {
      let message = "cannot save \(path): what another program wrote to it is not in the text"
      return completion(ResponseError(code: ErrorCode.changedOnDisk, message: message))
    }
    let overwriting: FileWriter.Overwriting =
      switch policy {
      case .ifNew: .nothing
      // Its user has seen that it is.
      case .ifUnchanged where isOwn && document.file.isGone: .nothing
      case .ifUnchanged where isOwn:
        document.file.version.status.map { .version($0, document.file.version.contents) } ?? .nothing
      case .ifUnchanged, .always: .anything
      }
    document.file.savesInFlight += 1
    // What is being read may be of the midst of it.
    document.file.saveSteps += 1
    var showsProgress = false
    let showProgress = { [unowned self] (byteCount: Int) in
      let total = state.text.byteCount
      guard frontEnd.speaksExtensions, total > 0 else { return }
      showsProgress = byteCount < total
      frontEnd.send(toViewsOf: document) { .progress($0, Progress(.save, done: min(byteCount, total), total: total)) }
    }
    service.save(state.text, as: state.image, to: path, overwriting: overwriting, makingFolders: makingFolders) {
      identity, then in
      guard let journal = document.recovery.journal else { return then(nil) }
      journal.willSave(
        documentRevision: state.revision, contents: identity, image: state.image, to: place, state.history,
        then: then)
    } onProgress: { byteCount in
      showProgress(min(byteCount, state.text.byteCount - 1))
    } completion: { [unowned self] result in
      if showsProgress { showProgress(state.text.byteCount) }
      switch result {
      case .success(let outcome):
        for remark in outcome.remarks { frontEnd.alert("\(path) was saved, but \(remark)") }
        if outcome.hasUnsyncedName, !hasToldOfUnsyncedNames {
          hasToldOfUnsyncedNames = true
          frontEnd.alert(
            "\(path) was saved, but a loss of power may undo it: its file system cannot synchronize folders")
        }
        // Of another file than before no other program's state is known.
        document.file.fileEdition = isOwn ? state.edition : 0
        session.recovery.journalSaved(document, state.revision, to: place, outcome.file)
        saved(document, state, to: path, place, outcome.file.version)
        completion(nil)
      case .failure(let error):
        if isOwn, error.code == .changedOnDisk || error.code == .vanished {
          document.recovery.journal?.fileHasChanged()
        }
        let code =
          switch error.code {
          case .changedOnDisk: ErrorCode.changedOnDisk
          case .vanished: ErrorCode.vanished
          case .exists: ErrorCode.fileExists
          case .losesCapabilities: ErrorCode.losesCapabilities
          case .notEncodable: ErrorCode.notEncodable
          case .noFolder: ErrorCode.folderMissing
          default: ErrorCode.inputOutput
          }
        let data: JSONValue? =
          switch error.code {
          case .notEncodable: .string(error.detail)
          case .noFolder: error.path.pathFolder.map(JSONValue.string)
          default: nil
          }
        completion(ResponseError(code: code, message: "\(error)", data: data))
      }
      document.saveEnded()
      session.views.sendUpdates()
    }
  }

  /// Whether that is the file that a document was read from or saved to, or what is in its place now, by whatever name.
  private func isFile(of document: Document, _ path: String) -> Bool {
    guard let own = document.file.path else { return false }
    if own.isSamePath(as: path) { return true }
    func status(_ path: String) -> FileStatus? { try? system.status(at: path, followingLinks: true) }
    guard let other = status(path) else {
      // Gone, it has the names that lead to it.
      let place = try? system.place(of: path)
      return place != nil && place == (try? system.place(of: own))
    }
    return [document.file.version.status, status(own)].contains { $0?.isSameFile(as: other) == true }
  }

  private func saved(
    _ document: Document, _ state: SavedState, to path: String, _ place: FilePlace?, _ file: FileVersion
  ) {
    document.buffer.history.markSaved(state.mark)
    for (view, count) in state.edits { view.edits.keep(count) }
    let isRenamed = document.file.path?.isSamePath(as: path) != true
    (document.file.path, document.file.place) = (path, place)
    document.file.version = file
    (document.file.changedStatus, document.file.isGone) = (nil, false)
    session.recovery.keepUndo(state.history, of: document, revision: state.revision)
    document.views.needUpdate()
    guard !document.views.isEmpty else { return }
    session.changes.documentSaved(document, state.text, isOther: isRenamed || !state.image.addedEnd.isEmpty)
    if isRenamed { session.settings.follow(nameOf: document) }
    frontEnd.send(toViewsOf: document) { .languageChanged($0, languageID: document.settings.language) }
    if isRenamed {
      session.plugins.tell(.languageChanged(document.id, languageID: document.settings.language))
      session.settings.apply()
      session.reloads.watchFile(of: document)
    }
    sendInformation(of: document)
    session.plugins.tell(.didSave(document.id, path: path))
    session.views.sendUpdates()
  }
}
