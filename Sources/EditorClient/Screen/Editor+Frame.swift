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

    static func == (left: Self, right: Self) -> Bool {
      left.line === right.line && left.number == right.number && left.leftColumn == right.leftColumn
        && left.mainCaret == right.mainCaret && left.gutter == right.gutter && left.tabSize == right.tabSize
    }
  }

  var rows: [Row?] = []
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
    if lastFrame.rows.count != textRows { lastFrame.rows = Array(repeating: nil, count: textRows) }
    if case .help(let line) = mode { return composeHelp(from: line, into: &grid) }
    guard let view else { return nil }
    var cursor = composeText(of: view, into: &grid)
    composeOverlay(caret: cursor, into: &grid)
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
    for row in 0..<textRows {
      let index = viewport.topLine + row
      let entry = view.cache[index]
      let mainCaret = index == view.caret.line ? view.caret.column : nil
      let key = FrameMemory.Row(
        line: entry?.line, number: entry?.number, leftColumn: viewport.leftColumn, mainCaret: mainCaret,
        gutter: gutter, tabSize: view.metrics.tabSize)
      if lastFrame.rows[row] == key { continue }
      lastFrame.rows[row] = key
      grid.clear(row: row)
      guard let entry else { continue }
      composeGutter(entry.number, width: gutter, row: row, into: &grid)
      painter.paint(entry.line, row: row, mainCaret: mainCaret, into: &grid)
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
    return CursorPlace(row: row, column: min(column, columns - 1))
  }

  // MARK: Status line

  private func composeStatus(of view: EditorView, into grid: inout CellGrid) {
    let row = textRows
    grid.clear(row: row, style: grid.index(of: .bar))
    let right = statusDetails(of: view)
    let rightStart = columns - CellMetrics(tabSize: 1).width(of: right) - 1
    var left = " " + view.name
    if !view.isPristine { left += " *" }
    if view.file?.isReadOnly ?? view.isReadOnly { left += " [read-only]" }
    if view.fileHasChanged { left += " [changed on disk]" }
    for item in view.statusItems where item.alignment != "right" { left += "  " + item.value }
    put(left, row: row, column: 0, limit: max(rightStart - 1, columns / 3), style: .bar, into: &grid)
    put(right, row: row, column: max(rightStart, columns / 3 + 1), limit: columns, style: .bar, into: &grid)
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
    if views.count > 1 { parts.append("[\(currentIndex + 1)/\(views.count)]") }
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
    switch mode {
    case .prompt(let prompt): cursor = composePrompt(prompt, row: row, into: &grid)
    case .question(let question):
      let choices = "(" + question.choices + ")"
      let metrics = CellMetrics(tabSize: 1)
      // What can be answered is to be seen in any case.
      let room = max(columns - metrics.width(of: choices) - 1, columns / 2)
      var end = put(question.text, row: row, column: 0, limit: room, style: .alarm, into: &grid)
      if metrics.width(of: question.text) > room {
        end = put("…", row: row, column: room - 1, limit: room, style: .alarm, into: &grid)
      }
      cursor = CursorPlace(row: row, column: min(end + 1, columns - 1))
      put(choices, row: row, column: end + 1, limit: columns, style: .plain, into: &grid)
    case .editing, .help:
      if let message {
        let style = message.isAlarm ? TextStyle.alarm : .plain
        put(message.text + moreAlarms, row: row, column: 0, limit: columns, style: style, into: &grid)
      } else if let offer = shownOffer {
        compose(offer.notice, row: row, into: &grid)
      } else if let waitNotice {
        compose(waitNotice, row: row, into: &grid)
      } else {
        composeHints(row: row, into: &grid)
      }
    }
  }

  /// The keys are to be seen in any case.
  private func compose(_ notice: Notice, row: Int, into grid: inout CellGrid) {
    let metrics = CellMetrics(tabSize: 1)
    let width = notice.keys.reduce(0) { $0 + metrics.width(of: $1.key + $1.label) + 3 }
    let room = max(columns - width, 0)
    var column = put(notice.text, row: row, column: 0, limit: room, style: .alarm, into: &grid)
    if metrics.width(of: notice.text) > room, room > 0 {
      column = put("…", row: row, column: room - 1, limit: room, style: .alarm, into: &grid)
    }
    for key in notice.keys {
      column = put(key.key, row: row, column: column + 2, limit: columns, style: .key, into: &grid)
      column = put(" " + key.label, row: row, column: column, limit: columns, style: .plain, into: &grid)
    }
  }

  private var moreAlarms: String { waitingAlarms.isEmpty ? "" : "  (\(waitingAlarms.count) more)" }

  private func composePrompt(_ prompt: Prompt, row: Int, into grid: inout CellGrid) -> CursorPlace {
    var label = prompt.label
    if prompt.kind == .find || prompt.kind == .replace { label += search.options.label }
    let report =
      message?.text ?? (prompt.kind == .find || prompt.kind == .replace ? matchReport : nil) ?? prompt.note
    let metrics = CellMetrics(tabSize: 1)
    let start = put(label + ": ", row: row, column: 0, limit: columns, style: .plain, into: &grid)
    // What is typed comes first up to the middle, and has a blank for the cursor.
    let typedEnd = start + metrics.width(of: prompt.field.string) + 2
    let reportStart = max(columns - metrics.width(of: report), min(typedEnd, (columns + 1) / 2))
    put(report, row: row, column: reportStart, limit: columns, style: .gutter, into: &grid)
    let room = max((report.isEmpty ? columns : reportStart - 1) - start - 1, 1)
    let caretCell = metrics.width(of: String(prompt.field.text[..<prompt.field.caret]))
    let left = max(caretCell - room, 0)
    let painter = LinePainter(
      metrics: metrics, columns: start..<start + room + 1, leftColumn: left, styles: StyleSheet())
    painter.paint(CachedLine(text: prompt.field.string), row: row, mainCaret: nil, into: &grid)
    return CursorPlace(row: row, column: min(start + caretCell - left, columns - 1))
  }

  private func composeHints(row: Int, into grid: inout CellGrid) {
    let hints = [
      ("^S", "Save"), ("^Q", "Quit"), ("^F", "Find"), ("^R", "Replace"), ("^G", "Line"), ("^O", "Open"),
      ("^Z", "Undo"), ("F1", "Help"),
    ]
    var column = 0
    for (key, action) in hints where column + key.count + action.count + 1 <= columns {
      column = put(key, row: row, column: column, limit: columns, style: .key, into: &grid)
      column = put(" " + action, row: row, column: column, limit: columns, style: .plain, into: &grid) + 2
    }
  }

  // MARK: Help

  private func composeHelp(from first: Int, into grid: inout CellGrid) -> CursorPlace? {
    lastFrame = FrameMemory()
    let lines = Help.lines(columns: columns - 1)
    for row in 0..<rows {
      grid.clear(row: row)
      let line = first + row
      if row < rows - 1, lines.indices.contains(line) {
        put(lines[line], row: row, column: 1, limit: columns, style: .plain, into: &grid)
      }
    }
    let hint = first + rows - 1 < lines.count ? "↑↓ scroll, any other key goes back" : "Any key goes back"
    put(hint, row: rows - 1, column: 0, limit: columns, style: .key, into: &grid)
    return nil
  }

  /// Draws text of any kind in one style.
  /// - Returns: The cell after it.
  @discardableResult
  func put(
    _ text: String, row: Int, column: Int, limit: Int, style: TextStyle, into grid: inout CellGrid
  ) -> Int {
    let index = grid.index(of: style)
    var end = column
    CellMetrics(tabSize: 1).forEachCluster(in: text.utf8Span, startingAtColumn: column) { cluster in
      guard cluster.column + cluster.width <= limit else { return false }
      if cluster.byteCount == 1, cluster.appearance == .text {
        grid.put(UInt32(text.utf8Span.span[cluster.byteOffset]), row: row, column: cluster.column, style: index)
        end = cluster.column + 1
        return true
      }
      let bytes = text.utf8
      let start = bytes.index(bytes.startIndex, offsetBy: cluster.byteOffset)
      let content = String(text[start..<bytes.index(start, offsetBy: cluster.byteCount)])
      switch cluster.appearance {
      case .text: grid.put(cluster: content, width: cluster.width, row: row, column: cluster.column, style: index)
      case .mark: grid.put(cluster: "\u{25CC}" + content, width: 1, row: row, column: cluster.column, style: index)
      case .tab: break
      case .escaped:
        for (offset, byte) in CellMetrics.escape(of: content.unicodeScalars).utf8.enumerated() {
          grid.put(UInt32(byte), row: row, column: cluster.column + offset, style: index)
        }
      }
      end = cluster.column + cluster.width
      return true
    }
    return end
  }
}

extension SearchOptions {
  /// The options that are on.
  fileprivate var label: String {
    var names: [String] = []
    if caseSensitive { names.append("case") }
    if wholeWords { names.append("words") }
    if regex { names.append("regex") }
    return names.isEmpty ? "" : " [" + names.joined(separator: ", ") + "]"
  }
}
