/// Places of a text where its lines are broken for display, which follow its changes. None is at the start of the text.
///
/// A value: copies share what neither has changed. The breaks lie in a tree beside the text's own; one that is unshared is changed in
/// place.
package struct Breaks: Sendable {
  static let shape = TreeShape(leafSize: 64, branching: 16)

  private(set) var tree: Tree<BreakLeaf>

  /// None, in a text of that length.
  package init(byteCount: Int) { self.init(byteCount: byteCount, shape: Self.shape) }

  init(byteCount: Int, shape: TreeShape) {
    tree = Self.tree(of: [], byteCount: byteCount, shape)
  }

  package var count: Int { tree.summary.breaks }
  /// The length of the text.
  package var byteCount: Int { tree.length }

  // MARK: Places

  /// Those before it are `index`. O(log n).
  package subscript(index: Int) -> ByteOffset {
    precondition(index >= 0 && index < count, "no such break")
    let place = tree.seek(index + 1, by: .breaks, bias: .left)
    return ByteOffset(place.before.bytes + place.leaf.breaks[index - place.before.breaks])
  }

  /// How many lie at or before `offset`. O(log n).
  package func countUpTo(_ offset: ByteOffset) -> Int {
    let place = tree.seek(offset.value, by: .bytes, bias: .left)
    return place.before.breaks + place.leaf.countUpTo(offset.value - place.before.bytes)
  }

  /// Whether there is one at `offset`. O(log n).
  package func contains(_ offset: ByteOffset) -> Bool {
    let place = tree.seek(offset.value, by: .bytes, bias: .left)
    let index = place.leaf.countUpTo(offset.value - place.before.bytes)
    return index > 0 && place.leaf.breaks[index - 1] == offset.value - place.before.bytes
  }

  // MARK: Changes

  /// Makes `new`, in their order, all that lie inside of `range` and at its ends. O(log n + breaks in the range).
  package mutating func replace(in range: ClosedRange<ByteOffset>, with new: [ByteOffset]) {
    let start = max(range.lowerBound.value - 1, 0)
    guard start < range.upperBound.value else { return }
    put(new.map { $0.value - start }, in: start..<range.upperBound.value, byteCount: range.upperBound.value - start)
  }

  /// Follows a change of the text: those inside of what is replaced go. O(edits · log n).
  package mutating func follow(_ delta: Delta) {
    for edit in delta.edits.reversed() { follow(edit.range, newByteCount: edit.replacement.byteCount) }
  }

  /// More text behind the end.
  package mutating func grow(to byteCount: Int) {
    put([], in: self.byteCount..<self.byteCount, byteCount: byteCount - self.byteCount)
  }

  private mutating func follow(_ range: Range<ByteOffset>, newByteCount: Int) {
    let (start, end) = (range.lowerBound.value, range.upperBound.value)
    guard start < end, contains(range.upperBound) else { return put([], in: start..<end, byteCount: newByteCount) }
    // The one at the end stays, also where that is the start now.
    if newByteCount > 0 { return put([newByteCount], in: start..<end, byteCount: newByteCount) }
    put(start > 0 ? [1] : [], in: max(start - 1, 0)..<end, byteCount: min(start, 1))
  }

  /// Makes a stretch of the text that long, with breaks at `new`, counted from its start, in the place of those inside and at its end.
  private mutating func put(_ new: [Int], in range: Range<Int>, byteCount: Int) {
    if range.isEmpty, byteCount == 0 { return }
    if putInLeaf(new, in: range, byteCount: byteCount) { return }
    tree.replace(range, with: Self.tree(of: new, byteCount: byteCount, tree.shape))
  }

  /// The usual change: within one leaf, which stays of good size. False, and nothing done, when it is not that.
  private mutating func putInLeaf(_ new: [Int], in range: Range<Int>, byteCount: Int) -> Bool {
    let shape = tree.shape
    let minimum = tree.height == 0 ? 0 : shape.minimumLeafSize
    return tree.updateLeaf(holding: range, by: .bytes) { leaf, _, range, isUnshared in
      let removed = leaf.countUpTo(range.upperBound) - leaf.countUpTo(range.lowerBound)
      let size = leaf.size - removed + new.count
      guard size <= shape.leafSize * 2, size >= min(minimum, leaf.size) else { return .declined }
      guard leaf.byteCount - range.count + byteCount > 0 else { return .declined }
      let leaf = isUnshared ? leaf : leaf.copy()
      leaf.replace(range, byteCount: byteCount, with: new)
      guard size > shape.leafSize else { return .changed(leaf: leaf, summary: leaf.summarize()) }
      let (first, second) = leaf.halves
      return .split(Child(first), Child(second))
    }
  }

  /// A tree of a stretch of text with those breaks, in leaves about equally full, each up to its last break.
  private static func tree(of breaks: [Int], byteCount: Int, _ shape: TreeShape) -> Tree<BreakLeaf> {
    guard byteCount > 0 else { return Tree(shape: shape) }
    let leafCount = max(1, (breaks.count + shape.leafSize - 1) / shape.leafSize)
    var start = 0
    return Tree(
      leaves: (0..<leafCount).map { index in
        let part = breaks[(breaks.count * index / leafCount)..<(breaks.count * (index + 1) / leafCount)]
        let end = index + 1 < leafCount ? part[part.endIndex - 1] : byteCount
        defer { start = end }
        return Child(BreakLeaf(byteCount: end - start, breaks: part.map { $0 - start }))
      }, shape: shape)
  }
}
