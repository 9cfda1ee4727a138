import JSON
import Testing

@testable import TrestleCore

/// What a native type makes of a value from JavaScript.
func decoded<Value: BridgeDecodable>(_ value: ScriptValue, as: Value.Type = Value.self) throws -> Value {
  var encoder = CommandEncoder()
  encoder.append(value)
  return try encoder.withReader { reader in
    let result = try Value.decode(from: &reader)
    let isAtEnd = reader.isAtEnd
    #expect(isAtEnd, "decode leaves the reader behind the value")
    return result
  }
}

/// The same by the type's own `init(from:)`.
func decodedByCodable<Value: Decodable & Sendable>(_ value: ScriptValue, as: Value.Type = Value.self) throws -> Value {
  try decoded(value, as: DecodedValue<Value>.self).value
}

/// What JavaScript gets.
func encoded(_ value: some BridgeEncodable) throws -> ScriptValue {
  var writer = ValueWriter()
  try value.encode(into: &writer)
  var decoder = ReplyDecoder(writer)
  let (next, isAtEnd) = (decoder.next(), decoder.isAtEnd)
  let result = try #require(next)
  #expect(isAtEnd, "encode writes exactly one value")
  return result
}

func encodedByCodable(_ value: some Encodable & Sendable) throws -> ScriptValue { try encoded(EncodedValue(value)) }

/// A record as `@Record` would write it.
struct Place: BridgeCodable, Equatable {
  var x: Double
  var y: Double
  var name: String?

  static let shape = RecordShape("Place") {
    [.init("x", Double.self), .init("y", Double.self), .init("name", String?.self)]
  }
  static var bridgeSchema: BridgeSchema { BridgeSchema(.record(shape)) }

  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Place {
    try reader._record(shape) { (reader) throws(ConversionError) in
      Place(
        x: try reader._member(), y: try reader._member(), name: try reader._member())
    }
  }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.record, low: Self.shape.id)
    try writer._member(x)
    try writer._member(y)
    try writer._member(name)
  }
}

/// A record with a default and records of its own type.
struct Tree: BridgeCodable, Equatable {
  var label: String
  var limit = 100
  var children: [Tree] = []

  static let shape = RecordShape("Tree") {
    [
      .init("label", String.self), .init("limit", Int.self, hasDefault: true),
      .init("children", [Tree].self, hasDefault: true),
    ]
  }
  static var bridgeSchema: BridgeSchema { BridgeSchema(.record(shape)) }

  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Tree {
    try reader._record(shape) { (reader) throws(ConversionError) in
      Tree(
        label: try reader._member(), limit: try reader._member(default: 100),
        children: try reader._member(default: []))
    }
  }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.record, low: Self.shape.id)
    try writer._member(label)
    try writer._member(limit)
    try writer._member(children)
  }
}

/// An enumeration with payloads.
enum Shape: BridgeCodable, Equatable {
  case empty
  case circle(center: Place, radius: Double)
  indirect case pair(Shape, Shape)

  static let shape = UnionShape("Shape") {
    [
      .init("empty"), .init("circle", [.init("center", Place.self), .init("radius", Double.self)]),
      .init("pair", [.init("first", Shape.self), .init("second", Shape.self)]),
    ]
  }
  static var bridgeSchema: BridgeSchema { BridgeSchema(.union(shape)) }

  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Shape {
    try reader._union(shape) { (name, reader) throws(ConversionError) in
      switch name {
      case "circle": .circle(center: try reader._member(), radius: try reader._member())
      case "pair": .pair(try reader._member(), try reader._member())
      default: .empty
      }
    }
  }

  func encode(into writer: inout ValueWriter) throws {
    switch self {
    case .empty:
      writer.append(.object, low: 1)
      try writer._member("type", "empty")
    case .circle(let center, let radius):
      writer.append(.object, low: 3)
      try writer._member("type", "circle")
      try writer._member("center", center)
      try writer._member("radius", radius)
    case .pair(let first, let second):
      writer.append(.object, low: 3)
      try writer._member("type", "pair")
      try writer._member("first", first)
      try writer._member("second", second)
    }
  }
}

enum Encoding: String, BridgeCodable, CaseIterable { case utf8, latin1 }
