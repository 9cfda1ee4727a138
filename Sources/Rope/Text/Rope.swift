/// A text as a balanced tree of byte chunks: a value, cheap to copy, edited in O(log n).
///
/// It holds any bytes; what is not well-formed UTF-8 is kept as it is and counted in `summary.invalidBytes`. Copies share their nodes;
/// a rope that shares none is edited in place. Offsets outside the text are programming errors and trap, as an array's indices do.
package struct Rope: Sendable {
  /// With its header a full leaf is as long as a piece of the allocator's. Longer ones take less memory and are slower to look up lines in.
  static let standardShape = TreeShape(leafSize: 2008, branching: 16)

  var tree: Tree<Chunk>

  package init() {
    self.init(shape: Rope.standardShape)
  }

  init(shape: TreeShape) {
    self.init(tree: Tree(shape: shape))
  }

  init(tree: Tree<Chunk>) {
    self.tree = tree
  }

  package init(_ bytes: UnsafeRawBufferPointer) {
    self.init(bytes, shape: Rope.standardShape)
  }

  init(_ bytes: UnsafeRawBufferPointer, shape: TreeShape) {
    if bytes.count <= shape.leafSize {
      self.init(tree: Tree(root: Child(bytes.isEmpty ? .empty : Chunk.make(bytes)), height: 0, shape: shape))
    } else {
      var builder = Builder(shape: shape)
      builder.append(bytes)
      self = builder.finish()
    }
  }

  package init(_ bytes: some Sequence<UInt8>) {
    self = Array(bytes).withUnsafeBytes { Rope($0) }
  }

  package init(_ string: String) {
    var string = string
    self = string.withUTF8 { Rope(UnsafeRawBufferPointer($0)) }
  }

  /// The counts of the whole text. O(1).
  package var summary: TextSummary { tree.summary }
  package var byteCount: Int { summary.bytes }
  package var isEmpty: Bool { byteCount == 0 }
  /// How many lines the text has: one more than newlines, so an empty text has one.
  package var lineCount: Int { summary.newlines + 1 }
  package var isValidUTF8: Bool { summary.invalidBytes == 0 }
  package var endOffset: ByteOffset { ByteOffset(byteCount) }
  package var fullRange: Range<ByteOffset> { 0..<endOffset }
}

extension Rope: Equatable, ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self.init(value) }

  /// Byte for byte. O(n), or O(1) when both are the same copy.
  package static func == (left: Rope, right: Rope) -> Bool {
    if left.tree.root.node === right.tree.root.node { return true }
    guard left.summary == right.summary else { return false }
    var offset = ByteOffset(0)
    return left.forEachChunk(in: left.fullRange) { chunk in
      let range = offset..<(offset + chunk.count)
      offset = range.upperBound
      return right.withBytes(in: range) { $0.elementsEqual(chunk) }
    }
  }
}
