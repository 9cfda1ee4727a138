extension Rope {
  /// A place in a rope that moves byte by byte or code point by code point, both ways: O(1) within a chunk, O(log n) to the next.
  package struct Cursor {
    package let rope: Rope
    private var chunk: Chunk
    /// The offset of the chunk's first byte.
    private var chunkStart: Int
    private var index: Int

    package init(_ rope: Rope, at offset: ByteOffset) {
      precondition(offset.value >= 0 && offset <= rope.endOffset, "offset outside the text")
      self.rope = rope
      let position = rope.tree.seek(offset.value, by: .bytes, bias: .right)
      chunk = position.leaf
      chunkStart = position.before.bytes
      index = offset.value - chunkStart
    }

    package var offset: ByteOffset { ByteOffset(chunkStart + index) }

    /// Goes to another place, at once if it is in the same chunk.
    package mutating func move(to offset: ByteOffset) {
      precondition(offset.value >= 0 && offset <= rope.endOffset, "offset outside the text")
      index = offset.value - chunkStart
      if index < 0 || index >= chunk.size { enterChunk(bias: .right) }
    }

    /// The byte at another place, which the cursor goes past; nil at the end.
    package mutating func byte(at offset: ByteOffset) -> UInt8? {
      move(to: offset)
      return next()
    }

    /// The byte behind the cursor, which moves past it; nil at the end.
    package mutating func next() -> UInt8? {
      if index == chunk.size {
        guard chunkStart + index < rope.byteCount else { return nil }
        enterChunk(bias: .right)
      }
      defer { index += 1 }
      return chunk.bytes[index]
    }

    /// The byte before the cursor, which moves before it; nil at the start.
    package mutating func previous() -> UInt8? {
      if index == 0 {
        guard chunkStart > 0 else { return nil }
        enterChunk(bias: .left)
      }
      index -= 1
      return chunk.bytes[index]
    }

    /// The code point behind the cursor, which moves past it; nil at the end. An invalid byte is U+FFFD.
    package mutating func nextCodePoint() -> Unicode.Scalar? {
      if index == chunk.size {
        guard chunkStart + index < rope.byteCount else { return nil }
        enterChunk(bias: .right)
      }
      let length = UTF8Sequence.length(at: index, in: chunk.bytes)
      defer { index += length ?? 1 }
      return length.map { UTF8Sequence.decode($0, at: index, in: chunk.bytes) } ?? "\u{FFFD}"
    }

    /// The code point before the cursor, which moves before it; nil at the start. An invalid byte is U+FFFD.
    package mutating func previousCodePoint() -> Unicode.Scalar? {
      guard previous() != nil else { return nil }
      index = UTF8Sequence.start(at: index, in: chunk.bytes)
      let length = UTF8Sequence.length(at: index, in: chunk.bytes)
      return length.map { UTF8Sequence.decode($0, at: index, in: chunk.bytes) } ?? "\u{FFFD}"
    }

    private mutating func enterChunk(bias: Bias) {
      let offset = chunkStart + index
      let position = rope.tree.seek(offset, by: .bytes, bias: bias)
      chunk = position.leaf
      chunkStart = position.before.bytes
      index = offset - chunkStart
    }
  }
}
