/// The part of a view that is on the screen.
package struct Viewport: Equatable, Sendable {
  /// The visual line in the first row.
  package var topLine = 0
  /// The cell at the left edge; 0 while lines are wrapped.
  package var leftColumn = 0
  /// Rows and cells of the text area.
  package var height = 0
  package var width = 0

  package init() {}

  package var lines: Range<Int> { topLine..<topLine + max(height, 1) }

  /// Moves as little as needed to show `line`; a line further away than a screen comes to the middle.
  /// - Parameters:
  ///   - margin: How many lines are to be seen above and below it, as far as there are some and there is room for them.
  ///   - count: Of all lines.
  mutating func reveal(line: Int, margin: Int = 0, of count: Int = 0) {
    guard height > 0 else { return }
    let margin = min(margin, (height - 1) / 2)
    // Nothing scrolls to show what is behind the end.
    let below = min(margin, max(count - 1 - line, 0))
    if line < topLine - height || line >= topLine + 2 * height {
      topLine = max(line - height / 2, 0)
    } else if line - margin < topLine {
      topLine = max(line - margin, 0)
    } else if line + below >= topLine + height {
      topLine = line + below - height + 1
    }
  }

  /// Moves as little as needed to show a cell, in steps of a quarter of the width so that the text does not creep.
  mutating func reveal(cell: Int) {
    guard width > 0 else { return }
    let step = max(width / 4, 1)
    if cell < leftColumn {
      leftColumn = max(cell - step, 0)
    } else if cell >= leftColumn + width {
      leftColumn = cell - width + step
    }
    if cell < width - 1, leftColumn <= step { leftColumn = 0 }
  }

  mutating func scroll(by lines: Int, of count: Int) {
    topLine = min(max(topLine + lines, 0), max(count - 1, 0))
  }
}
