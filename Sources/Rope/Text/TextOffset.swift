/// A position in a text, counted from its start in one unit. The unit is the type: positions of different units do not mix.
///
/// Arithmetic is with distances, which are plain integers of the same unit.
package protocol TextOffset: Hashable, Sendable, Strideable, ExpressibleByIntegerLiteral, CustomStringConvertible
where Stride == Int {
  var value: Int { get set }
  init(_ value: Int)
  /// How much of this unit a piece of text holds.
  static func measure(_ summary: TextSummary) -> Int
  /// The byte index in `chunk` of the position `value`; inside a code point, the start of it. O(chunk).
  static func byteIndex(of value: Int, in chunk: UnsafeRawBufferPointer) -> Int
}

extension TextOffset {
  package init(integerLiteral value: Int) { self.init(value) }
  package var description: String { "\(value)" }

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
  package func distance(to other: Self) -> Int { other.value - value }
  package func advanced(by distance: Int) -> Self { Self(value + distance) }

  package static func + (left: Self, right: Int) -> Self { Self(left.value + right) }
  package static func - (left: Self, right: Int) -> Self { Self(left.value - right) }
  package static func - (left: Self, right: Self) -> Int { left.value - right.value }
  package static func += (left: inout Self, right: Int) { left.value += right }
  package static func -= (left: inout Self, right: Int) { left.value -= right }
}

/// A position in bytes: the unit in which a rope is cut.
package struct ByteOffset: TextOffset {
  package var value: Int
  package init(_ value: Int) { self.value = value }
  package static func measure(_ summary: TextSummary) -> Int { summary.bytes }
  package static func byteIndex(of value: Int, in chunk: UnsafeRawBufferPointer) -> Int { value }
}

/// The number of a line, from 0. As a position, the start of the line: behind that many newlines.
package struct LineNumber: TextOffset {
  package var value: Int
  package init(_ value: Int) { self.value = value }
  package static func measure(_ summary: TextSummary) -> Int { summary.newlines }

  package static func byteIndex(of value: Int, in chunk: UnsafeRawBufferPointer) -> Int {
    var index = 0
    for _ in 0..<value {
      guard let newline = ByteScan.firstIndex(of: ByteScan.newline, in: .init(rebasing: chunk[index...])) else {
        return chunk.count
      }
      index += newline + 1
    }
    return index
  }
}

/// A position in UTF-16 code units. The middle of a surrogate pair rounds down.
package struct UTF16Offset: TextOffset {
  package var value: Int
  package init(_ value: Int) { self.value = value }
  package static func measure(_ summary: TextSummary) -> Int { summary.utf16 }

  package static func byteIndex(of value: Int, in chunk: UnsafeRawBufferPointer) -> Int {
    var index = 0
    var units = 0
    while index < chunk.count {
      let length = UTF8Sequence.length(at: index, in: chunk) ?? 1
      units += length == 4 ? 2 : 1
      if units > value { break }
      index += length
    }
    return index
  }
}

/// A position in Unicode code points; an invalid byte is one.
package struct CodePointOffset: TextOffset {
  package var value: Int
  package init(_ value: Int) { self.value = value }
  package static func measure(_ summary: TextSummary) -> Int { summary.codePoints }

  package static func byteIndex(of value: Int, in chunk: UnsafeRawBufferPointer) -> Int {
    var index = 0
    for _ in 0..<value where index < chunk.count {
      index += UTF8Sequence.length(at: index, in: chunk) ?? 1
    }
    return index
  }
}
