import EditorProtocol
import TextMetrics

/// How far guides reach in the rows of a window: as far as its line is indented.
struct IndentGuides {
  private enum Indentation {
    case cells(Int)
    case blank
    /// More of the line above.
    case goesOn
  }

  /// So many lines beyond the window tell how far a blank one in it is indented.
  private static let farthest = 50

  private let view: EditorView
  /// Nothing is seen from this cell on.
  private let limit: Int
  /// By row; in a blank line as far as in both lines around it.
  private(set) var ends: [Int] = []

  /// - Parameter limit: The first cell to the right of the window.
  init(in view: EditorView, lines: Range<Int>, limit: Int) {
    self.view = view
    self.limit = limit
    let all = lines.map(indentation(ofLine:))
    var above = cells(from: lines.lowerBound - 1, by: -1)
    ends = all.map { indentation in
      switch indentation {
      case .cells(let cells): above = cells
      case .blank: break
      case .goesOn: return 0
      }
      return above
    }
    var below = cells(from: lines.upperBound, by: 1)
    for (row, indentation) in all.enumerated().reversed() {
      switch indentation {
      case .cells(let cells): below = cells
      case .blank: ends[row] = min(ends[row], below)
      case .goesOn: break
      }
    }
  }

  /// Of the next line that is not blank.
  private func cells(from line: Int, by step: Int) -> Int {
    for distance in 0..<Self.farthest {
      if case .cells(let cells) = indentation(ofLine: line + distance * step) { return cells }
    }
    return 0
  }

  private func indentation(ofLine index: Int) -> Indentation {
    guard let entry = view.cache[index], entry.line.startColumn == 0 else { return .cells(0) }
    if view.wraps, entry.number == nil { return .goesOn }
    let bytes = entry.line.text.utf8Span.span
    let tabSize = view.metrics.tabSize
    var cells = 0
    for offset in bytes.indices {
      guard cells < limit else { return .cells(limit) }
      switch bytes[offset] {
      case 0x20: cells += 1
      case 0x09: cells += tabSize - cells % tabSize
      case 0x0A, 0x0D: return .blank
      default: return .cells(cells)
      }
    }
    return .blank
  }
}

extension LinePainter {
  /// Draws a line at each step of the indentation, where the text has blanks.
  func paintGuides(to end: Int, row: Int, into grid: inout CellGrid) {
    let first = leftColumn / metrics.tabSize * metrics.tabSize
    for cell in stride(from: first, to: end, by: metrics.tabSize) where cell >= leftColumn {
      let column = columns.lowerBound + cell - leftColumn
      guard columns.contains(column) else { return }
      grid.put(onBlank: 0x2502, row: row, column: column, style: styles.theme.guide)
    }
  }
}
