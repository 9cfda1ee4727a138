import EditorProtocol
import Rope

/// Columns on the wire count the text as it is sent: a byte that is no UTF-8 goes as U+FFFD, which has three bytes.
extension TextView {
  private static let growthOfInvalidByte = 2

  func place(of offset: ByteOffset) -> LineColumn {
    var lookup = LineLookup(lines, of: text)
    return place(of: offset, &lookup)
  }

  func place(of offset: ByteOffset, _ lookup: inout LineLookup) -> LineColumn {
    let (line, column) = lookup.place(of: offset)
    return LineColumn(line: line, column: wireColumn(of: offset, lineStart: offset - column))
  }

  func wireColumn(of offset: ByteOffset, lineStart: ByteOffset) -> Int {
    guard text.summary.invalidBytes > 0 else { return offset - lineStart }
    let invalid = text.summary(before: offset).invalidBytes - text.summary(before: lineStart).invalidBytes
    return offset - lineStart + invalid * Self.growthOfInvalidByte
  }

  /// Rounds down to the start of a byte that is sent as U+FFFD.
  func byteColumn(ofWireColumn column: Int, inLine line: Int) -> Int {
    guard text.summary.invalidBytes > 0 else { return column }
    let start = lines.start(ofLine: line, in: text)
    var (low, high) = (0, min(column, text.endOffset - start))
    while low < high {
      let middle = (low + high + 1) / 2
      if wireColumn(of: start + middle, lineStart: start) <= column { low = middle } else { high = middle - 1 }
    }
    return low == text.endOffset - start ? column : low
  }
}
