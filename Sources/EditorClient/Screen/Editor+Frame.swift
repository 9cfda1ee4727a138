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

  var rows: [Row?] = []
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
    if grid.columns != columns || grid.rows != rows {
      grid.resize(columns: columns, rows: rows)
      lastFrame = FrameMemory()
    }
    if lastFrame.rows.count != textRows {
      lastFrame.rows = Array(repeating: nil, count: textRows)
      lastFrame.tabs = nil
    }
    if textTop > 0 { composeTabs(into: &grid) }
    if let mode, mode.coversText {
      lastFrame = FrameMemory()
      return mode.compose(into: &grid)
    }
    guard let view else { return nil }
    var cursor = composeText(of: view, into: &grid)
    if let text = hover.text { composeHover(text, beside: cursor, into: &grid) }
    if rows > 1 { composeStatus(of: view, into: &grid) }
    if rows > 2 { composeBottom(of: view, cursor: &cursor, into: &grid) }
    return cursor
  }

  /// Everything is drawn again next time, also in a grid that is as it was.
  package func forgetFrame() {
    lastFrame = FrameMemory()
    needsDisplay = true
  }

  // MARK: Text

  private func composeText(of view: EditorView, into grid: inout CellGrid) -> CursorPlace? {
    let gutter = gutterWidth(of: view)
    let viewport = view.viewport
    let painter = LinePainter(
      metrics: view.metrics, columns: gutter..<columns, leftColumn: viewport.leftColumn, styles: styles)
    let brackets = view.bracketsAtCaret()
    for row in 0..<textRows {
      let index = viewport.topLine + row
      let entry = view.cache[index]
      let mainCaret = index == view.caret.line ? view.caret.column : nil
      let key = FrameMemory.Row(
        line: entry?.line, number: entry?.number, leftColumn: viewport.leftColumn, mainCaret: mainCaret,
        gutter: gutter, tabSize: view.metrics.tabSize, brackets: brackets.filter { $0.line == index }.map(\.column))
      if lastFrame.rows[row] == key { continue }
      lastFrame.rows[row] = key
      grid.clear(row: textTop + row)
      guard let entry else { continue }
      composeGutter(entry.number, width: gutter, row: textTop + row, into: &grid)
      painter.paint(entry.line, row: textTop + row, mainCaret: mainCaret, into: &grid)
      for column in key.brackets {
        painter.mark(column, of: entry.line, row: textTop + row, .bracket, into: &grid)
      }
    }
    return textCursor(of: view, gutter: gutter)
  }

  private func composeGutter(_ number: Int?, width: Int, row: Int, into grid: inout CellGrid) {
    guard width > 0, let number else { return }
    let style = grid.index(of: styles.theme.gutter)
    var rest = number
    var column = width - 2
    repeat {
      grid.put(UInt32(0x30 + rest % 10), row: row, column: column, style: style)
      rest /= 10
      column -= 1
    } while rest > 0 && column >= 0
  }

  private func textCursor(of view: EditorView, gutter: Int) -> CursorPlace? {
    let row = view.caret.line - view.viewport.topLine
    guard (0..<textRows).contains(row), let cell = view.caretCell else { return nil }
    let column = gutter + cell - view.viewport.leftColumn
    guard column >= gutter, column <= columns else { return nil }
    return CursorPlace(row: textTop + row, column: min(column, columns - 1))
  }

  // MARK: Status line

  private func composeStatus(of view: EditorView, into grid: inout CellGrid) {
    let row = statusRow
    grid.clear(row: row, style: grid.index(of: .bar))
    let right = statusDetails(of: view)
    let rightStart = columns - CellMetrics(tabSize: 1).width(of: right) - 1
    var left = " " + view.name
    if !view.isPristine { left += " *" }
    if view.file?.isReadOnly ?? view.isReadOnly { left += " [read-only]" }
    if view.fileHasChanged { left += " [changed on disk]" }
    for item in view.statusItems where item.alignment != "right" { left += "  " + item.value }
    grid.put(left, row: row, column: 0, limit: max(rightStart - 1, columns / 3), style: .bar)
    grid.put(right, row: row, column: max(rightStart, columns / 3 + 1), limit: columns, style: .bar)
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
    grid.clear(row: row)
    if holdsInput, let waitNotice {
      compose(waitNotice, row: row, into: &grid)
      return
    }
    if let mode {
      cursor = mode.compose(into: &grid) ?? cursor
    } else if !pendingKeys.isEmpty {
      composePendingKeys(row: row, into: &grid)
    } else if let message {
      let style = message.isAlarm ? TextStyle.alarm : .plain
      grid.put(message.text + moreAlarms, row: row, column: 0, limit: columns, style: style)
    } else if let offer = shownOffer {
      compose(offer.notice, row: row, into: &grid)
    } else if let waitNotice {
      compose(waitNotice, row: row, into: &grid)
    } else {
      composeHints(row: row, into: &grid)
    }
  }

  /// The keys are to be seen in any case.
  private func compose(_ notice: Notice, row: Int, into grid: inout CellGrid) {
    let metrics = CellMetrics(tabSize: 1)
    let width = notice.keys.reduce(0) { $0 + metrics.width(of: $1.key + $1.label) + 3 }
    var column = grid.put(
      shortened: notice.text, row: row, column: 0, limit: max(columns - width, 0), style: .alarm)
    for key in notice.keys {
      column = grid.put(key.key, row: row, column: column + 2, limit: columns, style: .key)
      column = grid.put(" " + key.label, row: row, column: column, limit: columns, style: .plain)
    }
  }

  private var moreAlarms: String { waitingAlarms.isEmpty ? "" : "  (\(waitingAlarms.count) more)" }

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
