import Rope

/// Looks up the logical lines of many places that come in the order of the text: from the last one on it is a few steps to the next.
struct LogicalLineLookup {
  struct Line {
    var number: LineNumber
    /// With its end.
    var range: Range<ByteOffset>
    /// Before its end.
    var contentEnd: ByteOffset
    var isLast: Bool

    func holds(_ offset: ByteOffset) -> Bool { range.contains(offset) || isLast && offset == range.upperBound }
  }

  private let text: Rope
  private var last: Line?
  /// Stands at the end of the last line.
  private var cursor: Rope.Cursor
  /// So far it is walked, byte by byte, before it is looked up.
  private static let nearByteCount = 1024

  init(of text: Rope) {
    self.text = text
    cursor = Rope.Cursor(text, at: 0)
  }

  /// The line that holds `offset`. O(log n); nearly O(1) where it is the last one, or near behind it.
  mutating func line(of offset: ByteOffset) -> Line {
    while let last, !last.holds(offset), offset >= last.range.upperBound,
      offset - last.range.upperBound < Self.nearByteCount
    {
      enterLine(last.number + 1, from: last.range.upperBound)
    }
    if let last, last.holds(offset) { return last }
    let number = text.line(at: offset)
    let start: ByteOffset = text.convert(number)
    cursor.move(to: start)
    return enterLine(number, from: start)
  }

  /// The line behind one; nil behind the last.
  mutating func line(behind line: Line) -> Line? { line.isLast ? nil : self.line(of: line.range.upperBound) }

  /// The lines that a region touches; not the last when it ends at its start.
  mutating func lines(of region: SelectionRegion) -> Range<LineNumber> {
    let first = line(of: region.lowerBound)
    if first.holds(region.upperBound) { return first.number..<(first.number + 1) }
    let last = line(of: region.upperBound)
    return first.number..<(last.range.lowerBound == region.upperBound ? last.number : last.number + 1)
  }

  /// - Parameter start: Where the cursor stands.
  @discardableResult
  private mutating func enterLine(_ number: LineNumber, from start: ByteOffset) -> Line {
    var previous: UInt8 = 0
    var line: Line?
    for _ in 0..<Self.nearByteCount {
      guard let byte = cursor.next() else {
        line = Line(number: number, range: start..<text.endOffset, contentEnd: text.endOffset, isLast: true)
        break
      }
      if byte == 0x0A {
        let end = cursor.offset
        let contentEnd = previous == 0x0D ? end - 2 : end - 1
        line = Line(number: number, range: start..<end, contentEnd: contentEnd, isLast: false)
        break
      }
      previous = byte
    }
    let found = line ?? longLine(number, from: start)
    last = found
    return found
  }

  private mutating func longLine(_ number: LineNumber, from start: ByteOffset) -> Line {
    let next = text.nextLineStart(after: start)
    cursor.move(to: next ?? text.endOffset)
    return Line(
      number: number, range: start..<(next ?? text.endOffset), contentEnd: text.lineContentEnd(of: start),
      isLast: next == nil)
  }
}
