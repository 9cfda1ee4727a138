import EditorProtocol
import EventLoop
import Glibc
import JSON
import JSONRPC

/// The views that are open, and what the front end is shown of them.
final class ViewCoordinator {
  private var open: [ViewID: TextView] = [:]
  private var files = OpenFiles()
  /// Those of them that need an update.
  private var changedIDs: Set<ViewID> = []
  private var lastID = 0
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  /// Views and what belongs to them are counted together, as in xi-core.
  func nextID() -> Int {
    lastID += 1
    return lastID
  }

  subscript(id: ViewID) -> TextView? { open[id] }

  /// By the name that plugins know it by, or by that of any view.
  func document(_ id: ViewID) -> Document? {
    self[id]?.document ?? open.values.first { $0.document.id == id }?.document
  }

  /// The one of a file that is open, by whatever name it was opened.
  func document(ofFile path: String) -> Document? {
    guard frontEnd.sharesDocuments else { return nil }
    if let document = files.opened(as: path).first { return document }
    let system = session.files.system
    guard let status = try? system.status(at: path, followingLinks: true) else {
      // Of what is not there yet there is only the name; a link may lead elsewhere by now.
      guard let place = try? system.place(of: path) else { return nil }
      return files.documents(at: place).first { $0.file.path.flatMap { try? system.place(of: $0) } == place }
    }
    return files.documents(of: status).first { document in
      // A file that is gone has left its number to others.
      let now = document.file.path.flatMap { try? system.status(at: $0, followingLinks: true) }
      return now?.isSameFile(as: status) == true
    }
  }

  /// In the order of their numbers.
  var all: [TextView] { sorted(open.values) }
  private var changed: [TextView] { sorted(changedIDs.compactMap { open[$0] }) }

  private func sorted(_ views: some Collection<TextView>) -> [TextView] {
    // As nearly always. This is asked several times with each key.
    if views.count <= 1 { return Array(views) }
    // A shorter number is a smaller one.
    return views.sorted { ($0.id.rawValue.utf8.count, $0.id.rawValue) < ($1.id.rawValue.utf8.count, $1.id.rawValue) }
  }

  /// The documents of the open views, each once, in the order of their first views.
  var documents: [Document] { documents(of: all) }

  private func documents(of views: [TextView]) -> [Document] {
    var known: Set<ObjectIdentifier> = []
    return views.map(\.document).filter { known.insert(ObjectIdentifier($0)).inserted }
  }

  // MARK: Opening and closing

  func open(_ wanted: NewView, _ reply: Reply) {
    if let document = openDocument(for: wanted) {
      let reused = wanted.reusesView ? document.views.all.first { !$0.isClosing } : nil
      return reused.map { reply.succeed(.string($0.id.rawValue)) } ?? show(document, wanted, reply)
    }
    do throws(FileError) {
      var opened = try session.files.open(wanted.path, isWhole: wanted.recoveryID != nil)
      if wanted.mustExist, let path = wanted.path, opened.file.version.status == nil {
        return reply.fail(ResponseError(code: ErrorCode.vanished, message: "cannot open \(path): it is gone"))
      }
      let recovered = session.recovery.recovered(wanted.recoveryID, of: opened.place, &opened.file)
      let id = newViewID()
      let document = document(of: &opened, id: id)
      let view = view(of: document, id: id, wanted)
      reply.succeed(.string(id.rawValue))
      session.files.beginLoading(document, opened)
      session.changes.documentOpened(document)
      tellSettings(of: view, wanted)
      session.recovery.beginJournal(of: view, opened.file, resuming: recovered, as: wanted.recoveryID)
      session.reloads.watchFile(of: document)
      if opened.hasGrown, opened.isWhole { session.reloads.checkFile(of: document) }
      session.plugins.tell(ofNew: document)
      announce(view)
      if opened.file.version.status != nil, !wanted.isReadOnly { warnIfUnwritable(document) }
    } catch {
      reply.fail(ResponseError(code: ErrorCode.inputOutput, message: "\(error)"))
    }
  }

  /// Views that a core had which died find together again by their journal.
  private func openDocument(for wanted: NewView) -> Document? {
    guard frontEnd.sharesDocuments else { return nil }
    if let id = wanted.recoveryID.map(RecoveryID.init) {
      // What is asked for without a file was offered to the view of one that it cannot go on in.
      let resumed = open.values.first {
        $0.document.recovery.resumedID == id.journal && ($0.document.file.path == nil) == (wanted.path == nil)
      }
      if let resumed { return resumed.document }
      if session.recovery.hasJournal(id.journal) { return nil }
    }
    return wanted.path.flatMap(document(ofFile:))
  }

  /// In one more view.
  private func show(_ document: Document, _ wanted: NewView, _ reply: Reply) {
    let marks = document.views.all.first?.marks
    let view = view(of: document, id: newViewID(), wanted)
    if let marks { view.marks = marks }
    reply.succeed(.string(view.id.rawValue))
    tellSettings(of: view, wanted)
    if let id = wanted.recoveryID { session.recovery.resume(view, as: RecoveryID(id)) }
    if document.file.loadJob != nil, let total = document.file.version.status?.size {
      session.files.sendLoadProgress(of: document, total: total)
    }
    announce(view)
    session.plugins.tellStatus(to: view)
  }

  private func newViewID() -> ViewID {
    // Buffers have numbers too, which no front end sees.
    defer { _ = nextID() }
    return ViewID("view-id-\(nextID())")
  }

  private func document(of opened: inout FileCoordinator.Opened, id: ViewID) -> Document {
    let (path, text) = (opened.path, opened.text)
    let (language, settings) = session.settings.ofNewDocument(id, of: path, opened.place, text)
    if opened.file.version.status == nil,
      let encoding = settings["charset"]?.string.flatMap(TextEncoding.init(rawValue:))
    {
      opened.file.version.image.encoding = encoding
    }
    let version = opened.file.version
    let document = Document(text, id: id, settings: DocumentSettings(language: language, table: settings))
    document.file = DocumentFile(
      path: path, place: opened.place, version: version, image: version.image, format: TextFormat(of: text))
    files.change(document, from: nil, to: document.file)
    document.onMove = { [unowned self, unowned document] old in files.change(document, from: old, to: document.file) }
    document.settings.table["line_ending"] = .string(document.lineEnding)
    document.buffer.history.isOfXi = !frontEnd.speaksExtensions
    document.settings.editsCode = frontEnd.editsCode
    return document
  }

  private func view(of document: Document, id: ViewID, _ wanted: NewView) -> TextView {
    let view = TextView(id: id, of: document)
    view.isOnlyToBeRead = wanted.isReadOnly
    view.partialLines.areTaken = frontEnd.takesPartialLines
    if !frontEnd.speaksExtensions { view.lines.widths = session.wrapping.widths }
    view.onChange = { [unowned self] in changedIDs.insert(id) }
    open[id] = view
    changedIDs.insert(id)
    return view
  }

  /// Tells the settings of a view whose core has died before the view goes on in this one: what this core has found in the text, such as its
  /// indentation, may differ from what the other had found.
  private func tellSettings(of view: TextView, _ wanted: NewView) {
    guard wanted.recoveryID != nil else { return }
    frontEnd.send(.configChanged(view.id, changes: view.document.settings.table))
  }

  private func announce(_ view: TextView) {
    session.plugins.announce(in: view.id)
    frontEnd.send(.configChanged(view.id, changes: view.document.settings.table))
    frontEnd.send(.languageChanged(view.id, languageID: view.document.settings.language))
    session.files.sendInformation(to: view)
  }

  /// Better known before the first edit than at the save.
  private func warnIfUnwritable(_ document: Document) {
    guard frontEnd.speaksExtensions, let path = document.file.path, !session.files.system.isWritable(path) else {
      return
    }
    frontEnd.alert("\(path) can be read, but not written")
  }

  /// What was asked for before it, such as a save, is done before it.
  func close(_ view: TextView) {
    view.isClosing = true
    view.document.enqueue(.init { [unowned self] in closeNow(view) })
  }

  private func closeNow(_ view: TextView) {
    let document = view.document
    guard open.removeValue(forKey: view.id) != nil else { return }
    changedIDs.remove(view.id)
    session.searches.end(in: view)
    session.shell.end(in: view)
    // What waited for the view, or for its journal, need not wait any more.
    defer { document.advanceQueue() }
    guard document.views.all.count == 1 else { return document.close(view) }
    session.recovery.documentCloses(document)
    session.files.documentCloses(document)
    session.reloads.documentCloses(document)
    session.changes.documentCloses(document)
    document.close(view)
    document.onMove = nil
    files.change(document, from: document.file, to: nil)
    session.settings.config.forget(document.id)
    session.plugins.documentCloses(document)
  }

  // MARK: Updates

  /// Sends what changed in all views.
  func sendUpdates() {
    // A reload, or the undo of one, may have brought others.
    if changed.contains(where: { $0.document.settings.table["line_ending"]?.string != $0.document.lineEnding }) {
      session.settings.apply()
    }
    // Each looks at all views of its document.
    for document in documents(of: changed) {
      session.searches.start(in: document)
      session.changes.compare(document)
    }
    // First: where a journal has caught up, other views are told of it, too.
    for document in documents(of: changed) { session.recovery.writeJournal(of: document) }
    for view in changed { sendUpdate(of: view) }
    session.wrapping.measureWidths()
  }

  private func sendUpdate(of view: TextView) {
    let document = view.document
    // It is shown when it cannot be lost.
    if document.recovery.journal?.isBehind == true { return }
    view.needsUpdate = false
    changedIDs.remove(view.id)
    let authors = document.plugins.untoldAuthors
    // To ask the thread's time is a system call.
    let start = authors.isEmpty ? .zero : ThreadTime.used
    defer { if !authors.isEmpty { session.plugins.charge(authors, ThreadTime.used - start) } }
    // An undo may have brought another.
    if let told = view.toldOrigin, told != document.file.origin { session.files.sendInformation(to: view) }
    session.plugins.tell(ofChangesIn: document)
    var (update, rendersLines) = view.makeUpdate(
      isPristine: document.isPristine, handledEdits: frontEnd.speaksExtensions ? view.edits.handled : nil)
    if frontEnd.speaksExtensions, view.edits.kept < view.edits.handled { update.keptEdits = view.edits.kept }
    session.searches.sendStatus(of: view, isComplete: rendersLines)
    let target = view.screen.takeTarget()
    // xi-core leaves it to its front ends to look for the caret.
    if view.movedCaretLine, frontEnd.speaksExtensions, target == nil, let caret = view.carets.main?.active {
      update.caret = view.place(of: caret)
    }
    view.movedCaretLine = false
    update.changes = view.changedLines()
    update.bookmarks = view.bookmarkedLines()
    frontEnd.send(.update(view.id, update))
    if let target { frontEnd.send(.scrollTo(view.id, view.place(of: target))) }
    session.wrapping.wrapInBackground(view)
  }
}
