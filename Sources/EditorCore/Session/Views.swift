import EditorProtocol
import EventLoop
import Glibc
import JSON
import JSONRPC

/// The views that are open, and what the front end is shown of them.
final class Views {
  private(set) var buffers: [ViewID: Buffer] = [:]
  private var lastID = 0
  private unowned let session: EditorSession
  private var frontEnd: FrontEnd { session.frontEnd }

  init(of session: EditorSession) { self.session = session }

  /// Views and what belongs to them are counted together, as in xi-core.
  func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// In the order of their numbers.
  var sorted: [Buffer] { sorted(buffers.values) }
  private var changed: [Buffer] { sorted(buffers.values.filter(\.needsUpdate)) }

  private func sorted(_ buffers: some Collection<Buffer>) -> [Buffer] {
    buffers.sorted { $0.view.id.rawValue < $1.view.id.rawValue }
  }

  func isOpen(_ buffer: Buffer) -> Bool { buffers[buffer.view.id] === buffer }

  // MARK: Opening and closing

  func open(_ wanted: NewView, _ reply: Reply) {
    do throws(FileError) {
      var opened = try session.files.open(wanted.path, isWhole: wanted.recoveryID != nil)
      let recovered = session.recovery.recovered(wanted.recoveryID, of: wanted.path, &opened.file)
      let id = ViewID("view-id-\(nextID())")
      // Buffers have numbers too, which no front end sees.
      _ = nextID()
      let buffer = buffer(of: opened, id: id, isReadOnly: wanted.isReadOnly)
      buffers[id] = buffer
      reply.succeed(.string(id.rawValue))
      session.files.beginLoading(buffer, opened)
      session.recovery.beginJournal(
        of: buffer, opened.file, resuming: recovered, isResumed: wanted.recoveryID != nil)
      session.reloads.watchFile(of: buffer)
      if opened.hasGrown, opened.isWhole { session.reloads.checkFile(of: buffer) }
      session.plugins.tell(ofNew: buffer)
      announce(buffer)
      if opened.file.version.status != nil, !wanted.isReadOnly { warnIfUnwritable(buffer) }
    } catch {
      reply.fail(ResponseError(code: ErrorCode.inputOutput, message: "\(error)"))
    }
  }

  private func buffer(of opened: FileCoordinator.Opened, id: ViewID, isReadOnly: Bool) -> Buffer {
    let (path, version, text) = (opened.path, opened.file.version, opened.text)
    let (language, settings) = session.settings.ofNewView(id, of: path, text)
    let buffer = Buffer(id: id, text: text, language: language, configTable: settings)
    buffer.path = path
    (buffer.file, buffer.image, buffer.format) = (version, version.image, TextFormat(of: text))
    buffer.isReadOnly = isReadOnly
    buffer.view.sendsPartialLines = frontEnd.takesPartialLines
    buffer.view.followsCaret = frontEnd.speaksExtensions
    buffer.document.hasUndoStepsOfXi = !frontEnd.speaksExtensions
    if !frontEnd.speaksExtensions { buffer.view.lines.widths = session.wrapping.widths }
    return buffer
  }

  private func announce(_ buffer: Buffer) {
    let view = buffer.view.id
    session.plugins.announce(in: view)
    frontEnd.send(.configChanged(view, changes: buffer.configTable))
    frontEnd.send(.languageChanged(view, languageID: buffer.language))
    session.files.sendInformation(of: buffer)
  }

  /// Better known before the first edit than at the save.
  private func warnIfUnwritable(_ buffer: Buffer) {
    guard frontEnd.speaksExtensions, let path = buffer.path, !session.files.system.isWritable(path) else { return }
    frontEnd.alert("\(path) can be read, but not written")
  }

  /// What was asked for before it, such as a save, is done before it.
  func close(_ buffer: Buffer) { buffer.enqueue(.init { [unowned self] in closeNow(buffer) }) }

  private func closeNow(_ buffer: Buffer) {
    guard isOpen(buffer) else { return }
    let view = buffer.view.id
    session.searches.end(in: buffer)
    session.recovery.viewCloses(buffer)
    session.files.viewCloses(buffer)
    session.reloads.viewCloses(buffer)
    buffers[view] = nil
    session.settings.config.forget(view)
    session.plugins.tell("did_close", view)
  }

  // MARK: Updates

  /// Sends what changed in all views.
  func sendUpdates() {
    for buffer in changed { session.searches.start(in: buffer) }
    for buffer in changed { sendUpdate(of: buffer) }
    session.wrapping.measureWidths()
  }

  private func sendUpdate(of buffer: Buffer) {
    let view = buffer.view
    buffer.needsUpdate = false
    session.recovery.writeJournal(of: buffer)
    session.plugins.tell(ofChangesIn: buffer)
    let (update, rendersLines) = view.makeUpdate(
      isPristine: buffer.isPristine, handledEdits: frontEnd.speaksExtensions ? buffer.handledEdits : nil)
    session.searches.sendStatus(of: view, isComplete: rendersLines)
    frontEnd.send(.update(view.id, update))
    if let target = view.scrollTarget {
      view.scrollTarget = nil
      frontEnd.send(.scrollTo(view.id, view.place(of: target)))
    }
    session.wrapping.wrapInBackground(buffer)
  }
}
