/// The members of records and unions, on their way out.
extension ValueWriter {
  /// The next member of a record, in the order of its shape.
  @inlinable @inline(__always)
  public mutating func member(_ value: some BridgeEncodable) throws {
    try nested { (writer) throws in try value.encode(into: &writer) }
  }

  @_disfavoredOverload
  public mutating func member(_ value: some Encodable & Sendable) throws { try member(EncodedValue(value)) }

  /// A member of an object with keys.
  public mutating func member(_ name: String, _ value: some BridgeEncodable) throws {
    append(name)
    try member(value)
  }

  @_disfavoredOverload
  public mutating func member(_ name: String, _ value: some Encodable & Sendable) throws {
    try member(name, EncodedValue(value))
  }
}
