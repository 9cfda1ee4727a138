import Rope

/// Characters that are typed where the language of the text is known.
extension TextView {
  /// Further from the start of a line nothing is indented.
  private static let furthestColumn = 256

  /// Types a single character, if something more happens at it than that it is put in.
  func typeAsCode(_ chars: String, _ language: Language) -> Bool {
    guard let byte = chars.utf8.first, chars.utf8.count == 1 else { return false }
    if document.settings.config.closesPairs, closePairs(typing: byte, language) { return true }
    return document.settings.config.indents && dedent(typing: byte, language)
  }

  // MARK: Steps to the left

  /// A closing bracket that is the first of its line, or the end of a word like `else`.
  private func dedent(typing byte: UInt8, _ language: Language) -> Bool {
    let isBracket = Brackets.opening(byte) != nil && !language.isProse
    guard isBracket || byte.isWordByte && !language.rules.backWords.isEmpty else { return false }
    if byte.isWordByte, let line = indentation.takeDedentedLine(at: document.buffer.revision) {
      return indentAgain(line, byte)
    }
    var lookup = LogicalLineLookup(of: text)
    let edits = selection.regions.compactMap { region -> (blanks: Range<ByteOffset>, by: [UInt8])? in
      let start = lookup.line(of: region.active).range.lowerBound
      guard region.isCaret, region.active - start <= Self.furthestColumn else { return nil }
      return isBracket
        ? dedent(closing: byte, from: start, to: region.active)
        : dedent(ending: byte, from: start, to: region.active, language)
    }
    guard edits.count == selection.regions.count, let first = edits.first else { return false }
    let before = blanks(from: first.blanks.lowerBound, to: first.blanks.upperBound)
    replaceBlanks(edits, typing: byte)
    if !isBracket, edits.count == 1 {
      let blanks = first.blanks.lowerBound..<(first.blanks.lowerBound + first.by.count)
      indentation.note(.init(blanks: blanks, before: before), at: document.buffer.revision)
    }
    return true
  }

  private func replaceBlanks(_ edits: [(blanks: Range<ByteOffset>, by: [UInt8])], typing byte: UInt8) {
    let typed = Rope([byte])
    let delta = replace { builder in
      for (edit, region) in zip(edits, selection.regions) {
        builder.replace(edit.blanks, with: Rope(edit.by))
        builder.replace(region.range, with: typed)
      }
    }
    commit(delta, as: .insert)
  }

  private func dedent(
    closing byte: UInt8, from start: ByteOffset, to caret: ByteOffset
  ) -> (blanks: Range<ByteOffset>, by: [UInt8])? {
    let blanks = blanks(from: start, to: caret)
    guard blanks.count == caret - start, let outer = blanksOfLine(openedFor: byte, before: caret),
      outer.count < blanks.count
    else { return nil }
    return (start..<caret, outer)
  }

  /// Where the word stands as Enter has put it, a step to the left.
  private func dedent(
    ending byte: UInt8, from start: ByteOffset, to caret: ByteOffset, _ language: Language
  ) -> (blanks: Range<ByteOffset>, by: [UInt8])? {
    let line = text.bytes(in: start..<caret)
    let blanks = Array(line.prefix(while: \.isBlank))
    let word = line.dropFirst(blanks.count)
    guard !blanks.isEmpty, word.allSatisfy(\.isWordByte), language.rules.isBackWord(word + [byte]),
      self.byte(at: caret)?.isWordByte != true, let previous = lineBefore(start)
    else { return nil }
    let outer = Array(previous.prefix(while: \.isBlank))
    let effect = language.effect(of: previous)
    guard effect != .leaves,
      blanks == (effect == .opens ? outer + Array(document.settings.config.indentation.utf8) : outer)
    else { return nil }
    return (start..<(start + blanks.count), outdented(blanks))
  }

  /// The last line above that is not blank.
  private func lineBefore(_ start: ByteOffset) -> [UInt8]? {
    var end = start
    for _ in 0..<100 where end > 0 {
      let first = text.lineStart(of: end - 1)
      let line = text.bytes(in: first..<min(end, first + 4096))
      if !line.trimmingBlanks.isEmpty { return line }
      end = first
    }
    return nil
  }

  /// The word goes on, and is another one.
  private func indentAgain(_ line: AutomaticIndentation.DedentedLine, _ byte: UInt8) -> Bool {
    guard selection.regions.count == 1, let region = selection.regions.first, region.isCaret else { return false }
    replaceBlanks([(line.blanks, line.before)], typing: byte)
    return true
  }
}
