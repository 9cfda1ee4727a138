/// A position in a text, counted from its start in one unit. The unit is the type: positions of different units do not mix.
///
/// Arithmetic is with distances, which are plain integers of the same unit.
package protocol TextOffset: Hashable, Sendable, Strideable, ExpressibleByIntegerLiteral, CustomStringConvertible
where Stride == Int {
  var value: Int { get set }
  init(_ value: Int)
  /// The unit, as what a tree is sought by.
  static var dimension: TextSummary.Dimension { get }
}

extension TextOffset {
  @inlinable package init(integerLiteral value: Int) { self.init(value) }
  package var description: String { "\(value)" }

  @inlinable package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
  @inlinable package func distance(to other: Self) -> Int { other.value - value }
  @inlinable package func advanced(by distance: Int) -> Self { Self(value + distance) }

  @inlinable package static func + (left: Self, right: Int) -> Self { Self(left.value + right) }
  @inlinable package static func - (left: Self, right: Int) -> Self { Self(left.value - right) }
  @inlinable package static func - (left: Self, right: Self) -> Int { left.value - right.value }
  @inlinable package static func += (left: inout Self, right: Int) { left.value += right }
  @inlinable package static func -= (left: inout Self, right: Int) { left.value -= right }
}

/// A position in bytes: the unit in which a rope is cut.
package struct ByteOffset: TextOffset {
  package var value: Int
  @inlinable package init(_ value: Int) { self.value = value }
  @inlinable package static var dimension: TextSummary.Dimension { .bytes }
}

/// The number of a line, from 0. As a position, the start of the line: behind that many newlines.
package struct LineNumber: TextOffset {
  package var value: Int
  @inlinable package init(_ value: Int) { self.value = value }
  @inlinable package static var dimension: TextSummary.Dimension { .newlines }
}

/// A position in UTF-16 code units. The middle of a surrogate pair rounds down.
package struct UTF16Offset: TextOffset {
  package var value: Int
  @inlinable package init(_ value: Int) { self.value = value }
  @inlinable package static var dimension: TextSummary.Dimension { .utf16 }
}

/// A position in Unicode code points; an invalid byte is one.
package struct CodePointOffset: TextOffset {
  package var value: Int
  @inlinable package init(_ value: Int) { self.value = value }
  @inlinable package static var dimension: TextSummary.Dimension { .codePoints }
}
