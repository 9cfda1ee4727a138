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
      root = Node(0..<2, branching: shape.branching) { $0 == 0 ? first : second }
      height += 1
    }
  }

  /// The part that `range` of the length covers, sharing all nodes wholly inside. O(log length).
  func slice(_ range: Range<Int>) -> Tree {
    precondition(range.lowerBound >= 0 && range.upperBound <= length, "range outside the tree")
    if range.isEmpty { return Tree(shape: shape) }
    return slice(root, height, range)
  }

  /// Puts `other` in the place of the part that `range` of the length covers. O(log length).
  mutating func replace(_ range: Range<Int>, with other: Tree) {
    var result = slice(0..<range.lowerBound)
    result.append(other)
    result.append(slice(range.upperBound..<length))
    self = result
  }

  /// Both subtrees as one or two of the greater height.
  private func join(_ left: Node, _ leftHeight: Int, _ right: Node, _ rightHeight: Int) -> (Node, Node?) {
    if leftHeight > rightHeight {
      let branch = left.branch
      let last = branch.count - 1
      let (first, second) = join(branch.children[last], leftHeight - 1, right, rightHeight)
      return parents(last + (second == nil ? 1 : 2)) {
        $0 < last ? branch.children[$0] : $0 == last ? first : second ?? first
      }
    }
    if leftHeight < rightHeight {
      let branch = right.branch
      let (first, second) = join(left, leftHeight, branch.children[0], rightHeight - 1)
      let added = second == nil ? 0 : 1
      return parents(branch.count + added) {
        $0 == 0 ? first : $0 == added ? second ?? first : branch.children[$0 - added]
      }
    }
    return leftHeight == 0 ? joinLeaves(left, right) : joinBranches(left, right)
  }

  private func joinLeaves(_ left: Node, _ right: Node) -> (Node, Node?) {
    if min(left.leaf.size, right.leaf.size) >= shape.minimumLeafSize { return (left, right) }
    let (first, second) = LeafType.join(left.leaf, right.leaf, leafSize: shape.leafSize)
    guard let second else {
      var summary = left.summary
      summary += right.summary
      return (Node(summary: summary, node: first), nil)
    }
    return (Node(first), Node(second))
  }

  private func joinBranches(_ left: Node, _ right: Node) -> (Node, Node?) {
    if min(left.branch.count, right.branch.count) >= shape.minimumBranching { return (left, right) }
    let (left, right) = (left.branch, right.branch)
    return parents(left.count + right.count) {
      $0 < left.count ? left.children[$0] : right.children[$0 - left.count]
    }
  }

  /// One parent of `count` siblings, or two when they are too many for one.
  @inline(__always)
  private func parents(_ count: Int, of siblings: (Int) -> Node) -> (Node, Node?) {
    if count <= shape.branching { return (Node(0..<count, branching: shape.branching, of: siblings), nil) }
    let half = count / 2
    return (
      Node(0..<half, branching: shape.branching, of: siblings),
      Node(half..<count, branching: shape.branching, of: siblings)
    )
  }

  private func slice(_ node: Node, _ height: Int, _ range: Range<Int>) -> Tree {
    if range.count == node.summary.length { return Tree(root: node, height: height, shape: shape) }
    if height == 0 { return Tree(root: Node(node.leaf.slice(range)), height: 0, shape: shape) }
    let branch = node.branch
    var result = Tree(shape: shape)
    var whole = 0..<0
    var start = 0
    for index in 0..<branch.count where start < range.upperBound {
      let length = branch.children[index].summary.length
      let part =
        max(range.lowerBound - start, 0)..<max(range.lowerBound - start, min(range.upperBound - start, length), 0)
      start += length
      if part.count == range.count, part.count < length { return slice(branch.children[index], height - 1, part) }
      if part.count == length {
        whole = (whole.isEmpty ? index : whole.lowerBound)..<(index + 1)
      } else if !part.isEmpty {
        result.append(tree(of: branch, whole, height))
        whole = 0..<0
        result.append(slice(branch.children[index], height - 1, part))
      }
    }
    result.append(tree(of: branch, whole, height))
    return result
  }

  /// A tree of adjacent children of a branch that has the given height.
  private func tree(of branch: Branch<LeafType>, _ range: Range<Int>, _ height: Int) -> Tree {
    switch range.count {
    case 0: Tree(shape: shape)
    case 1: Tree(root: branch.children[range.lowerBound], height: height - 1, shape: shape)
    default:
      Tree(
        root: Node(range, branching: shape.branching) { branch.children[$0] }, height: height, shape: shape)
    }
  }
}
