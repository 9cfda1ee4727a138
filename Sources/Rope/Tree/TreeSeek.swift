/// Where a descent ended: a leaf, and what lies before it.
struct LeafPosition<LeafType: Leaf> {
  /// Held by the tree, not by this: counting a reference takes as long as the descent.
  unowned(unsafe) var leaf: LeafType
  /// The sum of all leaves before.
  var before: LeafType.LeafSummary
  /// The leaf's own summary.
  var summary: LeafType.LeafSummary
}

extension Tree {
  /// The leaf that holds the position `value` of a dimension, in one descent. O(log length).
  ///
  /// A position between two leaves belongs to the one that `bias` says. A value past the end leads to the last leaf.
  func seek(_ value: Int, by dimension: Summary.Dimension, bias: Bias) -> LeafPosition<LeafType> {
    var before = Summary.zero
    var summary = root.summary
    // Held by the root all the way down: counting a reference at each level takes most of the time.
    var node = Unmanaged.passUnretained(root.node)
    var remaining = value
    for _ in 0..<height {
      node = node._withUnsafeGuaranteedRef {
        let branch = unsafeDowncast($0, to: Branch<LeafType>.self)
        let index = branch.indexOfChild(at: &remaining, by: dimension, bias: bias, before: &before)
        summary = branch.children[index].summary
        return Unmanaged.passUnretained(branch.children[index].node)
      }
    }
    let leaf = unsafeDowncast(node.takeUnretainedValue(), to: LeafType.self)
    return LeafPosition(leaf: leaf, before: before, summary: summary)
  }
}

extension Branch {
  /// The child that holds the position `value`, which becomes relative to it; `before` grows by the children skipped.
  @inline(__always)
  func indexOfChild(
    at value: inout Int, by dimension: LeafType.LeafSummary.Dimension, bias: Bias, before: inout LeafType.LeafSummary
  ) -> Int {
    let children = children
    let last = count - 1
    var index = 0
    while index < last {
      let measure = children[index].summary.measure(dimension)
      if bias == .left ? value <= measure : value < measure { break }
      value -= measure
      before += children[index].summary
      index += 1
    }
    return index
  }
}
