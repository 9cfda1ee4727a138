/// Missing, `undefined` and `null` are nil; nil goes out as `null`.
extension Optional: BridgeTyped where Wrapped: BridgeTyped {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.optional(Wrapped.typeSchema)) }
}

extension Optional: BridgeDecodable where Wrapped: BridgeDecodable {
  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Wrapped? {
    guard let tag = reader.peekTag() else { return nil }
    if tag <= Tag.null.rawValue {
      _ = try reader.header()
      return nil
    }
    return try Wrapped.decode(from: &reader)
  }
}

extension Optional: BridgeEncodable where Wrapped: BridgeEncodable {
  @inlinable
  public func encode(into writer: inout ValueWriter) throws {
    if let self { try self.encode(into: &writer) } else { writer.append(.null) }
  }
}

extension Array: BridgeTyped where Element: BridgeTyped {
  public static var bridgeSchema: BridgeSchema { Element._bridgeArraySchema }
}

extension Array: BridgeDecodable where Element: BridgeDecodable {
  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> [Element] {
    try Element._decodeArray(from: &reader)
  }
}

extension Array: BridgeEncodable where Element: BridgeEncodable {
  @inlinable
  public func encode(into writer: inout ValueWriter) throws { try Element._encodeArray(self, into: &writer) }
}

/// An array in JavaScript (a `Set` is accepted too); duplicates collapse.
extension Set: BridgeTyped where Element: BridgeTyped {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.set(Element.typeSchema)) }
}

extension Set: BridgeDecodable where Element: BridgeDecodable {
  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Set<Element> {
    Set(try Element._decodeArray(from: &reader))
  }
}

extension Set: BridgeEncodable where Element: BridgeEncodable {
  @inlinable
  public func encode(into writer: inout ValueWriter) throws {
    writer.append(.array, low: UInt32(truncatingIfNeeded: count))
    try writer.nested { (writer) throws in
      for element in self { try element.encode(into: &writer) }
    }
  }
}

extension Dictionary: BridgeTyped where Key == String, Value: BridgeTyped {
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.dictionary(Value.typeSchema)) }
}

extension Dictionary: BridgeDecodable where Key == String, Value: BridgeDecodable {
  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> [String: Value] {
    let (tag, count) = try reader.header()
    guard tag == Tag.object.rawValue else { throw reader.error(.mismatch) }
    guard reader.plausibleCount(count) == count else { throw reader.error(.malformed) }
    return try reader.nested { (reader) throws(ConversionError) in
      var members: [String: Value] = [:]
      members.reserveCapacity(Int(count))
      for _ in 0..<count {
        let key = try String.decode(from: &reader)
        members[key] = try Value.decode(from: &reader)
      }
      return members
    }
  }
}

extension Dictionary: BridgeEncodable where Key == String, Value: BridgeEncodable {
  @inlinable
  public func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: UInt32(truncatingIfNeeded: count))
    try writer.nested { (writer) throws in
      for (key, value) in self {
        writer.append(key)
        try value.encode(into: &writer)
      }
    }
  }
}

/// `undefined` towards JavaScript; from there whatever there is, which is ignored: the result of a ``ScriptFunction`` that
/// gives none.
public struct Undefined: BridgeCodable {
  @inlinable public init() {}
  public static var bridgeSchema: BridgeSchema { BridgeSchema(.void) }
  @inlinable public func encode(into writer: inout ValueWriter) { writer.append(.undefined) }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Undefined {
    try reader.skip()
    return Undefined()
  }
}
