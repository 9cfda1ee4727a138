import Rope

extension Rope {
  /// The start of the logical line that holds `offset`.
  func lineStart(of offset: ByteOffset) -> ByteOffset { convert(line(at: offset), to: ByteOffset.self) }

  /// The start of the logical line before `offset`, that of `offset` itself only if it lies behind it.
  func lineStart(before offset: ByteOffset) -> ByteOffset {
    offset > 0 ? lineStart(of: offset - 1) : 0
  }

  /// Behind the newline that ends the line of `offset`; nil on the last line.
  func nextLineStart(after offset: ByteOffset) -> ByteOffset? {
    let line = line(at: offset)
    return line.value + 1 < lineCount ? convert(line + 1, to: ByteOffset.self) : nil
  }

  /// Before the line end (`\n` or `\r\n`) of the line of `offset`.
  func lineContentEnd(of offset: ByteOffset) -> ByteOffset {
    guard let next = nextLineStart(after: offset) else { return endOffset }
    return next.value > 1 && self[next - 2] == 0x0D ? next - 2 : next - 1
  }

  /// Behind the blanks that the line beginning at `start` begins with. A blank with a mark on it is none.
  func indentationEnd(from start: ByteOffset) -> ByteOffset {
    var cursor = Cursor(self, at: start)
    return cursor.indentationEnd(from: start)
  }
}

extension Rope.Cursor {
  /// The same. Moves there.
  mutating func indentationEnd(from start: ByteOffset) -> ByteOffset {
    move(to: start)
    var end = start
    while let byte = next(), byte == 0x20 || byte == 0x09 { end = end + 1 }
    return max(start, graphemeBoundary(atOrBefore: end))
  }
}

extension Rope {
  /// With `\r\n` for each mere `\n`, if that is how lines are to end. O(1), or O(bytes).
  func withLineEnds(_ lineEnding: String) -> Rope {
    guard lineEnding == "\r\n", summary.newlines > countCarriageReturnLineFeeds() else { return self }
    return Rope(bytes(in: fullRange).withReturns)
  }
}

extension String {
  /// See ``Rope/withLineEnds(_:)``.
  func withLineEnds(_ lineEnding: String) -> String {
    guard lineEnding == "\r\n", utf8.contains(0x0A) else { return self }
    return String(decoding: Array(utf8).withReturns, as: UTF8.self)
  }
}

extension [UInt8] {
  /// With one before each newline.
  fileprivate var withReturns: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count + count / 16)
    for byte in self {
      if byte == 0x0A, result.last != 0x0D { result.append(0x0D) }
      result.append(byte)
    }
    return result
  }
}
