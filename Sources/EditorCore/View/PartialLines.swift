import Rope

/// Of lines that are longer than a message should be, which part is sent: that around the caret.
struct PartialLines {
  /// A longer line is sent in part.
  static let byteCount = 16 << 10

  /// The front end takes parts of lines.
  var areTaken = false
  /// The byte of the line with which what is sent begins.
  private(set) var firstColumn = 0

  /// Keeps the caret well within what is sent of its line; whoever scrolls sideways follows it.
  ///
  /// - Parameter column: Of the caret, in bytes of its line.
  /// - Returns: Whether another part is sent now, of all lines.
  mutating func follow(caretAt column: Int) -> Bool {
    let margin = Self.byteCount / 4
    let kept = firstColumn + margin..<firstColumn + Self.byteCount - margin
    guard !kept.contains(column), firstColumn > 0 || column >= kept.upperBound else { return false }
    let first = max(0, column - Self.byteCount / 2)
    defer { firstColumn = first }
    return first != firstColumn
  }

  func part(of line: Range<ByteOffset>, in text: Rope) -> Range<ByteOffset> {
    guard areTaken, line.count > Self.byteCount else { return line }
    let start = min(line.lowerBound + firstColumn, line.upperBound)
    let end = min(start + Self.byteCount, line.upperBound)
    return text.graphemeBoundary(atOrBefore: start)..<text.graphemeBoundary(atOrBefore: end)
  }
}
