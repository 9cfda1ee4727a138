import Rope

/// Ranges of a text that say something of it, in its order; they follow its changes.
struct MarkedRanges<Value> {
  typealias Item = (range: Range<ByteOffset>, value: Value)

  private(set) var items: [Item] = []

  /// Takes the place of what touches `range`.
  mutating func replace(in range: Range<ByteOffset>, with new: [Item]) {
    items.removeAll { $0.range.overlaps(range) || (range.isEmpty && $0.range.contains(range.lowerBound)) }
    items += new
    items.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// O(items behind the first edit).
  mutating func follow(_ delta: Delta) {
    guard let first = delta.edits.first?.range.lowerBound, !items.isEmpty else { return }
    items = items.compactMap { item in
      guard item.range.upperBound >= first else { return item }
      let start = delta.transform(item.range.lowerBound, bias: .right)
      let end = delta.transform(item.range.upperBound, bias: .left)
      return start < end ? (start..<end, item.value) : nil
    }
  }

  func items(touching range: Range<ByteOffset>) -> some Sequence<Item> {
    items.lazy.filter { $0.range.overlaps(range) }
  }
}
