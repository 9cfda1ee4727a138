/// A `Codable` value on its way to JavaScript.
@usableFromInline
struct EncodedValue<Value: Encodable & Sendable>: BridgeEncodable {
  let value: Value

  @usableFromInline init(_ value: Value) { self.value = value }

  @usableFromInline static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "\(Value.self)")) }

  /// Runs the value's own `encode(to:)`.
  @usableFromInline func encode(into writer: inout ValueWriter) throws {
    try EncodingStream.write(value, into: &writer)
  }
}

/// A `Codable` value on its way from JavaScript.
struct DecodedValue<Value: Decodable & Sendable>: BridgeDecodable {
  let value: Value

  static var bridgeSchema: BridgeSchema { BridgeSchema(.codable(name: "\(Value.self)")) }

  /// Runs the value's own `init(from:)`. What that throws is kept in the side values, for the words.
  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Self {
    let first = reader.copy()
    try reader.skip()
    let session = DecodingSession(first)
    defer { session.isOver = true }
    do {
      return Self(value: try ValueDecoder(session: session, position: first.position, depth: first.depth).value())
    } catch let error as ConversionError {
      throw error
    } catch {
      reader.sideValues.decodingFailure = error
      throw ConversionError(.mismatch, byteOffset: first.byteOffset)
    }
  }
}

/// The way from the outermost value to the one at hand; shared, so that going one deeper copies nothing.
final class CodingPathNode {
  let parent: CodingPathNode?
  let key: any CodingKey

  init(_ key: any CodingKey, in parent: CodingPathNode?) {
    self.parent = parent
    self.key = key
  }

  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var node: CodingPathNode? = self
    while let current = node {
      keys.append(current.key)
      node = current.parent
    }
    return keys.reversed()
  }
}

/// The index of an element, or a key that no type declares.
struct PlainKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  static let superKey = PlainKey(stringValue: "super")
}

/// What `Codable` would make something else of than JavaScript has for it: of a date the seconds since 2001, of data an array. They
/// cross as what they are once the program has the conversions for them (`TrestleFoundation`). This library does not link Foundation,
/// and knows them by their names.
enum FoundationTypes {
  private static let all: [ObjectIdentifier] = ["4Date", "4Data", "3URL", "7Decimal"].compactMap { name in
    _typeByName("20FoundationEssentials\(name)V").map { ObjectIdentifier($0) }
  }

  static func refuse(_ type: Any.Type) throws(BridgeError) {
    guard all.contains(ObjectIdentifier(type)) else { return }
    throw BridgeError(
      .argument, "'\(type)' does not cross as what it is unless the program has 'import TrestleFoundation'")
  }
}
