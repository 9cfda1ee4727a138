/// The side of a tree that is walked from.
enum TreeEnd { case start, end }

extension Tree {
  /// How far both trees are the same from one end because they hold the same nodes there: what was edited elsewhere in a copy of the other
  /// keeps them. Looks at no leaf's contents; O(log n) for each edit that parts the copies.
  func sharedLength(from end: TreeEnd, with other: Tree) -> Int {
    var (left, right) = (NodeWalk(self, from: end), NodeWalk(other, from: end))
    var length = 0
    while let node = left.current, let twin = right.current {
      if node.child.node === twin.child.node {
        length += node.child.summary.length
        left.skip()
        right.skip()
      } else if node.height > 0, node.height >= twin.height {
        left.descend()
        if node.height == twin.height { right.descend() }
      } else if twin.height > 0 {
        right.descend()
      } else {
        break
      }
    }
    return length
  }
}

/// Walks the nodes of a tree from one end, and into those that it is told to.
private struct NodeWalk<LeafType: Leaf> {
  /// The next one last.
  private var stack: [(child: Child<LeafType>, height: Int)]
  private let end: TreeEnd

  init(_ tree: Tree<LeafType>, from end: TreeEnd) {
    stack = [(tree.root, tree.height)]
    self.end = end
  }

  var current: (child: Child<LeafType>, height: Int)? { stack.last }

  mutating func skip() { stack.removeLast() }

  mutating func descend() {
    let (child, height) = stack.removeLast()
    let branch = child.branch
    for index in 0..<branch.count {
      stack.append((branch.children[end == .start ? branch.count - 1 - index : index], height - 1))
    }
  }
}

extension Rope {
  /// Both are copies of one text that neither was changed in. O(1).
  package func isCopy(of other: Rope) -> Bool { tree.root.node === other.tree.root.node }
  /// So many bytes from the start lie in nodes that both have. See ``Tree/sharedLength(from:with:)``.
  package func sharedStart(with other: Rope) -> Int { tree.sharedLength(from: .start, with: other.tree) }
  /// So many bytes at the end lie in nodes that both have.
  package func sharedEnd(with other: Rope) -> Int { tree.sharedLength(from: .end, with: other.tree) }
}
