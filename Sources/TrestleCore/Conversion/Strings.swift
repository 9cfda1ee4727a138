import JSEngine

/// Lone surrogates, which Swift strings cannot hold, become U+FFFD.
extension String: BridgeCodable {
  public static var bridgeSchema: TypeSchema { .string }

  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> String {
    let (tag, low) = try reader.header()
    if tag == Tag.string.rawValue {
      return String(decoding: try reader.bytes(count: Int(low)), as: UTF8.self)
    }
    return try decodeWide(from: &reader, tag: tag, low: low)
  }

  @usableFromInline
  static func decodeWide(
    from reader: inout ValueReader, tag: UInt32, low: UInt32
  ) throws(ConversionError) -> String {
    switch tag {
    case Tag.utf16String.rawValue:
      let bytes = try reader.bytes(count: Int(low) * 2)
      return String(utf16: bytes.bindMemory(to: UInt16.self))
    case Tag.longString.rawValue:
      guard let string = reader.sideValues.longString(at: Int(low)) else { throw reader.error(.missing) }
      return string
    default: throw reader.error(.mismatch)
    }
  }

  @inlinable
  public func encode(into writer: inout ValueWriter) { writer.append(self) }
}

/// A string of exactly one grapheme cluster, however many code units that takes.
extension Character: BridgeCodable {
  public static var bridgeSchema: TypeSchema { .character }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Character {
    let start = reader.byteOffset
    let string = try String.decode(from: &reader)
    guard let first = string.first, string.index(after: string.startIndex) == string.endIndex else {
      throw ConversionError(.mismatch, byteOffset: start)
    }
    return first
  }

  public func encode(into writer: inout ValueWriter) { writer.append(String(self)) }
}
