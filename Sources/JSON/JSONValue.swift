/// A JSON text as a value (RFC 8259).
///
/// Whole numbers are exact over the range of both `Int64` and `UInt64`. A number written with a fraction or an exponent, or
/// one beyond that range, is a `number`: `1` and `1.0` are different values with the same ``double``.
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Above `Int64.max` only; `init(_: some BinaryInteger)` chooses the case.
  case unsigned(UInt64)
  /// Written as `null` when it is not finite, as JavaScript does.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  /// An integer, or a double when `value` lies outside of 64 bits.
  public init(_ value: some BinaryInteger) {
    if let integer = Int64(exactly: value) {
      self = .integer(integer)
    } else if let unsigned = UInt64(exactly: value) {
      self = .unsigned(unsigned)
    } else {
      self = .number(Double(value))
    }
  }

  package init(_ value: Bool) { self = .bool(value) }
  package init(_ value: Double) { self = .number(value) }
  package init(_ value: String) { self = .string(value) }
  package init(_ value: some StringProtocol) { self = .string(String(value)) }
  package init(_ value: [JSONValue]) { self = .array(value) }
  package init(_ value: JSONObject) { self = .object(value) }
}

/// Typed access: `nil` when the value is of another type.
extension JSONValue {
  public var isNull: Bool { self == .null }

  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// A whole number that fits, also when it was written as `2.0` or `2e0`.
  public var int: Int? { exactly(Int.self) }

  /// A whole number from 0 to 2^64 − 1.
  package var uint64: UInt64? { exactly(UInt64.self) }

  /// Any number, rounded to the nearest double.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member named `key`; `nil` when there is none, or when this is not an object.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// The element at `index`; `nil` when it is out of range, or when this is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  private func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    switch self {
    case .integer(let value): Integer(exactly: value)
    case .unsigned(let value): Integer(exactly: value)
    case .number(let value): Integer(exactly: value)
    default: nil
    }
  }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(JSONObject(members)) }
}

/// The compact JSON text.
extension JSONValue: CustomStringConvertible {
  public var description: String {
    var writer = JSONWriter()
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
