extension IntervalTree {
  /// What becomes of an interval that a change of the text touches.
  package enum Touched: Sendable {
    /// It is what is left of it, with what was put in between.
    case kept
    /// The same, with what was put in at its ends.
    case grown
    /// It goes, unless it is as long as before.
    case dropped

    fileprivate func range(
      of range: Range<ByteOffset>, through delta: Delta, _ hints: inout (start: Int, end: Int)
    ) -> Range<ByteOffset>? {
      let start = delta.transform(range.lowerBound, bias: self == .grown ? .left : .right, hint: &hints.start)
      let end = delta.transform(range.upperBound, bias: self == .grown ? .right : .left, hint: &hints.end)
      return start < end && (self != .dropped || end - start == range.count) ? start..<end : nil
    }
  }

  /// Puts `new`, which begin in `range`, in the place of what shares a byte with it, or holds it when it is empty.
  /// O(log n + leaves that have one).
  package mutating func replace(in range: Range<ByteOffset>, with new: [Interval]) {
    setByteCount(Swift.max(byteCount, range.upperBound.value))
    let lower = range.lowerBound.value
    let upper = Swift.min(Swift.max(range.upperBound.value, lower + 1), byteCount)
    tree.replaceLeaves(where: { start, summary in start < lower && start + summary.reach > lower }) { start, leaf in
      IntervalLeaf(
        byteCount: leaf.byteCount,
        leaf.intervals.filter { start + $0.start >= lower || start + $0.end <= lower })
    }
    put(new.filter { !$0.range.isEmpty }.sorted { $0.start < $1.start }, in: lower..<upper, byteCount: upper - lower)
  }

  /// Follows a change of the text; what becomes empty goes.
  /// O(edits · log n + leaves that have one which an edit touches), O(n) for many.
  package mutating func follow(_ delta: Delta, touched: Touched = .kept) {
    setByteCount(delta.baseByteCount)
    guard delta.edits.count * tree.shape.leafSize < count else { return sweep(delta, touched) }
    followLengths(delta, touched)
    for edit in delta.edits.reversed() {
      let (start, end) = (edit.range.lowerBound.value, edit.range.upperBound.value)
      // Also the byte behind the edit: what begins there, or is moved there.
      let stretch = start..<Swift.min(end + 1, delta.baseByteCount)
      let moved = touching(ByteOffset(start)..<ByteOffset(stretch.upperBound)).compactMap { interval -> Interval? in
        if interval.start < start { return nil }
        if interval.start == start, touched == .grown { return interval }
        return interval.shifted(by: start + edit.replacement.byteCount - interval.start)
      }
      put(moved, in: stretch, byteCount: stretch.count + edit.growth)
    }
  }

  private mutating func sweep(_ delta: Delta, _ touched: Touched) {
    var builder = Builder(shape: tree.shape)
    var hints = (start: -1, end: -1)
    for interval in self {
      guard let range = touched.range(of: interval.range, through: delta, &hints) else { continue }
      builder.append(Interval(range, value: interval.value))
    }
    tree = builder.finish(at: delta.newByteCount)
  }

  /// Gives the intervals that an edit touches their new lengths, where they begin now; takes away what goes.
  private mutating func followLengths(_ delta: Delta, _ touched: Touched) {
    let edits = delta.edits
    var hints = (start: -1, end: -1)
    tree.replaceLeaves(where: { start, summary in
      let index = edits.partitioningIndex { $0.range.upperBound.value >= start }
      return index < edits.count && edits[index].range.lowerBound.value <= start + summary.reach
    }) { start, leaf in
      IntervalLeaf(
        byteCount: leaf.byteCount,
        leaf.intervals.compactMap { interval in
          touched.range(of: interval.shifted(by: start).range, through: delta, &hints).map {
            Interval(interval.range.lowerBound..<interval.range.lowerBound + $0.count, value: interval.value)
          }
        })
    }
  }

  /// More text behind the end, or less: what begins there goes.
  mutating func setByteCount(_ count: Int) {
    put([], in: Swift.min(count, byteCount)..<byteCount, byteCount: Swift.max(count - byteCount, 0))
  }

  /// Makes a stretch of the text that long, and `new` all that begin in it.
  private mutating func put(_ new: [Interval], in range: Range<Int>, byteCount: Int) {
    if range.isEmpty && byteCount == 0 || putInLeaf(new, in: range, byteCount: byteCount) { return }
    var builder = Builder(from: range.lowerBound, shape: tree.shape)
    for interval in new { builder.append(interval) }
    tree.replace(range, with: builder.finish(at: range.lowerBound + byteCount))
  }

  /// The usual change: within one leaf, which stays of good size. False, and nothing done, when it is not that.
  private mutating func putInLeaf(_ new: [Interval], in range: Range<Int>, byteCount: Int) -> Bool {
    let shape = tree.shape
    let minimum = tree.height == 0 ? 0 : shape.minimumLeafSize
    return tree.updateLeaf(holding: range, by: .bytes) { leaf, _, part, _ in
      let growth = byteCount - range.count
      guard leaf.byteCount + growth > 0, new.count <= shape.leafSize else { return .declined }
      let intervals =
        leaf.intervals.filter { $0.start < part.lowerBound }
        + new.map { $0.shifted(by: part.lowerBound - range.lowerBound) }
        + leaf.intervals.filter { $0.start >= part.upperBound }.map { $0.shifted(by: growth) }
      guard intervals.count >= minimum else { return .declined }
      let (first, second) = IntervalLeaf.leaves(
        byteCount: leaf.byteCount + growth, intervals, leafSize: shape.leafSize)
      return second.map { .split(Child(first), Child($0)) } ?? .changed(leaf: first, summary: first.summarize())
    }
  }
}
