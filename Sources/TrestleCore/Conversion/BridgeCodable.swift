/// A type that JavaScript knows by its schema.
public protocol BridgeTyped {
  static var bridgeSchema: BridgeSchema { get }
  /// The schema of an array of these.
  static var _bridgeArraySchema: BridgeSchema { get }
}

/// A type whose values can come from JavaScript.
///
/// Laws: `decode` reads exactly one value and leaves the reader behind it, or throws; it never reads beyond the reader's
/// end; it accepts no value that `bridgeSchema` does not.
public protocol BridgeDecodable: BridgeTyped, Sendable {
  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Self
  /// Reads an array: a requirement, as numbers are also read from typed arrays.
  static func _decodeArray(from reader: inout ValueReader) throws(ConversionError) -> [Self]
}

/// A type whose values can go to JavaScript.
///
/// Law: `encode` writes exactly one value, or throws and leaves the rest to the writer, which takes back what was written.
public protocol BridgeEncodable: BridgeTyped, Sendable {
  func encode(into writer: inout ValueWriter) throws
  static func _encodeArray(_ elements: [Self], into writer: inout ValueWriter) throws
}

public typealias BridgeCodable = BridgeDecodable & BridgeEncodable

extension BridgeTyped {
  public static var _bridgeArraySchema: BridgeSchema { BridgeSchema(.array(typeSchema)) }
}

extension BridgeDecodable {
  @inlinable
  public static func _decodeArray(from reader: inout ValueReader) throws(ConversionError) -> [Self] {
    let (tag, count) = try reader.header()
    guard tag == Tag.array.rawValue else { throw reader.error(.mismatch) }
    // An element may take no bytes at the end (a missing optional): a forged count must not be believed.
    guard reader.plausibleCount(count) == count else { throw reader.error(.malformed) }
    return try reader.nested { (reader) throws(ConversionError) in
      var elements: [Self] = []
      elements.reserveCapacity(Int(count))
      for _ in 0..<count { elements.append(try decode(from: &reader)) }
      return elements
    }
  }
}

extension BridgeEncodable {
  @inlinable
  public static func _encodeArray(_ elements: [Self], into writer: inout ValueWriter) throws {
    writer.append(.array, low: UInt32(truncatingIfNeeded: elements.count))
    try writer.nested { (writer) throws in
      for element in elements { try element.encode(into: &writer) }
    }
  }
}
