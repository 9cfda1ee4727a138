/// The members of records and unions, on their way out.
extension ValueWriter {
  /// A record, whose members follow in the order of its shape.
  @inlinable @inline(__always)
  public mutating func _record(_ shape: _Expansion.RecordShape) { append(.record, low: shape.id) }

  /// An object with keys, whose members follow with their names.
  @inlinable @inline(__always)
  public mutating func _object(members count: UInt32) { append(.object, low: count) }

  /// The next member of a record, in the order of its shape.
  @inlinable @inline(__always)
  public mutating func _member(_ value: some BridgeEncodable) throws {
    try nested { (writer) throws in try value.encode(into: &writer) }
  }

  @_disfavoredOverload
  public mutating func _member(_ value: some Encodable & Sendable) throws { try _member(EncodedValue(value)) }

  /// A member of an object with keys.
  public mutating func _member(_ name: String, _ value: some BridgeEncodable) throws {
    append(name)
    try _member(value)
  }

  @_disfavoredOverload
  public mutating func _member(_ name: String, _ value: some Encodable & Sendable) throws {
    try _member(name, EncodedValue(value))
  }
}
