/// Ranges of a text, with a number each, that follow its changes. They may overlap; none is empty.
///
/// A value: copies share what neither has changed. Each span lies where it begins, in a tree beside the text's own, each of whose nodes
/// knows how far its spans reach.
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

  /// None, in a text of that length.
  package init(byteCount: Int) { self.init(byteCount: byteCount, shape: Self.shape) }

  init(byteCount: Int, shape: TreeShape) {
    tree = Self.tree(of: [], from: 0, to: byteCount, shape)
  }

  package var count: Int { tree.summary.spans }
  /// The length of the text.
  package var byteCount: Int { tree.length }

  /// Those that share a byte with `range`, in the order of their starts. O(log n + leaves that have one).
  package func spans(touching range: Range<ByteOffset>) -> [Span] {
    let (lower, upper) = (range.lowerBound.value, range.upperBound.value)
    var spans: [Span] = []
    tree.forEachLeaf(where: { start, summary in start < upper && start + summary.reach > lower }) { start, leaf in
      for item in leaf.items {
        let span = item.span(from: start)
        if span.range.overlaps(range) { spans.append(span) }
      }
    }
    return spans
  }

  /// Puts `new`, which begin in `range`, in the place of what shares a byte with it, or holds it when it is empty.
  /// O(log n + leaves that have one).
  package mutating func replace(in range: Range<ByteOffset>, with new: [Span]) {
    let (lower, upper) = (range.lowerBound.value, max(range.upperBound.value, range.lowerBound.value + 1))
    guard lower < byteCount else { return }
    tree.replaceLeaves(where: { start, summary in start < lower && start + summary.reach > lower }) { start, leaf in
      SpanLeaf(
        byteCount: leaf.byteCount,
        items: leaf.items.filter { start + $0.start >= lower || start + $0.start + $0.length <= lower })
    }
    let sorted = new.filter { !$0.range.isEmpty }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    put(sorted, from: lower, to: min(upper, byteCount))
  }

  /// Follows a change of the text; what becomes empty goes. O(edits · log n + leaves that have a span which one touches).
  package mutating func follow(_ delta: Delta) {
    setByteCount(delta.baseByteCount)
    guard !delta.isIdentity else { return }
    followLengths(delta)
    var result = Tree<SpanLeaf>(shape: tree.shape)
    var end = 0
    for (index, edit) in delta.edits.enumerated() {
      // Also the byte behind the edit: what begins there, or is moved there.
      let next = index + 1 < delta.edits.count ? delta.edits[index + 1].range.lowerBound.value : byteCount
      let start = edit.range.lowerBound.value
      result.append(tree.slice(end..<start))
      end = min(edit.range.upperBound.value + 1, next)
      let moved = spans(from: start, to: end).map { span in
        let start = delta.transform(span.range.lowerBound, bias: .right)
        return Span(range: start..<start + span.range.count, value: span.value)
      }
      let newEnd = edit.newRange.upperBound.value + end - edit.range.upperBound.value
      result.append(Self.tree(of: moved, from: result.length, to: newEnd, tree.shape))
    }
    result.append(tree.slice(end..<byteCount))
    tree = result
  }

  /// Gives the spans that an edit touches their new lengths, where they begin now; takes away what becomes empty.
  private mutating func followLengths(_ delta: Delta) {
    let edits = delta.edits
    tree.replaceLeaves(where: { start, summary in
      guard summary.spans > 0 else { return false }
      let index = edits.partitioningIndex { $0.range.upperBound.value >= start }
      return index < edits.count && edits[index].range.lowerBound.value <= start + summary.reach
    }) { start, leaf in
      SpanLeaf(
        byteCount: leaf.byteCount,
        items: leaf.items.compactMap { item in
          let range = item.span(from: start).range
          var item = item
          item.length =
            delta.transform(range.upperBound, bias: .left) - delta.transform(range.lowerBound, bias: .right)
          return item.length > 0 ? item : nil
        })
    }
  }

  /// More text behind the end, or less: what begins there goes.
  package mutating func setByteCount(_ count: Int) {
    if count < byteCount {
      tree = tree.slice(0..<count)
    } else if count > byteCount {
      tree.append(Self.tree(of: [], from: byteCount, to: count, tree.shape))
    }
  }

  /// Those that begin in a stretch of the text.
  private func spans(from start: Int, to end: Int) -> [Span] {
    var spans: [Span] = []
    var offset = start
    _ = tree.forEachLeaf(in: start..<max(start, min(end, byteCount))) { leaf, part in
      for item in leaf.items(from: part) {
        spans.append(item.span(from: offset - part.lowerBound))
      }
      offset += part.count
      return true
    }
    return spans
  }

  /// Makes `spans` all that begin in a stretch of the text.
  private mutating func put(_ spans: [Span], from start: Int, to end: Int) {
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

extension SpanLeaf.Item {
  /// In the text in which its leaf begins at `start`.
  fileprivate func span(from start: Int) -> Spans.Span {
    let first = ByteOffset(start + self.start)
    return Spans.Span(range: first..<first + length, value: value)
  }
}
