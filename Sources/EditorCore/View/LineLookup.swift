import Rope

/// Looks up the lines of many places that come in the order of the text: what neighbours share is looked up once.
struct LineLookup {
  private let lines: VisualLines
  private let text: Rope
  let lineCount: Int
  /// The words of the same places.
  var words: WordLookup
  /// The last ones, and where the next goes.
  private var known: [(line: Int, range: Range<ByteOffset>)] = []
  private var next = 0
  private var cursor: Rope.Cursor
  private static let nearByteCount = 1024
  /// Carets walk up two lists: where they are, and where they go.
  private static let knownCount = 4

  init(_ lines: VisualLines, of text: Rope) {
    (self.lines, self.text) = (lines, text)
    lineCount = lines.count(text)
    words = WordLookup(of: text)
    cursor = Rope.Cursor(text, at: 0)
  }

  /// A line with its end; what lies behind the last is empty.
  mutating func range(ofLine line: Int) -> Range<ByteOffset> {
    var (start, end): (ByteOffset?, ByteOffset?)
    for item in known {
      if item.line == line { return item.range }
      if item.line == line - 1 { start = item.range.upperBound }
      if item.line == line + 1 { end = item.range.lowerBound }
    }
    let first = start ?? lines.start(ofLine: line, in: text)
    let range = first..<max(first, end ?? nextStart(behind: first, ofLine: line))
    if known.count < Self.knownCount { known.append((line, range)) } else { known[next] = (line, range) }
    next = (next + 1) % Self.knownCount
    return range
  }

  private mutating func nextStart(behind start: ByteOffset, ofLine line: Int) -> ByteOffset {
    guard lines.mode == .off else { return lines.nextStart(behind: start, in: text) }
    cursor.move(to: start)
    for _ in 0..<Self.nearByteCount {
      guard let byte = cursor.next() else { return text.endOffset }
      if byte == 0x0A { return cursor.offset }
    }
    return lines.start(ofLine: line + 1, in: text)
  }

  /// The line of an offset, and its bytes from the start of that line.
  mutating func place(of offset: ByteOffset) -> (line: Int, column: Int) {
    var before: (line: Int, end: ByteOffset)?
    for item in known {
      if item.range.contains(offset) { return (item.line, offset - item.range.lowerBound) }
      let end = item.range.upperBound
      if end <= offset, end > before?.end ?? -1 { before = (item.line, end) }
    }
    // Mostly the next one.
    if let before, offset - before.end < Self.nearByteCount {
      let next = range(ofLine: before.line + 1)
      if next.contains(offset) { return (before.line + 1, offset - next.lowerBound) }
    }
    let line = lines.line(of: offset, in: text)
    return (line, offset - range(ofLine: line).lowerBound)
  }

  mutating func offset(ofLine line: Int, column: Int) -> ByteOffset {
    VisualLines.offset(ofColumn: column, in: range(ofLine: line), isLast: line + 1 >= lineCount, of: text)
  }
}
