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
    let runs = selectedLineRuns()
    var (lookup, cursor) = (LogicalLineLookup(of: text), Rope.Cursor(text, at: 0))
    let delta = replace { builder in
      for run in runs {
        let last = max(run.upperBound - 1, run.lowerBound + 1)
        var line = lookup.line(of: text.convert(run.lowerBound))
        while line.number < last, let next = lookup.line(behind: line) {
          let (range, hasBlank) = join(line, isFirst: line.number == run.lowerBound, &cursor)
          builder.replace(range, with: hasBlank ? " " : Rope())
          line = next
        }
      }
    }
    if !delta.isIdentity { commit(delta, as: .other) }
  }

  /// - Parameter line: Not the last.
  /// - Returns: What goes, and whether a blank is put in its place.
  private func join(
    _ line: LogicalLineLookup.Line, isFirst: Bool, _ cursor: inout Rope.Cursor
  ) -> (Range<ByteOffset>, hasBlank: Bool) {
    let (start, next) = (line.range.lowerBound, line.range.upperBound)
    var end = line.contentEnd
    while end > start, cursor.byte(at: end - 1)?.isBlank == true { end -= 1 }
    end = cursor.graphemeBoundary(atOrAfter: end)
    let first = next + cursor.blankCount(from: next, to: text.endOffset)
    let byte = cursor.byte(at: first)
    let isBare = byte == nil || byte == 0x0A || byte == 0x0D || byte.flatMap(Brackets.opening) != nil
    // An empty line leaves the blanks of the one that it is joined with.
    return isFirst && end == start ? (start..<next, false) : (end..<first, !isBare)
  }
}
