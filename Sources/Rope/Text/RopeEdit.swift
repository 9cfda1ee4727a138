extension Rope {
  /// Puts `replacement` in the place of `range`. O(log n + bytes), in place when no other rope shares the nodes.
  package mutating func replace(_ range: Range<ByteOffset>, with replacement: Rope) {
    if replacement.byteCount <= tree.shape.leafSize {
      replacement.withBytes(in: replacement.fullRange) { replace(range, with: $0) }
    } else {
      replaceBySlicing(range, with: replacement)
    }
  }

  /// The same with a range in any unit, found in the same descent.
  @inlinable
  package mutating func replace<Offset: TextOffset>(_ range: Range<Offset>, with replacement: UnsafeRawBufferPointer) {
    replace(range.lowerBound.value..<range.upperBound.value, by: Offset.dimension, with: replacement)
  }

  @inlinable
  package mutating func replace<Offset: TextOffset>(_ range: Range<Offset>, with replacement: String) {
    var replacement = replacement
    replacement.withUTF8 { replace(range, with: UnsafeRawBufferPointer($0)) }
  }

  package mutating func replace(_ range: Range<ByteOffset>, with replacement: String) {
    var replacement = replacement
    replacement.withUTF8 { replace(range, with: UnsafeRawBufferPointer($0)) }
  }

  package mutating func insert(_ text: Rope, at offset: ByteOffset) { replace(offset..<offset, with: text) }
  package mutating func insert(_ text: String, at offset: ByteOffset) { replace(offset..<offset, with: text) }
  package mutating func remove(_ range: Range<ByteOffset>) {
    replace(range, with: UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Puts `other` behind this text. O(log n).
  package mutating func append(_ other: Rope) {
    let straddling = bytesCompletingLastSequence(in: other)
    guard straddling > 0 else { return tree.append(other.tree) }
    // The sequence that the two ends make together must lie in one chunk.
    let cut = byteCount - unfinishedSuffix
    let sequence = bytes(in: ByteOffset(cut)..<endOffset) + other.bytes(in: 0..<ByteOffset(straddling))
    tree = tree.slice(0..<cut)
    tree.append(Tree(root: Child(sequence.withUnsafeBytes { Chunk.make($0) }), height: 0, shape: tree.shape))
    tree.append(other.tree.slice(straddling..<other.byteCount))
  }

  /// The part that `range` covers, sharing the chunks wholly inside. O(log n).
  package func slice(_ range: Range<ByteOffset>) -> Rope {
    // A few bytes are copied sooner than cut out of the tree.
    if range.count <= 256, tree.height > 0 { return withBytes(in: range) { Rope($0, shape: tree.shape) } }
    return Rope(tree: tree.slice(range.lowerBound.value..<range.upperBound.value))
  }

  private mutating func replaceBySlicing(_ range: Range<ByteOffset>, with replacement: Rope) {
    var result = slice(0..<range.lowerBound)
    result.append(replacement)
    result.append(slice(range.upperBound..<endOffset))
    self = result
  }

  @usableFromInline
  mutating func replace(
    _ range: Range<Int>, by dimension: TextSummary.Dimension, with replacement: UnsafeRawBufferPointer
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= summary.measure(dimension), "range outside the text")
    if replacement.count <= tree.shape.leafSize, replaceInLeaf(range, by: dimension, with: replacement) { return }
    let start = ByteOffset(summary(before: range.lowerBound, by: dimension).bytes)
    let end = ByteOffset(summary(before: range.upperBound, by: dimension).bytes)
    replaceBySlicing(start..<end, with: Rope(replacement, shape: tree.shape))
  }

  /// The usual edit: valid text within one chunk, which stays valid and of good size. False, and nothing done, when it is not that.
  private mutating func replaceInLeaf(
    _ range: Range<Int>, by dimension: TextSummary.Dimension, with replacement: UnsafeRawBufferPointer
  ) -> Bool {
    let inserted = TextSummary(of: replacement)
    guard inserted.invalidBytes == 0 else { return false }
    let shape = tree.shape
    let minimum = tree.height == 0 ? 0 : shape.minimumLeafSize
    return tree.updateLeaf(holding: range, by: dimension) { chunk, summary, range, isUnshared in
      guard summary.invalidBytes == 0 else { return .declined }
      let start = dimension.byteIndex(of: range.lowerBound, in: chunk.bytes, summary)
      let end = range.isEmpty ? start : dimension.byteIndex(of: range.upperBound, in: chunk.bytes, summary)
      let size = chunk.size - (end - start) + replacement.count
      guard size <= shape.leafSize * 2 - 8, size >= min(minimum, chunk.size) else { return .declined }
      guard chunk.isBetweenSequences(start), chunk.isBetweenSequences(end) else { return .declined }
      var changed = summary
      changed -= TextSummary(of: UnsafeRawBufferPointer(rebasing: chunk.bytes[start..<end]))
      changed += inserted
      guard size <= shape.leafSize else {
        return chunk.replacing(start..<end, with: replacement, isUnshared: false, room: 0)
          .parted(changed, capacity: shape.leafSize)
      }
      let room = shape.leafSize - size
      let leaf = chunk.replacing(start..<end, with: replacement, isUnshared: isUnshared, room: room)
      return .changed(leaf: leaf, summary: changed)
    }
  }

  /// How many of the first bytes of `other` complete a sequence that this text ends in. Mostly 0.
  private func bytesCompletingLastSequence(in other: Rope) -> Int {
    guard !isValidUTF8, !other.isValidUTF8 else { return 0 }
    let suffix = unfinishedSuffix
    guard suffix > 0 else { return 0 }
    let both = bytes(in: ByteOffset(byteCount - suffix)..<endOffset) + other.bytes(in: 0..<min(3, other.endOffset))
    let length = both.withUnsafeBytes { UTF8Sequence.length(at: 0, in: $0) }
    return length.map { max(0, $0 - suffix) } ?? 0
  }

  private var unfinishedSuffix: Int {
    withBytes(in: ByteOffset(max(0, byteCount - 3))..<endOffset) { UTF8Sequence.unfinishedSuffix(of: $0) }
  }
}

extension Chunk {
  /// Its two halves, each with room for edits, in place of it.
  fileprivate func parted(_ summary: TextSummary, capacity: Int) -> LeafUpdate<Chunk> {
    let middle = UTF8Sequence.start(at: size / 2, in: bytes)
    let empty = Chunk.empty
    let first = empty.replacing(
      0..<0, with: UnsafeRawBufferPointer(rebasing: bytes[..<middle]), isUnshared: false, room: capacity - middle)
    let second = empty.replacing(
      0..<0, with: UnsafeRawBufferPointer(rebasing: bytes[middle...]), isUnshared: false,
      room: capacity - (size - middle))
    let firstSummary = first.summarize()
    var rest = summary
    rest -= firstSummary
    return .split(Child(summary: firstSummary, node: first), Child(summary: rest, node: second))
  }

  /// Whether `index` is no cut through a sequence, provided that the chunk is valid.
  @inline(__always)
  fileprivate func isBetweenSequences(_ index: Int) -> Bool {
    index == bytes.count || !UTF8Sequence.isContinuation(bytes[index])
  }
}
