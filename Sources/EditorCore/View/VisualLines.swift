import Rope
import TextMetrics

/// The lines as they are shown: logical lines, broken where they are too long. Numbered from 0.
struct VisualLines {
  private(set) var mode = WrapMode.off
  /// Measures text in the mode ``WrapMode/measured(_:)``.
  var widths: MeasuredWidths?
  private var breaker = LineBreaker(mode: .off, metrics: CellMetrics(tabSize: 4))
  private(set) var breaks = Breaks(byteCount: 0)

  /// What is shown with its lines whole until there is time to break them. Each part begins where a row does.
  private(set) var unbroken: [Range<ByteOffset>] = []

  /// So much is broken at once, more in the background. Tests shrink it.
  var immediateByteCount = 256 << 10
  /// A line that is longer is not broken anew as a whole.
  private var longLineByteCount: Int { immediateByteCount / 4 }
  private var pieceByteCount: Int { immediateByteCount / 8 }

  /// Breaks lines anew: all of a short text; of a longer one those around `place`, for a screen of `rowCount` rows.
  mutating func wrap(_ text: Rope, _ mode: WrapMode, tabSize: Int, around place: ByteOffset, rowCount: Int) {
    self.mode = mode
    breaker = LineBreaker(mode: mode, metrics: CellMetrics(tabSize: tabSize))
    if case .measured = mode { breaker.widths = widths }
    breaks = Breaks(byteCount: text.byteCount)
    unbroken = []
    guard mode != .off else { return }
    if text.byteCount <= immediateByteCount { return rebreak(text.fullRange, in: text) }
    let line = text.line(at: place).value
    let first = text.convert(LineNumber(max(line - rowCount, 0)), to: ByteOffset.self)
    let last =
      line + rowCount < text.lineCount
      ? text.convert(LineNumber(line + rowCount), to: ByteOffset.self) : text.endOffset
    // What lies below does not move what is on the screen: it comes first.
    unbroken = [first..<text.endOffset, 0..<first].filter { !$0.isEmpty }
    _ = breakMore(of: text, byteCount: min(last - first, immediateByteCount))
  }

  /// Breaks the lines of about `byteCount` bytes more.
  /// - Returns: Those bytes; nil when all is done.
  mutating func breakMore(of text: Rope, byteCount: Int) -> Range<ByteOffset>? {
    guard let part = unbroken.first else { return nil }
    let stop = min(part.lowerBound + byteCount, part.upperBound)
    var position = part.lowerBound
    var found: [ByteOffset] = []
    while position < stop {
      let end = text.nextLineStart(after: position) ?? text.endOffset
      position = findRows(from: position, to: end, of: text, &found) { row in row >= stop }
    }
    breaks.replace(in: (part.lowerBound + 1)...max(position, part.lowerBound + 1), with: found)
    position = min(position, part.upperBound)
    if position < part.upperBound { unbroken[0] = position..<part.upperBound } else { unbroken.removeFirst() }
    return part.lowerBound..<position
  }

  /// Follows a change; `text` is the text after it. O(edits · (log n + length of the lines changed)).
  mutating func update(_ text: Rope, by delta: Delta) {
    guard mode != .off else { return }
    breaks.follow(delta)
    unbroken = unbroken.compactMap { part in
      let start = delta.transform(part.lowerBound, bias: .left)
      let end = delta.transform(part.upperBound, bias: .right)
      return start < end ? start..<end : nil
    }
    for edit in delta.edits { rebreak(edit.newRange, in: text) }
  }

  /// Follows text put behind the end, from `oldEnd` on.
  mutating func grow(_ text: Rope, from oldEnd: ByteOffset) {
    guard mode != .off else { return }
    breaks.grow(to: text.byteCount)
    if let index = unbroken.firstIndex(where: { $0.upperBound == oldEnd }) {
      unbroken[index] = unbroken[index].lowerBound..<text.endOffset
    } else if text.endOffset - oldEnd > immediateByteCount {
      unbroken.append(rowStart(of: oldEnd, in: text)..<text.endOffset)
    } else {
      rebreak(oldEnd..<text.endOffset, in: text)
    }
  }

  private func rowStart(of offset: ByteOffset, in text: Rope) -> ByteOffset {
    let index = breaks.countUpTo(offset)
    return max(text.lineStart(of: offset), index > 0 ? breaks[index - 1] : 0)
  }

  /// Breaks the logical lines that `range` touches.
  private mutating func rebreak(_ range: Range<ByteOffset>, in text: Rope) {
    if unbroken.contains(where: { $0.contains(range.lowerBound) }) { return }
    var line = text.lineStart(of: range.lowerBound)
    let end = text.nextLineStart(after: range.upperBound) ?? text.endOffset
    breaks.replace(in: line...line, with: [])
    while line < end {
      let next = text.nextLineStart(after: line) ?? text.endOffset
      if next - line > longLineByteCount {
        rebreakRows(touching: range.clamped(to: line..<next), to: next, of: text)
      } else {
        breaks.replace(in: line...next, with: breaker.breaks(of: line..<next, in: text))
      }
      line = next
    }
  }

  /// Breaks a long line from the row before the change to where its breaks are those it had.
  private mutating func rebreakRows(touching range: Range<ByteOffset>, to end: ByteOffset, of text: Rope) {
    let row = rowStart(of: range.lowerBound, in: text)
    let before = row > 0 ? rowStart(of: row - 1, in: text) : row
    let start = max(before, text.lineStart(of: range.lowerBound))
    var found: [ByteOffset] = []
    let stop = findRows(from: start, to: end, of: text, &found) { row in
      row > range.upperBound && breaks.contains(row)
    }
    breaks.replace(in: (start + 1)...max(stop, start + 1), with: found)
  }

  /// Finds the breaks of the line that goes on to `end`, from the start of one of its rows up to a row for which `isLast` holds.
  /// - Returns: The start of that row, or `end`.
  private func findRows(
    from start: ByteOffset, to end: ByteOffset, of text: Rope, _ found: inout [ByteOffset],
    until isLast: (ByteOffset) -> Bool
  ) -> ByteOffset {
    var position = start
    var size = pieceByteCount
    while position < end {
      let limit = position + size < end ? text.graphemeBoundary(atOrBefore: position + size) : end
      let part = breaker.breaks(of: position..<limit, in: text)
      if let last = part.firstIndex(where: isLast) {
        found += part[...last]
        return part[last]
      }
      found += part
      if limit == end { return end }
      // Without a break the piece was too short for one.
      size = part.isEmpty ? size * 2 : pieceByteCount
      position = part.last ?? position
    }
    return end
  }

  // MARK: Places

  func count(_ text: Rope) -> Int { text.lineCount + breaks.count }

  /// The line that holds `offset`. O(log n).
  func line(of offset: ByteOffset, in text: Rope) -> Int {
    text.line(at: offset).value + (mode == .off ? 0 : breaks.countUpTo(offset))
  }

  /// Where a line starts; the end of the text when there is no such line. O(log n), squared while wrapping.
  func start(ofLine line: Int, in text: Rope) -> ByteOffset {
    guard line > 0 else { return 0 }
    guard line < count(text) else { return text.endOffset }
    guard mode != .off else { return text.convert(LineNumber(line), to: ByteOffset.self) }
    // Of the soft breaks, count those whose line is at most the one wanted.
    var (low, high) = (0, breaks.count)
    while low < high {
      let middle = (low + high) / 2
      if text.line(at: breaks[middle]).value + middle + 1 <= line { low = middle + 1 } else { high = middle }
    }
    let logical = text.convert(LineNumber(line - low), to: ByteOffset.self)
    return low > 0 ? max(logical, breaks[low - 1]) : logical
  }

  /// Where the line behind the one at `start` starts; the end of the text when there is none. O(log n).
  func nextStart(behind start: ByteOffset, in text: Rope) -> ByteOffset {
    let end = text.nextLineStart(after: start) ?? text.endOffset
    guard mode != .off else { return end }
    let index = breaks.countUpTo(start)
    return index < breaks.count ? min(end, breaks[index]) : end
  }

  /// Whether a line continues the one above it.
  func isContinuation(lineStartingAt offset: ByteOffset, in text: Rope) -> Bool {
    mode != .off && offset > 0 && text[offset - 1] != 0x0A
  }

  /// The offset of a place, clamped to the text and to the end of its line, at the start of a cluster.
  func offset(ofLine line: Int, column: Int, in text: Rope) -> ByteOffset {
    guard line < count(text) else { return text.endOffset }
    let line = max(0, line)
    let start = start(ofLine: line, in: text)
    let end = self.start(ofLine: line + 1, in: text)
    return Self.offset(ofColumn: column, in: start..<max(start, end), isLast: line + 1 == count(text), of: text)
  }

  /// The same, of a line that is known with its end.
  static func offset(
    ofColumn column: Int, in line: Range<ByteOffset>, isLast: Bool, of text: Rope
  ) -> ByteOffset {
    guard column < line.count else {
      return isLast ? text.endOffset : text.graphemeStart(before: line.upperBound) ?? line.lowerBound
    }
    return text.graphemeBoundary(atOrBefore: line.lowerBound + max(0, column))
  }

  /// The line of an offset, and its bytes from the start of that line.
  func place(of offset: ByteOffset, in text: Rope) -> (line: Int, column: Int) {
    let line = line(of: offset, in: text)
    return (line, offset - start(ofLine: line, in: text))
  }
}
