/// A unit of offsets as a dimension of the tree.
enum UnitDimension<Offset: TextOffset>: Dimension {
  @inline(__always)
  static func measure(_ summary: TextSummary) -> Int { Offset.measure(summary) }
}

extension TextOffset {
  /// `byteIndex(of:in:)` without looking, where every byte of the chunk is one of this unit.
  @inline(__always)
  static func byteIndex(of value: Int, in chunk: UnsafeRawBufferPointer, _ summary: TextSummary) -> Int {
    measure(summary) == summary.bytes ? value : byteIndex(of: value, in: chunk)
  }
}

extension Rope {
  /// The same position in another unit, in one descent. O(log n).
  ///
  /// The inside of a code point rounds down to its start; a position in a line gives the line.
  package func convert<From: TextOffset, To: TextOffset>(_ offset: From, to unit: To.Type = To.self) -> To {
    To(To.measure(summary(before: offset)))
  }

  /// The counts of the text before `offset`: the position in every unit, in one descent. O(log n).
  package func summary<Offset: TextOffset>(before offset: Offset) -> TextSummary {
    precondition(offset.value >= 0 && offset.value <= Offset.measure(summary), "offset outside the text")
    let position = tree.seek(offset.value, by: UnitDimension<Offset>.self, bias: .left)
    let bytes = position.leaf.bytes
    let index = Offset.byteIndex(of: offset.value - Offset.measure(position.before), in: bytes, position.summary)
    let whole = UTF8Sequence.start(at: index, in: bytes)
    var summary = TextSummary(of: UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
    summary.bytes = index
    summary += position.before
    return summary
  }

  /// The bytes of a line with its newline, if it has one. O(log n).
  package func range(ofLine line: LineNumber) -> Range<ByteOffset> {
    let start: ByteOffset = convert(line)
    return start..<(line.value == summary.newlines ? endOffset : convert(line + 1))
  }

  /// The line that holds `offset`; a newline belongs to the line that it ends. O(log n).
  package func line(at offset: ByteOffset) -> LineNumber { convert(offset) }

  /// The byte at `offset`, which is below `endOffset`. O(log n): a `Cursor` is better for a run of them.
  package subscript(offset: ByteOffset) -> UInt8 {
    precondition(offset.value >= 0 && offset < endOffset, "offset outside the text")
    let position = tree.seek(offset.value, by: UnitDimension<ByteOffset>.self, bias: .right)
    return position.leaf.bytes[offset.value - position.before.bytes]
  }
}
