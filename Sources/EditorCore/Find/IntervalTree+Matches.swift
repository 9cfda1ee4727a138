import Rope

/// Of the matches of a query, none of which overlap.
extension IntervalTree {
  var first: Range<ByteOffset>? { self[0]?.range }
  var last: Range<ByteOffset>? { self[count - 1]?.range }

  /// How many matches stand before this one; nil when it is none. O(log n).
  func rank(of match: Range<ByteOffset>) -> Int? {
    let index = index(from: match.lowerBound)
    return self[index]?.range == match ? index : nil
  }

  /// The first that begins at or after `offset` and is not `other`. O(log n).
  func first(from offset: ByteOffset, except other: Range<ByteOffset>) -> Range<ByteOffset>? {
    let index = index(from: offset)
    return (index..<index + 2).lazy.compactMap { self[$0]?.range }.first { $0 != other }
  }

  /// The last that ends at or before `offset` and is not `other`. O(log n).
  func last(upTo offset: ByteOffset, except other: Range<ByteOffset>) -> Range<ByteOffset>? {
    let index = index(from: offset)
    return (1...3).lazy.compactMap { self[index - $0]?.range }.first { $0.upperBound <= offset && $0 != other }
  }
}
