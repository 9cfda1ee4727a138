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
  /// The rows of most changes are soon those that they were: more is broken only where they are not.
  private var firstPieceByteCount: Int { pieceByteCount / 32 }

  /// Breaks lines anew: all of a short text; of a longer one those around `place`, for a screen of `rowCount` rows.
  mutating func wrap(_ text: Rope, _ mode: WrapMode, tabSize: Int, around place: ByteOffset, rowCount: Int) {
    self.mode = mode
    breaker = LineBreaker(mode: mode, metrics: CellMetrics(tabSize: tabSize))
    if case .measured = mode { breaker.widths = widths }
    breaks = Breaks(byteCount: text.byteCount)
    unbroken = []
    guard mode != .off else { return }
    if text.byteCount <= immediateByteCount {
      rebreak(text.fullRange, in: text, knownTo: text.endOffset)
      return
    }
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
      position = findRows(from: position, to: end, of: text, &found, size: pieceByteCount) { row in row >= stop }
    }
    breaks.replace(in: (part.lowerBound + 1)...max(position, part.lowerBound + 1), with: found)
    position = min(position, part.upperBound)
    if position < part.upperBound { unbroken[0] = position..<part.upperBound } else { unbroken.removeFirst() }
    return part.lowerBound..<position
  }

  /// Follows a change; `text` is the text after it. O(edits · log n + what is broken anew), of which nothing is twice.
  mutating func update(_ text: Rope, by delta: Delta) {
    guard mode != .off else { return }
    breaks.follow(delta)
    unbroken = unbroken.compactMap { part in
      let start = delta.transform(part.lowerBound, bias: .left)
      let end = delta.transform(part.upperBound, bias: .right)
      return start < end ? start..<end : nil
    }
    let stretches = stretches(of: delta, in: text)
    var done: ByteOffset = 0
    for (index, stretch) in stretches.enumerated() where stretch.upperBound >= done {
      let next = index + 1 < stretches.count ? stretches[index + 1].lowerBound : text.endOffset
      done = rebreak(stretch, in: text, knownTo: next)
    }
  }

  /// What has changed, that of near edits in one line taken together.
  private func stretches(of delta: Delta, in text: Rope) -> [Range<ByteOffset>] {
    var stretches: [Range<ByteOffset>] = []
    for edit in delta.edits {
      let range = edit.newRange
      if let last = stretches.last, range.lowerBound - last.upperBound <= firstPieceByteCount,
        text.lineStart(of: range.lowerBound) <= last.upperBound,
        // What is to be broken later says nothing of what is behind it.
        !unbroken.contains(where: { $0.contains(last.lowerBound) })
      {
        stretches[stretches.count - 1] = last.lowerBound..<range.upperBound
      } else {
        stretches.append(range)
      }
    }
    return stretches
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
      rebreak(oldEnd..<text.endOffset, in: text, knownTo: text.endOffset)
    }
  }

  private func rowStart(of offset: ByteOffset, in text: Rope) -> ByteOffset {
    let index = breaks.countUpTo(offset)
    return max(text.lineStart(of: offset), index > 0 ? breaks[index - 1] : 0)
  }

  /// Breaks the logical lines that `range` touches.
  ///
  /// - Parameter next: From `range` up to it the text is what it was.
  /// - Returns: Up to where all rows are those of the text.
  @discardableResult
  private mutating func rebreak(_ range: Range<ByteOffset>, in text: Rope, knownTo next: ByteOffset) -> ByteOffset {
    if unbroken.contains(where: { $0.contains(range.lowerBound) }) { return range.lowerBound }
    var line = text.lineStart(of: range.lowerBound)
    let end = text.nextLineStart(after: range.upperBound) ?? text.endOffset
    breaks.replace(in: line...line, with: [])
    var done = line
    while line < end {
      let lineEnd = text.nextLineStart(after: line) ?? text.endOffset
      if lineEnd - line > longLineByteCount {
        let changed = range.clamped(to: line..<lineEnd)
        done = rebreakRows(
          touching: changed, to: lineEnd, of: text, knownTo: min(max(next, changed.upperBound), lineEnd))
      } else {
        breaks.replace(in: line...lineEnd, with: breaker.breaks(of: line..<lineEnd, in: text))
        done = lineEnd
      }
      line = lineEnd
    }
    return done
  }

  /// Breaks a long line from the row before the change to where its breaks are those it had.
  private mutating func rebreakRows(
    touching range: Range<ByteOffset>, to end: ByteOffset, of text: Rope, knownTo next: ByteOffset
  ) -> ByteOffset {
    let row = rowStart(of: range.lowerBound, in: text)
    var found: [ByteOffset] = []
    var (start, place) = (row, row)
    if let longest = breaker.longestRow, range.lowerBound - row > longest {
      // Of a row that is too long already here no more is looked at than what may have been a place for a break.
      let cluster = text.graphemeStart(before: range.lowerBound) ?? row
      place = max(row, text.graphemeStart(before: cluster) ?? row)
      if place - row <= longest { place = row }
    }
    if place == row {
      let before = row > 0 ? rowStart(of: row - 1, in: text) : row
      start = max(before, text.lineStart(of: range.lowerBound))
      place = start
    }
    let stop = findRows(
      from: start, place, to: end, of: text, &found, size: firstPieceByteCount, unchanged: range.upperBound..<next
    ) { row in row > range.upperBound && breaks.contains(row) }
    breaks.replace(in: (start + 1)...max(stop, start + 1), with: found)
    return stop
  }

  /// Finds the breaks of the line that goes on to `end`, from the start of one of its rows up to a row for which `isLast` holds.
  ///
  /// - Parameters:
  ///   - place: In that row: what is before it is known to have no break.
  ///   - size: How much is broken at first.
  ///   - unchanged: Where the text is what it was.
  /// - Returns: The start of that row, or `end`; or how far it is known that there is no other.
  private func findRows(
    from start: ByteOffset, _ place: ByteOffset? = nil, to end: ByteOffset, of text: Rope,
    _ found: inout [ByteOffset], size: Int, unchanged: Range<ByteOffset>? = nil, until isLast: (ByteOffset) -> Bool
  ) -> ByteOffset {
    var (row, position, size) = (start, place ?? start, max(size, 1))
    while position < end {
      let limit = position + size < end ? text.graphemeBoundary(atOrBefore: position + size) : end
      let part = breaker.breaks(of: position..<limit, in: text, goesOn: position > row)
      if let last = part.firstIndex(where: isLast) {
        found += part[...last]
        return part[last]
      }
      found += part
      if limit == end { return end }
      if let last = part.last {
        (row, position, size) = (last, last, min(4 * size, pieceByteCount))
      } else if let longest = breaker.longestRow, limit - row > longest {
        // It can only be broken at the next place for that.
        if let unchanged, limit <= unchanged.upperBound,
          let next = nextBreak(behind: limit, in: max(row, unchanged.lowerBound), longest)
        {
          if next < min(end, unchanged.upperBound) { found.append(next) }
          return min(next, end, unchanged.upperBound)
        }
        (position, size) = (text.graphemeStart(before: limit) ?? limit, min(4 * size, pieceByteCount))
      } else {
        // The piece was too short for a break.
        size *= 2
      }
    }
    return end
  }

  /// Where a row that is too long without a place for a break was broken before, if it was so from `start` on already; nil if not.
  private func nextBreak(behind place: ByteOffset, in start: ByteOffset, _ longest: Int) -> ByteOffset? {
    let index = breaks.countUpTo(place)
    guard place - max(start, index > 0 ? breaks[index - 1] : 0) > longest else { return nil }
    return index < breaks.count ? breaks[index] : ByteOffset(breaks.byteCount)
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
