/// Reads the values of one record, checking every tag and length: what it reads was written by JavaScript.
///
/// Not copyable: a position belongs to one reader. Lives no longer than the memory it reads.
public struct ValueReader: ~Copyable {
  @usableFromInline var position: UnsafeRawPointer
  @usableFromInline let start: UnsafeRawPointer
  @usableFromInline let end: UnsafeRawPointer
  /// Values nested around this one, for the depth limit.
  @usableFromInline var depth: Int32 = 0
  /// Set while an object with keys is read.
  @usableFromInline var memberPositions: MemberPositions?
  /// What lies beside the buffer: long strings, binary data, kept values.
  @usableFromInline unowned(unsafe) let sideValues: SideValues

  /// Values may be nested this deep.
  @inlinable package static var maximumDepth: Int32 { 512 }

  @inlinable
  init(start: UnsafeRawPointer, end: UnsafeRawPointer, sideValues: SideValues) {
    position = start
    self.start = start
    self.end = end
    self.sideValues = sideValues
  }

  /// Bytes from the start of the record to the next value.
  @inlinable @inline(__always)
  public var byteOffset: Int32 { Int32(truncatingIfNeeded: position - start) }

  @inlinable @inline(__always)
  var isAtEnd: Bool { position >= end }

  /// An error at the value that starts `bytesBack` before the position.
  @inlinable
  package func error(_ reason: ConversionError.Reason, bytesBack: Int = 8) -> ConversionError {
    ConversionError(reason, byteOffset: byteOffset &- Int32(truncatingIfNeeded: bytesBack))
  }

  /// The tag and the low half of the next value's first slot.
  @inlinable @inline(__always)
  package mutating func header() throws(ConversionError) -> (tag: UInt32, low: UInt32) {
    guard end - position >= 8 else { throw error(.malformed, bytesBack: 0) }
    let tag = position.load(as: UInt32.self)
    let low = position.load(fromByteOffset: 4, as: UInt32.self)
    position += 8
    return (tag, low)
  }

  /// The tag of the next value, which stays the next one. `nil` at the end.
  @inlinable @inline(__always)
  package func peekTag() -> UInt32? { end - position >= 8 ? position.load(as: UInt32.self) : nil }

  /// The next 8 bytes as a trivial type.
  @inlinable @inline(__always)
  mutating func slot<Value: BitwiseCopyable>(_: Value.Type) throws(ConversionError) -> Value {
    guard end - position >= 8 else { throw error(.malformed, bytesBack: 0) }
    defer { position += 8 }
    return position.load(as: Value.self)
  }

  /// The next `byteCount` bytes, padded to whole slots.
  @inlinable @inline(__always)
  mutating func bytes(count byteCount: Int) throws(ConversionError) -> UnsafeRawBufferPointer {
    let padded = (byteCount + 7) & ~7
    guard end - position >= padded else { throw error(.malformed) }
    defer { position += padded }
    return UnsafeRawBufferPointer(start: position, count: byteCount)
  }

  /// Runs `body` one level deeper.
  @inlinable @inline(__always)
  mutating func nested<Value>(
    _ body: (inout ValueReader) throws(ConversionError) -> Value
  ) throws(ConversionError) -> Value {
    guard depth < Self.maximumDepth else { throw error(.tooDeep) }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }
}

extension ValueReader {
  /// Steps over `undefined` or the end.
  ///
  /// - Returns: whether there was one.
  @inlinable @inline(__always)
  mutating func skipUndefined() throws(ConversionError) -> Bool {
    guard let tag = peekTag() else { return true }
    guard tag == Tag.undefined.rawValue else { return false }
    _ = try header()
    return true
  }

  /// `count`, or less where so many values cannot follow: a forged count reserves no memory.
  @inlinable
  package func plausibleCount(_ count: UInt32) -> Int { min(Int(count), (end - position) / 8) }
}
