import Rope

/// The brackets of text, which are ASCII in all languages.
enum Brackets {
  static func closing(_ opening: UInt8) -> UInt8? {
    switch opening {
    case UInt8(ascii: "("): UInt8(ascii: ")")
    case UInt8(ascii: "["): UInt8(ascii: "]")
    case UInt8(ascii: "{"): UInt8(ascii: "}")
    default: nil
    }
  }

  static func opening(_ closing: UInt8) -> UInt8? {
    switch closing {
    case UInt8(ascii: ")"): UInt8(ascii: "(")
    case UInt8(ascii: "]"): UInt8(ascii: "[")
    case UInt8(ascii: "}"): UInt8(ascii: "{")
    default: nil
    }
  }
}

extension Rope {
  /// The bracket before `offset` that one of the other kind there would belong to.
  func bracket(
    _ opening: UInt8, pairedWith closing: UInt8, before offset: ByteOffset, _ budget: inout Budget
  ) -> ByteOffset? {
    var cursor = Cursor(self, at: offset)
    var depth = 0
    while !budget.isSpent, let byte = cursor.previous() {
      budget.spend()
      if byte == closing {
        depth += 1
      } else if byte == opening {
        if depth == 0 { return cursor.offset }
        depth -= 1
      }
    }
    return nil
  }

  /// The same behind `offset`.
  func bracket(_ closing: UInt8, from offset: ByteOffset, _ budget: inout Budget) -> ByteOffset? {
    var ahead = ClosingBrackets(of: self, from: offset)
    return ahead.place(of: closing, &budget)
  }

  /// The innermost pair around `range`, with the brackets.
  func brackets(around range: Range<ByteOffset>, _ budget: inout Budget) -> Range<ByteOffset>? {
    var cursor = Cursor(self, at: range.lowerBound)
    var closed = BracketCounts()
    // What many brackets without partners have in common: none of them is looked for again.
    var ahead: ClosingBrackets?
    var behind = budget.takePart(of: 2)
    defer { budget.giveBack(behind) }
    while !behind.isSpent, let byte = cursor.previous() {
      behind.spend()
      if Brackets.opening(byte) != nil { closed[byte] += 1 }
      guard let closing = Brackets.closing(byte) else { continue }
      if closed[closing] > 0 {
        closed[closing] -= 1
        continue
      }
      if ahead == nil { ahead = ClosingBrackets(of: self, from: range.upperBound) }
      if let end = ahead?.place(of: closing, &budget) { return cursor.offset..<(end + 1) }
    }
    return nil
  }
}

/// The first bracket of each kind that closes what is open before a place, looked for once.
private struct ClosingBrackets {
  private var cursor: Rope.Cursor
  private var open = BracketCounts()
  private var found: [UInt8: ByteOffset] = [:]

  init(of text: Rope, from offset: ByteOffset) { cursor = Rope.Cursor(text, at: offset) }

  mutating func place(of closing: UInt8, _ budget: inout Budget) -> ByteOffset? {
    if let place = found[closing] { return place }
    while !budget.isSpent, let byte = cursor.next() {
      budget.spend()
      if let closing = Brackets.closing(byte) { open[closing] += 1 }
      guard Brackets.opening(byte) != nil, found[byte] == nil else { continue }
      if open[byte] > 0 {
        open[byte] -= 1
      } else {
        found[byte] = cursor.offset - 1
        if byte == closing { return cursor.offset - 1 }
      }
    }
    return nil
  }
}

/// Numbers by closing brackets.
private struct BracketCounts {
  private var (round, square, curly) = (0, 0, 0)

  subscript(closing: UInt8) -> Int {
    get { closing == UInt8(ascii: ")") ? round : closing == UInt8(ascii: "]") ? square : curly }
    set {
      switch closing {
      case UInt8(ascii: ")"): round = newValue
      case UInt8(ascii: "]"): square = newValue
      default: curly = newValue
      }
    }
  }
}
