import TextMetrics

/// What is drawn over the text: choices above the prompt, and what plugins know beside the caret.
extension Editor {
  private static let widestHover = 76
  private static let mostChoices = 10

  func composeOverlay(caret: CursorPlace?, into grid: inout CellGrid) {
    if case .prompt(let prompt) = mode, let choices = prompt.choices {
      composeChoices(choices, into: &grid)
    } else if let hover = plugins.hover {
      composeHover(hover, beside: caret ?? CursorPlace(row: 0, column: 0), into: &grid)
    }
  }

  private func composeChoices(_ choices: ChoiceList, into grid: inout CellGrid) {
    let window = choices.window(of: min(Self.mostChoices, textRows))
    let metrics = CellMetrics(tabSize: 1)
    let titleWidth = window.map { metrics.width(of: choices.all[choices.shown[$0]].title) }.max() ?? 0
    let detailStart = min(titleWidth, columns / 2) + 3
    for (offset, index) in window.enumerated() {
      let choice = choices.all[choices.shown[index]]
      let style = index == choices.selected ? TextStyle.key : .plain
      let row = textRows - window.count + offset
      cover(row: row, columns: 0..<columns, style: style, into: &grid)
      put(choice.title, row: row, column: 1, limit: detailStart - 1, style: style, into: &grid)
      put(choice.detail, row: row, column: detailStart, limit: columns, style: style, into: &grid)
    }
  }

  /// Below the caret where there is room, else above.
  private func composeHover(_ text: String, beside caret: CursorPlace, into grid: inout CellGrid) {
    let metrics = CellMetrics(tabSize: 1)
    let (above, below) = (caret.row, textRows - caret.row - 1)
    let room = max(above, below, 1)
    var lines = metrics.lines(of: text, width: max(min(columns - 2, Self.widestHover), 1), limit: room + 1)
    if lines.count > room { lines = lines[..<(room - 1)] + ["…"] }
    let width = min((lines.map { metrics.width(of: $0) }.max() ?? 0) + 2, columns)
    let column = max(min(caret.column, columns - width), 0)
    let firstRow = lines.count <= below ? caret.row + 1 : max(caret.row - lines.count, 0)
    for (offset, line) in lines.enumerated() {
      cover(row: firstRow + offset, columns: column..<column + width, style: .bar, into: &grid)
      put(line, row: firstRow + offset, column: column + 1, limit: column + width, style: .bar, into: &grid)
    }
  }

  private func cover(row: Int, columns: Range<Int>, style: TextStyle, into grid: inout CellGrid) {
    grid.fill(row: row, columns: columns, style: grid.index(of: style))
    // The text below is drawn again when this is gone.
    if lastFrame.rows.indices.contains(row) { lastFrame.rows[row] = nil }
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
