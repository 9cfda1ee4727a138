import EditorProtocol
import TextMetrics

/// Draws one line of text into a row of the grid.
struct LinePainter {
  let metrics: CellMetrics
  /// The first cell of the text area, and the cell after it.
  let columns: Range<Int>
  /// The cell of the line that stands at the left edge.
  let leftColumn: Int
  let styles: StyleSheet
  var decoration = Decoration()

  /// - Parameters:
  ///   - mainCaret: The UTF-8 column that the terminal's own cursor stands at; the other carets are drawn.
  ///   - isLast: Whether the text ends with the line.
  func paint(_ line: CachedLine, row: Int, mainCaret: Int?, isLast: Bool = false, into grid: inout CellGrid) {
    let base = grid.index(of: .plain)
    let escape = grid.index(of: .escape)
    let startCell = line.startColumn
    var spans = SpanPainter(line: line, styles: styles, grid: &grid)
    var whitespace = WhitespacePainter(decoration.whitespace, of: line, isLast: isLast, theme: styles.theme)
    var endCell = startCell
    metrics.forEachCluster(in: line.text.utf8Span, startingAtColumn: startCell) { cluster in
      endCell = cluster.column + cluster.width
      guard endCell > leftColumn else { return true }
      let column = columns.lowerBound + cluster.column - leftColumn
      guard column < columns.upperBound else { return false }
      let style = spans.style(at: line.startColumn + cluster.byteOffset, over: base, in: &grid)
      grid.put(
        cluster, of: line.text, row: row, column: column, within: columns, style: style,
        escape: style == 0 ? escape : style)
      if isInside(column) {
        whitespace.paint(cluster, of: line.text, row: row, column: column, over: style, into: &grid)
      }
      return true
    }
    paintLineEnd(line, row: row, endCell: endCell, spans: spans, into: &grid)
    paintCarets(line, row: row, mainCaret: mainCaret, into: &grid)
  }

  /// Tints cells of a row, which may be one below the text.
  func paintRulers(row: Int, into grid: inout CellGrid) {
    for ruler in decoration.rulers {
      let column = columns.lowerBound + ruler - leftColumn
      guard isInside(column) else { continue }
      // The ground may be the very colour that the user's terminal has.
      if !styles.theme.hasOwnRuler { grid.put(onBlank: 0x2502, row: row, column: column, style: styles.theme.guide) }
      grid.tint(styles.theme.ruler, row: row, column: column)
    }
  }

  private func isInside(_ column: Int) -> Bool { columns.contains(column) }

  /// A selection that takes the line end along shows it in one cell.
  private func paintLineEnd(
    _ line: CachedLine, row: Int, endCell: Int, spans: SpanPainter, into grid: inout CellGrid
  ) {
    let column = columns.lowerBound + endCell - leftColumn
    guard isInside(column), line.endsInLineEnd, spans.selectsLineEnd else { return }
    grid.put(0x20, row: row, column: column, style: grid.index(of: styles.theme.selection))
  }

  private func paintCarets(_ line: CachedLine, row: Int, mainCaret: Int?, into grid: inout CellGrid) {
    for cursor in line.cursors where cursor != mainCaret { mark(cursor, of: line, row: row, .caret, into: &grid) }
  }

  /// Lays a style on the cell of a UTF-8 column.
  func mark(_ column: Int, of line: CachedLine, row: Int, _ style: TextStyle, into grid: inout CellGrid) {
    let column = columns.lowerBound + metrics.cell(ofColumn: column, in: line) - leftColumn
    if isInside(column) { grid.overlay(style, row: row, columns: column..<column + 1) }
  }
}

extension CachedLine {
  package var endsInLineEnd: Bool { text.utf8.last == 0x0A }
}

extension CellMetrics {
  /// The cell of a UTF-8 column. In a part of a long line the cells before it count as one a byte.
  func cell(ofColumn column: Int, in line: CachedLine) -> Int {
    guard line.startColumn > 0 else { return self.column(ofByteOffset: column, in: line.text) }
    guard column >= line.startColumn else { return column }
    var cell = line.startColumn
    forEachCluster(in: line.text.utf8Span, startingAtColumn: cell) { cluster in
      cell = cluster.column
      guard column - line.startColumn >= cluster.byteOffset + cluster.byteCount else { return false }
      cell += cluster.width
      return true
    }
    return cell
  }

  /// The UTF-8 column of the cluster that covers a cell.
  func column(ofCell cell: Int, in line: CachedLine) -> Int {
    guard line.startColumn > 0 else { return byteOffset(ofColumn: cell, in: line.text) }
    var offset = 0
    forEachCluster(in: line.text.utf8Span, startingAtColumn: line.startColumn) { cluster in
      offset = cluster.byteOffset
      guard cell >= cluster.column + cluster.width else { return false }
      offset += cluster.byteCount
      return true
    }
    return line.startColumn + offset
  }
}
