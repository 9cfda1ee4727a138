// References are not counted on the way: the root holds all that is visited.
extension Tree {
  /// Visits the leaves that `range` of the length touches, each with the part of it inside, until `body` returns false.
  func forEachLeaf(in range: Range<Int>, _ body: (LeafType, Range<Int>) throws -> Bool) rethrows -> Bool {
    if range.isEmpty { return true }
    return try withUnsafePointer(to: root) { try Tree.visit($0, height, range, body) }
  }

  private static func visit(
    _ node: UnsafePointer<Node>, _ height: Int, _ range: Range<Int>, _ body: (LeafType, Range<Int>) throws -> Bool
  ) rethrows -> Bool {
    try Unmanaged.passUnretained(node.pointee.node)._withUnsafeGuaranteedRef { object in
      if height == 0 { return try body(unsafeDowncast(object, to: LeafType.self), range) }
      let branch = unsafeDowncast(object, to: Branch<LeafType>.self)
      var start = 0
      for index in 0..<branch.count where start < range.upperBound {
        let child = branch.children + index
        let length = child.pointee.summary.length
        let lower = max(range.lowerBound - start, 0)
        let upper = min(range.upperBound - start, length)
        if lower < upper, try !visit(child, height - 1, lower..<upper, body) { return false }
        start += length
      }
      return true
    }
  }

  /// Visits the leaves that `isWanted`; both are told where the subtree or the leaf begins.
  func forEachLeaf(where isWanted: (_ start: Int, Summary) -> Bool, _ body: (_ start: Int, LeafType) -> Void) {
    withUnsafePointer(to: root) { Tree.visit($0, height, 0, isWanted, body) }
  }

  private static func visit(
    _ node: UnsafePointer<Node>, _ height: Int, _ start: Int, _ isWanted: (Int, Summary) -> Bool,
    _ body: (Int, LeafType) -> Void
  ) {
    guard isWanted(start, node.pointee.summary) else { return }
    Unmanaged.passUnretained(node.pointee.node)._withUnsafeGuaranteedRef { object in
      if height == 0 { return body(start, unsafeDowncast(object, to: LeafType.self)) }
      let branch = unsafeDowncast(object, to: Branch<LeafType>.self)
      var childStart = start
      for index in 0..<branch.count {
        let child = branch.children + index
        visit(child, height - 1, childStart, isWanted, body)
        childStart += child.pointee.summary.length
      }
    }
  }

  /// Visits all leaves, each as its parent holds it.
  func forEachLeaf(_ body: (UnsafePointer<Node>) throws -> Void) rethrows {
    try withUnsafePointer(to: root) { try Tree.visit($0, height, body) }
  }

  private static func visit(
    _ node: UnsafePointer<Node>, _ height: Int, _ body: (UnsafePointer<Node>) throws -> Void
  ) rethrows {
    if height == 0 { return try body(node) }
    try Unmanaged.passUnretained(node.pointee.node)._withUnsafeGuaranteedRef { object in
      let branch = unsafeDowncast(object, to: Branch<LeafType>.self)
      for index in 0..<branch.count { try visit(branch.children + index, height - 1, body) }
    }
  }
}
