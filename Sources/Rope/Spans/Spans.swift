/// Ranges of a text, with a number each, that follow its changes. They may overlap; none is empty.
///
/// A value: copies share what neither has changed. Each span lies where it begins, in a tree beside the text's own; a search for what
/// reaches a place looks as far back as the longest is long.
package struct Spans: Sendable {
  package struct Span: Sendable, Equatable {
    package var range: Range<ByteOffset>
    package var value: Int

    package init(range: Range<ByteOffset>, value: Int) {
      self.range = range
      self.value = value
    }
  }

  static let shape = TreeShape(leafSize: 64, branching: 16)

  private(set) var tree: Tree<SpanLeaf>
  /// No span is longer.
  private var longest = 0

  /// None, in a text of that length.
  package init(byteCount: Int) { self.init(byteCount: byteCount, shape: Self.shape) }

  init(byteCount: Int, shape: TreeShape) {
    tree = Self.tree(of: [], from: 0, to: byteCount, shape)
  }

  package var count: Int { tree.summary.spans }
  /// The length of the text.
  package var byteCount: Int { tree.length }

  /// Those that share a byte with `range`, in the order of their starts. O(log n + spans within the length of the longest).
  package func spans(touching range: Range<ByteOffset>) -> [Span] {
    spans(from: max(0, range.lowerBound.value - longest), to: range.upperBound.value).filter {
      $0.range.overlaps(range)
    }
  }

  /// Puts `new`, which begin in `range`, in the place of what shares a byte with it, or holds it when it is empty.
  /// O(log n + spans within the length of the longest).
  package mutating func replace(in range: Range<ByteOffset>, with new: [Span]) {
    let start = max(0, range.lowerBound.value - longest)
    let end = min(max(range.upperBound.value, range.lowerBound.value + 1), byteCount)
    guard start < end else { return }
    let kept = spans(from: start, to: end).filter {
      !$0.range.overlaps(range) && !(range.isEmpty && $0.range.contains(range.lowerBound))
    }
    let all = (kept + new.filter { !$0.range.isEmpty }).sorted { $0.range.lowerBound < $1.range.lowerBound }
    if start == 0, end == byteCount { longest = 0 }
    put(all, from: start, to: end)
  }

  /// Follows a change of the text; what becomes empty goes. O(edits · (log n + spans within the length of the longest)).
  package mutating func follow(_ delta: Delta) {
    setByteCount(delta.baseByteCount)
    guard !delta.isIdentity else { return }
    var result = Tree<SpanLeaf>(shape: tree.shape)
    var end = 0
    for (index, edit) in delta.edits.enumerated() {
      // Also the byte behind the edit: what begins there, or is moved there.
      let next = index + 1 < delta.edits.count ? delta.edits[index + 1].range.lowerBound.value : byteCount
      let start = max(end, edit.range.lowerBound.value - longest)
      result.append(tree.slice(end..<start))
      end = min(edit.range.upperBound.value + 1, next)
      let moved = spans(from: start, to: end).compactMap { Self.moved($0, by: delta) }
      longest = moved.reduce(longest) { max($0, $1.range.count) }
      let newEnd = edit.newRange.upperBound.value + end - edit.range.upperBound.value
      result.append(Self.tree(of: moved, from: result.length, to: newEnd, tree.shape))
    }
    result.append(tree.slice(end..<byteCount))
    tree = result
  }

  /// More text behind the end, or less: what begins there goes.
  package mutating func setByteCount(_ count: Int) {
    if count < byteCount {
      tree = tree.slice(0..<count)
    } else if count > byteCount {
      tree.append(Self.tree(of: [], from: byteCount, to: count, tree.shape))
    }
  }

  private static func moved(_ span: Span, by delta: Delta) -> Span? {
    let start = delta.transform(span.range.lowerBound, bias: .right)
    let end = delta.transform(span.range.upperBound, bias: .left)
    return start < end ? Span(range: start..<end, value: span.value) : nil
  }

  /// Those that begin in a stretch of the text.
  private func spans(from start: Int, to end: Int) -> [Span] {
    var spans: [Span] = []
    var offset = start
    _ = tree.forEachLeaf(in: start..<max(start, min(end, byteCount))) { leaf, part in
      for item in leaf.items(from: part) {
        let first = ByteOffset(offset + item.start - part.lowerBound)
        spans.append(Span(range: first..<first + item.length, value: item.value))
      }
      offset += part.count
      return true
    }
    return spans
  }

  /// Makes `spans` all that begin in a stretch of the text.
  private mutating func put(_ spans: [Span], from start: Int, to end: Int) {
    longest = spans.reduce(longest) { max($0, $1.range.count) }
    var result = tree.slice(0..<start)
    result.append(Self.tree(of: spans, from: start, to: end, tree.shape))
    result.append(tree.slice(end..<byteCount))
    tree = result
  }

  /// A tree of a stretch of text with sorted spans that begin in it, in leaves about equally full.
  private static func tree(of spans: [Span], from start: Int, to end: Int, _ shape: TreeShape) -> Tree<SpanLeaf> {
    let leafCount = max(1, (spans.count + shape.leafSize - 1) / shape.leafSize)
    var leaves: [SpanLeaf] = []
    var (first, leafStart) = (0, start)
    for index in 0..<leafCount where leafStart < end {
      var last = max(first, spans.count * (index + 1) / leafCount)
      // What begins at one place is not parted.
      while last > first, last < spans.count, spans[last].range.lowerBound == spans[last - 1].range.lowerBound {
        last += 1
      }
      if last == first, last < spans.count { continue }
      let leafEnd = last < spans.count ? spans[last].range.lowerBound.value : end
      leaves.append(leaf(of: spans[first..<last], from: leafStart, to: leafEnd))
      (first, leafStart) = (last, leafEnd)
    }
    return Tree(leaves: leaves.map { Child($0) }, shape: shape)
  }

  private static func leaf(of spans: ArraySlice<Span>, from start: Int, to end: Int) -> SpanLeaf {
    SpanLeaf(
      byteCount: end - start,
      items: spans.map {
        SpanLeaf.Item(start: $0.range.lowerBound.value - start, length: $0.range.count, value: $0.value)
      })
  }
}
