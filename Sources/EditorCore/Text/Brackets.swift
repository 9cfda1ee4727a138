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
  /// The bracket before `offset` that one of the other kind there would belong to. O(distance).
  func bracket(
    _ opening: UInt8, pairedWith closing: UInt8, before offset: ByteOffset, within distance: Int
  ) -> ByteOffset? {
    var cursor = Cursor(self, at: offset)
    var depth = 0
    for _ in 0..<distance {
      guard let byte = cursor.previous() else { return nil }
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
  func bracket(
    _ closing: UInt8, pairedWith opening: UInt8, from offset: ByteOffset, within distance: Int
  ) -> ByteOffset? {
    var cursor = Cursor(self, at: offset)
    var depth = 0
    for _ in 0..<distance {
      guard let byte = cursor.next() else { return nil }
      if byte == opening {
        depth += 1
      } else if byte == closing {
        if depth == 0 { return cursor.offset - 1 }
        depth -= 1
      }
    }
    return nil
  }
}
