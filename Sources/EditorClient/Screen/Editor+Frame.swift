import EditorProtocol
import TextMetrics

/// What the last frame showed in each row of text, so that a row that is the same is not drawn again.
struct FrameMemory {
  struct Row: Equatable {
    /// Kept alive, so that no other line can take its identity.
    var line: CachedLine?
    var number: Int?
    var leftColumn = 0
    var mainCaret: Int?
    var gutter = 0
    var tabSize = 0
    var brackets: [Int] = []

    static func == (left: Self, right: Self) -> Bool {
      left.line === right.line && left.number == right.number && left.leftColumn == right.leftColumn
        && left.mainCaret == right.mainCaret && left.gutter == right.gutter && left.tabSize == right.tabSize
        && left.brackets == right.brackets
    }
  }

  struct Tabs: Equatable {
    var names: [String?]
    var isClean: [Bool]
    var current: Int
    var columns: Int
  }

  /// A pane, and what its rows of text have shown.
  struct Part {
    var area: ScreenArea
    var rows: [Row?]
  }

  var parts: [Part] = []
  var tabs: Tabs?
  /// The bottom line shows the hints.
  var showsHints = false
}

/// Where the terminal's own cursor stands; nil hides it.
package struct CursorPlace: Equatable, Sendable {
  package var row: Int
  package var column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

extension Editor {
  /// Draws the frame: text, status line, bottom line.
  /// - Returns: Where the cursor is.
  package func compose(into grid: inout CellGrid) -> CursorPlace? {
    needsDisplay = false
    noteSeenOffer()
    if grid.columns != columns || grid.rows != rows {
      grid.resize(columns: columns, rows: rows)
      lastFrame = FrameMemory()
    }
    let shown = shownPanes
    if lastFrame.parts.map(\.area) != shown.map(\.area) {
      lastFrame.parts = shown.map {
        .init(area: $0.area, rows: Array(repeating: nil, count: textRows(of: $0.area).count))
      }
      lastFrame.tabs = nil
    }
    if textTop > 0 { composeTabs(into: &grid) }
    if let mode, mode.coversText {
      lastFrame = FrameMemory()
      return mode.compose(into: &grid)
    }
    guard let view else { return nil }
    var cursor: CursorPlace?
    for (index, part) in shown.enumerated() {
      composeText(of: part.pane, part: index, into: &grid)
      composeEdge(of: part.area, into: &grid)
      if rows > 1 { composeStatus(of: part.pane, in: part.area, into: &grid) }
      if part.pane === panes.focused { cursor = textCursor(of: view, in: part.area) }
    }
    if let text = hover.text { composeHover(text, beside: cursor, into: &grid) }
    // What waits for a key is seen on the smallest screen, too.
    if rows > 2 || rows > 0 && !showsTextOnly { composeBottom(of: view, cursor: &cursor, into: &grid) }
    return cursor
  }

  /// Everything is drawn again next time, also in a grid that is as it was.
  package func forgetFrame() {
    lastFrame = FrameMemory()
    needsDisplay = true
  }

  // MARK: Text

  private func composeText(of pane: Pane, part: Int, into grid: inout CellGrid) {
    guard let view = pane.view else { return }
    let area = lastFrame.parts[part].area
    let columns = area.columns
    let gutter = gutterWidth(of: view, columns: columns.count)
    let viewport = pane.viewport
    let painter = LinePainter(
      metrics: view.metrics, columns: columns.lowerBound + gutter..<columns.upperBound, leftColumn: viewport.leftColumn,
      styles: styles)
    let brackets = pane === panes.focused ? view.bracketsAtCaret() : []
    for (offset, row) in textRows(of: area).enumerated() {
      let index = viewport.topLine + offset
      let entry = view.cache[index]
      let mainCaret = index == view.caret.line ? view.caret.column : nil
      let key = FrameMemory.Row(
        line: entry?.line, number: entry?.number, leftColumn: viewport.leftColumn, mainCaret: mainCaret,
        gutter: gutter, tabSize: view.metrics.tabSize, brackets: brackets.filter { $0.line == index }.map(\.column))
      if lastFrame.parts[part].rows[offset] == key { continue }
      lastFrame.parts[part].rows[offset] = key
      grid.fill(row: row, columns: columns, style: 0)
      guard let entry else { continue }
      composeGutter(entry.number, in: columns.lowerBound..<columns.lowerBound + gutter, row: row, into: &grid)
      painter.paint(entry.line, row: row, mainCaret: mainCaret, into: &grid)
      for column in key.brackets { painter.mark(column, of: entry.line, row: row, styles.theme.bracket, into: &grid) }
    }
  }

  /// Between panes side by side.
  private func composeEdge(of area: ScreenArea, into grid: inout CellGrid) {
    guard area.columns.upperBound < columns else { return }
    let style = grid.index(of: styles.theme.gutter)
    for row in area.rows { grid.put(0x2502, row: row, column: area.columns.upperBound, style: style) }
  }

  private func composeGutter(_ number: Int?, in columns: Range<Int>, row: Int, into grid: inout CellGrid) {
    guard !columns.isEmpty, let number else { return }
    let style = grid.index(of: styles.theme.gutter)
    var rest = number
    var column = columns.upperBound - 2
    repeat {
      grid.put(UInt32(0x30 + rest % 10), row: row, column: column, style: style)
      rest /= 10
      column -= 1
    } while rest > 0 && column >= columns.lowerBound
  }

  private func textCursor(of view: EditorView, in area: ScreenArea) -> CursorPlace? {
    let rows = textRows(of: area)
    let row = rows.lowerBound + view.caret.line - view.viewport.topLine
    guard rows.contains(row), let cell = view.caretCell else { return nil }
    let start = area.columns.lowerBound + gutterWidth(of: view, columns: area.columns.count)
    let column = start + cell - view.viewport.leftColumn
    guard column >= start, column <= area.columns.upperBound else { return nil }
    return CursorPlace(row: row, column: min(column, area.columns.upperBound - 1))
  }

  // MARK: Status line

  private func composeStatus(of pane: Pane, in area: ScreenArea, into grid: inout CellGrid) {
    guard let view = pane.view else { return }
    let isFocused = pane === panes.focused
    let style = isFocused ? styles.theme.bar : styles.theme.quietBar
    let (row, columns) = (area.rows.upperBound - 1, area.columns)
    grid.fill(row: row, columns: columns, style: grid.index(of: style))
    let right = isFocused ? statusDetails(of: view) : ""
    let rightStart = columns.upperBound - CellMetrics(tabSize: 1).width(of: right) - 1
    let third = columns.lowerBound + columns.count / 3
    var left = " " + view.name
    if !view.isPristine { left += " *" }
    if view.file?.isReadOnly ?? view.isReadOnly { left += " [read-only]" }
    if view.fileHasChanged { left += " [changed on disk]" }
    for item in view.statusItems where item.alignment != "right" { left += "  " + item.value }
    grid.put(left, row: row, column: columns.lowerBound, limit: max(rightStart - 1, third), style: style)
    grid.put(right, row: row, column: max(rightStart, third + 1), limit: columns.upperBound, style: style)
  }

  private func statusDetails(of view: EditorView) -> String {
    var parts: [String] = view.statusItems.filter { $0.alignment == "right" }.map(\.value)
    if let progress = view.progress, progress.total > 0 {
      parts.append("\(progress.task.rawValue) \(progress.done * 100 / progress.total) %")
    }
    let regions = view.regionCounts?.all ?? view.selections.count
    let selected = view.regionCounts?.selections ?? view.selections.count { !$0.isEmpty }
    if selected > 0 { parts.append(selected == 1 ? "selection" : "\(selected) selections") }
    if regions > max(selected, 1) { parts.append("\(regions) carets") }
    let number = view.logicalNumber(ofLine: view.caret.line) ?? (view.wraps ? nil : view.caret.line + 1)
    let line = number.map(String.init) ?? "?"
    let column = view.caretCharacter.map { String($0 + 1) } ?? "?"
    let total = view.wraps ? "" : "/\(max(view.cache.count, 1))"
    parts.append("Ln \(line)\(total), Col \(column)")
    if let file = view.file { parts.append("\(file.encoding?.rawValue ?? "binary") \(file.lineEnding.rawValue)") }
    if views.count > 1, textTop == 0 { parts.append("[\(currentIndex + 1)/\(views.count)]") }
    return parts.joined(separator: "  ")
  }

  // MARK: Bottom line

  private func composeBottom(of view: EditorView, cursor: inout CursorPlace?, into grid: inout CellGrid) {
    let row = rows - 1
    let showsHints = showsTextOnly
    if showsHints, lastFrame.showsHints { return }
    lastFrame.showsHints = showsHints
    cover(row: row, columns: 0..<columns, style: .plain, into: &grid)
    if isWaitShown, var notice = waitNotice {
      if let restart = shownOffer?.notice.keys.first { notice.keys.append(restart) }
      compose(notice, row: row, into: &grid)
    } else if let mode {
      cursor = mode.compose(into: &grid) ?? cursor
    } else if !pendingKeys.isEmpty {
      composePendingKeys(row: row, into: &grid)
    } else if let message, let line = notices.line {
      let isWhole = line.isWhole && CellMetrics(tabSize: 1).width(of: line.text) <= columns
      let key = isWhole ? nil : keyMap.labels(of: .action(.messages)).first
      let notice = Notice(text: line.text, keys: key.map { [.init(key: $0, label: "all")] } ?? [])
      compose(notice, style: message.isAlarm ? .alarm : .plain, row: row, into: &grid)
    } else if let offer = shownOffer {
      compose(offer.notice, row: row, into: &grid)
    } else if let waitNotice {
      compose(waitNotice, row: row, into: &grid)
    } else {
      composeHints(row: row, into: &grid)
    }
  }

  /// The keys are to be seen in any case.
  private func compose(_ notice: Notice, style: TextStyle = .alarm, row: Int, into grid: inout CellGrid) {
    let metrics = CellMetrics(tabSize: 1)
    let width = notice.keys.reduce(0) { $0 + metrics.width(of: $1.key + $1.label) + 3 }
    var column = grid.put(
      shortened: notice.text, row: row, column: 0, limit: max(columns - width, 0), style: style)
    for key in notice.keys {
      column = grid.put(key.key, row: row, column: column + 2, limit: columns, style: .key)
      column = grid.put(" " + key.label, row: row, column: column, limit: columns, style: .plain)
    }
  }

  private func composeHints(row: Int, into grid: inout CellGrid) {
    let hints: [(Command, String)] = [
      (.action(.save), "Save"), (.action(.quit), "Quit"), (.action(.find), "Find"), (.action(.replace), "Replace"),
      (.action(.goto), "Line"), (.action(.open), "Open"), (.edit(.undo), "Undo"), (.action(.help), "Help"),
    ]
    var column = 0
    for (command, action) in hints {
      guard let key = keyMap.labels(of: command).first, column + key.count + action.count + 1 <= columns else {
        continue
      }
      column = grid.put(key, row: row, column: column, limit: columns, style: .key)
      column = grid.put(" " + action, row: row, column: column, limit: columns, style: .plain) + 2
    }
  }
}
