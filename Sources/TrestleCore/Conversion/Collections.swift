/// Missing, `undefined` and `null` are nil; nil goes out as `null`.
extension Optional: BridgeDecodable where Wrapped: BridgeDecodable {
  public static var bridgeSchema: TypeSchema { .optional(Wrapped.bridgeSchema) }

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
  public static var bridgeSchema: TypeSchema { .optional(Wrapped.bridgeSchema) }

  @inlinable
  public func encode(into writer: inout ValueWriter) throws {
    if let self { try self.encode(into: &writer) } else { writer.append(.null) }
  }
}

extension Array: BridgeDecodable where Element: BridgeDecodable {
  public static var bridgeSchema: TypeSchema { .array(Element.bridgeSchema) }

  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> [Element] {
    let (tag, count) = try reader.header()
    guard tag == Tag.array.rawValue else { throw reader.error(.mismatch) }
    return try reader.nested { (reader) throws(ConversionError) in
      var elements: [Element] = []
      elements.reserveCapacity(reader.plausibleCount(count))
      for _ in 0..<count { elements.append(try Element.decode(from: &reader)) }
      return elements
    }
  }
}

extension Array: BridgeEncodable where Element: BridgeEncodable {
  public static var bridgeSchema: TypeSchema { .array(Element.bridgeSchema) }

  @inlinable
  public func encode(into writer: inout ValueWriter) throws {
    writer.append(.array, low: UInt32(truncatingIfNeeded: count))
    for element in self { try element.encode(into: &writer) }
  }
}

/// An array in JavaScript (a `Set` is accepted too); duplicates collapse.
extension Set: BridgeDecodable where Element: BridgeDecodable {
  public static var bridgeSchema: TypeSchema { .set(Element.bridgeSchema) }

  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Set<Element> {
    Set(try [Element].decode(from: &reader))
  }
}

extension Set: BridgeEncodable where Element: BridgeEncodable {
  public static var bridgeSchema: TypeSchema { .set(Element.bridgeSchema) }

  @inlinable
  public func encode(into writer: inout ValueWriter) throws { try Array(self).encode(into: &writer) }
}

extension Dictionary: BridgeDecodable where Key == String, Value: BridgeDecodable {
  public static var bridgeSchema: TypeSchema { .dictionary(Value.bridgeSchema) }

  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> [String: Value] {
    let (tag, count) = try reader.header()
    guard tag == Tag.object.rawValue else { throw reader.error(.mismatch) }
    return try reader.nested { (reader) throws(ConversionError) in
      var members: [String: Value] = [:]
      members.reserveCapacity(reader.plausibleCount(count))
      for _ in 0..<count {
        let key = try String.decode(from: &reader)
        members[key] = try Value.decode(from: &reader)
      }
      return members
    }
  }
}

extension Dictionary: BridgeEncodable where Key == String, Value: BridgeEncodable {
  public static var bridgeSchema: TypeSchema { .dictionary(Value.bridgeSchema) }

  @inlinable
  public func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: UInt32(truncatingIfNeeded: count))
    for (key, value) in self {
      writer.append(key)
      try value.encode(into: &writer)
    }
  }
}

/// `undefined`, towards JavaScript.
@usableFromInline
struct Undefined: BridgeEncodable {
  @inlinable init() {}
  @usableFromInline static var bridgeSchema: TypeSchema { .void }
  @inlinable func encode(into writer: inout ValueWriter) { writer.append(.undefined) }
}
