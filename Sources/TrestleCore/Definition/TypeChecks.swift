extension _Expansion {
  /// What the code of the macros asks the compiler about the types that it converts.
  ///
  /// That code adds functions for the very types, unavailable, with words about each: the last resort of overload resolution.
  /// `exactly` is for types that `Codable` makes something else of. None does anything.
  public protocol TypeChecks {}

  /// What tells one of those functions from another for the same type under another name.
  public struct Refusal<let number: Int> {
    public init() {}
  }
}

extension _Expansion.TypeChecks {
  public static func valueType<Root, Value>(of _: KeyPath<Root, Value>) -> Value.Type { Value.self }

  public static func fromJavaScript<Value: BridgeDecodable>(_: Value.Type) {}

  @_disfavoredOverload
  public static func fromJavaScript<Value: Decodable & Sendable>(_: Value.Type) {}

  public static func fromJavaScript<Value: BridgeDecodable>(exactly _: Value.Type) {}

  @available(
    *, unavailable,
    message: "this type cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'"
  )
  public static func fromJavaScript<Value>(_: Value.Type) {}

  public static func toJavaScript<Value: BridgeEncodable>(_: Value.Type) {}

  @_disfavoredOverload
  public static func toJavaScript<Value: Encodable & Sendable>(_: Value.Type) {}

  public static func toJavaScript<Value: BridgeEncodable>(exactly _: Value.Type) {}

  @available(
    *, unavailable, message: "this type cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'"
  )
  public static func toJavaScript<Value>(_: Value.Type) {}

  public static func toCallback<Value: BridgeEncodable>(_: Value.Type) {}

  @_disfavoredOverload
  public static func toCallback<Value: Error>(_: Value.Type) {}

  public static func toCallback<Value: BridgeEncodable>(exactly _: Value.Type) {}

  @available(*, unavailable, message: "this type cannot go to JavaScript by a callback: mark it '@Record'")
  public static func toCallback<Value>(_: Value.Type) {}
}

/// The members of records, and properties that a script assigns to. Each way may be a type's own or that of `Codable`; what is in two of the ways has one of its own, as
/// otherwise neither would be the better one.
extension _Expansion.TypeChecks {
  public static func bothWays<Value: BridgeDecodable & BridgeEncodable>(_: Value.Type) {}

  public static func bothWays<Value: BridgeDecodable & BridgeEncodable>(exactly _: Value.Type) {}

  @_disfavoredOverload
  public static func bothWays<Value: Codable & Sendable>(_: Value.Type) {}

  @_disfavoredOverload
  public static func bothWays<Value: BridgeDecodable & Encodable & Sendable>(_: Value.Type) {}

  @_disfavoredOverload
  public static func bothWays<Value: BridgeEncodable & Decodable & Sendable>(_: Value.Type) {}

  @_disfavoredOverload
  public static func bothWays<Value: BridgeDecodable & Codable & Sendable>(_: Value.Type) {}

  @_disfavoredOverload
  public static func bothWays<Value: BridgeEncodable & Codable & Sendable>(_: Value.Type) {}

  @available(
    *, unavailable,
    message: "this type cannot cross the bridge: mark it '@Record', or make it 'Codable & Sendable'"
  )
  public static func bothWays<Value>(_: Value.Type) {}
}
