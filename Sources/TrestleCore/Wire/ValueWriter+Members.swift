/// The members of records and unions, on their way out.
extension ValueWriter {
  /// The next member of a record, in the order of its shape.
  @inlinable @inline(__always)
  public mutating func member(_ value: some BridgeEncodable) throws { try value.encode(into: &self) }

  @_disfavoredOverload
  public mutating func member(_ value: some Encodable & Sendable) throws {
    try EncodedValue(value).encode(into: &self)
  }

  /// A member of an object with keys.
  public mutating func member(_ name: String, _ value: some BridgeEncodable) throws {
    append(name)
    try value.encode(into: &self)
  }

  @_disfavoredOverload
  public mutating func member(_ name: String, _ value: some Encodable & Sendable) throws {
    try member(name, EncodedValue(value))
  }
}
