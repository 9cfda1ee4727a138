import TextMetrics

/// What is drawn over the text.
extension Editor {
  private static let widestHover = 76

  /// Below the caret where there is room, else above.
  func composeHover(_ text: String, beside caret: CursorPlace?, into grid: inout CellGrid) {
    let caret = caret ?? CursorPlace(row: textTop, column: 0)
    let metrics = CellMetrics(tabSize: 1)
    let (above, below) = (caret.row - textTop, statusRow - caret.row - 1)
    let room = max(above, below, 1)
    var lines = metrics.lines(of: text, width: max(min(columns - 2, Self.widestHover), 1), limit: room + 1)
    if lines.count > room { lines = lines[..<(room - 1)] + ["…"] }
    let width = min((lines.map { metrics.width(of: $0) }.max() ?? 0) + 2, columns)
    let column = max(min(caret.column, columns - width), 0)
    let firstRow = lines.count <= below ? caret.row + 1 : max(caret.row - lines.count, textTop)
    for (offset, line) in lines.enumerated() {
      cover(row: firstRow + offset, columns: column..<column + width, style: styles.theme.bar, into: &grid)
      grid.put(line, row: firstRow + offset, column: column + 1, limit: column + width, style: styles.theme.bar)
    }
  }

  func cover(row: Int, columns: Range<Int>, style: TextStyle, into grid: inout CellGrid) {
    grid.fill(row: row, columns: columns, style: grid.index(of: style))
    // The text below is drawn again when this is gone.
    for index in lastFrame.parts.indices {
      let offset = row - lastFrame.parts[index].area.rows.lowerBound
      if lastFrame.parts[index].rows.indices.contains(offset) { lastFrame.parts[index].rows[offset] = nil }
    }
  }
}

extension CellMetrics {
  /// Text in lines of at most `width` cells, broken at blanks where there are some; not more than `limit` of them.
  func lines(of text: String, width: Int, limit: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var rest = String(paragraph)
      while lines.count < limit, let end = firstBreak(in: rest, width: width) {
        lines.append(String(rest[..<end]))
        rest = String(rest[end...].drop { $0 == " " })
      }
      guard lines.count < limit else { break }
      lines.append(rest)
    }
    return lines
  }

  /// Where a line ends that is too long; nil when it is not.
  private func firstBreak(in line: String, width: Int) -> String.Index? {
    var (blank, end): (Int?, Int?) = (nil, nil)
    forEachCluster(in: line.utf8Span) { cluster in
      if cluster.column + cluster.width > width {
        end = blank ?? max(cluster.byteOffset, cluster.column == 0 ? cluster.byteCount : 0)
        return false
      }
      if line.utf8Span.span[cluster.byteOffset] == 0x20 { blank = cluster.byteOffset }
      return true
    }
    return end.map { line.utf8.index(line.startIndex, offsetBy: $0) }
  }
}
