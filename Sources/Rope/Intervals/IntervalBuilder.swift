extension IntervalTree {
  /// Collects intervals, in the order of their starts.
  package struct Builder: Sendable {
    private let shape: TreeShape
    private var leaves: [Child<IntervalLeaf>] = []
    /// Those of the last leaf.
    private var pending: [Interval] = []
    private var leafStart: Int

    package init() { self.init(shape: IntervalTree.shape) }

    /// - Parameter start: Where the stretch of the text begins that they begin in.
    init(from start: Int = 0, shape: TreeShape) {
      leafStart = start
      self.shape = shape
    }

    package mutating func append(_ interval: Interval) {
      // What begins at one place is not parted.
      if pending.count >= shape.leafSize, let last = pending.last, last.start < interval.start {
        endLeaf(at: interval.start)
      }
      pending.append(interval)
    }

    private mutating func endLeaf(at end: Int) {
      leaves.append(Child(IntervalLeaf(byteCount: end - leafStart, from: leafStart, pending)))
      pending.removeAll(keepingCapacity: true)
      leafStart = end
    }

    /// - Parameter end: Where the stretch ends, behind the last start.
    mutating func finish(at end: Int) -> Tree<IntervalLeaf> {
      var tree = Tree(leaves: leaves, shape: shape)
      leaves = []
      if end > leafStart { endLeaf(at: end) }
      tree.append(Tree(leaves: leaves, shape: shape))
      return tree
    }

    /// What was collected; it begins anew.
    package mutating func finish() -> IntervalTree {
      defer { self = Builder(shape: shape) }
      return IntervalTree(tree: finish(at: pending.last?.end ?? leafStart))
    }
  }
}
