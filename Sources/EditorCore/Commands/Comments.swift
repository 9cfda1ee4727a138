import Rope

/// Lines become comments, and text again.
extension TextView {
  func toggleComments(_ language: Language) {
    let edits: [(Range<ByteOffset>, String)]
    if let mark = language.lineComment {
      edits = selectedLineRuns().flatMap { toggle(lines: $0, mark) }
    } else if let marks = language.blockComment {
      edits = blocksToComment().flatMap { toggle(block: $0, marks) }
    } else {
      remark = "\(language.name) has no comments"
      return
    }
    let delta = replace { builder in for (range, text) in edits { builder.replace(range, with: Rope(text)) } }
    if !delta.isIdentity { commit(delta, as: .other) }
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
        return (place..<(byte(at: end) == 0x20 ? end + 1 : end), "")
      }
    }
    let column = starts.map(\.blanks).min() ?? 0
    return starts.map { ($0.line + column..<$0.line + column, mark + " ") }
  }

  private func isMark(_ mark: String, at place: ByteOffset) -> Bool {
    text.bytes(in: place..<min(place + mark.utf8.count, text.endOffset)).elementsEqual(mark.utf8)
  }

  // MARK: Blocks

  /// What is selected; where that is nothing, the line.
  private func blocksToComment() -> [Range<ByteOffset>] {
    var blocks: [Range<ByteOffset>] = []
    for region in selection.regions {
      var block = region.range
      if region.isCaret {
        let start = text.lineStart(of: region.active)
        block = (start + blanks(from: start, to: text.endOffset).count)..<text.lineContentEnd(of: start)
      }
      if blocks.last.map({ $0.upperBound <= block.lowerBound }) ?? true { blocks.append(block) }
    }
    return blocks
  }

  private func toggle(block: Range<ByteOffset>, _ marks: Language.BlockComment) -> [(Range<ByteOffset>, String)] {
    let (open, close) = (marks.open.utf8.count, marks.close.utf8.count)
    let closing = block.upperBound - close
    guard block.count >= open + close, isMark(marks.open, at: block.lowerBound), isMark(marks.close, at: closing)
    else {
      return [
        (block.lowerBound..<block.lowerBound, marks.open + " "),
        (block.upperBound..<block.upperBound, " " + marks.close),
      ]
    }
    let inner = (block.lowerBound + open)..<closing
    let hasBlanks = inner.count >= 2 && text[inner.lowerBound] == 0x20 && text[inner.upperBound - 1] == 0x20
    let blank = hasBlanks ? 1 : 0
    return [(block.lowerBound..<inner.lowerBound + blank, ""), (inner.upperBound - blank..<block.upperBound, "")]
  }
}
