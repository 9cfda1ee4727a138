/// A range of a text and a number: what the range means to its owner.
package struct Interval: Sendable, Equatable {
  package var range: Range<ByteOffset>
  package var value: Int

  package init(_ range: Range<ByteOffset>, value: Int = 0) {
    self.range = range
    self.value = value
  }

  var start: Int { range.lowerBound.value }
  var end: Int { range.upperBound.value }

  func shifted(by distance: Int) -> Interval {
    Interval(range.lowerBound + distance..<range.upperBound + distance, value: value)
  }
}

/// Intervals of a text that follow its changes: what was found in it, what is marked. They may overlap; none is empty.
///
/// A value: copies share what neither has changed. Each interval lies where it begins, in a tree beside the text's own,
/// each of whose nodes knows how far its intervals reach. Of numbers only, not of any type: other modules could not
/// specialize that (see `Summary`).
package struct IntervalTree: Sendable {
  static let shape = TreeShape(leafSize: 64, branching: 16)

  var tree: Tree<IntervalLeaf>

  package var count: Int { tree.summary.intervals }
  package var isEmpty: Bool { count == 0 }
  /// As much of the text as has been spoken of.
  var byteCount: Int { tree.length }

  // MARK: Looking

  /// Those that begin before the end of `range` and end behind its start, in the order of their starts.
  /// O(log n + leaves that have one).
  package func touching(_ range: Range<ByteOffset>, atMost limit: Int = .max) -> [Interval] {
    let (lower, upper) = (range.lowerBound.value, range.upperBound.value)
    var found: [Interval] = []
    tree.forEachLeaf(
      where: { start, summary in found.count < limit && start < upper && start + summary.reach > lower }
    ) { start, leaf in
      for interval in leaf.intervals where start + interval.end > lower {
        guard start + interval.start < upper, found.count < limit else { return }
        found.append(interval.shifted(by: start))
      }
    }
    return found
  }

  /// How many begin before `offset`: the index of the first that does not. O(log n).
  package func index(from offset: ByteOffset) -> Int {
    let place = tree.seek(offset.value, by: .bytes, bias: .right)
    var index = place.before.intervals
    for interval in place.leaf.intervals {
      if place.before.bytes + interval.start >= offset.value { break }
      index += 1
    }
    return index
  }

  /// By the order of their starts; nil where there is none. O(log n).
  package subscript(index: Int) -> Interval? {
    guard index >= 0, index < count else { return nil }
    let place = tree.seek(index, by: .intervals, bias: .right)
    let found = place.leaf.intervals.dropFirst(index - place.before.intervals).first { _ in true }
    return found?.shifted(by: place.before.bytes)
  }
}

extension IntervalTree: Sequence {
  package init() { self.init(tree: Tree(shape: Self.shape)) }

  package struct Iterator: IteratorProtocol {
    private let tree: Tree<IntervalLeaf>
    private var leaf = IntervalLeaf.empty.intervals
    /// Where the leaf lies in the text.
    private var (start, end) = (0, 0)

    fileprivate init(_ tree: Tree<IntervalLeaf>) { self.tree = tree }

    package mutating func next() -> Interval? {
      while true {
        if let interval = leaf.next() { return interval.shifted(by: start) }
        guard end < tree.length else { return nil }
        let place = tree.seek(end, by: .bytes, bias: .right)
        leaf = place.leaf.intervals
        (start, end) = (end, end + place.summary.bytes)
      }
    }
  }

  package func makeIterator() -> Iterator { Iterator(tree) }
}
