import EditorProtocol
import TextMetrics

/// Where the terminal's own cursor stands; nil hides it.
package struct CursorPlace: Equatable, Sendable {
  package var row: Int
  package var column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// The text of a pane, with its line numbers, and where its cursor is.
extension Screen {
  /// The rows of text of a pane; its last row is its status line.
  func textRows(of area: ScreenArea) -> Range<Int> {
    area.rows.lowerBound..<max(area.rows.upperBound - (rows > 1 ? 1 : 0), area.rows.lowerBound + 1)
  }

  /// The cells of the line numbers, with one for the sign of a change before them, and one blank after them.
  func gutterWidth(of view: EditorView, columns: Int) -> Int {
    let width = view.numberDigits + 1
    return lineNumbers != .off && width < columns / 2 ? width : 0
  }

  func composeText(of pane: Pane, isFocused: Bool, part: Int, into grid: inout CellGrid) {
    guard let view = pane.view else { return }
    let area = frame.parts[part].area
    let columns = area.columns
    let gutter = gutterWidth(of: view, columns: columns.count)
    let viewport = pane.viewport
    let painter = LinePainter(
      metrics: view.metrics, columns: columns.lowerBound + gutter..<columns.upperBound, leftColumn: viewport.leftColumn,
      styles: styles, decoration: view.decoration)
    let origin = view.origin(of: lineNumbers)
    let guides =
      view.decoration.hasGuides
      ? IndentGuides(
        in: view, lines: viewport.topLine..<viewport.topLine + textRows(of: area).count,
        limit: viewport.leftColumn + columns.count) : nil
    let brackets = isFocused ? view.bracketsAtCaret() : []
    for (offset, row) in textRows(of: area).enumerated() {
      let index = viewport.topLine + offset
      let entry = view.cache[index]
      let mainCaret = index == view.caret.line ? view.caret.column : nil
      let key = FrameMemory.Row(
        text: .init(
          line: entry?.line, leftColumn: viewport.leftColumn, mainCaret: mainCaret, gutter: gutter,
          tabSize: view.metrics.tabSize, brackets: brackets.filter { $0.line == index }.map(\.column),
          decoration: view.decoration, isLast: index == view.cache.count - 1,
          guideEnd: guides?.ends[offset] ?? 0),
        number: entry?.number?.counted(from: origin), change: view.changes?.kind(ofLine: index),
        isBookmarked: view.bookmarks.contains(index))
      let damage = frame.show(key, at: offset, ofPart: part)
      if damage == .none { continue }
      let cleared = columns.lowerBound..<(damage == .all ? columns.upperBound : columns.lowerBound + gutter)
      grid.fill(row: row, columns: cleared, style: 0)
      guard let entry else {
        painter.paintRulers(row: row, into: &grid)
        continue
      }
      composeGutter(key, in: columns.lowerBound..<columns.lowerBound + gutter, row: row, into: &grid)
      guard damage == .all else { continue }
      painter.paint(entry.line, row: row, mainCaret: mainCaret, isLast: key.text.isLast, into: &grid)
      for column in key.text.brackets {
        painter.mark(column, of: entry.line, row: row, styles.theme.bracket, into: &grid)
      }
      painter.paintGuides(to: key.text.guideEnd, row: row, into: &grid)
      painter.paintRulers(row: row, into: &grid)
    }
  }

  /// Between panes side by side.
  func composeEdge(of area: ScreenArea, into grid: inout CellGrid) {
    guard area.columns.upperBound < columns else { return }
    let style = grid.index(of: styles.theme.gutter)
    for row in area.rows { grid.put(0x2502, row: row, column: area.columns.upperBound, style: style) }
  }

  private func composeGutter(_ key: FrameMemory.Row, in columns: Range<Int>, row: Int, into grid: inout CellGrid) {
    guard !columns.isEmpty else { return }
    if let change = key.change {
      let sign = grid.index(of: styles.theme.gutter.under(styles.theme.style(of: change)))
      grid.put(change.sign, row: row, column: columns.lowerBound, style: sign)
    }
    guard let number = key.number else { return }
    let style = grid.index(of: key.isBookmarked ? styles.theme.bookmark : styles.theme.gutter)
    var rest = number
    var column = columns.upperBound - 2
    repeat {
      grid.put(UInt32(0x30 + rest % 10), row: row, column: column, style: style)
      rest /= 10
      column -= 1
    } while rest > 0 && column > columns.lowerBound
  }

  func textCursor(of view: EditorView, in area: ScreenArea) -> CursorPlace? {
    let rows = textRows(of: area)
    let row = rows.lowerBound + view.caret.line - view.viewport.topLine
    guard rows.contains(row), let cell = view.caretCell else { return nil }
    let start = area.columns.lowerBound + gutterWidth(of: view, columns: area.columns.count)
    let column = start + cell - view.viewport.leftColumn
    guard column >= start, column <= area.columns.upperBound else { return nil }
    return CursorPlace(row: row, column: min(column, area.columns.upperBound - 1))
  }
}

extension ChangedLines.Kind {
  /// Tells the kinds apart where there are no colours, too.
  fileprivate var sign: UInt32 {
    switch self {
    case .added: 0x2B
    case .modified: 0x7E
    case .removed: 0x2D
    }
  }
}
