/// What became of a leaf that was offered for a change.
enum LeafUpdate<LeafType: Leaf> {
  /// It was changed in place, or `leaf` takes its place.
  case changed(leaf: LeafType, summary: LeafType.LeafSummary)
  /// Nothing was done.
  case declined
}

extension Tree {
  /// Offers the one leaf that holds all of `range` for a change, and corrects the summaries above it. O(log length).
  ///
  /// `change` is given the leaf, its summary, the range relative to it, and whether the leaf is unshared and may be changed in place.
  /// False, and the sequence unchanged, when no leaf holds the whole range or `change` declines.
  mutating func updateLeaf(
    holding range: Range<Int>, by dimension: Summary.Dimension,
    _ change: (_ leaf: LeafType, Summary, _ range: Range<Int>, _ isUnshared: Bool) -> LeafUpdate<LeafType>
  ) -> Bool {
    // Static: a method would hold a copy of the tree, and with it a second reference to the root.
    Tree.update(&root, height, range, by: dimension, shape, change)
  }

  private static func update(
    _ node: inout Node, _ height: Int, _ range: Range<Int>, by dimension: Summary.Dimension, _ shape: TreeShape,
    _ change: (LeafType, Summary, Range<Int>, Bool) -> LeafUpdate<LeafType>
  ) -> Bool {
    guard range.upperBound <= node.summary.measure(dimension) else { return false }
    let isUnshared = node.isUnshared()
    if height == 0 { return updateLeaf(&node, range, isUnshared, change) }
    if !isUnshared { node.node = node.branch.copy(branching: shape.branching) }
    let branch = node.branch
    var start = range.lowerBound
    var before = Summary.zero
    let index = branch.indexOfChild(at: &start, by: dimension, bias: .left, before: &before)
    let child = branch.children + index
    let old = child.pointee.summary
    guard update(&child.pointee, height - 1, start..<(start + range.count), by: dimension, shape, change) else {
      return false
    }
    node.summary -= old
    node.summary += child.pointee.summary
    return true
  }

  private static func updateLeaf(
    _ node: inout Node, _ range: Range<Int>, _ isUnshared: Bool,
    _ change: (LeafType, Summary, Range<Int>, Bool) -> LeafUpdate<LeafType>
  ) -> Bool {
    guard case .changed(let leaf, let summary) = change(node.leaf, node.summary, range, isUnshared) else {
      return false
    }
    if leaf !== node.node { node.node = leaf }
    node.summary = summary
    return true
  }
}
