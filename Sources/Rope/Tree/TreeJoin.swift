extension Tree {
  /// Puts `other` behind this tree. O(difference of the heights).
  mutating func append(_ other: Tree) {
    guard other.length > 0 else { return }
    guard length > 0 else {
      root = other.root
      height = other.height
      return
    }
    let (first, second) = join(root, height, other.root, other.height)
    height = max(height, other.height)
    root = first
    if let second {
      root = Node([first, second], branching: shape.branching)
      height += 1
    }
  }

  /// The part that `range` of the length covers, sharing all nodes wholly inside. O(log length).
  func slice(_ range: Range<Int>) -> Tree {
    precondition(range.lowerBound >= 0 && range.upperBound <= length, "range outside the tree")
    if range.isEmpty { return Tree(shape: shape) }
    return slice(root, height, range)
  }

  /// Both subtrees as one or two of the greater height.
  private func join(_ left: Node, _ leftHeight: Int, _ right: Node, _ rightHeight: Int) -> (Node, Node?) {
    if leftHeight > rightHeight {
      var children = left.branch.array
      let (first, second) = join(children.removeLast(), leftHeight - 1, right, rightHeight)
      children.append(first)
      if let second { children.append(second) }
      return parents(of: children)
    }
    if leftHeight < rightHeight {
      let children = right.branch.array
      let (first, second) = join(left, leftHeight, children[0], rightHeight - 1)
      return parents(of: [first] + (second.map { [$0] } ?? []) + children.dropFirst())
    }
    return leftHeight == 0 ? joinLeaves(left, right) : joinBranches(left, right)
  }

  private func joinLeaves(_ left: Node, _ right: Node) -> (Node, Node?) {
    if min(left.leaf.size, right.leaf.size) >= shape.minimumLeafSize { return (left, right) }
    let (first, second) = LeafType.join(left.leaf, right.leaf, leafSize: shape.leafSize)
    return (Node(first), second.map { Node($0) })
  }

  private func joinBranches(_ left: Node, _ right: Node) -> (Node, Node?) {
    if min(left.branch.count, right.branch.count) >= shape.minimumBranching { return (left, right) }
    return parents(of: left.branch.array + right.branch.array)
  }

  /// One branch of `children`, or two when they are too many for one.
  private func parents(of children: [Node]) -> (Node, Node?) {
    if children.count <= shape.branching { return (Node(children[...], branching: shape.branching), nil) }
    let half = children.count / 2
    return (
      Node(children[..<half], branching: shape.branching), Node(children[half...], branching: shape.branching)
    )
  }

  private func slice(_ node: Node, _ height: Int, _ range: Range<Int>) -> Tree {
    if range.count == node.summary.length { return Tree(root: node, height: height, shape: shape) }
    if height == 0 { return Tree(root: Node(node.leaf.slice(range)), height: 0, shape: shape) }
    let children = node.branch.array
    var result = Tree(shape: shape)
    var whole: [Node] = []
    var start = 0
    for child in children {
      let end = start + child.summary.length
      let part = max(range.lowerBound, start)..<max(max(range.lowerBound, start), min(range.upperBound, end))
      if part.count == child.summary.length {
        whole.append(child)
      } else if !part.isEmpty {
        result.append(tree(of: whole, height - 1))
        whole = []
        result.append(slice(child, height - 1, (part.lowerBound - start)..<(part.upperBound - start)))
      }
      start = end
    }
    result.append(tree(of: whole, height - 1))
    return result
  }

  /// A tree of adjacent siblings of the given height, fewer than a branch can hold.
  private func tree(of siblings: [Node], _ height: Int) -> Tree {
    switch siblings.count {
    case 0: Tree(shape: shape)
    case 1: Tree(root: siblings[0], height: height, shape: shape)
    default: Tree(root: Node(siblings[...], branching: shape.branching), height: height + 1, shape: shape)
    }
  }
}
