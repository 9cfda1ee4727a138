/// A type whose values can come from JavaScript.
///
/// Laws: `decode` reads exactly one value and leaves the reader behind it, or throws; it never reads beyond the reader's
/// end; `bridgeSchema` accepts exactly the values that `decode` accepts.
public protocol BridgeDecodable: Sendable {
  static var bridgeSchema: TypeSchema { get }
  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Self
}

/// A type whose values can go to JavaScript.
///
/// Law: `encode` writes exactly one value, or throws and leaves the rest to the writer, which takes back what was written.
public protocol BridgeEncodable: Sendable {
  static var bridgeSchema: TypeSchema { get }
  func encode(into writer: inout ValueWriter) throws
}

public typealias BridgeCodable = BridgeDecodable & BridgeEncodable
