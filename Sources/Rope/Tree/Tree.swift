/// A sequence as a balanced tree with summaries (a B-tree with all data in its leaves): a value, copied on write.
///
/// A copy costs one reference. A tree whose nodes are unshared is changed in place; otherwise only the path to the change is copied.
/// After Zed's `sum_tree` and xi's `Node`.
struct Tree<LeafType: Leaf>: Sendable {
  typealias Summary = LeafType.LeafSummary
  typealias Node = Child<LeafType>

  var root: Node
  var height: Int
  var shape: TreeShape

  init(shape: TreeShape) {
    self.init(root: Node(summary: .zero, node: LeafType.empty), height: 0, shape: shape)
  }

  init(root: Node, height: Int, shape: TreeShape) {
    self.root = root
    self.height = height
    self.shape = shape
  }

  /// A tree of leaves that are each at least as full as the shape wants. O(number of leaves).
  init(leaves: [Node], shape: TreeShape) {
    self.init(shape: shape)
    var level = leaves
    guard !level.isEmpty else { return }
    while level.count > 1 {
      level = Tree.grouped(level, branching: shape.branching)
      height += 1
    }
    root = level[0]
  }

  var summary: Summary { root.summary }
  var length: Int { root.summary.length }

  /// Parents of `children`, all about equally full.
  private static func grouped(_ children: [Node], branching: Int) -> [Node] {
    let groups = (children.count + branching - 1) / branching
    return (0..<groups).map { group in
      let range = (children.count * group / groups)..<(children.count * (group + 1) / groups)
      return Node(range, branching: branching) { children[$0] }
    }
  }
}
