import EditorProtocol
import EventLoop
import Glibc
import JSON
import JSONRPC

/// The views that are open, and what the front end is shown of them.
final class Views {
  private var open: [ViewID: TextView] = [:]
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
  subscript(id: JSONValue?) -> TextView? { id?.string.flatMap { open[ViewID($0)] } }

  /// In the order of their numbers.
  var all: [TextView] { sorted(open.values) }
  private var changed: [TextView] { sorted(open.values.filter(\.needsUpdate)) }

  private func sorted(_ views: some Collection<TextView>) -> [TextView] {
    views.sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// Those that the views show, each once.
  var documents: [Document] { all.filter { $0 === $0.document.views.first }.map(\.document) }

  // MARK: Opening and closing

  func open(_ wanted: NewView, _ reply: Reply) {
    do throws(FileError) {
      var opened = try session.files.open(wanted.path, isWhole: wanted.recoveryID != nil)
      let recovered = session.recovery.recovered(wanted.recoveryID, of: wanted.path, &opened.file)
      let id = ViewID("view-id-\(nextID())")
      // Buffers have numbers too, which no front end sees.
      _ = nextID()
      let view = view(of: opened, id: id, isReadOnly: wanted.isReadOnly)
      let document = view.document
      open[id] = view
      reply.succeed(.string(id.rawValue))
      session.files.beginLoading(document, opened)
      session.recovery.beginJournal(of: view, opened.file, resuming: recovered, isResumed: wanted.recoveryID != nil)
      session.reloads.watchFile(of: document)
      if opened.hasGrown, opened.isWhole { session.reloads.checkFile(of: document) }
      session.plugins.tell(ofNew: document)
      announce(view)
      if opened.file.version.status != nil, !wanted.isReadOnly { warnIfUnwritable(document) }
    } catch {
      reply.fail(ResponseError(code: ErrorCode.inputOutput, message: "\(error)"))
    }
  }

  private func view(of opened: FileCoordinator.Opened, id: ViewID, isReadOnly: Bool) -> TextView {
    let (path, version, text) = (opened.path, opened.file.version, opened.text)
    let (language, settings) = session.settings.ofNewView(id, of: path, text)
    let document = Document(text, language: language, configTable: settings)
    document.file = DocumentFile(
      path: path, version: version, image: version.image, format: TextFormat(of: text))
    document.isReadOnly = isReadOnly
    document.hasUndoStepsOfXi = !frontEnd.speaksExtensions
    let view = TextView(id: id, of: document)
    view.sendsPartialLines = frontEnd.takesPartialLines
    view.followsCaret = frontEnd.speaksExtensions
    if !frontEnd.speaksExtensions { view.lines.widths = session.wrapping.widths }
    return view
  }

  private func announce(_ view: TextView) {
    session.plugins.announce(in: view.id)
    frontEnd.send(.configChanged(view.id, changes: view.document.configTable))
    frontEnd.send(.languageChanged(view.id, languageID: view.document.language))
    session.files.sendInformation(of: view.document)
  }

  /// Better known before the first edit than at the save.
  private func warnIfUnwritable(_ document: Document) {
    guard frontEnd.speaksExtensions, let path = document.file.path, !session.files.system.isWritable(path) else {
      return
    }
    frontEnd.alert("\(path) can be read, but not written")
  }

  /// What was asked for before it, such as a save, is done before it.
  func close(_ view: TextView) { view.document.enqueue(.init { [unowned self] in closeNow(view) }) }

  private func closeNow(_ view: TextView) {
    let document = view.document
    guard open.removeValue(forKey: view.id) != nil else { return }
    session.searches.end(in: view)
    if document.views.count == 1 {
      session.recovery.documentCloses(document)
      session.files.documentCloses(document)
      session.reloads.documentCloses(document)
    }
    document.close(view)
    session.settings.config.forget(view.id)
    session.plugins.tell("did_close", view.id)
  }

  // MARK: Updates

  /// Sends what changed in all views.
  func sendUpdates() {
    for view in changed { session.searches.start(in: view) }
    for view in changed { sendUpdate(of: view) }
    session.wrapping.measureWidths()
  }

  private func sendUpdate(of view: TextView) {
    let document = view.document
    session.recovery.writeJournal(of: document)
    // It is shown when it cannot be lost.
    if document.recovery.journal?.isBehind == true { return }
    view.needsUpdate = false
    session.plugins.tell(ofChangesIn: document)
    let (update, rendersLines) = view.makeUpdate(
      isPristine: document.isPristine, handledEdits: frontEnd.speaksExtensions ? view.handledEdits : nil)
    session.searches.sendStatus(of: view, isComplete: rendersLines)
    frontEnd.send(.update(view.id, update))
    if let target = view.scrollTarget {
      view.scrollTarget = nil
      frontEnd.send(.scrollTo(view.id, view.place(of: target)))
    }
    session.wrapping.wrapInBackground(view)
  }
}
