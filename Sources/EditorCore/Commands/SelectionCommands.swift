import Rope

extension TextView {
  func selectAll() { setSelection(Selection(SelectionRegion(0, text.endOffset))) }

  func addSelection(_ movement: Movement) {
    var result = Selection()
    var lookup = LineLookup(lines, of: text)
    for region in selection.regions {
      result.add(region)
      result.add(moved(region, movement, selecting: false, &lookup))
    }
    select(result)
  }

  /// One region for each line of a region, without the line ends.
  func splitSelectionIntoLines() {
    var result = Selection()
    var lookup = LogicalLineLookup(of: text)
    for region in selection.regions {
      var start = region.lowerBound
      while case let line = lookup.line(of: start), !line.isLast, line.range.upperBound <= region.upperBound {
        result.add(SelectionRegion(start, line.contentEnd))
        start = line.range.upperBound
      }
      if start < region.upperBound || region.isCaret { result.add(SelectionRegion(start, region.upperBound)) }
    }
    setSelection(result.isEmpty ? selection : result)
  }

  func goto(line: Int) { select(.caret(lines.offset(ofLine: line, column: 0, in: text))) }

  /// A logical line, and a count of characters in it, as front ends show them.
  func goto(logicalLine: Int, character: Int) {
    let line = LineNumber(min(max(0, logicalLine), text.lineCount - 1))
    let start = text.convert(line, to: ByteOffset.self)
    let end = text.lineContentEnd(of: start)
    var cursor = Rope.Cursor(text, at: start)
    var left = character
    while left > 0, cursor.offset < end, cursor.nextCodePoint() != nil {
      if text.isBetweenClusters(cursor.offset) { left -= 1 }
    }
    select(.caret(text.graphemeBoundary(atOrBefore: min(cursor.offset, end))))
  }
}
