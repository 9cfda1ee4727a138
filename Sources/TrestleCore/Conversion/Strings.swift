import JSEngine

/// Lone surrogates, which Swift strings cannot hold, become U+FFFD.
extension String: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.string) }

  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> String {
    let (tag, low) = try reader.header()
    if tag == Tag.string.rawValue { return String(ascii: try reader.bytes(count: Int(low))) }
    return try decodeWide(from: &reader, tag: tag, low: low)
  }

  /// - Parameter bytes: whole slots that are there to their end; ASCII if JavaScript's encoder wrote them, which is found out.
  @inlinable @inline(__always)
  init(ascii bytes: UnsafeRawBufferPointer) {
    var seen: UInt64 = 0
    for start in stride(from: 0, to: bytes.count & ~7, by: 8) {
      seen |= bytes.baseAddress.unsafelyUnwrapped.load(fromByteOffset: start, as: UInt64.self)
    }
    let rest = UInt64(bytes.count & 7)
    if rest != 0 {
      let last = bytes.baseAddress.unsafelyUnwrapped.load(fromByteOffset: bytes.count & ~7, as: UInt64.self)
      seen |= last & ((1 << (rest * 8)) &- 1)
    }
    guard seen & 0x8080_8080_8080_8080 == 0 else {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    // Validating them again would take twice as long.
    self.init(copying: UTF8Span(unchecked: bytes.assumingMemoryBound(to: UInt8.self).span, isKnownASCII: true))
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

/// A string without halves of surrogate pairs: JavaScript's strings may hold them, and `String` takes U+FFFD for each. For names and
/// texts that must not become others on their way, such as those of files; a call with such a half is refused.
public struct WellFormedString: BridgeCodable, Sendable, Hashable {
  public let text: String

  public init(_ text: String) { self.text = text }

  public static var bridgeSchema: BridgeSchema { BridgeSchema(.wellFormedString) }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> WellFormedString {
    let start = reader.byteOffset
    guard try reader.copy().hasWellFormedString() else { throw ConversionError(.mismatch, byteOffset: start) }
    return WellFormedString(try String.decode(from: &reader))
  }

  public func encode(into writer: inout ValueWriter) { writer.append(text) }
}

extension ValueReader {
  /// Whether the next value is a string, and each surrogate in it has its other half.
  consuming func hasWellFormedString() throws(ConversionError) -> Bool {
    let (tag, low) = try header()
    switch Tag(rawValue: tag) {
    case .string?: return true
    case .utf16String?: return isWellFormed(try bytes(count: Int(low) * 2).bindMemory(to: UInt16.self))
    case .longString?: return sideValues.isLongStringWellFormed(at: Int(low))
    default: return false
    }
  }
}

/// A string of exactly one grapheme cluster, however many code units that takes.
extension Character: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.character) }

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
