extension Tree {
  /// Visits the leaves that `range` of the length touches, each with the part of it inside, until `body` returns false.
  func forEachLeaf(in range: Range<Int>, _ body: (LeafType, Range<Int>) throws -> Bool) rethrows -> Bool {
    if range.isEmpty { return true }
    return try Tree.visit(root, height, range, body)
  }

  private static func visit(
    _ node: Node, _ height: Int, _ range: Range<Int>, _ body: (LeafType, Range<Int>) throws -> Bool
  ) rethrows -> Bool {
    if height == 0 { return try body(node.leaf, range) }
    let branch = node.branch
    var start = 0
    for index in 0..<branch.count where start < range.upperBound {
      let child = branch.children[index]
      let length = child.summary.length
      let lower = max(range.lowerBound - start, 0)
      let upper = min(range.upperBound - start, length)
      if lower < upper, try !visit(child, height - 1, lower..<upper, body) { return false }
      start += length
    }
    return true
  }
}
