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
  mutating func updateLeaf<D: Dimension<Summary>>(
    holding range: Range<Int>, by dimension: D.Type,
    _ change: (_ leaf: LeafType, Summary, _ range: Range<Int>, _ isUnshared: Bool) -> LeafUpdate<LeafType>
  ) -> Bool {
    update(&root, height, range, by: D.self, change)
  }

  private func update<D: Dimension<Summary>>(
    _ node: inout Node, _ height: Int, _ range: Range<Int>, by dimension: D.Type,
    _ change: (LeafType, Summary, Range<Int>, Bool) -> LeafUpdate<LeafType>
  ) -> Bool {
    guard range.upperBound <= D.measure(node.summary) else { return false }
    let isUnshared = isKnownUniquelyReferenced(&node.node)
    if height == 0 { return Tree.updateLeaf(&node, range, isUnshared, change) }
    if !isUnshared { node.node = node.branch.copy(branching: shape.branching) }
    let branch = node.branch
    var start = range.lowerBound
    var before = Summary.zero
    let index = branch.indexOfChild(at: &start, by: D.self, bias: .left, before: &before)
    let child = branch.children + index
    let old = child.pointee.summary
    guard update(&child.pointee, height - 1, start..<(start + range.count), by: D.self, change) else { return false }
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
