import EditorProtocol

/// The views that are open, the panes that show them, and where carets have been.
final class Views {
  private(set) var all: [EditorView] = []
  var panes = Panes()
  private var shownCount = 0
  private var jumps = Jumps()
  let edits: Edits
  let core: CoreLink
  let screen: Screen
  let notices: Notices

  init(_ core: CoreLink, _ screen: Screen, _ notices: Notices) {
    (self.core, self.screen, self.notices) = (core, screen, notices)
    edits = Edits(core, screen, notices)
  }

  /// The one that has the keys, in its pane.
  var current: EditorView? { panes.focused.view }

  /// Its place among all.
  var currentIndex: Int { all.firstIndex { $0 === current } ?? 0 }

  subscript(id: ViewID) -> EditorView? { all.first { $0.id == id } }

  subscript(path path: String) -> EditorView? { all.first { $0.path?.isSamePath(as: path) == true } }

  /// A name for each view, with as many of its folders as tell it from the others. O(views).
  var names: [String] {
    let paths = all.map { ($0.path ?? $0.lostPath ?? $0.name).split(separator: "/") }
    // How many paths end so.
    var counts: [ArraySlice<Substring>: Int] = [:]
    for path in Set(paths) { for count in path.indices { counts[path[count...], default: 0] += 1 } }
    return paths.map { path in
      let start = path.indices.last { counts[path[$0...]] == 1 } ?? path.startIndex
      return path[start...].joined(separator: "/")
    }
  }

  /// Whether nothing of a view would be lost: not what was saved, nor what its core has taken and put in nowhere yet.
  func isClean(_ view: EditorView) -> Bool { view.isPristine && !hasUnkeptText(view) }

  /// Whether a core's end would take something with it that was typed in a view, as far as cores tell.
  func hasUnkeptText(_ view: EditorView) -> Bool {
    core.supports(.editCount) && view.log.hasText && !view.isReadOnly && view.file?.isReadOnly != true
  }

  var isLoading: Bool { all.contains(where: \.isLoading) }

  /// What waits for the text to be loaded is not done; the load goes on.
  func endLoading(of view: EditorView) {
    if let id = view.id, view.isLoading { core.send(.cancel(id)) }
  }

  // MARK: Which are open, and shown

  /// - Parameter isShown: False for one that is opened behind what is shown.
  func add(_ view: EditorView, isShown: Bool) {
    screen.needsDisplay = true
    all.append(view)
    guard isShown else { return }
    view.former = current
    putBack(panes.show(view))
    noteShown()
  }

  /// Shows a view in the pane that has the keys.
  func show(_ view: EditorView?) {
    putBack(panes.show(view))
    noteShown()
    screen.needsDisplay = true
    announceViewport()
  }

  func show(at index: Int) {
    guard all.indices.contains(index) else { return }
    noteJump()
    show(all[index])
  }

  func showNext(by distance: Int) {
    screen.needsDisplay = true
    guard all.count > 1 else { return notices.refuse("This is the only buffer") }
    show(at: (currentIndex + distance + all.count) % all.count)
  }

  /// The pane with the keys shows another view then, or closes when the others show all there are; other panes with this one close.
  func remove(_ view: EditorView) {
    screen.needsDisplay = true
    guard let index = all.firstIndex(where: { $0 === view }) else { return }
    all.remove(at: index)
    view.isRemoved = true
    for pane in panes.showing(view) where pane !== panes.focused { putBack(panes.close(pane)) }
    if view === current {
      let hidden = all[..<min(index + 1, all.count)].reversed() + all[min(index + 1, all.count)...]
      let next = hidden.first { panes.showing($0).isEmpty }
      if next == nil, panes.isSplit { putBack(panes.close(panes.focused)) } else { putBack(panes.show(next)) }
      noteShown()
    }
    announceViewport()
  }

  /// Closes a view without a word.
  func drop(_ view: EditorView) {
    if let id = view.id { core.send(.closeView(id)) }
    remove(view)
  }

  func dropAll() {
    for id in all.compactMap(\.id) { core.send(.closeView(id)) }
    (all, panes) = ([], Panes())
  }

  func noteShown() {
    shownCount += 1
    current?.shownCount = shownCount
  }

  // MARK: Edits

  /// Sends an edit of the view that has the keys.
  func edit(_ command: EditCommand) {
    if let view = current { edits.send(command, of: view, isCurrent: true) }
  }

  func edit(_ view: EditorView, _ command: EditCommand) {
    edits.send(command, of: view, isCurrent: view === current)
  }

  /// The caret stays before it. A view that no core has yet keeps it for the first that does.
  func putIn(_ text: EditCommand, atTheStartOf view: EditorView) {
    // What is no text goes to a core that is known to take it.
    let isKnown = view.takesEdits && (text.isText || core.handshake != nil)
    if !isKnown { view.recovery = .waiting }
    for command in [text, .plain(.moveToBeginningOfDocument)] {
      if isKnown { edit(view, command) } else { view.log.append(command) }
    }
  }

  /// Also where the core that was to make the edits one step has ended: another one may be told of its begin again.
  func endStep(in view: EditorView) {
    let end = EditCommand.plain(.endStep)
    if view.takesEdits || edits.isOrphaned(view) { edit(view, end) } else { view.log.append(end) }
  }

  /// Puts the carets and selections back that were in sight.
  func select(_ carets: EditorView.Carets, in view: EditorView) {
    if let position = carets.position, core.supports(.gotoPosition) { return goto(position, in: view) }
    var previous: LineColumn?
    for range in carets.ranges {
      // A click on a region takes it away: of two that touch, the second begins at its other end.
      let cursors = view.cache[range.lowerBound.line]?.line.cursors ?? []
      let isBackward = range.lowerBound == previous || cursors.contains(range.lowerBound.column)
      let (anchor, active) = isBackward ? (range.upperBound, range.lowerBound) : (range.lowerBound, range.upperBound)
      edit(view, .gesture(anchor, .select(.point, multi: previous != nil)))
      if !range.isEmpty { edit(view, .gesture(active, .selectExtend(.point))) }
      previous = range.upperBound
    }
  }

  func putBack(_ returned: Panes.Returned) {
    for (carets, view) in returned { select(carets, in: view) }
  }

  // MARK: Places

  func goto(_ position: FilePosition, in view: EditorView) {
    if position == .end {
      edit(view, .plain(.moveToEndOfDocument))
    } else if core.supports(.gotoPosition) {
      edit(view, .gotoPosition(line: position.line - 1, character: position.column - 1))
    } else {
      edit(view, .gotoLine(position.line - 1))
      for _ in 1..<max(min(position.column, 1000), 1) { edit(view, .plain(.moveRight)) }
    }
  }

  private var place: Jumps.Place? {
    guard let view = current, view.state == .open, let position = view.caretPosition else { return nil }
    return Jumps.Place(view: view, path: view.path, position: position)
  }

  /// Called before a jump.
  func noteJump() { if let place { jumps.note(place) } }

  /// Where the caret is to go, back or forward; nil where there is no such place.
  func takeJump(forward: Bool) -> Jumps.Place? { jumps.pop(forward: forward, from: place) }
}

extension EditCommand {
  fileprivate var isText: Bool { if case .insertBytes = self { false } else { true } }
}
