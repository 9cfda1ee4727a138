import Rope

/// Lines become comments, and text again.
extension TextView {
  func toggleComments(_ language: Language) {
    let edits: [(Range<ByteOffset>, String)]
    let selected = selection
    if let mark = language.lineComment {
      edits = selectedLineRuns().flatMap { toggle(lines: $0, mark) }
    } else if let marks = language.blockComment {
      edits = blocksToComment().flatMap { toggle(block: $0, marks) }
    } else {
      remark = "\(language.name) has no comments"
      return
    }
    let delta = replace { builder in for (range, text) in edits { builder.replace(range, with: Rope(text)) } }
    let revision = document.revision
    if !delta.isIdentity { commit(delta, as: .other) }
    guard language.lineComment == nil, document.revision != revision else { return }
    // With the marks, which the same key takes away again.
    select(selected.transformed(by: delta, .inside))
  }

  /// The logical lines that the regions touch; those that follow each other taken together.
  func selectedLineRuns() -> [Range<LineNumber>] {
    var runs: [Range<LineNumber>] = []
    for region in selection.regions {
      let lines = logicalLines(of: region)
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
  private func toggle(lines: Range<LineNumber>, _ mark: String) -> [(Range<ByteOffset>, String)] {
    var starts: [(line: ByteOffset, blanks: Int)] = []
    for line in lines {
      let start: ByteOffset = text.convert(line)
      let count = blanks(from: start, to: text.endOffset).count
      let next = byte(at: start + count)
      let isBlank = next == nil || next == 0x0A || next == 0x0D
      if !isBlank || lines.count == 1 { starts.append((start, count)) }
    }
    let isCommented = starts.allSatisfy { isMark(mark, at: $0.line + $0.blanks) }
    if isCommented {
      return starts.map { start in
        let place = start.line + start.blanks
        let end = place + mark.utf8.count
        return (place..<(hasBlank(at: end) ? end + 1 : end), "")
      }
    }
    let column = starts.map(\.blanks).min() ?? 0
    return starts.map { ($0.line + column..<$0.line + column, mark + " ") }
  }

  private func isMark(_ mark: String, at place: ByteOffset) -> Bool {
    let end = min(place + mark.utf8.count, text.endOffset)
    return text.bytes(in: place..<end).elementsEqual(mark.utf8) && text.isBetweenClusters(place)
      && text.isBetweenClusters(end)
  }

  /// Whether there is one blank, as a mark puts it beside itself.
  private func hasBlank(at place: ByteOffset) -> Bool { byte(at: place) == 0x20 && text.isBetweenClusters(place + 1) }

  // MARK: Blocks

  /// What is selected; where that is nothing, the line.
  private func blocksToComment() -> [Range<ByteOffset>] {
    var blocks: [Range<ByteOffset>] = []
    for region in selection.regions {
      let block: Range<ByteOffset>
      if region.isCaret {
        let start = text.lineStart(of: region.active)
        block = (start + blanks(from: start, to: text.endOffset).count)..<text.lineContentEnd(of: start)
      } else {
        block = withoutSpace(region.range)
      }
      if blocks.last.map({ $0.upperBound <= block.lowerBound }) ?? true { blocks.append(block) }
    }
    return blocks
  }

  /// Without the blanks and line ends around it, which are no part of a comment; those alone are left as they are.
  private func withoutSpace(_ block: Range<ByteOffset>) -> Range<ByteOffset> {
    func isSpace(_ byte: UInt8) -> Bool { byte.isBlank || byte == 0x0A || byte == 0x0D }
    var (start, end) = (block.lowerBound, block.upperBound)
    while start < end, isSpace(text[start]) { start += 1 }
    while start < end, isSpace(text[end - 1]) { end -= 1 }
    return start < end ? text.wholeClusters(start..<end) : block
  }

  /// Whether all of it is one comment: with more, the first mark does not belong to the last.
  private func isComment(_ block: Range<ByteOffset>, _ marks: Language.BlockComment) -> Bool {
    let (open, close) = (marks.open.utf8.count, marks.close.utf8.count)
    guard block.count >= open + close, isMark(marks.open, at: block.lowerBound),
      isMark(marks.close, at: block.upperBound - close)
    else { return false }
    let inner = text.bytes(in: (block.lowerBound + open)..<(block.upperBound - close))
    return inner.firstRange(of: marks.close.utf8) == nil
  }

  private func toggle(block: Range<ByteOffset>, _ marks: Language.BlockComment) -> [(Range<ByteOffset>, String)] {
    let (open, close) = (marks.open.utf8.count, marks.close.utf8.count)
    let closing = block.upperBound - close
    guard isComment(block, marks) else {
      return [
        (block.lowerBound..<block.lowerBound, marks.open + " "),
        (block.upperBound..<block.upperBound, " " + marks.close),
      ]
    }
    let inner = (block.lowerBound + open)..<closing
    let hasBlanks =
      inner.count >= 2 && hasBlank(at: inner.lowerBound) && hasBlank(at: inner.upperBound - 1)
      && text.isBetweenClusters(inner.upperBound - 1)
    let blank = hasBlanks ? 1 : 0
    return [(block.lowerBound..<inner.lowerBound + blank, ""), (inner.upperBound - blank..<block.upperBound, "")]
  }
}
