import EditorProtocol
import TextMetrics

/// The lines below the text, and what is drawn over it.
extension Screen {
  /// - Parameter place: Of the view among all, where there are no tabs.
  func composeStatus(of pane: Pane, isFocused: Bool, place: String?, in area: ScreenArea, into grid: inout CellGrid) {
    guard let view = pane.view else { return }
    let style = isFocused ? styles.theme.bar : styles.theme.quietBar
    let (row, columns) = (area.rows.upperBound - 1, area.columns)
    grid.fill(row: row, columns: columns, style: grid.index(of: style))
    let right = isFocused ? view.statusDetails(place: place) : ""
    let rightStart = columns.upperBound - CellMetrics(tabSize: 1).width(of: right) - 1
    let third = columns.lowerBound + columns.count / 3
    var left = " " + view.name
    if !view.isPristine { left += " *" }
    if view.file?.isReadOnly ?? view.isReadOnly { left += " [read-only]" }
    if view.file?.isGone == true { left += " [gone from disk]" }
    if view.fileHasChanged { left += " [changed on disk]" }
    if view.file?.isInMemoryOnly == true, view.file?.isReadOnly == false { left += " [kept nowhere]" }
    if isFocused, isRecording { left += " [recording]" }
    for item in view.statusItems where item.alignment != "right" { left += "  " + item.value }
    grid.put(left, row: row, column: columns.lowerBound, limit: max(rightStart - 1, third), style: style)
    grid.put(right, row: row, column: max(rightStart, third + 1), limit: columns.upperBound, style: style)
  }

  private static let widestHover = 76

  /// Below the caret where there is room, else above.
  ///
  /// - Parameter textRows: Of the whole screen.
  func composeHover(_ text: String, beside caret: CursorPlace?, in textRows: Range<Int>, into grid: inout CellGrid) {
    let caret = caret ?? CursorPlace(row: textRows.lowerBound, column: 0)
    let metrics = CellMetrics(tabSize: 1)
    let (above, below) = (caret.row - textRows.lowerBound, textRows.upperBound - caret.row - 1)
    let room = max(above, below, 1)
    var lines = metrics.lines(of: text, width: max(min(columns - 2, Self.widestHover), 1), limit: room + 1)
    if lines.count > room { lines = lines[..<(room - 1)] + ["…"] }
    let width = min((lines.map { metrics.width(of: $0) }.max() ?? 0) + 2, columns)
    let column = max(min(caret.column, columns - width), 0)
    let firstRow = lines.count <= below ? caret.row + 1 : max(caret.row - lines.count, textRows.lowerBound)
    for (offset, line) in lines.enumerated() {
      cover(row: firstRow + offset, columns: column..<column + width, style: styles.theme.bar, into: &grid)
      grid.put(line, row: firstRow + offset, column: column + 1, limit: column + width, style: styles.theme.bar)
    }
  }

  func cover(row: Int, columns: Range<Int>, style: TextStyle, into grid: inout CellGrid) {
    grid.fill(row: row, columns: columns, style: grid.index(of: style))
    frame.forget(row: row)
  }

  // MARK: Bottom line

  /// The keys are to be seen in any case.
  func compose(_ notice: Notice, style: TextStyle = .alarm, row: Int, into grid: inout CellGrid) {
    let metrics = CellMetrics(tabSize: 1)
    let width = notice.keys.reduce(0) { $0 + metrics.width(of: $1.key + $1.label) + 3 }
    var column = grid.put(
      shortened: notice.text, row: row, column: 0, limit: max(columns - width, 0), style: style)
    for key in notice.keys {
      column = grid.put(key.key, row: row, column: column + 2, limit: columns, style: .key)
      column = grid.put(" " + key.label, row: row, column: column, limit: columns, style: .plain)
    }
  }

  func composeHints(_ keyMap: KeyMap, row: Int, into grid: inout CellGrid) {
    let session: [(Command, String)] = offersSession ? [(.action(.reopenSession), "Last files")] : []
    let hints =
      session + [
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

extension EditorView {
  fileprivate func statusDetails(place: String?) -> String {
    var parts: [String] = statusItems.filter { $0.alignment == "right" }.map(\.value)
    if let progress, progress.total > 0 {
      parts.append("\(progress.task.rawValue) \(progress.done * 100 / progress.total) %")
    }
    let regions = regionCounts?.all ?? selections.count
    let selected = regionCounts?.selections ?? selections.count { !$0.isEmpty }
    if selected > 0 { parts.append(selected == 1 ? "selection" : "\(selected) selections") }
    if regions > max(selected, 1) { parts.append("\(regions) carets") }
    let number = logicalNumber(ofLine: caret.line) ?? (wraps ? nil : caret.line + 1)
    let line = number.map(String.init) ?? "?"
    let column = caretCharacter.map { String($0 + 1) } ?? "?"
    let total = wraps ? "" : "/\(max(cache.count, 1))"
    parts.append("Ln \(line)\(total), Col \(column)")
    if let counts = changes?.counts, !counts.isEmpty { parts.append(counts) }
    if let file { parts.append("\(file.encoding?.rawValue ?? "binary") \(file.lineEnding.rawValue)") }
    if let place { parts.append(place) }
    return parts.joined(separator: "  ")
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
