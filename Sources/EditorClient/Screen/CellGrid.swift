/// One cell of the screen, in eight bytes so that rows are compared as memory.
package struct Cell: Equatable, Sendable {
  /// A code point, or `clusterFlag` and an index into the grid's clusters; 0 in the right half of a wide character.
  package var content: UInt32
  /// An index into the grid's styles.
  package var style: UInt16
  /// 2 for a wide character, else 1; 0 in its right half.
  package var width: UInt16

  // Seen by the module that compares thousands of them for a frame.
  @inlinable package static func == (left: Self, right: Self) -> Bool {
    left.content == right.content && left.style == right.style && left.width == right.width
  }

  @inlinable package static func != (left: Self, right: Self) -> Bool { !(left == right) }

  static let clusterFlag: UInt32 = 0x8000_0000

  /// Whether it shows several code points.
  package var isCluster: Bool { content & Self.clusterFlag != 0 }

  package static let blank = Cell(content: 0x20, style: 0, width: 1)
  /// Equal to none that is drawn.
  package static let unknown = Cell(content: .max, style: 0, width: 1)
}

/// What the screen shall show.
///
/// Clusters and styles are numbered, each once, until ``resize(columns:rows:)``: the cells of two frames of an edition compare by number.
package struct CellGrid {
  package private(set) var columns: Int
  package private(set) var rows: Int
  package private(set) var cells: [Cell]
  /// How often all has been forgotten.
  package private(set) var edition = 0
  package private(set) var styles: [TextStyle] = [.plain]
  package private(set) var clusters: [String] = []
  private var styleIndices: [TextStyle: UInt16] = [.plain: 0]
  private var clusterIndices: [String: UInt32] = [:]

  package init(columns: Int, rows: Int) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  /// Blank, in the new size.
  package mutating func resize(columns: Int, rows: Int) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
    cells = Array(repeating: .blank, count: self.columns * self.rows)
    // A new size is a new frame from top to bottom: the moment to forget what is no longer shown.
    styles = [.plain]
    styleIndices = [.plain: 0]
    clusters = []
    clusterIndices = [:]
    edition += 1
  }

  /// So much has been shown that the next frame should begin anew.
  var isFull: Bool { clusters.count > 1 << 16 || styles.count > 1 << 15 }

  /// The number of `style`.
  package mutating func index(of style: TextStyle) -> UInt16 {
    if let index = styleIndices[style] { return index }
    guard styles.count < UInt16.max else { return 0 }
    let index = UInt16(styles.count)
    styles.append(style)
    styleIndices[style] = index
    return index
  }

  private mutating func index(of cluster: String) -> UInt32 {
    if let index = clusterIndices[cluster] { return index }
    let index = UInt32(truncatingIfNeeded: clusters.count)
    clusters.append(cluster)
    clusterIndices[cluster] = index
    return index
  }

  // MARK: Drawing; what lies outside is cut off

  package mutating func clear(row: Int, from column: Int = 0, style: UInt16 = 0) {
    guard row >= 0, row < rows, column < columns else { return }
    let start = row * columns
    for index in start + max(column, 0)..<start + columns { cells[index] = Cell(content: 0x20, style: style, width: 1) }
  }

  /// Blanks; of a wide character that hangs over an edge the other half too.
  package mutating func fill(row: Int, columns range: Range<Int>, style: UInt16) {
    let range = range.clamped(to: 0..<columns)
    guard row >= 0, row < rows, !range.isEmpty else { return }
    let start = row * columns
    // Its left half may have been drawn over.
    if range.lowerBound > 0, cells[start + range.lowerBound - 1].width == 2 {
      cells[start + range.lowerBound - 1] = .blank
    }
    let end = start + range.upperBound
    if range.upperBound < columns, cells[end].width == 0 { cells[end] = .blank }
    for column in range { cells[start + column] = Cell(content: 0x20, style: style, width: 1) }
  }

  /// One code point of one cell.
  package mutating func put(_ scalar: UInt32, row: Int, column: Int, style: UInt16) {
    guard row >= 0, row < rows, column >= 0, column < columns else { return }
    cells[row * columns + column] = Cell(content: scalar, style: style, width: 1)
  }

  /// A cluster of one or two cells; one that does not fit on the row becomes blank.
  package mutating func put(cluster: String, width: Int, row: Int, column: Int, style: UInt16) {
    guard row >= 0, row < rows, column + width > 0, column < columns else { return }
    guard column >= 0, column + width <= columns else {
      for covered in column..<column + width { put(0x20, row: row, column: covered, style: style) }
      return
    }
    let scalars = cluster.unicodeScalars
    let content: UInt32
    if let only = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex {
      content = only.value
    } else {
      content = Cell.clusterFlag | index(of: cluster)
    }
    let index = row * columns + column
    cells[index] = Cell(content: content, style: style, width: UInt16(truncatingIfNeeded: width))
    if width == 2 { cells[index + 1] = Cell(content: 0, style: style, width: 0) }
  }

  /// Lays `style` over what is there.
  package mutating func overlay(_ style: TextStyle, row: Int, columns range: Range<Int>) {
    guard row >= 0, row < rows else { return }
    for column in range.clamped(to: 0..<columns) {
      let index = row * columns + column
      cells[index].style = self.index(of: styles[Int(cells[index].style)].under(style))
    }
  }

  /// Draws in a cell that is blank, on its ground; not in a caret.
  package mutating func put(onBlank scalar: UInt32, row: Int, column: Int, style: TextStyle) {
    guard row >= 0, row < rows, column >= 0, column < columns else { return }
    let cell = cells[row * columns + column]
    let below = styles[Int(cell.style)]
    guard cell.content == 0x20, !below.attributes.contains(.reverse) else { return }
    put(scalar, row: row, column: column, style: index(of: below.under(style)))
  }

  /// Gives a cell a ground if it has none: a selection is seen on it as it was. A wide character has it in both halves.
  package mutating func tint(_ style: TextStyle, row: Int, column: Int) {
    guard row >= 0, row < rows, column >= 0, column < columns else { return }
    let index = row * columns + column
    let end = cells[index].width == 2 && column + 1 < columns ? column + 2 : column + 1
    for tinted in (cells[index].width == 0 && column > 0 ? column - 1 : column)..<end {
      let below = styles[Int(cells[row * columns + tinted].style)]
      guard below.background == .standard, !below.attributes.contains(.reverse) else { continue }
      cells[row * columns + tinted].style = self.index(of: style.under(below))
    }
  }

  /// The text of the cell's own cluster; nil for the right half of a wide character.
  package func text(of cell: Cell) -> String? {
    guard cell.width > 0 else { return nil }
    if cell.content & Cell.clusterFlag != 0 { return clusters[Int(cell.content & ~Cell.clusterFlag)] }
    return Unicode.Scalar(cell.content).map { String($0) } ?? " "
  }

  /// A row as text, without blanks at its end; for tests.
  package func text(row: Int) -> String {
    guard row >= 0, row < rows else { return "" }
    var text = cells[row * columns..<(row + 1) * columns].compactMap(text(of:)).joined()
    while text.last == " " { text.removeLast() }
    return text
  }
}
