/// A subtree and its summary, as its parent holds it.
///
/// `@unchecked Sendable`: the node it leads to is changed only while it is unshared.
struct Child<LeafType: Leaf>: @unchecked Sendable {
  /// A `LeafType` at height 0, a `Branch<LeafType>` above. All leaves of a tree have the same depth, so the height tells.
  // The first member: so it can be released without a look at how large the other is.
  var node: AnyObject
  var summary: LeafType.LeafSummary

  init(summary: LeafType.LeafSummary, node: AnyObject) {
    self.summary = summary
    self.node = node
  }

  init(_ leaf: LeafType) {
    self.init(summary: leaf.summarize(), node: leaf)
  }

  /// A parent of `range` of siblings.
  @inline(__always)
  init(_ range: Range<Int>, branching: Int, of siblings: (Int) -> Child) {
    var sum = LeafType.LeafSummary.zero
    let branch = Branch<LeafType>.make(count: range.count, branching: branching) {
      let child = siblings(range.lowerBound + $0)
      sum += child.summary
      return child
    }
    self.init(summary: sum, node: branch)
  }

  /// Whether this is the only reference to the node, which may then be changed in place.
  @inline(__always)
  mutating func isUnshared() -> Bool {
    // As some class: of a plain `AnyObject` the answer is always no.
    withUnsafeMutablePointer(to: &node) {
      $0.withMemoryRebound(to: LeafType.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
    }
  }

  /// The node at height 0.
  @inline(__always) var leaf: LeafType { unsafeDowncast(node, to: LeafType.self) }
  /// The node at a height above 0.
  @inline(__always) var branch: Branch<LeafType> { unsafeDowncast(node, to: Branch<LeafType>.self) }
}

/// An inner node: its children lie behind its header, in one allocation.
///
/// Each leaf type has a subclass, whose only member is `deinit { deinitializeChildren() }`: that of a generic class would look its types up
/// at every call.
class Branch<LeafType: Leaf>: ManagedBuffer<Int, Child<LeafType>> {
  @inline(__always)
  static func make(count: Int, branching: Int, _ child: (Int) -> Child<LeafType>) -> Branch {
    precondition(count <= branching)
    let branch = unsafeDowncast(
      LeafType.BranchType.create(minimumCapacity: branching) { _ in 0 }, to: LeafType.BranchType.self)
    // One by one: a bulk copy goes through run-time type information, ten times slower. So does its opposite.
    for index in 0..<count { (branch.children + index).initialize(to: child(index)) }
    branch.withUnsafeMutablePointerToHeader { $0.pointee = count }
    return branch
  }

  @inline(__always) final func deinitializeChildren() {
    // Only the reference: the summary needs none, which the value witness of a generic type finds out at every call.
    for index in 0..<count { withUnsafeMutablePointer(to: &children[index].node) { _ = $0.deinitialize(count: 1) } }
  }

  /// Valid while the branch is alive.
  @inline(__always) final var children: UnsafeMutablePointer<Child<LeafType>> {
    withUnsafeMutablePointerToElements { $0 }
  }
  // Through its address: the header itself is checked for exclusive access at each use.
  @inline(__always) final var count: Int { withUnsafeMutablePointerToHeader { $0.pointee } }

  final func copy(branching: Int) -> Branch {
    let children = children
    return Branch.make(count: count, branching: branching) { children[$0] }
  }

  /// Inserts a child into an unshared branch. A full one is parted first: what is returned is to follow it.
  final func insert(_ child: Child<LeafType>, at index: Int, branching: Int) -> Child<LeafType>? {
    guard count == branching else {
      insert(child, at: index)
      return nil
    }
    let half = (count + 1) / 2
    let (first, last) = (half, count)
    let children = children
    let second = Branch.make(count: last - first, branching: branching) { children[first + $0] }
    for index in first..<last { withUnsafeMutablePointer(to: &children[index].node) { _ = $0.deinitialize(count: 1) } }
    withUnsafeMutablePointerToHeader { $0.pointee = half }
    if index <= half { insert(child, at: index) } else { second.insert(child, at: index - half) }
    return Child(summary: second.summarize(), node: second)
  }

  private final func insert(_ child: Child<LeafType>, at index: Int) {
    let place = children + index
    (place + 1).moveInitialize(from: place, count: count - index)
    place.initialize(to: child)
    withUnsafeMutablePointerToHeader { $0.pointee += 1 }
  }

  final func summarize() -> LeafType.LeafSummary {
    var sum = LeafType.LeafSummary.zero
    for index in 0..<count { sum += children[index].summary }
    return sum
  }
}
