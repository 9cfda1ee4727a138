import TextMetrics

/// What a terminal shows: the sequences that the editor writes, interpreted as an xterm does.
struct TerminalScreen {
  private(set) var columns: Int
  private(set) var rows: Int
  private(set) var row = 0
  private(set) var column = 0
  private(set) var isCursorVisible = true
  private(set) var isAlternate = false
  /// Private modes that are on (DECSET).
  private(set) var modes: Set<Int> = []
  /// Texts sent to the clipboard (OSC 52), in base 64.
  private(set) var clipboards: [String] = []
  /// What the window was called (OSC 2), one after the other.
  private(set) var titles: [String] = []
  /// The title of before is back: it was kept as often as it was brought back.
  private(set) var isTitleRestored = true
  /// Sequences that it does not know: a mistake of the editor or of this screen.
  private(set) var unknown: [String] = []
  /// A colour has been set at some time.
  private(set) var hasColour = false
  /// Every way in which something has been drawn: the parameters of SGR.
  private(set) var renditions: Set<String> = []
  private var cells: [[String]]
  private var reversed: [[Bool]]
  private var isReversed = false
  /// Where the cursor was when the alternate screen was taken.
  private var cursorBefore = (row: 0, column: 0)
  private var pending: [UInt8] = []
  private let metrics = CellMetrics(tabSize: 8)

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    reversed = Array(repeating: Array(repeating: false, count: columns), count: rows)
  }

  /// Without the sign of a changed line, which most tests do not look at.
  func line(_ row: Int) -> String {
    let line = markedLine(row)
    return line.prefixMatch(of: /[+~\-] *\d+( |$)/) == nil ? line : " " + line.dropFirst()
  }

  func markedLine(_ row: Int) -> String {
    guard cells.indices.contains(row) else { return "" }
    var text = cells[row].joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  var lines: [String] { (0..<rows).map(line) }
  var text: String { lines.joined(separator: "\n") }

  func isReversed(row: Int, column: Int) -> Bool { reversed[row][column] }

  mutating func resize(columns: Int, rows: Int) {
    var resized = TerminalScreen(columns: columns, rows: rows)
    for row in 0..<min(rows, self.rows) {
      for column in 0..<min(columns, self.columns) { resized.cells[row][column] = cells[row][column] }
    }
    cells = resized.cells
    reversed = resized.reversed
    self.columns = columns
    self.rows = rows
    row = min(row, rows - 1)
    column = min(column, columns - 1)
  }

  mutating func write(_ bytes: some Sequence<UInt8>) {
    pending.append(contentsOf: bytes)
    var index = 0
    while index < pending.count, let next = interpret(from: index) { index = next }
    pending.removeFirst(index)
  }

  /// - Returns: Where the next thing starts, or nil if this one is not complete.
  private mutating func interpret(from index: Int) -> Int? {
    switch pending[index] {
    case 0x1B: return escape(from: index)
    case 0x0D:
      column = 0
      return index + 1
    case 0x0A:
      if row + 1 < rows { row += 1 } else { scroll() }
      return index + 1
    case 0x08:
      column = max(column - 1, 0)
      return index + 1
    case 0..<0x20, 0x7F: return index + 1
    default: return text(from: index)
    }
  }

  private mutating func text(from start: Int) -> Int? {
    var end = start
    while end < pending.count, pending[end] >= 0x20, pending[end] != 0x7F { end += 1 }
    // A character may be cut at the end of what has come.
    var whole = end
    if end == pending.count {
      while whole > start, String(validating: pending[start..<whole], as: UTF8.self) == nil { whole -= 1 }
    }
    guard whole > start else { return nil }
    for character in String(decoding: pending[start..<whole], as: UTF8.self) { put(String(character)) }
    return whole
  }

  private mutating func put(_ cluster: String) {
    let width = metrics.width(of: cluster)
    guard column + width <= columns else { return }
    cells[row][column] = cluster
    reversed[row][column] = isReversed
    if width == 2 { cells[row][column + 1] = "" }
    column = min(column + width, columns - 1)
  }

  private mutating func escape(from start: Int) -> Int? {
    guard start + 1 < pending.count else { return nil }
    switch pending[start + 1] {
    case 0x5B:
      guard let end = pending[(start + 2)...].firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
      control(
        String(decoding: pending[(start + 2)..<end], as: UTF8.self), final: Character(Unicode.Scalar(pending[end])))
      return end + 1
    case 0x5D:
      guard let end = pending[start...].firstIndex(of: 0x07) else { return nil }
      let text = String(decoding: pending[(start + 2)..<end], as: UTF8.self)
      if text.hasPrefix("52;c;") {
        clipboards.append(String(text.dropFirst(5)))
      } else if text.hasPrefix("2;") {
        titles.append(String(text.dropFirst(2)))
      } else {
        unknown.append("OSC " + text)
      }
      return end + 1
    case 0x28: return start + 3 <= pending.count ? start + 3 : nil
    case 0x37, 0x38, 0x3D, 0x3E: return start + 2
    default:
      unknown.append("ESC \(pending[start + 1])")
      return start + 2
    }
  }

  private mutating func control(_ parameters: String, final: Character) {
    let numbers = parameters.drop { !$0.isNumber }.split(separator: ";", omittingEmptySubsequences: false).map {
      Int($0) ?? 0
    }
    let first = max(numbers.first ?? 1, 1)
    switch (final, parameters.first) {
    case ("H", _):
      row = min(first, rows) - 1
      column = min(max(numbers.count > 1 ? numbers[1] : 1, 1), columns) - 1
    case ("J", _):
      let isWhole = numbers.first == 2
      erase(row: row, from: isWhole ? 0 : column)
      for index in (isWhole ? 0 : row + 1)..<rows { erase(row: index, from: 0) }
    case ("C", _): column = min(column + first, columns - 1)
    case ("K", _): erase(row: row, from: column)
    case ("A", nil), ("A", _): row = max(row - first, 0)
    case ("m", _):
      renditions.insert(parameters)
      if numbers.isEmpty || numbers.contains(0) { isReversed = false }
      if numbers.contains(7) { isReversed = true }
      if numbers.contains(where: { $0 >= 30 }) { hasColour = true }
    case ("h", "?"): numbers.forEach { set($0, true) }
    case ("l", "?"): numbers.forEach { set($0, false) }
    case ("t", _) where parameters.hasPrefix("2"): isTitleRestored = parameters.hasPrefix("23")
    case ("h", _), ("l", _), ("t", _), ("r", _), ("q", _): break
    default: unknown.append("CSI \(parameters)\(final)")
    }
  }

  private mutating func set(_ mode: Int, _ isOn: Bool) {
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
    if mode == 25 { isCursorVisible = isOn }
    if mode == 1049 {
      isAlternate = isOn
      if isOn { cursorBefore = (row, column) } else { (row, column) = cursorBefore }
      for index in 0..<rows { erase(row: index, from: 0) }
    }
  }

  private mutating func scroll() {
    cells.append(cells.removeFirst())
    reversed.append(reversed.removeFirst())
    erase(row: rows - 1, from: 0)
  }

  private mutating func erase(row: Int, from column: Int) {
    for index in column..<columns {
      cells[row][index] = " "
      reversed[row][index] = false
    }
  }
}
