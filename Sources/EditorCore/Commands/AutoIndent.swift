import Rope

/// Enter, where the language of the text is known.
extension TextView {
  /// What a line break does at one region.
  private struct LineBreak {
    var edits: [(range: Range<ByteOffset>, text: [UInt8])]
    /// Where the caret goes: as this place of the text before, and so many bytes back.
    var caret: ByteOffset
    var back = 0
    /// Of the new line, when it has nothing else.
    var blankCount = 0
  }

  /// What is put in for each region that is indented, at most.
  fileprivate static let lookedAtByteCount = 4096
  /// So far a bracket's partner is looked for.
  private static let bracketDistance = 64 << 10

  func insertNewline(by language: Language) {
    var (lookup, cursor) = (LogicalLineLookup(of: text), Rope.Cursor(text, at: 0))
    let breaks = selection.regions.map { lineBreak(at: $0, lookup.line(of: $0.lowerBound), language, &cursor) }
    let delta = replace { builder in
      for lineBreak in breaks {
        for edit in lineBreak.edits { builder.replace(edit.range, with: Rope(edit.text)) }
      }
    }
    let revision = document.buffer.revision
    commit(delta, as: .newline)
    guard document.buffer.revision != revision else { return }
    var carets = Selection()
    var blanks: [Range<ByteOffset>] = []
    var hint = 0
    for lineBreak in breaks {
      let caret = delta.transform(lineBreak.caret, bias: .right, hint: &hint) - lineBreak.back
      carets.add(.caret(caret))
      if lineBreak.blankCount > 0 { blanks.append((caret - lineBreak.blankCount)..<caret) }
    }
    select(carets)
    indentation.note(blanks: blanks, at: document.buffer.revision)
  }

  private func lineBreak(
    at region: SelectionRegion, _ line: LogicalLineLookup.Line, _ language: Language, _ cursor: inout Rope.Cursor
  ) -> LineBreak {
    let newline = Array(document.lineEnding.utf8)
    let (start, end) = (line.range.lowerBound, region.lowerBound)
    var leading = text.bytes(in: start..<(start + cursor.blankCount(from: start, to: end)))
    let behind = region.upperBound + cursor.blankCount(from: region.upperBound, to: text.endOffset)
    let next = cursor.byte(at: behind)
    if leading.count == end - start {
      // The line goes down as it is, and leaves no blanks.
      let isEmpty = next == nil || next == 0x0A || next == 0x0D
      return LineBreak(
        edits: [(start..<start, newline), (region.range, [])], caret: region.upperBound,
        blankCount: isEmpty && region.upperBound == line.contentEnd ? leading.count : 0)
    }
    let before = text.bytes(in: max(start, end - Self.lookedAtByteCount)..<end)
    let opener = before.last { !$0.isBlank }
    let effect = language.effect(of: before)
    var lineBreak = LineBreak(edits: [(end..<behind, [])], caret: behind)
    if effect == .opens, let opener, let next, Brackets.closing(opener) == next {
      let blanksBefore = before.reversed().prefix { $0.isBlank }.count
      let tail = newline + leading
      leading += Array(document.settings.config.indentation.utf8)
      lineBreak.edits[0] = ((end - blanksBefore)..<lineBreak.caret, newline + leading + tail)
      (lineBreak.back, lineBreak.blankCount) = (tail.count, leading.count)
      return lineBreak
    }
    switch effect {
    case .opens: leading += Array(document.settings.config.indentation.utf8)
    case .leaves: leading = outdented(leading)
    case .none:
      if !language.isProse, let next, let outer = blanksOfLine(openedFor: next, before: end) { leading = outer }
    }
    lineBreak.edits[0].text = newline + leading
    if next == nil || next == 0x0A || next == 0x0D { lineBreak.blankCount = leading.count }
    return lineBreak
  }

  /// Blanks that Enter has put in go when the caret does, in the same undo step.
  func removeBlanksLeftBehind() {
    let ranges = indentation.blanks(at: document.buffer.revision)
    guard !ranges.isEmpty else { return }
    let regions = selection.regions
    var (lookup, next) = (LogicalLineLookup(of: text), 0)
    let left = ranges.filter { range in
      while next < regions.count, regions[next].upperBound < range.lowerBound { next += 1 }
      return next == regions.count || regions[next].lowerBound > lookup.line(of: range.upperBound).contentEnd
    }
    guard !left.isEmpty else { return }
    let columns = selection.regions.map(\.column)
    let delta = replace { builder in for range in left { builder.replace(range, with: Rope()) } }
    document.commit(delta, as: .other, inGroup: document.buffer.history.currentGroup, from: self)
    var kept = Selection()
    for (region, column) in zip(selection.regions, columns) {
      kept.add(SelectionRegion(region.anchor, region.active, column: column))
    }
    select(kept)
    indentation.forgetBlanks()
  }

  // MARK: Indentation

  /// Those that stand from a place on, as far as is looked. A blank with a mark on it is none.
  func blanks(from start: ByteOffset, to end: ByteOffset) -> [UInt8] {
    text.bytes(in: start..<(start + blankCount(from: start, to: end)))
  }

  func blankCount(from start: ByteOffset, to end: ByteOffset) -> Int {
    var cursor = Rope.Cursor(text, at: start)
    return cursor.blankCount(from: start, to: end)
  }

  func byte(at offset: ByteOffset) -> UInt8? { offset < text.endOffset ? text[offset] : nil }

  /// One step less.
  func outdented(_ blanks: [UInt8]) -> [UInt8] {
    if blanks.last == 0x09 { return blanks.dropLast() }
    let column = blanks.reversed().prefix { $0 == 0x20 }.count
    let step = column % document.settings.config.tabSize
    return blanks.dropLast(min(column, step == 0 ? document.settings.config.tabSize : step))
  }

  /// The blanks of the line with the bracket that `closing` closes at a place; nil where there is none near.
  func blanksOfLine(openedFor closing: UInt8, before offset: ByteOffset) -> [UInt8]? {
    guard let opening = Brackets.opening(closing) else { return nil }
    var budget = Budget(Self.bracketDistance / selection.regions.count)
    guard let place = text.bracket(opening, pairedWith: closing, before: offset, &budget) else { return nil }
    return blanks(from: text.lineStart(of: place), to: place)
  }
}

extension Rope.Cursor {
  /// See ``TextView/blanks(from:to:)``.
  mutating func blankCount(from start: ByteOffset, to end: ByteOffset) -> Int {
    move(to: start)
    let end = min(end, start + TextView.lookedAtByteCount)
    var count = 0
    while start + count < end, let byte = next(), byte.isBlank { count += 1 }
    return isBetweenClusters(start + count) ? count : max(count - 1, 0)
  }
}
