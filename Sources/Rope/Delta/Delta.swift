/// A change of a text: some ranges of it replaced.
///
/// Replacements are kept in order and apart: none is trivial and no two touch. xi's wire form (`base_len` and copy or insert elements) is
/// `baseByteCount` and `elements`.
package struct Delta: Sendable, Equatable {
  /// One range of the base and what takes its place.
  package struct Edit: Sendable, Equatable {
    package let range: Range<ByteOffset>
    package let replacement: Rope
    /// Where the replacement begins in the changed text.
    package let newStart: ByteOffset

    package var newRange: Range<ByteOffset> { newStart..<(newStart + replacement.byteCount) }
    var growth: Int { replacement.byteCount - range.count }
  }

  /// The length of the text that this is a change of.
  package let baseByteCount: Int
  package let edits: [Edit]

  package var newByteCount: Int {
    edits.last.map { $0.newRange.upperBound.value + baseByteCount - $0.range.upperBound.value } ?? baseByteCount
  }
  package var isIdentity: Bool { edits.isEmpty }

  init(baseByteCount: Int, edits: [Edit]) {
    self.baseByteCount = baseByteCount
    self.edits = edits
  }

  /// The change that does nothing.
  package init(identityOf baseByteCount: Int) {
    self.init(baseByteCount: baseByteCount, edits: [])
  }

  /// One range replaced.
  package init(baseByteCount: Int, replacing range: Range<ByteOffset>, with replacement: Rope) {
    var builder = Builder(baseByteCount: baseByteCount)
    builder.replace(range, with: replacement)
    self = builder.build()
  }

  /// Where `offset` of the base lies in the changed text. O(log edits).
  ///
  /// At an insertion, `bias` says on which side of it; inside of what was removed, behind what took its place.
  package func transform(_ offset: ByteOffset, bias: Bias) -> ByteOffset {
    var (low, high) = (0, edits.count)
    while low < high {
      let middle = (low + high) / 2
      // Looked at where it is: a copy of the edit would count references to its text.
      let start = edits[middle].range.lowerBound
      if start > offset || (bias == .left && start == offset) { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return offset }
    let growth =
      low < edits.count ? edits[low].newStart - edits[low].range.lowerBound : newByteCount - baseByteCount
    return max(offset, edits[low - 1].range.upperBound) + growth
  }
}

extension Rope {
  /// Applies a change in place. O(edits · log n). The delta's base must have this text's length.
  package mutating func apply(_ delta: Delta) {
    precondition(delta.baseByteCount == byteCount, "a delta of another text")
    for edit in delta.edits.reversed() { replace(edit.range, with: edit.replacement) }
  }

  package func applying(_ delta: Delta) -> Rope {
    var result = self
    result.apply(delta)
    return result
  }
}

extension Array {
  /// The first index for which `isAfter` holds, where it holds for all that follow it.
  func partitioningIndex(_ isAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
