/// What native code passes on from one bridge to another without looking into it: a Float64Array; or a list of strings, lone
/// surrogates and all, numbers, booleans, null, undefined and integers of 64 bits.
///
/// Costs one pass over the bytes each way.
package final class RelayedValue: BridgeCodable {
  private let content: ValueWriter

  package static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "any")) }

  private init(_ content: consuming ValueWriter) { self.content = content }

  package static func decode(from reader: inout ValueReader) throws(ConversionError) -> RelayedValue {
    if reader.peekTag() == Tag.binary.rawValue {
      let bytes = try reader.binary()
      guard bytes.count.isMultiple(of: 8) else { throw reader.error(.mismatch, bytesBack: 24) }
      var writer = ValueWriter(capacity: 16)
      writer.append(bytes: bytes, elements: .float64)
      return RelayedValue(writer)
    }
    let (tag, count) = try reader.header()
    guard tag == Tag.array.rawValue else { throw reader.error(.mismatch) }
    var writer = ValueWriter(capacity: 64 + reader.plausibleCount(count) * 16)
    writer.append(.array, low: count)
    for _ in 0..<count { try writer.relay(from: &reader) }
    return RelayedValue(writer)
  }

  package func encode(into writer: inout ValueWriter) { writer.append(contentsOf: content) }
}

extension ValueWriter {
  /// Writes the next value as it is read, if it holds no others.
  fileprivate mutating func relay(from reader: inout ValueReader) throws(ConversionError) {
    let (tag, low) = try reader.header()
    switch Tag(rawValue: tag) {
    case .undefined?: append(.undefined)
    case .null?: append(.null)
    case .bool?: append(.bool, low: low)
    case .number?: append(.number, slot: try reader.slot(UInt64.self))
    case .bigInt?: append(.bigInt, slot: try reader.slot(UInt64.self))
    case .bigUInt?: append(.bigUInt, slot: try reader.slot(UInt64.self))
    case .string?: append(units: try reader.bytes(count: Int(low)))
    case .utf16String?: append(units: try reader.bytes(count: Int(low) * 2).bindMemory(to: UInt16.self))
    case .longString?:
      guard let string = reader.sideValues.longString(at: Int(low)) else { throw reader.error(.missing) }
      appendLong(string)
    default: throw reader.error(.mismatch)
    }
  }

  /// A short string by its UTF-16 units, or by bytes that are one each; lone surrogates stay.
  private mutating func append(units: some Collection<some FixedWidthInteger & UnsignedInteger>) {
    if textCount + units.count > textCapacity { growText(by: units.count) }
    for unit in units {
      text[textCount] = UInt16(truncatingIfNeeded: unit)
      textCount += 1
    }
    append(.string, low: UInt32(truncatingIfNeeded: units.count))
  }
}
