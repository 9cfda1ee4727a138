import Rope

/// Commands about brackets. They are found by themselves: one in a string or a comment counts as any.
extension TextView {
  /// So far a command looks for the partner of a bracket.
  static let commandDistance = 4 << 20

  /// To the partner of the bracket beside the caret; where there is none, to the one that opens what is around it.
  func moveToBracket() {
    let distance = Self.commandDistance / selection.regions.count
    var moved = Selection()
    for region in selection.regions {
      if let (place, partner) = pair(at: region.active, within: distance) {
        // On the same side of it.
        moved.add(.caret(region.active == place ? partner : partner + 1))
      } else {
        moved.add(.caret(enclosing(region.range, within: distance)?.lowerBound ?? region.active))
      }
    }
    select(moved)
  }

  /// Each press takes the next pair around.
  func selectBrackets(around: Bool) {
    let distance = Self.commandDistance / selection.regions.count
    var selected = Selection()
    for region in selection.regions {
      var range = region.range
      while let outer = enclosing(range, within: distance) {
        let inner = (outer.lowerBound + 1)..<(outer.upperBound - 1)
        range = text.wholeClusters(around ? outer : inner)
        if range != region.range { break }
        range = outer
      }
      selected.add(range == region.range ? region : SelectionRegion(range.lowerBound, range.upperBound))
    }
    select(selected)
  }

  /// The bracket behind a caret, or else before it, and its partner.
  private func pair(at caret: ByteOffset, within distance: Int) -> (place: ByteOffset, partner: ByteOffset)? {
    for place in [caret, caret - 1] where place >= 0 {
      guard let byte = byte(at: place) else { continue }
      if let closing = Brackets.closing(byte) {
        let partner = text.bracket(closing, pairedWith: byte, from: place + 1, within: distance)
        if let partner { return (place, partner) }
      } else if let opening = Brackets.opening(byte) {
        let partner = text.bracket(opening, pairedWith: byte, before: place, within: distance)
        if let partner { return (place, partner) }
      }
    }
    return nil
  }

  /// The innermost pair around `range`, with the brackets.
  func enclosing(_ range: Range<ByteOffset>, within distance: Int) -> Range<ByteOffset>? {
    var cursor = Rope.Cursor(text, at: range.lowerBound)
    var depths = Depths()
    for _ in 0..<distance {
      guard let byte = cursor.previous() else { return nil }
      if Brackets.opening(byte) != nil { depths[byte] += 1 }
      guard let closing = Brackets.closing(byte) else { continue }
      if depths[closing] > 0 {
        depths[closing] -= 1
      } else if let end = text.bracket(closing, pairedWith: byte, from: range.upperBound, within: distance) {
        return cursor.offset..<(end + 1)
      }
    }
    return nil
  }
}

/// How many of each closing bracket were not opened yet.
private struct Depths {
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
