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

  /// - Parameter mainCaret: The UTF-8 column that the terminal's own cursor stands at; the other carets are drawn.
  func paint(_ line: CachedLine, row: Int, mainCaret: Int?, into grid: inout CellGrid) {
    let base = grid.index(of: .plain)
    let escape = grid.index(of: .escape)
    let startCell = line.startColumn
    var spans = SpanPainter(line: line, styles: styles, grid: &grid)
    var endCell = startCell
    metrics.forEachCluster(in: line.text.utf8Span, startingAtColumn: startCell) { cluster in
      endCell = cluster.column + cluster.width
      guard endCell > leftColumn else { return true }
      let column = columns.lowerBound + cluster.column - leftColumn
      guard column < columns.upperBound else { return false }
      let style = spans.style(at: line.startColumn + cluster.byteOffset, over: base, in: &grid)
      draw(cluster, of: line, row: row, column: column, style: style, escape: escape, into: &grid)
      return true
    }
    paintLineEnd(line, row: row, endCell: endCell, spans: spans, into: &grid)
    paintCarets(line, row: row, mainCaret: mainCaret, into: &grid)
  }

  private func draw(
    _ cluster: CellCluster, of line: CachedLine, row: Int, column: Int, style: UInt16, escape: UInt16,
    into grid: inout CellGrid
  ) {
    switch cluster.appearance {
    case .text where cluster.byteCount == 1:
      guard column >= columns.lowerBound else { return }
      grid.put(UInt32(line.text.utf8Span.span[cluster.byteOffset]), row: row, column: column, style: style)
    case .text: drawCluster(line.cluster(cluster), cluster.width, row: row, column: column, style: style, into: &grid)
    case .mark:
      drawCluster("\u{25CC}" + line.cluster(cluster), 1, row: row, column: column, style: style, into: &grid)
    case .tab: fill(cluster.width, row: row, column: column, style: style, into: &grid)
    case .escaped:
      let shown = style == 0 ? escape : style
      let text = CellMetrics.escape(of: line.cluster(cluster).unicodeScalars)
      for (offset, byte) in text.utf8.enumerated() where isInside(column + offset) {
        grid.put(UInt32(byte), row: row, column: column + offset, style: shown)
      }
    }
  }

  /// A wide cluster that hangs over an edge is drawn as a blank.
  private func drawCluster(
    _ text: String, _ width: Int, row: Int, column: Int, style: UInt16, into grid: inout CellGrid
  ) {
    if column >= columns.lowerBound, column + width <= columns.upperBound {
      grid.put(cluster: text, width: width, row: row, column: column, style: style)
    } else {
      fill(width, row: row, column: column, style: style, into: &grid)
    }
  }

  private func fill(_ width: Int, row: Int, column: Int, style: UInt16, into grid: inout CellGrid) {
    for covered in (column..<column + width).clamped(to: columns) {
      grid.put(0x20, row: row, column: covered, style: style)
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
    for cursor in line.cursors where cursor != mainCaret {
      let column = columns.lowerBound + metrics.cell(ofColumn: cursor, in: line) - leftColumn
      if isInside(column) { grid.overlay(.caret, row: row, columns: column..<column + 1) }
    }
  }
}

extension CachedLine {
  package var endsInLineEnd: Bool { text.utf8.last == 0x0A }

  /// The text of a cluster, cut after a number of code points that no script reaches.
  fileprivate func cluster(_ cluster: CellCluster) -> String {
    let start = text.utf8.index(text.startIndex, offsetBy: cluster.byteOffset)
    let end = text.utf8.index(start, offsetBy: cluster.byteCount)
    let limit = 24
    guard cluster.byteCount > 4 * limit else { return String(text[start..<end]) }
    return String(String.UnicodeScalarView(text[start..<end].unicodeScalars.prefix(limit)))
  }
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
