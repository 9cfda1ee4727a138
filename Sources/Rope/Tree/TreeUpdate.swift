/// What became of a leaf that was offered for a change.
enum LeafUpdate<LeafType: Leaf> {
  /// It was changed in place, or `leaf` takes its place.
  case changed(leaf: LeafType, summary: LeafType.LeafSummary)
  /// Two take its place.
  case split(Child<LeafType>, Child<LeafType>)
  /// Nothing was done.
  case declined
}

extension Tree {
  /// What became of a node below which a leaf was offered.
  private enum NodeUpdate {
    case changed
    /// It has kept its first part; this one is to follow it.
    case split(Node)
    case declined
  }

  /// Offers the one leaf that holds all of `range` for a change, and corrects the nodes above it. O(log length).
  ///
  /// `change` is given the leaf, its summary, the range relative to it, and whether the leaf is unshared and may be changed in place.
  /// False, and the sequence unchanged, when no leaf holds the whole range or `change` declines.
  mutating func updateLeaf(
    holding range: Range<Int>, by dimension: Summary.Dimension,
    _ change: (_ leaf: LeafType, Summary, _ range: Range<Int>, _ isUnshared: Bool) -> LeafUpdate<LeafType>
  ) -> Bool {
    // Static: a method would hold a copy of the tree, and with it a second reference to the root.
    switch Tree.update(&root, height, range, by: dimension, shape, change) {
    case .declined: return false
    case .changed: return true
    case .split(let second):
      let first = root
      root = Node(0..<2, branching: shape.branching) { $0 == 0 ? first : second }
      height += 1
      return true
    }
  }

  private static func update(
    _ node: inout Node, _ height: Int, _ range: Range<Int>, by dimension: Summary.Dimension, _ shape: TreeShape,
    _ change: (LeafType, Summary, Range<Int>, Bool) -> LeafUpdate<LeafType>
  ) -> NodeUpdate {
    guard range.upperBound <= node.summary.measure(dimension) else { return .declined }
    let isUnshared = node.isUnshared()
    if height == 0 { return updateLeaf(&node, range, isUnshared, change) }
    if !isUnshared { node.node = node.branch.copy(branching: shape.branching) }
    let branch = node.branch
    var start = range.lowerBound
    var before = Summary.zero
    // Between two leaves, text is added to the first, but what is removed lies in the second.
    let bias: Bias = range.isEmpty ? .left : .right
    let index = branch.indexOfChild(at: &start, by: dimension, bias: bias, before: &before)
    let child = branch.children + index
    let old = child.pointee.summary
    let result = update(&child.pointee, height - 1, start..<(start + range.count), by: dimension, shape, change)
    if case .declined = result { return result }
    node.summary -= old
    node.summary += child.pointee.summary
    guard case .split(let sibling) = result else { return .changed }
    node.summary += sibling.summary
    guard let second = branch.insert(sibling, at: index + 1, branching: shape.branching) else { return .changed }
    node.summary -= second.summary
    return .split(second)
  }

  private static func updateLeaf(
    _ node: inout Node, _ range: Range<Int>, _ isUnshared: Bool,
    _ change: (LeafType, Summary, Range<Int>, Bool) -> LeafUpdate<LeafType>
  ) -> NodeUpdate {
    switch change(node.leaf, node.summary, range, isUnshared) {
    case .declined: return .declined
    case .changed(let leaf, let summary):
      if leaf !== node.node { node.node = leaf }
      node.summary = summary
      return .changed
    case .split(let first, let second):
      node = first
      return .split(second)
    }
  }
}
