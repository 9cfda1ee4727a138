extension Rope {
  /// Makes a rope of bytes that come in pieces of any size, cut anywhere, and of parts of other ropes. O(n).
  package struct Builder {
    private var rope: Rope
    private var leaves: [Child<Chunk>] = []
    /// The leaf that is being filled. Nobody else holds it, and it is never full.
    private var open: Chunk?

    package init() {
      self.init(shape: Rope.standardShape)
    }

    init(shape: TreeShape) {
      rope = Rope(shape: shape)
    }

    private var leafSize: Int { rope.tree.shape.leafSize }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
      var rest = bytes
      while !rest.isEmpty {
        let leaf = open ?? Chunk.make(capacity: leafSize) { _ in 0 }
        let count = min(rest.count, leafSize - leaf.size)
        leaf.append(UnsafeRawBufferPointer(rebasing: rest[..<count]))
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        open = leaf.size < leafSize ? leaf : cut(leaf)
      }
    }

    /// Puts the leaves of another rope behind, shared where they are good as they are.
    package mutating func append(_ other: Rope) {
      other.tree.forEachLeaf { append($0.pointee) }
    }

    /// A valid leaf begins and ends between two sequences, so that nothing around it can change what it counts.
    mutating func append(_ leaf: Child<Chunk>) {
      closeLeaf()
      if open == nil, leaf.summary.invalidBytes == 0, leaf.summary.bytes >= rope.tree.shape.minimumLeafSize {
        add(leaf)
      } else {
        withExtendedLifetime(leaf.leaf) { append($0.bytes) }
      }
    }

    /// The rope of all that was appended. The builder is empty afterwards.
    package mutating func finish() -> Rope {
      joinLeaves()
      if let open {
        let leaf = open.size < leafSize / 2 ? Chunk.make(open.bytes) : open
        rope.append(Rope(tree: Tree(root: Child(leaf), height: 0, shape: rope.tree.shape)))
      }
      open = nil
      defer { rope = Rope(shape: rope.tree.shape) }
      return rope
    }

    /// Ends a full leaf. A sequence that the next bytes may complete begins the next one.
    private mutating func cut(_ leaf: Chunk) -> Chunk? {
      let unfinished = UTF8Sequence.unfinishedSuffix(of: leaf.bytes)
      var next: Chunk?
      if unfinished > 0 {
        next = Chunk.make(capacity: leafSize) { _ in 0 }
        next?.append(UnsafeRawBufferPointer(rebasing: leaf.bytes[(leaf.size - unfinished)...]))
        leaf.removeLast(unfinished)
      }
      add(Child(leaf))
      return next
    }

    /// Ends the leaf that is being filled, so that another rope's can follow: joined with the one before when it is short.
    private mutating func closeLeaf() {
      guard let leaf = open, !leaf.endsInUnfinishedSequence else { return }
      if leaf.size >= leafSize / 2 {
        open = nil
        add(Child(leaf))
      } else if let last = leaves.popLast() {
        open = nil
        let (first, second) = Chunk.join(last.leaf, leaf, leafSize: leafSize)
        leaves.append(Child(first))
        if let second { leaves.append(Child(second)) }
      }
    }

    private mutating func add(_ leaf: Child<Chunk>) {
      if leaves.count == 4096 { joinLeaves() }
      leaves.append(leaf)
    }

    private mutating func joinLeaves() {
      rope.tree.append(Tree(leaves: leaves, shape: rope.tree.shape))
      leaves.removeAll(keepingCapacity: true)
    }
  }
}
