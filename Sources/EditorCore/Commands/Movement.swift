import Rope

/// Where a region's active end goes.
enum Movement: Sendable {
  case left, right, wordLeft, wordRight
  case leftEndOfLine, rightEndOfLine
  case up, down, pageUp, pageDown
  /// Up or down to a line that is long enough for the column.
  case upExactly, downExactly
  case paragraphStart, paragraphEnd
  /// To the end of the paragraph, or over it when it is there already.
  case paragraphEndOrNext
  case documentStart, documentEnd
}

extension TextView {
  func move(_ movement: Movement, selecting: Bool) {
    drag = nil
    select(moved(movement, selecting: selecting))
  }

  /// The selection with every region moved.
  func moved(_ movement: Movement, selecting: Bool) -> Selection {
    var result = Selection()
    for region in selection.regions { result.add(moved(region, movement, selecting: selecting)) }
    return result
  }

  func moved(_ region: SelectionRegion, _ movement: Movement, selecting: Bool) -> SelectionRegion {
    var column: Int?
    let target: ByteOffset
    switch movement {
    case .up, .down, .pageUp, .pageDown: (target, column) = verticalTarget(of: region, movement, selecting: selecting)
    case .upExactly, .downExactly: (target, column) = exactTarget(of: region, isUp: movement == .upExactly)
    case .left, .right:
      target = horizontalTarget(of: region, isLeft: movement == .left, selecting: selecting)
    default: target = self.target(of: movement, from: region.active)
    }
    return SelectionRegion(selecting ? region.anchor : target, target, column: column)
  }

  private func horizontalTarget(of region: SelectionRegion, isLeft: Bool, selecting: Bool) -> ByteOffset {
    guard region.isCaret || selecting else { return isLeft ? region.lowerBound : region.upperBound }
    return isLeft
      ? text.graphemeStart(before: region.active) ?? 0 : text.graphemeEnd(after: region.active) ?? text.endOffset
  }

  private func target(of movement: Movement, from offset: ByteOffset) -> ByteOffset {
    switch movement {
    case .wordLeft: text.wordStart(before: offset) ?? 0
    case .wordRight: text.wordEnd(after: offset) ?? text.endOffset
    case .leftEndOfLine: lines.start(ofLine: line(of: offset), in: text)
    case .rightEndOfLine: endOfLine(line(of: offset))
    case .paragraphStart: text.lineStart(before: offset)
    case .paragraphEnd: text.lineContentEnd(of: offset)
    case .paragraphEndOrNext: paragraphEndOrNext(offset)
    case .documentStart: 0
    case .documentEnd: text.endOffset
    default: offset
    }
  }

  private func paragraphEndOrNext(_ offset: ByteOffset) -> ByteOffset {
    let end = text.lineContentEnd(of: offset)
    return end == offset ? text.nextLineStart(after: offset) ?? text.endOffset : end
  }

  /// Before the cluster that ends a line, if it is not the last.
  private func endOfLine(_ line: Int) -> ByteOffset {
    guard line + 1 < lineCount else { return text.endOffset }
    let next = lines.start(ofLine: line + 1, in: text)
    return text.graphemeStart(before: next) ?? next
  }

  // MARK: Vertical motion

  /// The column aimed at, and the line that the motion starts from.
  private func verticalStart(of region: SelectionRegion, isUp: Bool, selecting: Bool) -> (column: Int, line: Int) {
    let offset = selecting ? region.active : isUp ? region.lowerBound : region.upperBound
    let place = lines.place(of: offset, in: text)
    return (region.column ?? place.column, place.line)
  }

  private func verticalTarget(
    of region: SelectionRegion, _ movement: Movement, selecting: Bool
  ) -> (ByteOffset, Int) {
    let isUp = movement == .up || movement == .pageUp
    let distance = movement == .up || movement == .down ? 1 : pageLineCount
    let (column, line) = verticalStart(of: region, isUp: isUp, selecting: selecting)
    if isUp, distance > line { return (0, column) }
    let goal = isUp ? line - distance : line + distance
    if goal >= lineCount { return (text.endOffset, column) }
    return (lines.offset(ofLine: goal, column: column, in: text), column)
  }

  /// The next line up or down that has a character at the column; the region's own line when there is none.
  private func exactTarget(of region: SelectionRegion, isUp: Bool) -> (ByteOffset, Int) {
    let (aimed, start) = verticalStart(of: region, isUp: isUp, selecting: false)
    let length = byteCount(ofLine: start)
    let column = length < aimed ? max(0, length - 1) : aimed
    let step = isUp ? -1 : 1
    var line = start + step
    while line >= 0, line < lineCount, byteCount(ofLine: line) <= column { line += step }
    if line < 0 || line >= lineCount { line = start }
    return (lines.offset(ofLine: line, column: column, in: text), column)
  }

  /// With its line end.
  private func byteCount(ofLine line: Int) -> Int {
    lines.start(ofLine: line + 1, in: text) - lines.start(ofLine: line, in: text)
  }
}
