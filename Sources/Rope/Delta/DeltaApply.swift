extension Delta {
  /// Whether it makes another text of `base`. Mostly O(log n): it is known at the first byte that differs.
  package func changes(_ base: Rope) -> Bool {
    guard newByteCount == baseByteCount else { return true }
    for (index, edit) in edits.enumerated() {
      if base.slice(edit.newRange) != edit.replacement { return true }
      // What stands behind it may have moved.
      guard edit.newRange.upperBound != edit.range.upperBound else { continue }
      let end = index + 1 < edits.count ? edits[index + 1].range.lowerBound : base.endOffset
      let newEnd = end + (edit.newRange.upperBound - edit.range.upperBound)
      if base.slice(edit.range.upperBound..<end) != base.slice(edit.newRange.upperBound..<newEnd) { return true }
    }
    return false
  }
}

extension Rope {
  /// Applies a change. O(edits · log n) in place for few edits, O(n + edits) for many. The delta's base must have this text's length.
  package mutating func apply(_ delta: Delta) {
    precondition(delta.baseByteCount == byteCount, "a delta of another text")
    if delta.edits.count >= 8, delta.edits.count * tree.shape.leafSize * Rope.leavesPassedPerEdit >= byteCount {
      self = sweep(delta) {}
    } else {
      for edit in delta.edits.reversed() { replace(edit.range, with: edit.replacement) }
    }
  }

  /// How many leaves can be passed on in the time that one edit takes to find and change its own.
  private static let leavesPassedPerEdit = 16

  package func applying(_ delta: Delta) -> Rope {
    var result = self
    result.apply(delta)
    return result
  }

  /// The changed text, made in one walk over this one. O(n + edits): leaves without an edit are shared.
  /// - Parameter step: Called for each edit; what it throws ends the work.
  package func sweep(_ delta: Delta, _ step: () throws -> Void) rethrows -> Rope {
    precondition(delta.baseByteCount == byteCount, "a delta of another text")
    let edits = delta.edits
    var builder = Builder(shape: tree.shape)
    var next = 0
    // Up to where the base has been copied, or removed.
    var done = 0
    var start = 0
    try tree.forEachLeaf { leaf in
      let end = start + leaf.pointee.summary.bytes
      defer { start = end }
      if done == start, next == edits.count || edits[next].range.lowerBound.value >= end {
        builder.append(leaf.pointee)
        done = end
        return
      }
      let bytes = leaf.pointee.leaf.bytes
      func copy(to position: Int) {
        guard done < position else { return }
        builder.append(UnsafeRawBufferPointer(rebasing: bytes[(done - start)..<(position - start)]))
        done = position
      }
      while next < edits.count, edits[next].range.lowerBound.value < end {
        copy(to: edits[next].range.lowerBound.value)
        builder.insert(edits[next].replacement)
        done = edits[next].range.upperBound.value
        next += 1
        try step()
      }
      copy(to: end)
    }
    // At the end of the text, which may be empty.
    for index in next..<edits.count { builder.insert(edits[index].replacement) }
    return builder.finish()
  }
}

extension Rope.Builder {
  /// A short text becomes part of the leaf around it.
  fileprivate mutating func insert(_ text: Rope) {
    if text.tree.height > 0 { append(text) } else { text.withBytes(in: text.fullRange) { append($0) } }
  }
}
