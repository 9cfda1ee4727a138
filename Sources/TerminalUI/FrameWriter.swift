import EditorClient
import Glibc

/// Writes what has changed between two frames as bytes for the terminal.
///
/// The cursor is placed explicitly after every character that is not plain ASCII: terminals disagree on the width of some. A row with
/// clusters of several code points, of which they disagree the most, is written whole, on blanks: what one leaves out of two cells, or
/// draws over others, is gone. What stands before them, like the number of the line, is written alone.
package struct FrameWriter {
  private var palette: Palette
  private let capabilities: Capabilities
  private var shown: [Cell] = []
  private var columns = 0
  private var edition = 0
  private var rows = 0
  private var cursor: CursorPlace?
  /// The rows that show clusters.
  private var rowsWithClusters: Set<Int> = []
  private var bytes: [UInt8] = []
  /// Where the terminal's cursor is, if that is known, and the style it draws with.
  private var position: (row: Int, column: Int)?
  private var style: UInt16?

  package init(palette: Palette, capabilities: Capabilities = .xterm) {
    self.palette = palette
    self.capabilities = capabilities
  }

  /// The terminal shows who knows what: the next frame is drawn from the top, on a cleared screen.
  package mutating func forget() { shown = [] }

  /// What plain text is drawn with from here on.
  package mutating func setColours(foreground: TextStyle.Colour, background: TextStyle.Colour) {
    palette.foreground = foreground
    palette.background = background
    forget()
  }

  /// Not all terminals erase with the background that is set.
  private var erasesBackground: Bool { palette.background == .standard || palette.depth == .none }

  /// The bytes that make the screen show `grid`; empty if it does already.
  package mutating func frame(_ grid: borrowing CellGrid, cursor: CursorPlace?) -> [UInt8] {
    bytes.removeAll(keepingCapacity: true)
    let isWhole = shown.count != grid.cells.count || columns != grid.columns || edition != grid.edition
    position = nil
    style = nil
    if isWhole { clear(grid) }
    let body = bytes.count
    for row in 0..<grid.rows where !isShown(row, of: grid) { writeRow(row, of: grid) }
    if bytes.count > body || isWhole { hideWhileDrawing() }
    if isWhole || bytes.count > body || cursor != self.cursor { place(cursor) }
    shown = grid.cells
    self.cursor = cursor
    return bytes
  }

  /// Whether the row is as it was; compared as memory, since most rows are.
  private func isShown(_ row: Int, of grid: borrowing CellGrid) -> Bool {
    let length = columns * MemoryLayout<Cell>.stride
    return grid.cells.withUnsafeBytes { new in
      shown.withUnsafeBytes { old in
        guard length > 0, let new = new.baseAddress, let old = old.baseAddress else { return true }
        return memcmp(new + row * length, old + row * length, length) == 0
      }
    }
  }

  private mutating func clear(_ grid: borrowing CellGrid) {
    append(capabilities.resetStyle)
    append(capabilities.clear)
    columns = grid.columns
    rows = grid.rows
    edition = grid.edition
    rowsWithClusters = []
    shown = Array(repeating: erasesBackground ? .blank : .unknown, count: grid.cells.count)
  }

  private mutating func writeRow(_ row: Int, of grid: borrowing CellGrid) {
    let start = row * columns
    let hasClusters = grid.cells[start..<start + columns].contains(where: \.isCluster)
    if hasClusters || rowsWithClusters.contains(row), !changesBeforeClusters(row, of: grid) {
      for index in start..<start + columns { shown[index] = .unknown }
      if hasClusters { rowsWithClusters.insert(row) } else { rowsWithClusters.remove(row) }
    }
    var column = 0
    while column < columns {
      guard grid.cells[start + column] != shown[start + column] else {
        column += 1
        continue
      }
      // The right half of a wide character is drawn by its left half.
      while column > 0, grid.cells[start + column].width == 0 { column -= 1 }
      column = writeRun(row: row, from: column, of: grid)
    }
  }

  /// Whether the row is as it was from its first cluster on.
  private func changesBeforeClusters(_ row: Int, of grid: borrowing CellGrid) -> Bool {
    let cells = row * columns..<(row + 1) * columns
    guard let first = cells.first(where: { grid.cells[$0].isCluster || shown[$0].isCluster }) else { return true }
    return (first..<cells.upperBound).allSatisfy { grid.cells[$0] == shown[$0] }
  }

  /// Writes cells up to the next stretch that is the same, if it is long enough to be worth a jump.
  /// - Returns: The column after them.
  private mutating func writeRun(row: Int, from first: Int, of grid: borrowing CellGrid) -> Int {
    let start = row * columns
    var column = first
    var same = 0
    var end = first
    // Find the end first, so that no unchanged cell is written at it.
    while column < columns, same < 8 {
      same = grid.cells[start + column] == shown[start + column] ? same + 1 : 0
      column += 1
      if same == 0 { end = column }
    }
    while end < columns, grid.cells[start + end].width == 0 { end += 1 }
    if eraseToEnd(row: row, from: first, of: grid) { return columns }
    column = first
    while column < end {
      let cell = grid.cells[start + column]
      move(row: row, column: column)
      setStyle(cell.style, of: grid)
      write(cell, of: grid)
      column += max(Int(cell.width), 1)
      position = cell.content < 0x7F ? (row, column) : nil
    }
    // After the last column the terminal's cursor hangs in the margin.
    if column >= columns { position = nil }
    return end
  }

  /// A row that is blank from here on is erased with one sequence.
  private mutating func eraseToEnd(row: Int, from column: Int, of grid: borrowing CellGrid) -> Bool {
    let start = row * columns
    guard columns - column > 4, erasesBackground else { return false }
    for index in start + column..<start + columns where grid.cells[index] != .blank { return false }
    move(row: row, column: column)
    setStyle(0, of: grid)
    append(capabilities.eraseToEndOfLine)
    return true
  }

  private mutating func write(_ cell: Cell, of grid: borrowing CellGrid) {
    if cell.content < 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: max(cell.content, 0x20)))
    } else if cell.isCluster, cell.width == 2, let position, let text = grid.text(of: cell) {
      append("  ")
      capabilities.appendMove(row: position.row, column: position.column, to: &bytes)
      append(text)
    } else if let text = grid.text(of: cell) {
      bytes.append(contentsOf: text.utf8)
    } else {
      bytes.append(0x20)
    }
  }

  private mutating func move(row: Int, column: Int) {
    if let position, position == (row, column) { return }
    capabilities.appendMove(row: row, column: column, to: &bytes)
    position = (row, column)
  }

  private mutating func setStyle(_ index: UInt16, of grid: borrowing CellGrid) {
    guard style != index else { return }
    style = index
    palette.append(grid.styles[Int(index)], to: &bytes)
  }

  private mutating func hideWhileDrawing() {
    if cursor != nil { bytes.insert(contentsOf: capabilities.hideCursor.utf8, at: 0) }
    if style != 0 { append(capabilities.resetStyle) }
  }

  private mutating func place(_ cursor: CursorPlace?) {
    guard let cursor else { return append(capabilities.hideCursor) }
    capabilities.appendMove(row: cursor.row, column: cursor.column, to: &bytes)
    append(capabilities.showCursor)
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
