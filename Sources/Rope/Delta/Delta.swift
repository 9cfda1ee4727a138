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
}

extension Array {
  /// The first index for which `isAfter` holds, where it holds for all that follow it. O(log n).
  @inlinable package func partitioningIndex(_ isAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
