extension Rope {
  /// Makes a rope of bytes that come in pieces of any size, cut anywhere. O(n).
  package struct Builder {
    private var rope: Rope
    private var leaves: [Chunk] = []
    private var pending: [UInt8] = []

    package init() {
      self.init(shape: Rope.standardShape)
    }

    init(shape: TreeShape) {
      rope = Rope(shape: shape)
      pending.reserveCapacity(shape.leafSize)
    }

    private var leafSize: Int { rope.tree.shape.leafSize }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(leafSize - pending.count)
        pending.append(contentsOf: piece)
        rest = rest.dropFirst(piece.count)
        if pending.count == leafSize { cutLeaf() }
      }
    }

    /// The rope of all that was appended. The builder is empty afterwards.
    package mutating func finish() -> Rope {
      joinLeaves()
      if !pending.isEmpty {
        let rest = pending.withUnsafeBytes { Chunk.make($0) }
        rope.tree.append(Tree(root: Child(rest), height: 0, shape: rope.tree.shape))
        pending = []
      }
      defer { rope = Rope(shape: rope.tree.shape) }
      return rope
    }

    /// Makes a leaf of the pending bytes, but for a sequence that the next bytes may complete.
    private mutating func cutLeaf() {
      pending.withUnsafeBytes { bytes in
        let end = bytes.count - UTF8Sequence.unfinishedSuffix(of: bytes)
        leaves.append(Chunk.make(UnsafeRawBufferPointer(rebasing: bytes[..<end])))
      }
      pending.removeFirst(leaves[leaves.count - 1].size)
      if leaves.count == 4096 { joinLeaves() }
    }

    private mutating func joinLeaves() {
      rope.tree.append(Tree(leaves: leaves, shape: rope.tree.shape))
      leaves.removeAll(keepingCapacity: true)
    }
  }
}
