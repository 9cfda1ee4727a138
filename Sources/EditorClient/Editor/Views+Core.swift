import EditorProtocol
import JSON
import TextMetrics

/// What the core says of a view.
extension Views {
  static let replacingAll = "Replacing all; Esc ends it"

  /// Lets a message change what the core has said of a view, under what is predicted.
  private func reconcile(_ id: ViewID, _ change: (EditorView) -> Void) {
    guard let view = self[id] else { return }
    if !view.reconcile({ change(view) }) { edits.predictions.corrected += 1 }
  }

  func update(_ id: ViewID, with update: ViewUpdate) { reconcile(id) { apply(update, to: $0) } }

  func scroll(_ id: ViewID, to place: LineColumn) {
    reconcile(id) { view in
      move(view, to: place, reveals: true)
      announceViewport()
    }
  }

  func configure(_ id: ViewID, by changes: JSONObject) { reconcile(id) { configure($0, changes) } }

  /// It has come with its line, or follows that; a core may lie.
  private func move(_ view: EditorView, to place: LineColumn, reveals: Bool) {
    view.caret = LineColumn(line: min(place.line, max(view.cache.count - 1, 0)), column: place.column)
    if reveals { view.revealsCaret = true }
  }

  private func apply(_ update: ViewUpdate, to view: EditorView) {
    view.noteCarets()
    let showedCaret = view.viewport.lines.contains(view.caret.line)
    do throws(LineCacheError) {
      try view.cache.apply(update.ops)
    } catch {
      screen.want(.restartCore)
      return
    }
    // What is on the screen stays there when lines come or go above it.
    if let top = update.newIndex(ofLine: view.viewport.topLine) { view.viewport.topLine = top }
    if let line = update.newIndex(ofLine: view.caret.line) { view.caret.line = line }
    for pane in panes.showing(view) { pane.follow(update) }
    view.isPristine = update.pristine
    if !view.isPristine { view.hasOtherText = true }
    view.selections = update.annotations.first { $0.type == "selection" }?.ranges ?? []
    view.regionCounts = update.regionCounts
    view.changes = update.changes
    view.bookmarks = Set(update.bookmarks)
    if let count = update.handledEdits {
      view.log.acknowledge(handled: count, kept: update.keptEdits ?? count)
      if view.log.isHandled { view.resentEnd = nil }
    } else if !core.supports(.editCount) {
      view.log.removeAll()
    }
    if let caret = update.caret { move(view, to: caret, reveals: showedCaret) } else { keepCaretOnCursor(view) }
    if view.viewport.topLine >= max(view.cache.count, 1) {
      view.viewport.topLine = max(view.cache.count - 1, 0)
    }
    announceViewport()
  }

  /// An update without a `scroll_to` may have moved the carets.
  private func keepCaretOnCursor(_ view: EditorView) {
    let isThere = view.caret.line < view.cache.count
    let line = view.cache[view.caret.line]?.line
    guard !isThere || line?.cursors.contains(view.caret.column) == false, let cursor = view.cache.firstCursor
    else { return }
    view.caret = cursor
    view.revealsCaret = true
  }

  private func configure(_ view: EditorView, _ changes: JSONObject) {
    view.indentation.note(changes)
    if let tabSize = changes["tab_size"]?.int {
      // The core's own limits; another one may say anything.
      view.metrics = CellMetrics(tabSize: min(max(tabSize, 1), 1000))
    }
    view.restoresPosition = changes["restore_position"]?.bool ?? view.restoresPosition
    if let numbers = changes["line_numbers"] { screen.use(LineNumbers(numbers)) }
    view.decorate(changes)
    if let margin = changes["scroll_margin"] {
      // Its own limit is that of screens; another core may say anything.
      view.scrollMargin = min(max(margin.int ?? 0, 0), 1000)
    }
    if let wraps = changes["word_wrap"]?.bool {
      view.wraps = wraps
      view.viewport.leftColumn = 0
      view.revealsCaret = true
    }
    announceViewport()
  }

  func learn(_ file: FileInformation, about view: EditorView) {
    let isFirst = view.file == nil
    view.file = file
    if let path = file.path { view.path = path }
    // The end of one that is being loaded is told when it is there.
    if isFirst || view.isLoading {
      view.lacksFinalNewline = !file.hasFinalNewline
      keepFinalNewline(of: view)
    }
    guard isFirst else { return }
    if file.isNew, let contents = view.contentsIfNew { putIn(.paste(contents), atTheStartOf: view) }
    view.contentsIfNew = nil
    if let process = file.usedByProcess {
      notices.alarm("\(view.name) is open in another xiedit (process \(process))")
    } else if file.isNew, view.path != nil, view === current, notices.message == nil, notices.offers.isEmpty {
      notices.show("New file")
    }
  }

  /// A file that ends without one is saved without one.
  func keepFinalNewline(of view: EditorView) {
    guard view.lacksFinalNewline, let id = view.id else { return }
    core.send(.modifyUserConfig(.userOverride(id), changes: ["save_with_newline": false]))
  }

  /// A replacement that takes its time says when it is done, or that it was ended before.
  func follow(_ progress: Progress, in view: EditorView) {
    let (wasRunning, isRunning) = (view.progress != nil, progress.done < progress.total)
    let wasCancelled = view.isCancelling
    view.progress = isRunning ? progress : nil
    if !isRunning { view.isCancelling = false }
    guard progress.task == .replace, wasRunning != isRunning else { return }
    notices.show(isRunning ? Self.replacingAll : wasCancelled ? "Nothing was replaced" : "Replaced all")
  }
}
