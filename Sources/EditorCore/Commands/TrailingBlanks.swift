import Rope

extension TextView {
  /// Takes the blanks off the ends of lines; those before a caret stay, for who types there. One undo step. O(bytes).
  func trimTrailingBlanks() {
    let carets = selection
    let delta = replace { builder in
      for range in text.trailingBlanks() {
        let end = text.lineContentEnd(of: range.lowerBound)
        let caret = carets.regions(touching: range.lowerBound...end).map(\.active).filter { $0 <= end }.max()
        builder.replace(max(range.lowerBound, caret ?? 0)..<range.upperBound, with: Rope())
      }
    }
    guard !delta.isIdentity else { return }
    document.buffer.history.closeStep()
    commit(delta, as: .other)
    document.buffer.history.closeStep()
  }
}

extension Rope {
  /// The blanks at the ends of all lines.
  func trailingBlanks() -> [Range<ByteOffset>] {
    var found: [Range<ByteOffset>] = []
    var offset = 0
    // Where the blanks begin that nothing has followed yet, and where a return stands behind them.
    var start: Int?
    var returnPlace: Int?
    func end() {
      if let start { found.append(ByteOffset(start)..<ByteOffset(returnPlace ?? offset)) }
      (start, returnPlace) = (nil, nil)
    }
    forEachChunk(in: fullRange) { chunk in
      for byte in chunk {
        switch byte {
        case 0x0A: end()
        case 0x0D where returnPlace == nil: returnPlace = offset
        case 0x20, 0x09:
          if returnPlace != nil { (start, returnPlace) = (nil, nil) }
          if start == nil { start = offset }
        default: (start, returnPlace) = (nil, nil)
        }
        offset += 1
      }
      return true
    }
    if returnPlace == nil { end() }
    return found
  }
}
