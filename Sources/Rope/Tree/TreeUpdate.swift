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
  /// Offers the one leaf that holds all of `range` for a change, and corrects the nodes above it. O(log length).
  ///
  /// `change` is given the leaf, its summary, the range relative to it, and whether the leaf is unshared and may be changed in place.
  /// False, and the sequence unchanged, when no leaf holds the whole range or `change` declines.
  mutating func updateLeaf(
    holding range: Range<Int>, by dimension: Summary.Dimension,
    _ change: (_ leaf: LeafType, Summary, _ range: Range<Int>, _ isUnshared: Bool) -> LeafUpdate<LeafType>
  ) -> Bool {
    // Static: a method would hold a copy of the tree, and with it a second reference to the root.
    var overflow: Node?
    guard Tree.update(&root, height, range, by: dimension, shape, &overflow, change) else { return false }
    if let second = overflow {
      let first = root
      root = Node(0..<2, branching: shape.branching) { $0 == 0 ? first : second }
      height += 1
    }
    return true
  }

  /// `overflow` becomes the second part of a node that had to be split: it is to follow it.
  private static func update(
    _ node: inout Node, _ height: Int, _ range: Range<Int>, by dimension: Summary.Dimension, _ shape: TreeShape,
    _ overflow: inout Node?, _ change: (LeafType, Summary, Range<Int>, Bool) -> LeafUpdate<LeafType>
  ) -> Bool {
    guard range.upperBound <= node.summary.measure(dimension) else { return false }
    let isUnshared = node.isUnshared()
    if height == 0 { return updateLeaf(&node, range, isUnshared, &overflow, change) }
    if !isUnshared { node.node = node.branch.copy(branching: shape.branching) }
    let branch = node.branch
    var start = range.lowerBound
    var before = Summary.zero
    // Between two leaves, text is added to the first, but what is removed lies in the second.
    let bias: Bias = range.isEmpty ? .left : .right
    let index = branch.indexOfChild(at: &start, by: dimension, bias: bias, before: &before)
    let child = branch.children + index
    let part = start..<(start + range.count)
    guard update(&child.pointee, height - 1, part, by: dimension, shape, &overflow, change) else { return false }
    if let sibling = overflow { overflow = branch.insert(sibling, at: index + 1, branching: shape.branching) }
    node.summary = branch.summarize()
    return true
  }

  private static func updateLeaf(
    _ node: inout Node, _ range: Range<Int>, _ isUnshared: Bool, _ overflow: inout Node?,
    _ change: (LeafType, Summary, Range<Int>, Bool) -> LeafUpdate<LeafType>
  ) -> Bool {
    switch change(node.leaf, node.summary, range, isUnshared) {
    case .declined: return false
    case .changed(let leaf, let summary):
      if leaf !== node.node { node.node = leaf }
      node.summary = summary
    case .split(let first, let second):
      node = first
      overflow = second
    }
    return true
  }

  /// Puts what `change` makes of it, no longer and no shorter, in the place of each leaf that `isWanted`. Both are told where the subtree
  /// or the leaf begins. O(wanted leaves · log length), if a subtree is wanted where one of its leaves is, and hardly else.
  mutating func replaceLeaves(
    where isWanted: (_ start: Int, Summary) -> Bool, _ change: (_ start: Int, LeafType) -> LeafType
  ) { Tree.replaceLeaves(&root, height, 0, shape, isWanted, change) }

  private static func replaceLeaves(
    _ node: inout Node, _ height: Int, _ start: Int, _ shape: TreeShape, _ isWanted: (Int, Summary) -> Bool,
    _ change: (Int, LeafType) -> LeafType
  ) {
    guard isWanted(start, node.summary) else { return }
    if height == 0 {
      node = Node(change(start, node.leaf))
      return
    }
    if !node.isUnshared() { node.node = node.branch.copy(branching: shape.branching) }
    let branch = node.branch
    var childStart = start
    for index in 0..<branch.count {
      let child = branch.children + index
      let length = child.pointee.summary.length
      replaceLeaves(&child.pointee, height - 1, childStart, shape, isWanted, change)
      childStart += length
    }
    node.summary = branch.summarize()
  }
}
