import EditorProtocol
import JSON
import JSONRPC

/// Opens files, and those again that were closed; what becomes of their views when a core ends is in another file.
package final class Files {
  /// The id that a core gives its first view (XI front-end protocol, `new_view`).
  private static let firstViewID = ViewID("view-id-1")

  /// Those whose buffers were closed, the last one behind, and where the caret was.
  private var closed: [(path: String, position: FilePosition?)] = []
  let core: CoreLink
  let views: Views
  let gate: InputGate
  let clipboard: Clipboard
  let notices: Notices
  let keys: Keys
  let memory: Memory
  /// All that is opened by its path refuses edits.
  package var opensReadOnly = false
  /// It was started without a file, or has gone on with those of the last run.
  var hasBegunInFolder = false

  init(
    _ core: CoreLink, _ views: Views, _ gate: InputGate, _ clipboard: Clipboard, _ notices: Notices, _ keys: Keys,
    _ memory: Memory
  ) {
    (self.core, self.views, self.gate, self.clipboard) = (core, views, gate, clipboard)
    (self.notices, self.keys, self.memory) = (notices, keys, memory)
  }

  /// Opens a file as ``open(path:at:mustExist:)`` does, when all is known by which it is found, and what it takes the place of.
  func visit(path: String?, at position: FilePosition? = nil, mustExist: Bool = false) {
    whenPlaceIsKnown { [unowned self] in
      views.noteJump()
      open(path: path, at: position, mustExist: mustExist)
    }
  }

  /// A jump goes from where the keys before it have led, to a file by the name that it has.
  func whenPlaceIsKnown(_ body: @escaping () -> Void) {
    gate.whenNamed { [gate] in gate.whenCaretsAreKnown(body) }
  }

  /// Opens a file, new or not; without a path an empty buffer.
  /// - Parameter mustExist: It was there before: a new one is not what is meant.
  package func open(path: String?, at position: FilePosition? = nil, mustExist: Bool = false) {
    // By another name the core knows it: its disk need not be this side's.
    if let path, let view = views[path: path] {
      views.show(view)
      return goto(position, whenOpen: view)
    }
    let last = position ?? path.flatMap { memory.place(inFile: $0.absolutePath) }
    let new = EditorView(path: path, isReadOnly: opensReadOnly && path != nil, initialPosition: last)
    new.mustExist = mustExist
    open(new)
  }

  private func goto(_ position: FilePosition?, whenOpen view: EditorView) {
    guard let position else { return }
    if view.state == .open { views.goto(position, in: view) } else { view.initialPosition = position }
  }

  /// To where the caret was before it jumped.
  func jump(forward: Bool) { whenPlaceIsKnown { [unowned self] in jumpFromHere(forward: forward) } }

  private func jumpFromHere(forward: Bool) {
    guard let target = views.takeJump(forward: forward) else {
      return notices.refuse(forward ? "There is no place to go forward to" : "There is no place to go back to")
    }
    if let view = target.view, views.all.contains(where: { $0 === view }) {
      views.show(view)
      views.goto(target.position, in: view)
    } else if let path = target.path {
      open(path: path, at: target.position, mustExist: true)
    } else {
      notices.refuse("The buffer of that place was closed")
    }
  }

  package func showFirst() { views.show(views.all.first) }

  func open(_ view: EditorView, recoveryID: String? = nil) {
    views.screen.offersSession = false
    if views.all.isEmpty { view.id = Self.firstViewID }
    views.add(view, isShown: true)
    // Its edits are counted on from those that it has.
    if recoveryID != nil { view.recovery = .waiting }
    requestView(view, recoveryID: recoveryID)
    views.announceViewport()
  }

  /// Opens a view, and shows what was shown.
  func openBehind(_ view: EditorView) {
    views.add(view, isShown: false)
    requestView(view, recoveryID: nil)
  }

  /// Asks the core for a view; its edits follow at once if the id is known, else after the answer.
  func requestView(_ view: EditorView, recoveryID: String?) {
    let mayBeOpen = view.path != nil && view.recovery == .none && views.all.count > 1
    let request = NewView(
      path: view.path, isReadOnly: view.isReadOnly, recoveryID: recoveryID, reusesView: mayBeOpen,
      mustExist: view.mustExist && view.file == nil)
    gate.wait(to: "open \(view.name)", .passes, until: { InputGate.readiness(of: view) })
    core.request(.newView(request)) { [weak self, weak view] result in
      guard let self, let view else { return }
      switch result {
      case .success(let id): opened(view, as: ViewID(id.string ?? ""), isRecovered: recoveryID != nil)
      case .failure(let error): openingFailed(view, error)
      }
    }
  }

  private func opened(_ view: EditorView, as id: ViewID, isRecovered: Bool) {
    if let other = views.all.first(where: { $0 !== view && $0.id == id }) { return give(other, for: view) }
    let isAsExpected = view.id == id
    view.id = id
    view.state = .open
    if !isAsExpected {
      view.announcedLines = nil
      view.announcedSize = nil
      views.announceViewport()
    }
    // A core that has read the journal says where it stands; another one starts from the file.
    if view.recovery == .waiting, !isRecovered { resume(view, handledEdits: 0) }
    guard view.isReady else { return }
    if let position = view.initialPosition {
      view.initialPosition = nil
      views.goto(position, in: view)
    }
    if view.isReadOnly, core.handshake == nil { notices.show("This core does not know read-only views", isAlarm: true) }
  }

  /// It is of the same file, by another name.
  private func give(_ other: EditorView, for view: EditorView) {
    let wasShown = view === views.current
    view.successor = other
    views.remove(view)
    if wasShown { views.show(other) }
    goto(view.initialPosition, whenOpen: other)
  }

  private func openingFailed(_ view: EditorView, _ error: ResponseError) {
    guard error.code != ResponseError.connectionClosedCode else { return }
    guard view.path != nil else {
      core.failure = "the core opens no buffer: \(error.explanation)"
      return
    }
    let name = view.name
    if view.recovery == .waiting, !view.isPristine || unkeptViews.contains(where: { $0 === view }) {
      openWithoutFile(view)
      return notices.show("\(name): \(error.explanation); \(keys.label(of: .saveAs)) saves its text", isAlarm: true)
    }
    if view === views.current, let former = view.former, !former.isRemoved { views.show(former) }
    views.remove(view)
    if views.all.isEmpty { open(path: nil) }
    notices.show("\(name): \(error.explanation)", isAlarm: true)
  }

  /// The file is not what the text was made of, or cannot be had: the text that its journal has, and what was typed since, go on without one.
  func openWithoutFile(_ view: EditorView) {
    (view.lostPath, view.path) = (view.path, nil)
    requestView(view, recoveryID: view.file?.recoveryID)
  }

  /// The text becomes that of the file; what was typed is one undo away.
  func reload() {
    guard let view = views.current else { return }
    guard view.path != nil else { return notices.show("This buffer has no file") }
    gate.whenReady(view) { [weak self] in
      guard let self, let id = view.id else { return }
      guard core.supports(.reload) else { return notices.show("This core does not load files again", isAlarm: true) }
      core.send(.reload(id))
    }
  }

  func setEncoding(_ encoding: TextEncoding, of view: EditorView, readsAgain: Bool) {
    gate.whenReady(view) { [weak self] in
      if let id = view.id { self?.core.send(.setEncoding(id, encoding, readsAgain: readsAgain)) }
    }
  }

  // MARK: Those that were open before

  func noteClosed(_ view: EditorView) {
    guard let path = view.path else { return }
    closed.append((path, view.caretPosition))
    remember([view])
  }

  func reopenClosed() {
    // One that was opened since is no closed one.
    closed.removeAll { views[path: $0.path] != nil }
    guard let last = closed.popLast() else { return notices.refuse("No file was closed") }
    visit(path: last.path, at: last.position, mustExist: true)
  }

  /// Those that were open before, the last one first, without the one that is shown; below the working folder by their paths from there.
  var recentPaths: [String] {
    let shown = views.current?.path?.absolutePath
    let open = views.all.sorted { $0.shownCount > $1.shownCount }.compactMap { $0.path?.absolutePath }
    let all = open + memory[.file].filter { !open.contains($0) }
    return all.filter { $0 != shown }.map(\.fromHere)
  }

  /// Their files can be opened again by their names, the last one first, and where their carets were.
  func remember(_ views: [EditorView]) {
    let files = views.compactMap { view in
      view.file?.isNew == true ? nil : view.path.map { (path: $0.absolutePath, position: lastPosition(in: view)) }
    }
    guard !files.isEmpty else { return }
    memory.note(files.map(\.path), in: .file)
    memory.note(files)
  }

  /// Nil where the next run is to begin at the beginning: git has a new text in a file of the same name.
  private func lastPosition(in view: EditorView) -> FilePosition? {
    let isOfGit = view.path?.absolutePath.split(separator: "/").contains(".git") == true
    guard view.restoresPosition, !isOfGit else { return nil }
    let isFarOff = view.caretPosition == nil && !view.wraps
    return view.initialPosition ?? (isFarOff ? FilePosition(line: view.caret.line + 1) : view.caretPosition)
  }
}

extension ResponseError {
  /// What a person can do something with.
  var explanation: String {
    if let detail = data?.string { return "\(message): \(detail)" }
    return message
  }
}
