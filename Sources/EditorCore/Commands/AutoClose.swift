import Rope

/// Brackets and quotes come in pairs.
extension TextView {
  func closePairs(typing byte: UInt8, _ language: Language) -> Bool {
    let carets = selection.regions
    guard carets.allSatisfy(\.isCaret) else { return false }
    let isQuote = language.quotes.contains(byte)
    var surroundings = Surroundings(of: text)
    if isQuote || Brackets.opening(byte) != nil,
      carets.allSatisfy({ surroundings.isTypedOver(byte, at: $0.active, isQuote) })
    {
      var moved = Selection()
      for caret in carets { moved.add(.caret(caret.active + 1)) }
      select(moved)
      return true
    }
    guard let closing = isQuote ? byte : Brackets.closing(byte),
      carets.allSatisfy({ surroundings.isClosed(byte, by: closing, at: $0.active, isQuote) })
    else { return false }
    commitInside(replaceRegions(carets, with: Rope([byte, closing])))
    return true
  }

  /// The carets stand before the last byte of what is put in.
  private func commitInside(_ delta: Delta) {
    let revision = document.buffer.revision
    commit(delta, as: .insert)
    guard document.buffer.revision != revision else { return }
    var carets = Selection()
    for region in selection.regions { carets.add(.caret(region.active - 1)) }
    select(carets)
  }

  /// Whether a caret stands in a pair with nothing in it, which goes as a whole.
  func isInEmptyPair(_ caret: ByteOffset) -> Bool {
    guard let language = document.settings.rules, document.settings.config.closesPairs, caret > 0,
      let next = byte(at: caret)
    else {
      return false
    }
    guard text.isBetweenClusters(caret - 1), text.isBetweenClusters(caret + 1) else { return false }
    let before = text[caret - 1]
    return Brackets.closing(before) == next || before == next && language.quotes.contains(next)
  }
}

/// What stands around carets that come in the order of the text.
private struct Surroundings {
  private let text: Rope
  private var lines: LogicalLineLookup
  private var cursor: Rope.Cursor
  /// Further in a line it is not counted what is open.
  private static let countedByteCount = 4096

  init(of text: Rope) {
    self.text = text
    lines = LogicalLineLookup(of: text)
    cursor = Rope.Cursor(text, at: 0)
  }

  /// What closes is there already, and one more would be one too many.
  mutating func isTypedOver(_ byte: UInt8, at caret: ByteOffset, _ isQuote: Bool) -> Bool {
    guard cursor.byte(at: caret) == byte, cursor.isBetweenClusters(caret + 1) else { return false }
    if isQuote { return isOpen(byte, at: caret) }
    guard let opening = Brackets.opening(byte) else { return false }
    return isBalanced(opening, byte, around: caret)
  }

  /// Beside blanks, and what ends or separates: what follows is not to be put into the pair.
  mutating func isClosed(_ byte: UInt8, by closing: UInt8, at caret: ByteOffset, _ isQuote: Bool) -> Bool {
    let next = cursor.byte(at: caret)
    switch next {
    case nil, 0x0A, 0x0D, 0x20, 0x09, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"): break
    case let next?: guard Brackets.opening(next) != nil else { return false }
    }
    if isQuote {
      let last = lines.line(of: caret).range.lowerBound < caret ? cursor.byte(at: caret - 1) : nil
      return last?.isWordByte != true && last != byte && last != UInt8(ascii: "\\") && !isOpen(byte, at: caret)
    }
    // What opens that one is typed now.
    return next != closing || isBalanced(closing, byte, around: caret)
  }

  /// Whether no more of one kind stand in the line than of the other.
  private mutating func isBalanced(_ one: UInt8, _ other: UInt8, around caret: ByteOffset) -> Bool {
    let line = lines.line(of: caret)
    let start = max(line.range.lowerBound, caret - Self.countedByteCount)
    let end = max(caret, min(line.contentEnd, caret + Self.countedByteCount))
    return text.withBytes(in: start..<end) { line in line.count { $0 == one } <= line.count { $0 == other } }
  }

  /// Whether a quotation goes on at a caret.
  private mutating func isOpen(_ quote: UInt8, at caret: ByteOffset) -> Bool {
    let start = max(lines.line(of: caret).range.lowerBound, caret - Self.countedByteCount)
    return text.withBytes(in: start..<caret) { line in
      var isOpen = false
      var isEscaped = false
      for byte in line {
        if byte == quote, !isEscaped { isOpen.toggle() }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      }
      return isOpen
    }
  }
}
