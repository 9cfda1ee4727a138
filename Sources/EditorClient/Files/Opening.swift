import EditorProtocol
import JSON
import JSONRPC

/// Opening views, and the one that is shown.
extension Editor {
  /// The id that a core gives its first view (XI front-end protocol, `new_view`).
  private static let firstViewID = ViewID("view-id-1")

  /// Opens a file, new or not; without a path an empty buffer.
  /// - Parameter mustExist: It was there before: a new one is not what is meant.
  package func open(
    path: String?, isReadOnly: Bool = false, at position: FilePosition? = nil, mustExist: Bool = false
  ) {
    // By another name the core knows it: its disk need not be this side's.
    noteJump()
    if let path, let view = views.first(where: { $0.path?.isSamePath(as: path) == true }) {
      show(view)
      return goto(position, whenOpen: view)
    }
    let last = position ?? path.flatMap { memory.place(inFile: $0.absolutePath) }
    let new = EditorView(path: path, isReadOnly: isReadOnly, initialPosition: last)
    new.mustExist = mustExist
    open(new)
  }

  /// Text for the buffer that was opened last, as one undo step; the caret stays at its start.
  package func insert(_ text: String) {
    guard let view, !text.isEmpty else { return }
    view.initialText = text
    if view.takesEdits { putInInitialText(of: view) }
  }

  private func putInInitialText(of view: EditorView) {
    guard !view.initialText.isEmpty else { return }
    putIn(view.initialText, atTheStartOf: view)
    view.initialText = ""
  }

  /// The caret stays before it.
  func putIn(_ text: String, atTheStartOf view: EditorView) {
    edit(view, .paste(text))
    edit(view, .plain(.moveToBeginningOfDocument))
  }

  private func goto(_ position: FilePosition?, whenOpen view: EditorView) {
    guard let position else { return }
    if view.state == .open { goto(position, in: view) } else { view.initialPosition = position }
  }

  package func showFirstView() {
    show(views.first)
  }

  func open(_ view: EditorView, recoveryID: String? = nil) {
    screen.needsDisplay = true
    if views.isEmpty { view.id = Self.firstViewID }
    views.append(view)
    view.former = self.view
    putBack(panes.show(view))
    noteShown()
    // Its edits are counted on from those that it has.
    if recoveryID != nil { view.recovery = .waiting }
    requestView(view, recoveryID: recoveryID)
    announceViewport()
  }

  /// Opens a view, and shows what was shown.
  func openBehind(_ view: EditorView) {
    screen.needsDisplay = true
    views.append(view)
    requestView(view, recoveryID: nil)
  }

  /// Asks the core for a view; its edits follow at once if the id is known, else after the answer.
  func requestView(_ view: EditorView, recoveryID: String?) {
    let mayBeOpen = view.path != nil && view.recovery == .none && views.count > 1
    let request = NewView(
      path: view.path, isReadOnly: view.isReadOnly, recoveryID: recoveryID, reusesView: mayBeOpen,
      mustExist: view.mustExist && view.file == nil)
    wait(to: "open \(view.name)", .passes, until: { [weak self] in self?.readiness(of: view) ?? .failed })
    core.request(.newView(request)) { [weak self, weak view] result in
      guard let self, let view else { return }
      switch result {
      case .success(let id): opened(view, as: ViewID(id.string ?? ""), isRecovered: recoveryID != nil)
      case .failure(let error): openingFailed(view, error)
      }
    }
  }

  private func opened(_ view: EditorView, as id: ViewID, isRecovered: Bool) {
    if let other = views.first(where: { $0 !== view && $0.id == id }) { return give(other, for: view) }
    let isAsExpected = view.id == id
    view.id = id
    view.state = .open
    if !isAsExpected {
      view.announcedLines = nil
      view.announcedSize = nil
      announceViewport()
    }
    if view.recovery == .waiting {
      // A core that has read the journal says so; another one starts from the file.
      if !isRecovered { resume(view, handledEdits: 0) }
      return
    }
    putInInitialText(of: view)
    if let position = view.initialPosition {
      view.initialPosition = nil
      goto(position, in: view)
    }
    if view.isReadOnly, core.handshake == nil { show("This core does not know read-only views", isAlarm: true) }
  }

  /// It is of the same file, by another name.
  private func give(_ other: EditorView, for view: EditorView) {
    let wasShown = view === self.view
    view.successor = other
    remove(view)
    if wasShown { show(other) }
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
      return show("\(name): \(error.explanation); \(keys(of: .saveAs)) saves its text", isAlarm: true)
    }
    if view === self.view, let former = view.former, !former.isRemoved { show(former) }
    remove(view)
    if views.isEmpty { open(path: nil) }
    show("\(name): \(error.explanation)", isAlarm: true)
  }

  /// The file is not what the text was made of, or cannot be had: the text that its journal has, and what was typed since, go on without one.
  func openWithoutFile(_ view: EditorView) {
    (view.lostPath, view.path) = (view.path, nil)
    requestView(view, recoveryID: view.file?.recoveryID)
  }

  func switchView(by distance: Int) {
    screen.needsDisplay = true
    guard views.count > 1 else { return show("This is the only buffer") }
    show(viewAt: (currentIndex + distance + views.count) % views.count)
  }

  /// The pane with the keys shows another view then, or closes when the others show all there are; other panes with this one close.
  func remove(_ view: EditorView) {
    screen.needsDisplay = true
    guard let index = views.firstIndex(where: { $0 === view }) else { return }
    views.remove(at: index)
    view.isRemoved = true
    for pane in panes.showing(view) where pane !== panes.focused { putBack(panes.close(pane)) }
    if view === self.view {
      let hidden = views[..<min(index + 1, views.count)].reversed() + views[min(index + 1, views.count)...]
      let next = hidden.first { panes.showing($0).isEmpty }
      if next == nil, panes.isSplit { putBack(panes.close(panes.focused)) } else { putBack(panes.show(next)) }
      noteShown()
    }
    announceViewport()
  }

  /// The text becomes that of the file; what was typed is one undo away.
  func reload() {
    guard let view else { return }
    guard view.path != nil else { return show("This buffer has no file") }
    whenReady(view) { [weak self] in
      guard let self, let id = view.id else { return }
      guard core.supports(.reload) else { return show("This core does not load files again", isAlarm: true) }
      core.send(.reload(id))
    }
  }
}

extension ResponseError {
  /// What a person can do something with.
  var explanation: String {
    if let detail = data?.string { return "\(message): \(detail)" }
    return message
  }
}
