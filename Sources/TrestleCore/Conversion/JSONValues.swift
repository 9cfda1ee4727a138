import JSON

/// Anything that JSON can say: null, booleans, numbers, strings, arrays and plain objects.
///
/// `undefined` becomes null, and is left out inside objects. Whole numbers become integers, except −0; NaN and the
/// infinities stay numbers. A BigInt becomes an integer, and an integer that a number cannot hold goes out as a BigInt.
extension JSONValue: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.json) }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> JSONValue {
    switch reader.peekTag().flatMap(Tag.init(rawValue:)) {
    case .undefined, .null:
      _ = try reader.header()
      return .null
    case .bool: return .bool(try Bool.decode(from: &reader))
    case .number: return JSONValue(scriptNumber: try Double.decode(from: &reader))
    case .bigInt: return .integer(try Int64.decode(from: &reader))
    case .bigUInt: return JSONValue(try UInt64.decode(from: &reader))
    case .string, .utf16String, .longString: return .string(try String.decode(from: &reader))
    case .array: return .array(try _decodeArray(from: &reader))
    case .object: return .object(try JSONObject.decode(from: &reader))
    case .record: return .object(try decodeRecord(from: &reader))
    default: throw reader.error(.mismatch, bytesBack: 0)
    }
  }

  private init(scriptNumber number: Double) {
    let isInteger = number.magnitude <= Double.largestSafeInteger && !(number == 0 && number.sign == .minus)
    self = isInteger ? Int64(exactly: number).map(JSONValue.integer) ?? .number(number) : .number(number)
  }

  private static func decodeRecord(from reader: inout ValueReader) throws(ConversionError) -> JSONObject {
    let (_, id) = try reader.header()
    guard let shape = RecordShape.shape(id: id) else { throw reader.error(.malformed) }
    return try reader.nested { (reader) throws(ConversionError) in
      var object = JSONObject()
      for name in shape.memberNames where try !reader.skipUndefined() {
        object[name] = try JSONValue.decode(from: &reader)
      }
      return object
    }
  }

  public func encode(into writer: inout ValueWriter) throws {
    switch self {
    case .null: writer.append(.null)
    case .bool(let value): value.encode(into: &writer)
    case .integer(let value): value.encode(into: &writer)
    case .unsigned(let value): value.encode(into: &writer)
    case .number(let value): value.encode(into: &writer)
    case .string(let value): value.encode(into: &writer)
    case .array(let elements): try elements.encode(into: &writer)
    case .object(let object): try object.encode(into: &writer)
    }
  }
}

extension JSONObject: BridgeCodable {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.dictionary(.json)) }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> JSONObject {
    let (tag, count) = try reader.header()
    guard tag == Tag.object.rawValue else { throw reader.error(.mismatch) }
    return try reader.nested { (reader) throws(ConversionError) in
      var object = JSONObject()
      for _ in 0..<count {
        let key = try String.decode(from: &reader)
        if try !reader.skipUndefined() { object[key] = try JSONValue.decode(from: &reader) }
      }
      return object
    }
  }

  public func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: UInt32(truncatingIfNeeded: count))
    try writer.nested { (writer) throws in
      for member in self {
        writer.append(member.key)
        try member.value.encode(into: &writer)
      }
    }
  }
}
