import Rope

/// The change between two texts, by whole lines: what is the same on both sides is left alone, so that carets stay in it.
enum LineDifference {
  /// More than this in the middle is replaced as a whole.
  private static let comparedByteCount = 8 << 20
  private static let pieceSize = 64 << 10

  /// O(bytes): for the worker thread.
  static func delta(from old: Rope, to new: Rope) -> Delta {
    let prefix = commonLineStart(old, new)
    let suffix = commonEnd(old, new, limit: min(old.byteCount, new.byteCount) - prefix)
    let range = ByteOffset(prefix)..<(old.endOffset - suffix)
    let newRange = ByteOffset(prefix)..<(new.endOffset - suffix)
    var builder = Delta.Builder(baseByteCount: old.byteCount)
    if range.count + newRange.count > comparedByteCount {
      builder.replace(range, with: new.slice(newRange))
    } else {
      replaceLines(of: old, range, by: new, newRange, &builder)
    }
    return builder.build()
  }

  /// How many bytes are the same from the start, up to the start of a line.
  private static func commonLineStart(_ old: Rope, _ new: Rope) -> Int {
    let count = firstDifference(old, new)
    return count == old.byteCount && count == new.byteCount ? count : old.lineStart(of: ByteOffset(count)).value
  }

  private static func firstDifference(_ old: Rope, _ new: Rope) -> Int {
    let end = min(old.byteCount, new.byteCount)
    var position = 0
    while position < end {
      let piece = ByteOffset(position)..<ByteOffset(min(position + pieceSize, end))
      let (left, right) = (old.bytes(in: piece), new.bytes(in: piece))
      guard left == right else { return position + zip(left, right).prefix { $0 == $1 }.count }
      position = piece.upperBound.value
    }
    return position
  }

  /// How many bytes are the same at the end.
  private static func commonEnd(_ old: Rope, _ new: Rope, limit: Int) -> Int {
    var count = 0
    while count < limit {
      let size = min(pieceSize, limit - count)
      let left = old.bytes(in: (old.endOffset - count - size)..<(old.endOffset - count))
      let right = new.bytes(in: (new.endOffset - count - size)..<(new.endOffset - count))
      guard left == right else {
        count += zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        break
      }
      count += size
    }
    // Not from within a line.
    let start = old.endOffset - count
    if start == 0 || old[start - 1] == 0x0A, count == new.byteCount || new[new.endOffset - count - 1] == 0x0A {
      return count
    }
    return old.nextLineStart(after: start).map { min(count, old.endOffset - $0) } ?? 0
  }

  /// Keeps lines that come in the same order on both sides.
  private static func replaceLines(
    of old: Rope, _ range: Range<ByteOffset>, by new: Rope, _ newRange: Range<ByteOffset>,
    _ builder: inout Delta.Builder
  ) {
    let (oldLines, newLines) = (lines(of: old, range), lines(of: new, newRange))
    var places: [ArraySlice<UInt8>: [Int]] = [:]
    for (index, line) in oldLines.enumerated() { places[line, default: []].append(index) }
    var (next, start, newStart, end) = (0, range.lowerBound, newRange.lowerBound, newRange.lowerBound)
    var starts = [range.lowerBound]
    for line in oldLines { starts.append(starts[starts.count - 1] + line.count) }
    for line in newLines {
      // A line that is common, like a blank one, is only taken where it follows.
      let found = next < oldLines.count && oldLines[next] == line ? next : only(places[line], from: next)
      if let found {
        builder.replace(start..<starts[found], with: new.slice(newStart..<end))
        start = starts[found + 1]
        newStart = end + line.count
        next = found + 1
      }
      end = end + line.count
    }
    builder.replace(start..<range.upperBound, with: new.slice(newStart..<end))
  }

  private static func only(_ places: [Int]?, from next: Int) -> Int? {
    guard let places, places.count == 1, places[0] >= next else { return nil }
    return places[0]
  }

  /// With their line ends.
  private static func lines(of text: Rope, _ range: Range<ByteOffset>) -> [ArraySlice<UInt8>] {
    let bytes = text.bytes(in: range)
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      lines.append(bytes[start..<end])
      start = end
    }
    return lines
  }
}
