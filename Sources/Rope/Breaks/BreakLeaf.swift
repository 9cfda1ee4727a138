/// The breaks in a stretch of text.
final class BreakLeaf: Leaf {
  typealias BranchType = BreakBranch

  // Never changed: it is shared.
  nonisolated(unsafe) static let empty = BreakLeaf(byteCount: 0, breaks: [])

  /// The bytes of text that it covers.
  private(set) var byteCount: Int
  /// From the start of the leaf, in their order. One between two leaves is the last of the first.
  private(set) var breaks: [Int]

  init(byteCount: Int, breaks: [Int]) {
    self.byteCount = byteCount
    self.breaks = breaks
  }

  var size: Int { breaks.count }

  func summarize() -> BreakSummary { BreakSummary(bytes: byteCount, breaks: breaks.count) }

  /// How many lie at or before `offset`. O(log breaks).
  func countUpTo(_ offset: Int) -> Int { breaks.partitioningIndex { $0 > offset } }

  func slice(_ range: Range<Int>) -> BreakLeaf {
    let first = countUpTo(range.lowerBound)
    return BreakLeaf(
      byteCount: range.count,
      breaks: breaks[first..<max(first, countUpTo(range.upperBound))].map { $0 - range.lowerBound })
  }

  func copy() -> BreakLeaf { BreakLeaf(byteCount: byteCount, breaks: breaks) }

  /// Makes `range` that long, with `new`, counted from its start, in the place of the breaks inside and at its end.
  func replace(_ range: Range<Int>, byteCount newByteCount: Int, with new: [Int]) {
    let first = countUpTo(range.lowerBound)
    let last = max(first, countUpTo(range.upperBound))
    let growth = newByteCount - range.count
    byteCount += growth
    if growth != 0 { for index in last..<breaks.count { breaks[index] += growth } }
    if first == last, new.isEmpty { return }
    breaks.replaceSubrange(first..<last, with: new.lazy.map { $0 + range.lowerBound })
  }

  static func join(_ left: BreakLeaf, _ right: BreakLeaf, leafSize: Int) -> (BreakLeaf, BreakLeaf?) {
    let both = BreakLeaf(
      byteCount: left.byteCount + right.byteCount, breaks: left.breaks + right.breaks.map { $0 + left.byteCount })
    guard both.size > leafSize else { return (both, nil) }
    let (first, second) = both.halves
    return (first, second)
  }

  /// It as two, each with half of its breaks, which are two at least.
  var halves: (BreakLeaf, BreakLeaf) {
    let border = breaks[breaks.count / 2 - 1]
    return (slice(0..<border), slice(border..<byteCount))
  }
}

final class BreakBranch: Branch<BreakLeaf> {
  deinit { deinitializeChildren() }
}

/// The counts of a stretch of text and its breaks.
struct BreakSummary: Summary {
  enum Dimension { case bytes, breaks }

  var bytes = 0
  var breaks = 0

  static let zero = BreakSummary()
  var length: Int { bytes }

  @inline(__always)
  func measure(_ dimension: Dimension) -> Int {
    switch dimension {
    case .bytes: bytes
    case .breaks: breaks
    }
  }

  @inline(__always)
  static func += (left: inout BreakSummary, right: BreakSummary) {
    left.bytes &+= right.bytes
    left.breaks &+= right.breaks
  }
}
