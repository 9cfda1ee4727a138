import JSON

/// A `Codable` value on its way to JavaScript.
@usableFromInline
struct EncodedValue: BridgeEncodable {
  let value: JSONValue

  /// Runs the value's own `encode(to:)`.
  @usableFromInline
  init(_ value: some Encodable) throws { self.value = .null }

  @usableFromInline static var bridgeSchema: TypeSchema { .json }
  @usableFromInline func encode(into writer: inout ValueWriter) throws { try value.encode(into: &writer) }
}

/// A `Codable` value on its way from JavaScript.
struct DecodedValue<Value: Decodable & Sendable>: BridgeDecodable {
  let value: Value

  static var bridgeSchema: TypeSchema { .codable(name: "\(Value.self)") }

  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Self {
    throw reader.error(.mismatch)
  }
}

extension JSONValue: BridgeEncodable {
  public static var bridgeSchema: TypeSchema { .json }
  public func encode(into writer: inout ValueWriter) throws { writer.append(.null) }
}
