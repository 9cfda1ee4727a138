/// What JavaScript knows of a type. One that is sent as another is has that one's: `String.bridgeSchema`.
public struct BridgeSchema: Sendable {
  package let type: TypeSchema

  package init(_ type: TypeSchema) { self.type = type }

  public static func _record(_ shape: _Expansion.RecordShape) -> BridgeSchema { BridgeSchema(.record(shape)) }
  public static func _union(_ shape: _Expansion.UnionShape) -> BridgeSchema { BridgeSchema(.union(shape)) }

  /// - Parameter cases: strings or numbers by their raw values.
  public static func _enumeration<Value: RawRepresentable>(_ name: String, _ cases: [Value]) -> BridgeSchema {
    BridgeSchema(.enumeration(name: name, allowed: cases.compactMap { TypeSchema.JSONLiteral($0.rawValue) }))
  }
}

extension BridgeTyped {
  package static var typeSchema: TypeSchema { bridgeSchema.type }
}

/// The type of a value that crosses the bridge, as both sides know it.
///
/// From one schema come the encoder that JavaScript runs, the config table, the text of conversion errors and the `.d.ts`.
package indirect enum TypeSchema: Sendable, Hashable {
  case void
  case bool
  /// A whole number within bounds. `bits` above 53 also accept a BigInt.
  case integer(bits: Int, signed: Bool)
  case number
  case string
  /// A string without halves of surrogate pairs.
  case wellFormedString
  /// A string of exactly one character as people count them: one grapheme cluster.
  case character
  /// ArrayBuffer or any view on one, as bytes.
  case data
  /// A typed array; plain arrays of numbers are accepted.
  case numbers(ElementKind)
  case date
  case url
  /// A decimal number, written out: JavaScript has none.
  case decimal
  /// Milliseconds.
  case duration
  case optional(TypeSchema)
  case array(TypeSchema)
  case set(TypeSchema)
  case dictionary(TypeSchema)
  case record(RecordShape)
  /// The raw values that are allowed, strings or numbers.
  case enumeration(name: String, allowed: [JSONLiteral])
  /// An object told apart by its member `discriminator`.
  case union(UnionShape)
  /// Anything that JSON can say, and what `JSON` cannot: `undefined` inside objects is left out.
  case json
  /// A `Codable` type, checked when it is decoded.
  case codable(name: String)
  case callback([TypeSchema])
  /// A function that native code keeps: what it is called with, and what it gives.
  case function([TypeSchema], result: TypeSchema)
  /// An object of a script's that native code holds.
  case scriptObject
  /// A sequence of native code's: an async iterator. Towards JavaScript only.
  case stream(TypeSchema)
  /// An iterable of a script's. Towards native only.
  case sequence(TypeSchema)
  /// A Swift object that JavaScript holds.
  case shared(SharedClass)

  /// A raw value in an enumeration.
  package enum JSONLiteral: Sendable, Hashable {
    case string(String)
    case number(Double)
  }
}

extension _Expansion {
  /// The element type of a typed array, with the numbers of the wire.
  @frozen
  public enum ElementKind: UInt32, Sendable, Hashable, CaseIterable {
    case uint8, int8, uint16, int16, uint32, int32, float32, float64, int64, uint64

    /// The size of one element.
    package var byteCount: Int {
      switch self {
      case .uint8, .int8: 1
      case .uint16, .int16: 2
      case .uint32, .int32, .float32: 4
      case .float64, .int64, .uint64: 8
      }
    }

    /// The name of JavaScript's constructor.
    package var constructorName: String {
      switch self {
      case .uint8: "Uint8Array"
      case .int8: "Int8Array"
      case .uint16: "Uint16Array"
      case .int16: "Int16Array"
      case .uint32: "Uint32Array"
      case .int32: "Int32Array"
      case .float32: "Float32Array"
      case .float64: "Float64Array"
      case .int64: "BigInt64Array"
      case .uint64: "BigUint64Array"
      }
    }
  }
}
