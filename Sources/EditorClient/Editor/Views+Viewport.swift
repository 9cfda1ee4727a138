import EditorProtocol

/// What part of the text is on the screen, and what the core knows of it.
extension Views {
  /// The rows above the text: the tabs, if there are several and room for them.
  var textTop: Int { all.count > 1 && screen.rows > Self.fewestRowsWithTabs ? 1 : 0 }
  private static let fewestRowsWithTabs = 5

  /// The rows of text; below them are the status line and the bottom line.
  var textRows: Int { max(screen.rows - 2 - textTop, 1) }

  /// The row below the text.
  var statusRow: Int { textTop + textRows }

  /// What panes share: the rows of text, and the status line of the lowest.
  var paneArea: ScreenArea {
    ScreenArea(rows: textTop..<(screen.rows > 1 ? statusRow + 1 : statusRow), columns: 0..<screen.columns)
  }

  /// The panes in sight: all, or the one that has the keys where there is no room for more.
  var shownPanes: [(pane: Pane, area: ScreenArea)] {
    let area = paneArea
    return panes.isSplit ? panes.layout.areas(in: area) ?? [(panes.focused, area)] : [(panes.focused, area)]
  }

  /// Where the pane is that has the keys.
  var focusedArea: ScreenArea { shownPanes.first { $0.pane === panes.focused }?.area ?? paneArea }

  /// Makes room for the numbers of lines. Those of a wrapped text are fewer than its rows: there the width follows the numbers in sight,
  /// and never shrinks, as another width makes other rows.
  private func fitGutter(of view: EditorView) {
    let rows = view.viewport.topLine..<view.viewport.topLine + view.viewport.height
    let number = view.wraps ? rows.reversed().lazy.compactMap { view.cache[$0]?.number }.first : view.cache.count
    // With a cell for the sign of a change.
    let digits = max(3, String(number ?? 0).count + 1)
    view.numberDigits = view.wraps ? max(view.numberDigits, digits) : digits
  }

  /// What was in sight stays there; a tiny window has scrolled to its caret alone.
  func screenWasResized() {
    for view in panes.all.compactMap(\.view) {
      view.viewport.leftColumn = 0
      if view.viewport.lines.contains(view.caret.line) { view.revealsCaret = true }
    }
    announceViewport()
    screen.needsDisplay = true
  }

  /// Fits what is shown to the screen and tells the core, if that is news.
  func announceViewport() {
    let shown = shownPanes
    for (pane, _) in shown {
      guard let view = pane.view, view.pane === pane || !shown.contains(where: { $0.pane === view.pane }) else {
        continue
      }
      announceViewport(of: view, in: shown)
    }
  }

  func announceViewport(of view: EditorView) { announceViewport(of: view, in: shownPanes) }

  private func announceViewport(of view: EditorView, in shown: [(pane: Pane, area: ScreenArea)]) {
    let area = shown.first { $0.pane === view.pane }?.area ?? focusedArea
    fitGutter(of: view)
    view.viewport.height = screen.textRows(of: area).count
    let oldWidth = view.viewport.width
    view.viewport.width = textWidth(of: view, in: area)
    if view.viewport.width > oldWidth, view.viewport.leftColumn > 0 {
      // There may be room for what was scrolled away.
      view.viewport.leftColumn = 0
      if view.viewport.lines.contains(view.caret.line) { view.revealsCaret = true }
    }
    revealCaret(of: view)
    let others = fitOthers(of: view, in: shown)
    guard view.takesEdits else { return }
    // All panes have the same rows: they are broken for the narrowest.
    let width = others.reduce(view.viewport.width) { view.wraps ? min($0, $1.width) : $0 }
    let size = (width: width, height: view.viewport.height)
    if view.announcedSize.map({ $0 != size }) ?? true {
      view.announcedSize = size
      edit(view, .resize(width: Double(size.width), height: Double(size.height)))
    }
    let lines = view.viewport.lines
    if view.announcedLines != lines {
      view.announcedLines = lines
      edit(view, .scroll(first: lines.lowerBound, end: lines.upperBound))
    }
    let otherLines = others.map(\.lines)
    if core.supports(.panes), view.announcedOthers != otherLines {
      view.announcedOthers = otherLines
      edit(view, .alsoShown(otherLines))
    } else if !core.supports(.panes), let missing = otherLines.first(where: { view.cache.hasHole(in: $0) }) {
      edit(view, .requestLines(first: missing.lowerBound, end: missing.upperBound))
    }
  }

  private func textWidth(of view: EditorView, in area: ScreenArea) -> Int {
    max(area.columns.count - screen.gutterWidth(of: view, columns: area.columns.count), 1)
  }

  /// The viewports of the panes in sight that show a view in which another one leads.
  private func fitOthers(of view: EditorView, in shown: [(pane: Pane, area: ScreenArea)]) -> [Viewport] {
    shown.compactMap { pane, area in
      guard pane.view === view, pane !== view.pane else { return nil }
      pane.fit(rows: screen.textRows(of: area).count, columns: textWidth(of: view, in: area))
      return pane.viewport
    }
  }

  private func revealCaret(of view: EditorView) {
    guard view.revealsCaret else { return }
    view.viewport = view.viewport(revealing: view.caret.line)
    guard let cell = view.caretCell else { return }
    if view.wraps { view.viewport.leftColumn = 0 } else { view.viewport.reveal(cell: cell) }
    view.revealsCaret = false
  }

  /// Scrolls without moving the caret.
  func scroll(_ pane: Pane, by lines: Int) {
    guard let view = pane.view else { return }
    if view.pane === pane { view.revealsCaret = false }
    pane.scroll(by: lines)
    screen.needsDisplay = true
    announceViewport()
  }
}
