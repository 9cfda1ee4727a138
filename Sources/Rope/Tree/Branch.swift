/// A subtree and its summary, as its parent holds it.
///
/// `@unchecked Sendable`: the node it leads to is changed only while it is unshared.
struct Child<LeafType: Leaf>: @unchecked Sendable {
  var summary: LeafType.LeafSummary
  /// A `LeafType` at height 0, a `Branch<LeafType>` above. All leaves of a tree have the same depth, so the height tells.
  var node: AnyObject

  init(summary: LeafType.LeafSummary, node: AnyObject) {
    self.summary = summary
    self.node = node
  }

  init(_ leaf: LeafType) {
    self.init(summary: leaf.summarize(), node: leaf)
  }

  init(_ children: ArraySlice<Child>, branching: Int) {
    let branch = Branch<LeafType>.make(children, branching: branching)
    self.init(summary: branch.summarize(), node: branch)
  }

  /// The node at height 0.
  @inline(__always) var leaf: LeafType { unsafeDowncast(node, to: LeafType.self) }
  /// The node at a height above 0.
  @inline(__always) var branch: Branch<LeafType> { unsafeDowncast(node, to: Branch<LeafType>.self) }
}

/// An inner node: its children lie behind its header, in one allocation.
final class Branch<LeafType: Leaf>: ManagedBuffer<Int, Child<LeafType>> {
  static func make(_ children: ArraySlice<Child<LeafType>>, branching: Int) -> Branch {
    precondition(children.count <= branching)
    let branch = empty(branching: branching)
    children.withUnsafeBufferPointer { source in
      guard let first = source.baseAddress else { return }
      branch.children.initialize(from: first, count: source.count)
    }
    branch.header = children.count
    return branch
  }

  private static func empty(branching: Int) -> Branch {
    unsafeDowncast(create(minimumCapacity: branching) { _ in 0 }, to: Branch.self)
  }

  deinit {
    _ = withUnsafeMutablePointers { $1.deinitialize(count: $0.pointee) }
  }

  /// Valid while the branch is alive.
  @inline(__always) var children: UnsafeMutablePointer<Child<LeafType>> {
    withUnsafeMutablePointerToElements { $0 }
  }
  @inline(__always) var count: Int { header }
  var array: [Child<LeafType>] { Array(UnsafeBufferPointer(start: children, count: count)) }

  func copy(branching: Int) -> Branch {
    let copy = Branch.empty(branching: branching)
    copy.children.initialize(from: children, count: count)
    copy.header = count
    return copy
  }

  func summarize() -> LeafType.LeafSummary {
    var sum = LeafType.LeafSummary.zero
    for index in 0..<count { sum += children[index].summary }
    return sum
  }
}
