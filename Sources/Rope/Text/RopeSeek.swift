extension TextSummary.Dimension {
  /// The byte index in a chunk, which `summary` counts, of a position in this dimension; inside a code point, the start of it. O(chunk).
  @inline(__always)
  func byteIndex(of value: Int, in chunk: UnsafeRawBufferPointer, _ summary: TextSummary) -> Int {
    // One to a byte: no need to look.
    if summary.measure(self) == summary.bytes { return value }
    return switch self {
    case .bytes: value
    case .newlines: indexBehindNewline(value, in: chunk)
    case .utf16: index(ofUTF16: value, in: chunk)
    case .codePoints: index(ofCodePoint: value, in: chunk)
    }
  }

  /// What stands before a byte index of a chunk, which `summary` counts, in this dimension; inside a code point, before that. O(chunk).
  @inline(__always)
  func count(before index: Int, in chunk: UnsafeRawBufferPointer, _ summary: TextSummary) -> Int {
    if summary.measure(self) == summary.bytes { return index }
    switch self {
    case .bytes: return index
    case .newlines: return ByteScan.count(ByteScan.newline, in: .init(rebasing: chunk[..<index]))
    case .utf16, .codePoints:
      let whole = UTF8Sequence.start(at: index, in: chunk)
      return TextSummary(of: .init(rebasing: chunk[..<whole])).measure(self)
    }
  }

  private func indexBehindNewline(_ value: Int, in chunk: UnsafeRawBufferPointer) -> Int {
    var index = 0
    for _ in 0..<value {
      guard let newline = ByteScan.firstIndex(of: ByteScan.newline, in: .init(rebasing: chunk[index...])) else {
        return chunk.count
      }
      index += newline + 1
    }
    return index
  }

  private func index(ofUTF16 value: Int, in chunk: UnsafeRawBufferPointer) -> Int {
    var index = 0
    var units = 0
    while index < chunk.count {
      let length = UTF8Sequence.length(at: index, in: chunk) ?? 1
      units += length == 4 ? 2 : 1
      if units > value { break }
      index += length
    }
    return index
  }

  private func index(ofCodePoint value: Int, in chunk: UnsafeRawBufferPointer) -> Int {
    var index = 0
    for _ in 0..<value where index < chunk.count {
      index += UTF8Sequence.length(at: index, in: chunk) ?? 1
    }
    return index
  }
}

extension Rope {
  /// The same position in another unit, in one descent. O(log n).
  ///
  /// The inside of a code point rounds down to its start; a position in a line gives the line.
  @inlinable package func convert<From: TextOffset, To: TextOffset>(_ offset: From, to unit: To.Type = To.self) -> To {
    To(measure(To.dimension, before: offset.value, by: From.dimension))
  }

  /// The counts of the text before `offset`: the position in every unit, in one descent. O(log n).
  @inlinable package func summary<Offset: TextOffset>(before offset: Offset) -> TextSummary {
    summary(before: offset.value, by: Offset.dimension)
  }

  @usableFromInline
  package func measure(
    _ wanted: TextSummary.Dimension, before value: Int, by dimension: TextSummary.Dimension
  ) -> Int {
    precondition(value >= 0 && value <= summary.measure(dimension), "offset outside the text")
    let position = tree.seek(value, by: dimension, bias: .left)
    let bytes = position.leaf.bytes
    let index = dimension.byteIndex(of: value - position.before.measure(dimension), in: bytes, position.summary)
    return position.before.measure(wanted) + wanted.count(before: index, in: bytes, position.summary)
  }

  @usableFromInline
  package func summary(before value: Int, by dimension: TextSummary.Dimension) -> TextSummary {
    precondition(value >= 0 && value <= summary.measure(dimension), "offset outside the text")
    let position = tree.seek(value, by: dimension, bias: .left)
    let bytes = position.leaf.bytes
    let index = dimension.byteIndex(of: value - position.before.measure(dimension), in: bytes, position.summary)
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
    let position = tree.seek(offset.value, by: .bytes, bias: .right)
    return position.leaf.bytes[offset.value - position.before.bytes]
  }
}
