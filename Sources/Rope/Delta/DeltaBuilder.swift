extension Delta {
  /// Collects replacements, in the order of the base.
  package struct Builder {
    private let baseByteCount: Int
    private var edits: [Edit] = []
    private var growth = 0

    package init(baseByteCount: Int) {
      self.baseByteCount = baseByteCount
    }

    /// Replaces `range`. What of it lies before the end of the last one, or outside of the base, is left as it is: ranges may come
    /// from other programs. Amortized O(1), O(log n) where they touch.
    package mutating func replace(_ range: Range<ByteOffset>, with replacement: Rope) {
      let end = edits.last?.range.upperBound ?? 0
      let start = min(max(range.lowerBound, end), ByteOffset(baseByteCount))
      let range = start..<max(start, min(range.upperBound, ByteOffset(baseByteCount)))
      if range.isEmpty, replacement.isEmpty { return }
      defer { growth += replacement.byteCount - range.count }
      guard let last = edits.indices.last, edits[last].range.upperBound == range.lowerBound else {
        edits.append(Edit(range: range, replacement: replacement, newStart: range.lowerBound + growth))
        return
      }
      var joined = edits[last].replacement
      joined.append(replacement)
      edits[last] = Edit(
        range: edits[last].range.lowerBound..<range.upperBound, replacement: joined, newStart: edits[last].newStart)
    }

    package func build() -> Delta { Delta(baseByteCount: baseByteCount, edits: edits) }
  }
}
