import EditorProtocol

/// The styles that a core has defined, and those that need no definition.
package struct StyleSheet {
  package var theme = Theme()
  private var defined: [Int: TextStyle] = [:]

  package mutating func define(_ definition: StyleDefinition) {
    var attributes: TextStyle.Attributes = []
    if let weight = definition.weight, weight >= 600 { attributes.insert(.bold) }
    if definition.isItalic { attributes.insert(.italic) }
    if definition.isUnderlined { attributes.insert(.underline) }
    defined[definition.id] = TextStyle(
      foreground: Self.colour(definition.foreground), background: Self.colour(definition.background),
      attributes: attributes)
  }

  /// Ids start anew, after a change of theme.
  package mutating func removeAll() { defined = [:] }

  subscript(id: Int) -> TextStyle? {
    switch id {
    case StyleSpan.selection: theme.selection
    case 1..<StyleSpan.firstDefined: theme.match
    default: defined[id]
    }
  }

  /// A colour that is all transparent is none.
  private static func colour(_ colour: UInt32?) -> TextStyle.Colour {
    guard let colour, colour >> 24 > 0 else { return .standard }
    return .rgb(colour & 0xFF_FFFF)
  }
}

/// Walks along the styles of a line from left to right.
struct SpanPainter {
  private struct Span {
    var range: Range<Int>
    var style: TextStyle
  }

  /// In the order in which they are laid on each other: syntax, search, selection.
  private var spans: [Span] = []
  let selectsLineEnd: Bool
  /// The answer for all columns of `known`.
  private var known = 0..<0
  private var knownStyle: UInt16 = 0

  init(line: CachedLine, styles: StyleSheet, grid: inout CellGrid) {
    let end = line.startColumn + line.text.utf8.count
    selectsLineEnd = line.styles.contains { $0.style == StyleSpan.selection && $0.start + $0.length >= end }
    for id in [2, 1, 0] {
      for span in line.styles where min(span.style, StyleSpan.firstDefined).layer == id {
        if let style = styles[span.style] {
          spans.append(Span(range: span.start..<span.start + span.length, style: style))
        }
      }
    }
  }

  /// The number of the style at a UTF-8 column.
  mutating func style(at column: Int, over base: UInt16, in grid: inout CellGrid) -> UInt16 {
    if spans.isEmpty { return base }
    if known.contains(column) { return knownStyle }
    var style = TextStyle.plain
    var end = Int.max
    for span in spans {
      if span.range.contains(column) {
        style = style.under(span.style)
        end = min(end, span.range.upperBound)
      } else if span.range.lowerBound > column {
        end = min(end, span.range.lowerBound)
      }
    }
    known = column..<end
    knownStyle = grid.index(of: style)
    return knownStyle
  }
}

extension Int {
  /// 0 selection, 1 search, 2 syntax.
  fileprivate var layer: Int { self == StyleSpan.selection ? 0 : self < StyleSpan.firstDefined ? 1 : 2 }
}
