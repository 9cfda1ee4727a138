import Rope

/// Lines become comments, and text again.
extension TextView {
  private typealias Edit = (Range<ByteOffset>, Rope)

  /// What makes a line a comment.
  private struct LineMark {
    let bytes: [UInt8]
    /// With the blank behind it.
    let text: Rope

    init(_ mark: String) { (bytes, text) = (Array(mark.utf8), Rope(mark + " ")) }
  }

  func toggleComments(_ language: Language) {
    var edits: [Edit] = []
    let selected = selection
    var (lookup, cursor) = (LogicalLineLookup(of: text), Rope.Cursor(text, at: 0))
    if let mark = language.lineComment {
      let mark = LineMark(mark)
      for run in selectedLineRuns() { toggle(lines: run, mark, &edits, &lookup, &cursor) }
    } else if let marks = language.blockComment {
      edits = blocksToComment(&lookup, &cursor).flatMap { toggle(block: $0, marks, &cursor) }
    } else {
      remark = "\(language.name) has no comments"
      return
    }
    let delta = replace { builder in for (range, text) in edits { builder.replace(range, with: text) } }
    let revision = document.buffer.revision
    if !delta.isIdentity { commit(delta, as: .other) }
    guard language.lineComment == nil, document.buffer.revision != revision else { return }
    // With the marks, which the same key takes away again.
    select(selected.transformed(by: delta, .inside))
  }

  /// The logical lines that the regions touch; those that follow each other taken together.
  func selectedLineRuns() -> [Range<LineNumber>] {
    var runs: [Range<LineNumber>] = []
    var lookup = LogicalLineLookup(of: text)
    for region in selection.regions {
      let lines = lookup.lines(of: region)
      if let last = runs.last, last.upperBound >= lines.lowerBound {
        runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, lines.upperBound)
      } else {
        runs.append(lines)
      }
    }
    return runs
  }

  // MARK: Lines

  /// The mark stands where the line begins that is indented least; blank lines stay as they are.
  private func toggle(
    lines: Range<LineNumber>, _ mark: LineMark, _ edits: inout [Edit], _ lookup: inout LogicalLineLookup,
    _ cursor: inout Rope.Cursor
  ) {
    var starts: [(line: ByteOffset, blanks: Int)] = []
    var next: LogicalLineLookup.Line? = lookup.line(of: text.convert(lines.lowerBound))
    while let line = next, line.number < lines.upperBound {
      let start = line.range.lowerBound
      let count = cursor.blankCount(from: start, to: text.endOffset)
      let byte = cursor.byte(at: start + count)
      let isBlank = byte == nil || byte == 0x0A || byte == 0x0D
      if !isBlank || lines.count == 1 { starts.append((start, count)) }
      next = lookup.line(behind: line)
    }
    if starts.allSatisfy({ isMark(mark.bytes, at: $0.line + $0.blanks, &cursor) }) {
      for start in starts {
        let place = start.line + start.blanks
        let end = place + mark.bytes.count
        edits.append((place..<(hasBlank(at: end, &cursor) ? end + 1 : end), Rope()))
      }
    } else {
      let column = starts.map(\.blanks).min() ?? 0
      for start in starts { edits.append((start.line + column..<start.line + column, mark.text)) }
    }
  }

  private func isMark(_ mark: some Collection<UInt8>, at place: ByteOffset, _ cursor: inout Rope.Cursor) -> Bool {
    cursor.move(to: place)
    guard mark.allSatisfy({ cursor.next() == $0 }) else { return false }
    return cursor.isBetweenClusters(place) && cursor.isBetweenClusters(place + mark.count)
  }

  /// Whether there is one blank, as a mark puts it beside itself.
  private func hasBlank(at place: ByteOffset, _ cursor: inout Rope.Cursor) -> Bool {
    cursor.byte(at: place) == 0x20 && cursor.isBetweenClusters(place + 1)
  }

  // MARK: Blocks

  /// What is selected; where that is nothing, the line.
  private func blocksToComment(
    _ lookup: inout LogicalLineLookup, _ cursor: inout Rope.Cursor
  ) -> [Range<ByteOffset>] {
    var blocks: [Range<ByteOffset>] = []
    for region in selection.regions {
      let block: Range<ByteOffset>
      if region.isCaret {
        let line = lookup.line(of: region.active)
        let start = line.range.lowerBound
        block = (start + cursor.blankCount(from: start, to: text.endOffset))..<line.contentEnd
      } else {
        block = withoutSpace(region.range, &cursor)
      }
      if blocks.last.map({ $0.upperBound <= block.lowerBound }) ?? true { blocks.append(block) }
    }
    return blocks
  }

  /// Without the blanks and line ends around it, which are no part of a comment; those alone are left as they are.
  private func withoutSpace(_ block: Range<ByteOffset>, _ cursor: inout Rope.Cursor) -> Range<ByteOffset> {
    func isSpace(_ byte: UInt8?) -> Bool { byte?.isBlank == true || byte == 0x0A || byte == 0x0D }
    var (start, end) = (block.lowerBound, block.upperBound)
    while start < end, isSpace(cursor.byte(at: start)) { start += 1 }
    while start < end, isSpace(cursor.byte(at: end - 1)) { end -= 1 }
    return start < end ? cursor.wholeClusters(start..<end) : block
  }

  /// Whether all of it is one comment: with more, the first mark does not belong to the last.
  private func isComment(
    _ block: Range<ByteOffset>, _ marks: Language.BlockComment, _ cursor: inout Rope.Cursor
  ) -> Bool {
    let (open, close) = (marks.open.utf8.count, marks.close.utf8.count)
    guard block.count >= open + close, isMark(marks.open.utf8, at: block.lowerBound, &cursor),
      isMark(marks.close.utf8, at: block.upperBound - close, &cursor)
    else { return false }
    let inner = text.bytes(in: (block.lowerBound + open)..<(block.upperBound - close))
    return inner.firstRange(of: marks.close.utf8) == nil
  }

  private func toggle(
    block: Range<ByteOffset>, _ marks: Language.BlockComment, _ cursor: inout Rope.Cursor
  ) -> [Edit] {
    let (open, close) = (marks.open.utf8.count, marks.close.utf8.count)
    let closing = block.upperBound - close
    guard isComment(block, marks, &cursor) else {
      return [
        (block.lowerBound..<block.lowerBound, Rope(marks.open + " ")),
        (block.upperBound..<block.upperBound, Rope(" " + marks.close)),
      ]
    }
    let inner = (block.lowerBound + open)..<closing
    let hasBlanks =
      inner.count >= 2 && hasBlank(at: inner.lowerBound, &cursor) && hasBlank(at: inner.upperBound - 1, &cursor)
      && cursor.isBetweenClusters(inner.upperBound - 1)
    let blank = hasBlanks ? 1 : 0
    return [
      (block.lowerBound..<inner.lowerBound + blank, Rope()), (inner.upperBound - blank..<block.upperBound, Rope()),
    ]
  }
}
