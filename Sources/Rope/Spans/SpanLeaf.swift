/// The spans that begin in a stretch of text.
final class SpanLeaf: Leaf, Sendable {
  typealias BranchType = SpanBranch

  struct Item: Sendable {
    /// From the start of the leaf.
    var start: Int
    /// May reach over the end of the leaf.
    var length: Int
    var value: Int
  }

  static let empty = SpanLeaf(byteCount: 0, items: [])

  /// The bytes of text that it covers.
  let byteCount: Int
  /// In the order of their starts, each before the end of the leaf.
  let items: [Item]

  init(byteCount: Int, items: [Item]) {
    self.byteCount = byteCount
    self.items = items
  }

  var size: Int { items.count }

  func summarize() -> SpanSummary {
    SpanSummary(bytes: byteCount, spans: items.count, reach: items.reduce(0) { max($0, $1.start + $1.length) })
  }

  func slice(_ range: Range<Int>) -> SpanLeaf {
    SpanLeaf(
      byteCount: range.count,
      items: items(from: range).map { Item(start: $0.start - range.lowerBound, length: $0.length, value: $0.value) })
  }

  /// Those that begin in `range`. O(log items).
  func items(from range: Range<Int>) -> ArraySlice<Item> {
    let first = items.partitioningIndex { $0.start >= range.lowerBound }
    return items[first..<max(first, items.partitioningIndex { $0.start >= range.upperBound })]
  }

  static func join(_ left: SpanLeaf, _ right: SpanLeaf, leafSize: Int) -> (SpanLeaf, SpanLeaf?) {
    let both = SpanLeaf(
      byteCount: left.byteCount + right.byteCount,
      items: left.items
        + right.items.map { Item(start: $0.start + left.byteCount, length: $0.length, value: $0.value) })
    guard both.size > leafSize, let border = both.middle else { return (both, nil) }
    return (both.slice(0..<border), both.slice(border..<both.byteCount))
  }

  /// A place with about as many spans before it as behind; nil when all begin at one place.
  private var middle: Int? {
    let middle = items[items.count / 2].start
    if middle > items[0].start { return middle }
    return items.first { $0.start > middle }?.start
  }
}

final class SpanBranch: Branch<SpanLeaf> {
  deinit { deinitializeChildren() }
}

/// The counts of a stretch of text and the spans that begin in it, and where the last of those ends.
struct SpanSummary: Summary {
  enum Dimension { case bytes }

  var bytes = 0
  var spans = 0
  /// From the start of the stretch; 0 if no span begins in it.
  var reach = 0

  static let zero = SpanSummary()
  var length: Int { bytes }

  @inline(__always)
  func measure(_ dimension: Dimension) -> Int { bytes }

  @inline(__always)
  static func += (left: inout SpanSummary, right: SpanSummary) {
    if right.reach > 0 { left.reach = max(left.reach, left.bytes &+ right.reach) }
    left.bytes &+= right.bytes
    left.spans &+= right.spans
  }
}
