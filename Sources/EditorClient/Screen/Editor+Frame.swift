import TextMetrics

extension Editor {
  /// Draws the frame: text, status line, bottom line.
  /// - Returns: Where the cursor is.
  package func compose(into grid: inout CellGrid) -> CursorPlace? {
    screen.needsDisplay = false
    noteSeenOffer()
    if grid.columns != screen.columns || grid.rows != screen.rows || grid.isFull {
      grid.resize(columns: screen.columns, rows: screen.rows)
      screen.frame = FrameMemory()
    }
    let shown = views.shownPanes
    screen.frame.begin(shown.map(\.area)) { screen.textRows(of: $0).count }
    if views.textTop > 0 { views.composeTabs(into: &grid) }
    if let mode, mode.coversText {
      screen.frame = FrameMemory()
      return mode.compose(into: &grid)
    }
    guard let view else { return nil }
    var cursor: CursorPlace?
    let place = views.all.count > 1 && views.textTop == 0 ? "[\(views.currentIndex + 1)/\(views.all.count)]" : nil
    for (index, (pane, area)) in shown.enumerated() {
      let isFocused = pane === views.panes.focused
      screen.composeText(of: pane, isFocused: isFocused, part: index, into: &grid)
      screen.composeEdge(of: area, into: &grid)
      if screen.rows > 1 {
        screen.composeStatus(of: pane, isFocused: isFocused, place: place, in: area, into: &grid)
      }
      if isFocused { cursor = screen.textCursor(of: view, in: area) }
    }
    let rows = views.textTop..<views.statusRow
    if let text = hover.text { screen.composeHover(text, beside: cursor, in: rows, into: &grid) }
    // What waits for a key is seen on the smallest screen, too.
    if screen.rows > 2 || screen.rows > 0 && !showsTextOnly { composeBottom(of: view, cursor: &cursor, into: &grid) }
    return cursor
  }

  private func composeBottom(of view: EditorView, cursor: inout CursorPlace?, into grid: inout CellGrid) {
    let row = screen.rows - 1
    let showsHints = showsTextOnly
    if showsHints, screen.frame.showsHints { return }
    screen.frame.showsHints = showsHints
    screen.cover(row: row, columns: 0..<screen.columns, style: .plain, into: &grid)
    if gate.isWaitShown, var notice = gate.waitNotice {
      if let restart = shownOffer?.notice.keys.first { notice.keys.append(restart) }
      screen.compose(notice, row: row, into: &grid)
    } else if let mode {
      cursor = mode.compose(into: &grid) ?? cursor
    } else if keys.hasChord {
      keys.composeChord(row: row, into: &grid)
    } else if let message = notices.message, let line = notices.line {
      let isWhole = line.isWhole && CellMetrics(tabSize: 1).width(of: line.text) <= screen.columns
      let key = isWhole ? nil : keys.map.labels(of: .action(.messages)).first
      let notice = Notice(text: line.text, keys: key.map { [.init(key: $0, label: "all")] } ?? [])
      screen.compose(notice, style: message.isAlarm ? .alarm : .plain, row: row, into: &grid)
    } else if let offer = shownOffer {
      screen.compose(offer.notice, row: row, into: &grid)
    } else if let waitNotice = gate.waitNotice {
      screen.compose(waitNotice, row: row, into: &grid)
    } else {
      screen.composeHints(keys.map, row: row, into: &grid)
    }
  }

  /// What the window is to be called, where that is news.
  package func takeTitle() -> String? { view.flatMap { screen.takeTitle(of: $0, isClean: views.isClean($0)) } }
}
