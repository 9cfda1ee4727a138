import Rope
import TextMetrics

extension TextView {
  /// What lies further behind the start of a line counts as a cell a byte: no key may walk through a line as long as a file.
  private static let measuredByteCount = 16 << 10

  private var metrics: CellMetrics { CellMetrics(tabSize: document.settings.config.tabSize) }

  /// The cell of its line that a place is drawn in. O(bytes before it in the line), up to a limit.
  func cell(of offset: ByteOffset, lineStart: ByteOffset) -> Int {
    guard offset > lineStart else { return offset - lineStart }
    let limit = min(offset, lineStart + Self.measuredByteCount)
    if text.withBytes(in: lineStart..<limit, \.areCells) { return offset - lineStart }
    let measured = text.graphemeBoundary(atOrBefore: limit)
    guard measured > lineStart else { return offset - lineStart }
    return metrics.width(of: text.string(in: lineStart..<measured)) + (offset - measured)
  }

  /// The start of the cluster that covers a cell of a line; in a line that is shorter, its end.
  func offset(ofCell cell: Int, inLine line: Int, _ lookup: inout LineLookup) -> ByteOffset {
    let range = lookup.range(ofLine: line)
    if let column = plainColumn(ofCell: cell, in: range) { return lookup.offset(ofLine: line, column: column) }
    let limit = range.lowerBound + Self.measuredByteCount
    let measured = limit < range.upperBound ? text.graphemeBoundary(atOrBefore: limit) : range.upperBound
    guard measured > range.lowerBound else { return lookup.offset(ofLine: line, column: cell) }
    let string = text.string(in: range.lowerBound..<measured)
    let width = measured < range.upperBound ? metrics.width(of: string) : .max
    guard cell < width else {
      return lookup.offset(ofLine: line, column: measured - range.lowerBound + min(cell - width, range.count))
    }
    let column = metrics.byteOffset(ofColumn: cell, in: string)
    return lookup.offset(ofLine: line, column: byteColumn(ofWireColumn: column, inLine: line))
  }

  /// Where all up to the cell, or to the end of the line before that, is a cell a byte: nearly everywhere, and there may be many carets.
  private func plainColumn(ofCell cell: Int, in line: Range<ByteOffset>) -> Int? {
    guard cell < Self.measuredByteCount else { return nil }
    return text.withBytes(in: line.lowerBound..<min(line.lowerBound + cell + 1, line.upperBound)) { bytes in
      let count = bytes.prefix { $0.isCell }.count
      if count > cell { return cell }
      let rest = bytes[count...]
      return count == line.count || rest.elementsEqual("\n".utf8) || rest.elementsEqual("\r\n".utf8) ? count : nil
    }
  }
}

extension UInt8 {
  /// It is drawn in one cell, whatever stands before it.
  fileprivate var isCell: Bool { 0x20 <= self && self < 0x7F }
}

extension UnsafeRawBufferPointer {
  fileprivate var areCells: Bool { allSatisfy(\.isCell) }
}
