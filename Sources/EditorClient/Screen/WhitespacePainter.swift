import EditorProtocol
import TextMetrics

/// Draws signs for blanks of a line, in their first cells.
struct WhitespacePainter {
  /// Where in the text of the line; UTF-8.
  private let places: [Range<Int>]
  /// What was asked last: a style of the text, and that of a sign in it.
  private var known: (text: UInt16, sign: UInt16)?
  private let style: TextStyle

  /// - Parameter isLast: Whether the text ends with the line.
  init(_ shown: Decoration.Whitespace, of line: CachedLine, isLast: Bool, theme: Theme) {
    style = theme.whitespace
    let whole = 0..<line.text.utf8.count
    switch shown {
    case .none: places = []
    case .all: places = [whole]
    case .selection:
      places = line.styles.filter { $0.style == StyleSpan.selection }.map { span in
        let start = max(span.start - line.startColumn, 0)
        return start..<max(span.start - line.startColumn + span.length, start)
      }
    case .trailing: places = line.endsInLineEnd || isLast && line.hasItsEnd ? [line.trailingBlanks] : []
    }
  }

  /// Draws over a cluster that is a blank.
  mutating func paint(
    _ cluster: CellCluster, of text: String, row: Int, column: Int, over style: UInt16, into grid: inout CellGrid
  ) {
    guard !places.isEmpty, let sign = cluster.signOfBlank(in: text),
      places.contains(where: { $0.contains(cluster.byteOffset) })
    else { return }
    grid.put(sign, row: row, column: column, style: signStyle(in: style, &grid))
  }

  private mutating func signStyle(in text: UInt16, _ grid: inout CellGrid) -> UInt16 {
    if let known, known.text == text { return known.sign }
    let below = grid.styles[Int(text)]
    // On another ground than that of the text its own letters are seen best.
    let sign = grid.index(of: below.under(below.background == .standard ? style : TextStyle(attributes: .dim)))
    known = (text, sign)
    return sign
  }
}

extension CellCluster {
  /// For a blank, a tab and a no-break space; nil for all else.
  fileprivate func signOfBlank(in text: String) -> UInt32? {
    let bytes = text.utf8Span.span
    switch (appearance, byteCount) {
    case (.tab, _): return 0x2192
    case (.text, 1): return bytes[byteOffset] == 0x20 ? 0xB7 : nil
    case (.text, 2): return bytes[byteOffset] == 0xC2 && bytes[byteOffset + 1] == 0xA0 ? 0x237D : nil
    case (.text, 3):
      // U+2007 and U+202F.
      let isNoBreak = bytes[byteOffset] == 0xE2 && bytes[byteOffset + 1] == 0x80
      return isNoBreak && [0x87, 0xAF].contains(bytes[byteOffset + 2]) ? 0x237D : nil
    default: return nil
    }
  }
}

extension CachedLine {
  /// Whether it is not the beginning or the middle of a long line.
  fileprivate var hasItsEnd: Bool { window.map { startColumn + text.utf8.count >= $0.lineLength } ?? true }

  /// The blanks and tabs that a save can take away.
  fileprivate var trailingBlanks: Range<Int> {
    let bytes = text.utf8Span.span
    var end = bytes.count
    if end > 0, bytes[end - 1] == 0x0A { end -= 1 }
    if end > 0, end < bytes.count, bytes[end - 1] == 0x0D { end -= 1 }
    var start = end
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    return start..<end
  }
}
