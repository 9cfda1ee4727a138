import Rope

/// Where a region's active end goes.
enum Movement: Sendable {
  case left, right, wordLeft, wordRight
  case leftEndOfLine, rightEndOfLine
  /// To the first that is no blank; to the start of the line when it is there already.
  case lineTextStart
  case up, down, pageUp, pageDown
  /// To where one more caret goes: to the next line, or for who edits no code, as in xi, to the next that is long enough for the column.
  case caretAbove, caretBelow
  case paragraphStart, paragraphEnd
  /// To the end of the paragraph, or over it when it is there already.
  case paragraphEndOrNext
  case documentStart, documentEnd
}

extension TextView {
  func move(_ movement: Movement, selecting: Bool) {
    carets.drag = nil
    select(moved(movement, selecting: selecting))
  }

  /// The selection with every region moved.
  func moved(_ movement: Movement, selecting: Bool) -> Selection {
    var result = Selection()
    var lookup = LineLookup(lines, of: text)
    for region in selection.regions { result.add(moved(region, movement, selecting: selecting, &lookup)) }
    return result
  }

  func moved(
    _ region: SelectionRegion, _ movement: Movement, selecting: Bool, _ lookup: inout LineLookup
  ) -> SelectionRegion {
    var column: Int?
    let target: ByteOffset
    switch movement {
    case .up, .down, .pageUp, .pageDown:
      (target, column) = verticalTarget(of: region, movement, selecting: selecting, &lookup)
    case .caretAbove, .caretBelow: (target, column) = caretTarget(of: region, isUp: movement == .caretAbove, &lookup)
    case .left, .right:
      target = horizontalTarget(of: region, isLeft: movement == .left, selecting: selecting)
    default: target = self.target(of: movement, from: region.active, &lookup)
    }
    return SelectionRegion(selecting ? region.anchor : target, target, column: column)
  }

  private func horizontalTarget(of region: SelectionRegion, isLeft: Bool, selecting: Bool) -> ByteOffset {
    guard region.isCaret || selecting else { return isLeft ? region.lowerBound : region.upperBound }
    return isLeft
      ? text.graphemeStart(before: region.active) ?? 0 : text.graphemeEnd(after: region.active) ?? text.endOffset
  }

  private func target(of movement: Movement, from offset: ByteOffset, _ lookup: inout LineLookup) -> ByteOffset {
    switch movement {
    case .wordLeft: lookup.words.start(before: offset) ?? 0
    case .wordRight: lookup.words.end(after: offset) ?? text.endOffset
    case .leftEndOfLine: lookup.range(ofLine: lookup.place(of: offset).line).lowerBound
    case .rightEndOfLine: endOfLine(lookup.place(of: offset).line, &lookup)
    case .lineTextStart: lineTextStart(offset, &lookup)
    case .paragraphStart: text.lineStart(before: offset)
    case .paragraphEnd: text.lineContentEnd(of: offset)
    case .paragraphEndOrNext: paragraphEndOrNext(offset)
    case .documentStart: 0
    case .documentEnd: text.endOffset
    default: offset
    }
  }

  private func lineTextStart(_ offset: ByteOffset, _ lookup: inout LineLookup) -> ByteOffset {
    let start = lookup.range(ofLine: lookup.place(of: offset).line).lowerBound
    let textStart = start + blankCount(from: start, to: text.endOffset)
    return offset == textStart ? start : textStart
  }

  private func paragraphEndOrNext(_ offset: ByteOffset) -> ByteOffset {
    let end = text.lineContentEnd(of: offset)
    return end == offset ? text.nextLineStart(after: offset) ?? text.endOffset : end
  }

  /// Before the cluster that ends a line, if it is not the last.
  private func endOfLine(_ line: Int, _ lookup: inout LineLookup) -> ByteOffset {
    guard line + 1 < lookup.lineCount else { return text.endOffset }
    let next = lookup.range(ofLine: line).upperBound
    return text.graphemeStart(before: next) ?? next
  }

  // MARK: Vertical motion

  /// The column that motion up and down keeps: the cell, or for who edits no code, as in xi, the byte.
  private func aim(of offset: ByteOffset, column: Int) -> Int {
    document.settings.editsCode ? cell(of: offset, lineStart: offset - column) : column
  }

  private func target(inLine line: Int, aim: Int, _ lookup: inout LineLookup) -> ByteOffset {
    document.settings.editsCode ? offset(ofCell: aim, inLine: line, &lookup) : lookup.offset(ofLine: line, column: aim)
  }

  /// The column aimed at, and the line that the motion starts from.
  private func verticalStart(
    of region: SelectionRegion, isUp: Bool, selecting: Bool, _ lookup: inout LineLookup
  ) -> (column: Int, line: Int) {
    let offset = selecting ? region.active : isUp ? region.lowerBound : region.upperBound
    let place = lookup.place(of: offset)
    return (region.column ?? aim(of: offset, column: place.column), place.line)
  }

  private func verticalTarget(
    of region: SelectionRegion, _ movement: Movement, selecting: Bool, _ lookup: inout LineLookup
  ) -> (ByteOffset, Int) {
    let isUp = movement == .up || movement == .pageUp
    let distance = movement == .up || movement == .down ? 1 : pageLineCount
    let (column, line) = verticalStart(of: region, isUp: isUp, selecting: selecting, &lookup)
    if isUp, distance > line { return (0, column) }
    let goal = isUp ? line - distance : line + distance
    if goal >= lookup.lineCount { return (text.endOffset, column) }
    return (target(inLine: goal, aim: column, &lookup), column)
  }

  /// The next line up or down, at its end where it is shorter; in the region's own line when there is none.
  private func caretTarget(of region: SelectionRegion, isUp: Bool, _ lookup: inout LineLookup) -> (ByteOffset, Int) {
    guard document.settings.editsCode else { return exactTarget(of: region, isUp: isUp, &lookup) }
    let (column, start) = verticalStart(of: region, isUp: isUp, selecting: false, &lookup)
    let line = isUp ? start - 1 : start + 1
    guard line >= 0, line < lookup.lineCount else { return (region.active, column) }
    return (target(inLine: line, aim: column, &lookup), column)
  }

  /// The next line up or down that has a character at the column; the region's own line when there is none.
  private func exactTarget(
    of region: SelectionRegion, isUp: Bool, _ lookup: inout LineLookup
  ) -> (ByteOffset, Int) {
    let (aimed, start) = verticalStart(of: region, isUp: isUp, selecting: false, &lookup)
    let length = lookup.range(ofLine: start).count
    let column = length < aimed ? max(0, length - 1) : aimed
    let step = isUp ? -1 : 1
    var line = start + step
    while line >= 0, line < lookup.lineCount, lookup.range(ofLine: line).count <= column { line += step }
    if line < 0 || line >= lookup.lineCount { line = start }
    return (lookup.offset(ofLine: line, column: column), column)
  }
}
