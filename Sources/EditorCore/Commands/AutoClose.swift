import Rope

/// Brackets and quotes come in pairs.
extension TextView {
  /// Further in a line it is not counted what is open.
  private static let countedByteCount = 4096

  func closePairs(typing byte: UInt8, _ language: Language) -> Bool {
    let carets = selection.regions
    guard carets.allSatisfy(\.isCaret) else { return false }
    let isQuote = language.quotes.contains(byte)
    if isQuote || Brackets.opening(byte) != nil, carets.allSatisfy({ isTypedOver(byte, at: $0.active, isQuote) }) {
      var moved = Selection()
      for caret in carets { moved.add(.caret(caret.active + 1)) }
      select(moved)
      return true
    }
    guard let closing = isQuote ? byte : Brackets.closing(byte),
      carets.allSatisfy({ isClosed(byte, by: closing, at: $0.active, isQuote) })
    else { return false }
    commitInside(replaceRegions(carets, with: Rope([byte, closing])))
    return true
  }

  /// The carets stand before the last byte of what is put in.
  private func commitInside(_ delta: Delta) {
    let revision = document.revision
    commit(delta, as: .insert)
    guard document.revision != revision else { return }
    var carets = Selection()
    for region in selection.regions { carets.add(.caret(region.active - 1)) }
    select(carets)
  }

  /// What closes is there already, and one more would be one too many.
  private func isTypedOver(_ byte: UInt8, at caret: ByteOffset, _ isQuote: Bool) -> Bool {
    guard self.byte(at: caret) == byte, text.isBetweenClusters(caret + 1) else { return false }
    let (before, behind) = line(around: caret)
    if isQuote { return Self.isOpen(byte, in: before) }
    guard let opening = Brackets.opening(byte) else { return false }
    let line = before + behind
    return line.count { $0 == opening } <= line.count { $0 == byte }
  }

  /// Beside blanks, and what ends or separates: what follows is not to be put into the pair.
  private func isClosed(_ byte: UInt8, by closing: UInt8, at caret: ByteOffset, _ isQuote: Bool) -> Bool {
    let next = self.byte(at: caret)
    switch next {
    case nil, 0x0A, 0x0D, 0x20, 0x09, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"): break
    case let next?: guard Brackets.opening(next) != nil else { return false }
    }
    let (before, behind) = line(around: caret)
    if isQuote {
      let last = before.last
      return last?.isWordByte != true && last != byte && last != UInt8(ascii: "\\") && !Self.isOpen(byte, in: before)
    }
    // What opens that one is typed now.
    let line = before + behind
    return next != closing || line.count { $0 == closing } <= line.count { $0 == byte }
  }

  private func line(around caret: ByteOffset) -> (before: [UInt8], behind: [UInt8]) {
    let start = max(text.lineStart(of: caret), caret - Self.countedByteCount)
    let end = min(text.lineContentEnd(of: caret), caret + Self.countedByteCount)
    return (text.bytes(in: start..<caret), text.bytes(in: caret..<max(caret, end)))
  }

  private static func isOpen(_ quote: UInt8, in text: [UInt8]) -> Bool {
    var isOpen = false
    var isEscaped = false
    for byte in text {
      if byte == quote, !isEscaped { isOpen.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return isOpen
  }

  /// Whether a caret stands in a pair with nothing in it, which goes as a whole.
  func isInEmptyPair(_ caret: ByteOffset) -> Bool {
    guard let language = document.rules, document.config.closesPairs, caret > 0, let next = byte(at: caret) else {
      return false
    }
    guard text.isBetweenClusters(caret - 1), text.isBetweenClusters(caret + 1) else { return false }
    let before = text[caret - 1]
    return Brackets.closing(before) == next || before == next && language.quotes.contains(next)
  }
}
