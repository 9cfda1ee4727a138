import Rope
import TextMetrics

/// The lines as they are shown: logical lines, broken where they are too long. Numbered from 0.
struct VisualLines {
  private(set) var mode = WrapMode.off
  private var breaker = LineBreaker(mode: .off, metrics: CellMetrics(tabSize: 4))
  private var breaks = SoftBreaks(byteCount: 0)

  /// Breaks the whole text anew. O(n) unless wrapping is off.
  mutating func wrap(_ text: Rope, _ mode: WrapMode, tabSize: Int) {
    self.mode = mode
    breaker = LineBreaker(mode: mode, metrics: CellMetrics(tabSize: tabSize))
    breaks = SoftBreaks(byteCount: text.byteCount)
    guard mode != .off else { return }
    rebreak(text.fullRange, in: text)
  }

  /// Follows a change; `text` is the text after it. O(edits · (log n + length of the lines changed)).
  mutating func update(_ text: Rope, by delta: Delta) {
    guard mode != .off else { return }
    for edit in delta.edits.reversed() { breaks.replace(edit.range, newByteCount: edit.replacement.byteCount) }
    for edit in delta.edits { rebreak(edit.newRange, in: text) }
  }

  /// Follows text put behind the end, from `oldEnd` on.
  mutating func grow(_ text: Rope, from oldEnd: ByteOffset) {
    guard mode != .off else { return }
    breaks.replace(oldEnd..<oldEnd, newByteCount: text.endOffset - oldEnd)
    rebreak(oldEnd..<text.endOffset, in: text)
  }

  /// Breaks the logical lines that `range` touches.
  private mutating func rebreak(_ range: Range<ByteOffset>, in text: Rope) {
    let start = text.lineStart(of: range.lowerBound)
    let end = text.nextLineStart(after: range.upperBound) ?? text.endOffset
    breaks.removeAll(in: start...end)
    var line = start
    while line < end {
      let next = text.nextLineStart(after: line) ?? text.endOffset
      breaks.insert(breaker.breaks(of: line..<next, in: text))
      line = next
    }
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

  /// Whether a line continues the one above it.
  func isContinuation(lineStartingAt offset: ByteOffset, in text: Rope) -> Bool {
    mode != .off && offset > 0 && text[offset - 1] != 0x0A
  }

  /// The offset of a place, clamped to the text and to the end of its line, at the start of a cluster.
  func offset(ofLine line: Int, column: Int, in text: Rope) -> ByteOffset {
    let start = start(ofLine: line, in: text)
    var offset = ByteOffset(start.value.addingReportingOverflow(column).partialValue)
    if column > text.endOffset - start || offset >= text.endOffset {
      offset = text.endOffset
      if self.line(of: offset, in: text) <= line { return offset }
    } else {
      offset = text.graphemeBoundary(atOrBefore: offset)
    }
    let next = self.start(ofLine: line + 1, in: text)
    return offset >= next ? text.graphemeStart(before: next) ?? offset : offset
  }

  /// The line of an offset, and its bytes from the start of that line.
  func place(of offset: ByteOffset, in text: Rope) -> (line: Int, column: Int) {
    let line = line(of: offset, in: text)
    return (line, offset - start(ofLine: line, in: text))
  }
}
