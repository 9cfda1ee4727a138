/// Enumerations and option sets with raw values: `extension Encoding: BridgeCodable {}` is all that they need.
extension BridgeTyped where Self: RawRepresentable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.enumeration(name: "\(Self.self)", allowed: [])) }
}

extension BridgeTyped where Self: RawRepresentable & CaseIterable {
  public static var bridgeSchema: BridgeSchema {
    ._enumeration("\(Self.self)", Array(allCases))
  }
}

extension BridgeDecodable where Self: RawRepresentable, RawValue: BridgeDecodable {
  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Self {
    let start = reader.byteOffset
    let rawValue = try RawValue.decode(from: &reader)
    guard let value = Self(rawValue: rawValue) else { throw ConversionError(.mismatch, byteOffset: start) }
    return value
  }
}

extension BridgeEncodable where Self: RawRepresentable, RawValue: BridgeEncodable {
  @inlinable
  public func encode(into writer: inout ValueWriter) throws { try rawValue.encode(into: &writer) }
}

extension TypeSchema.JSONLiteral {
  /// Nil for raw values that are neither strings nor numbers.
  init?(_ rawValue: some Any) {
    switch rawValue {
    case let string as String: self = .string(string)
    case let number as Double: self = .number(number)
    case let integer as any BinaryInteger: self = .number(Double(integer))
    default: return nil
    }
  }
}
