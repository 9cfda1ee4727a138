// The commonest types by name: through the protocol, reading each of them is a call that the compiler does not inline.

extension Invocation {
  @inlinable @inline(__always)
  public mutating func next(_: Double.Type) throws(ConversionError) -> Double { try .decode(from: &reader) }

  @inlinable @inline(__always)
  public mutating func next(_: Int.Type) throws(ConversionError) -> Int { try .decode(from: &reader) }

  @inlinable @inline(__always)
  public mutating func next(_: Bool.Type) throws(ConversionError) -> Bool { try .decode(from: &reader) }

  @inlinable @inline(__always)
  public mutating func next(_: String.Type) throws(ConversionError) -> String { try .decode(from: &reader) }
}

extension ValueReader {
  @inlinable @inline(__always)
  public mutating func _member() throws(ConversionError) -> Double {
    if memberPositions != nil { moveToNextMember() }
    return try .decode(from: &self)
  }

  @inlinable @inline(__always)
  public mutating func _member() throws(ConversionError) -> Int {
    if memberPositions != nil { moveToNextMember() }
    return try .decode(from: &self)
  }

  @inlinable @inline(__always)
  public mutating func _member() throws(ConversionError) -> Bool {
    if memberPositions != nil { moveToNextMember() }
    return try .decode(from: &self)
  }

  @inlinable @inline(__always)
  public mutating func _member() throws(ConversionError) -> String {
    if memberPositions != nil { moveToNextMember() }
    return try .decode(from: &self)
  }
}
