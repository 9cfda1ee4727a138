import Rope

/// Lines are put in another order, or put together.
extension TextView {
  private typealias Line = ArraySlice<UInt8>

  /// By their bytes, which is the order of characters.
  func sortLines() { reorder { lines in lines.sort { $0.lexicographicallyPrecedes($1) } } }

  func reverseLines() { reorder { $0.reverse() } }

  /// The first of those that are the same stays.
  func removeDuplicateLines() {
    reorder { lines in
      var known: Set<Line> = []
      lines.removeAll { !known.insert($0).inserted }
    }
  }

  /// What is selected, by whole lines, or all; without a last line that has no text.
  private func reorder(_ change: (inout [Line]) -> Void) {
    let carets = selection.regions.allSatisfy(\.isCaret) ? selection : nil
    let runs = (carets == nil ? selectedLineRuns() : [allLines]).filter { $0.count > 1 }
    guard !runs.isEmpty else {
      remark = carets == nil ? "Only one line is selected" : "There is only one line"
      return
    }
    var ranges: [Range<ByteOffset>] = []
    let delta = replace { builder in
      for run in runs {
        let start: ByteOffset = text.convert(run.lowerBound)
        var end = text.range(ofLine: run.upperBound - 1).upperBound
        if end == text.endOffset { end = max(start, text.lineContentEnd(of: end)) }
        ranges.append(start..<end)
        builder.replace(start..<end, with: reordered(start..<end, change))
      }
    }
    if delta.changes(text) { commit(delta, as: .other) }
    guard let carets else { return selectAgain(ranges, delta) }
    var places = Selection()
    for region in carets.regions { places.add(.caret(min(region.active, text.endOffset))) }
    select(places)
  }

  private var allLines: Range<LineNumber> {
    logicalLines(of: SelectionRegion(0, text.endOffset))
  }

  private func reordered(_ range: Range<ByteOffset>, _ change: (inout [Line]) -> Void) -> Rope {
    let bytes = text.bytes(in: range)
    let isEnded = bytes.last == 0x0A
    var lines = (isEnded ? bytes.dropLast() : bytes[...]).split(separator: 0x0A, omittingEmptySubsequences: false)
    // The line ends stay where they are, also where they differ; the last line may have none, and is another one then.
    let ends = lines.indices.map { index -> [UInt8] in
      guard isEnded || index < lines.count - 1, lines[index].last == 0x0D else { return [0x0A] }
      lines[index].removeLast()
      return [0x0D, 0x0A]
    }
    change(&lines)
    var ordered: [UInt8] = []
    ordered.reserveCapacity(bytes.count)
    for (index, line) in lines.enumerated() {
      ordered += line
      if isEnded || index < lines.count - 1 { ordered += ends[index] }
    }
    return Rope(ordered)
  }

  private func selectAgain(_ ranges: [Range<ByteOffset>], _ delta: Delta) {
    guard text.byteCount == delta.newByteCount else { return }
    var selection = Selection()
    for range in ranges {
      let end = delta.transform(range.upperBound, bias: .right)
      let start = delta.transform(range.lowerBound, bias: .left)
      selection.add(SelectionRegion(min(start, end), end))
    }
    select(selection)
  }

  // MARK: Joining

  /// With a blank in place of the line end and what blanks stand around it; none before a closing bracket or beside an empty line.
  func joinLines() {
    let delta = replace { builder in
      for run in selectedLineRuns() {
        let last = max(run.upperBound - 1, run.lowerBound + 1)
        var line = run.lowerBound
        while line < last, line.value + 1 < text.lineCount {
          let start: ByteOffset = text.convert(line)
          let (range, text) = join(from: start, isFirst: line == run.lowerBound)
          builder.replace(range, with: text)
          line += 1
        }
      }
    }
    if !delta.isIdentity { commit(delta, as: .other) }
  }

  private func join(from start: ByteOffset, isFirst: Bool) -> (Range<ByteOffset>, Rope) {
    let contentEnd = text.lineContentEnd(of: start)
    guard let next = text.nextLineStart(after: start) else { return (contentEnd..<contentEnd, Rope()) }
    var end = contentEnd
    while end > start, text[end - 1].isBlank { end -= 1 }
    end = text.graphemeBoundary(atOrAfter: end)
    let first = next + blanks(from: next, to: text.endOffset).count
    let byte = byte(at: first)
    let isBare = byte == nil || byte == 0x0A || byte == 0x0D || byte.flatMap(Brackets.opening) != nil
    // An empty line leaves the blanks of the one that it is joined with.
    return isFirst && end == start ? (start..<next, Rope()) : (end..<first, isBare ? Rope() : " ")
  }
}
