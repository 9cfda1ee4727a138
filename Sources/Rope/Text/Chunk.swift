/// A run of bytes, at most as long as the shape of its tree says. No well-formed UTF-8 sequence is cut by the border of two chunks.
final class Chunk: ManagedBuffer<Chunk.Header, UInt8>, Leaf {
  typealias BranchType = ChunkBranch

  struct Header {
    var count: Int32
    var capacity: Int32
  }

  // Never changed: it has no room.
  nonisolated(unsafe) static let empty = Chunk.make(capacity: 0) { _ in 0 }

  /// A chunk with room for `capacity` bytes, of which `fill` writes the first and returns how many.
  static func make(capacity: Int, fill: (UnsafeMutableRawPointer) -> Int) -> Chunk {
    let buffer = create(minimumCapacity: capacity) { _ in Header(count: 0, capacity: Int32(capacity)) }
    let chunk = unsafeDowncast(buffer, to: Chunk.self)
    chunk.counts.pointee.count = Int32(fill(chunk.start))
    return chunk
  }

  static func make(_ bytes: UnsafeRawBufferPointer) -> Chunk {
    make(capacity: bytes.count) {
      $0.copyBytes(bytes, at: 0)
      return bytes.count
    }
  }

  // Through its address: the header itself is checked for exclusive access at each use.
  @inline(__always) private var counts: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }
  @inline(__always) private var start: UnsafeMutableRawPointer {
    withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
  }
  /// Valid while the chunk is alive and unchanged.
  @inline(__always) var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: Int(counts.pointee.count))
  }

  var size: Int { Int(counts.pointee.count) }

  func summarize() -> TextSummary { TextSummary(of: bytes) }

  func slice(_ range: Range<Int>) -> Chunk { Chunk.make(UnsafeRawBufferPointer(rebasing: bytes[range])) }

  static func join(_ left: Chunk, _ right: Chunk, leafSize: Int) -> (Chunk, Chunk?) {
    let both = left.replacing(left.size..<left.size, with: right.bytes, isUnshared: false, room: 0)
    guard both.size > leafSize else { return (both, nil) }
    let middle = UTF8Sequence.start(at: both.size / 2, in: both.bytes)
    return (both.slice(0..<middle), both.slice(middle..<both.size))
  }

  /// Puts bytes behind those of a chunk that nobody else holds, and which has the room.
  func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= Int(counts.pointee.capacity) - size, "a chunk without the room")
    start.copyBytes(bytes, at: size)
    counts.pointee.count += Int32(bytes.count)
  }

  /// Takes the last bytes off a chunk that nobody else holds.
  func removeLast(_ byteCount: Int) { counts.pointee.count -= Int32(byteCount) }

  var endsInUnfinishedSequence: Bool { UTF8Sequence.unfinishedSuffix(of: bytes) > 0 }

  /// This chunk with `range` replaced: itself when it is unshared and has the room, otherwise a new one with `room` bytes to spare.
  func replacing(
    _ range: Range<Int>, with replacement: UnsafeRawBufferPointer, isUnshared: Bool, room: Int
  ) -> Chunk {
    let tail = UnsafeRawBufferPointer(rebasing: bytes[range.upperBound...])
    let newCount = size - range.count + replacement.count
    if isUnshared, newCount <= Int(counts.pointee.capacity) {
      start.copyBytes(tail, at: range.lowerBound + replacement.count)
      start.copyBytes(replacement, at: range.lowerBound)
      counts.pointee.count = Int32(newCount)
      return self
    }
    return Chunk.make(capacity: newCount + room) {
      $0.copyBytes(UnsafeRawBufferPointer(rebasing: bytes[..<range.lowerBound]), at: 0)
      $0.copyBytes(replacement, at: range.lowerBound)
      $0.copyBytes(tail, at: range.lowerBound + replacement.count)
      return newCount
    }
  }
}

final class ChunkBranch: Branch<Chunk> {
  deinit { deinitializeChildren() }
}

extension UnsafeMutableRawPointer {
  /// The ranges may overlap.
  @inline(__always)
  fileprivate func copyBytes(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard let source = bytes.baseAddress else { return }
    (self + offset).copyMemory(from: source, byteCount: bytes.count)
  }
}
