/// A run of the sequence at the bottom of a tree.
///
/// Leaves are shared between trees: one is changed only by a tree that holds its only reference, which `Tree.updateLeaf` makes sure of.
///
/// Laws: `summarize()` is the sum of the summaries of any slices that cover the leaf, and `join` keeps contents and order.
protocol Leaf: AnyObject {
  associatedtype LeafSummary: Summary
  associatedtype BranchType: Branch<Self>
  /// How full the leaf is, in the unit of `TreeShape.leafSize`.
  var size: Int { get }
  /// A leaf of length zero, shared.
  static var empty: Self { get }
  /// The summary, counted anew. O(size).
  func summarize() -> LeafSummary
  /// The part that `range` of the length covers. O(size).
  func slice(_ range: Range<Int>) -> Self
  /// Both leaves as one, or evenly as two when they are more than `leafSize` together. O(size).
  static func join(_ left: Self, _ right: Self, leafSize: Int) -> (Self, Self?)
}

/// How wide the nodes of a tree are. Tests shrink it, so that small texts make deep trees.
struct TreeShape: Sendable, Equatable {
  /// The most that a leaf holds.
  var leafSize: Int
  /// The most children of a branch, at least 4.
  var branching: Int

  /// A leaf below this is joined with its neighbour. A quarter, not a half: a leaf that was just split is far from both limits.
  var minimumLeafSize: Int { leafSize / 4 }
  var minimumBranching: Int { branching / 2 }
}
