import TrestleCore

public typealias SharedReference = _Expansion.SharedReference

/// A JavaScript value as a test writes and reads it. Literals make the values of JSON; it prints as JavaScript would.
public indirect enum JavaScriptValue: Sendable, Equatable {
  public typealias ElementKind = _Expansion.ElementKind

  case undefined
  case null
  case bool(Bool)
  case number(Double)
  case bigInt(Int64)
  case string(String)
  case array([JavaScriptValue])
  /// The order of the members counts for nothing when objects are compared.
  case object([String: JavaScriptValue])
  /// An ArrayBuffer, or a typed array with elements of that kind: its bytes.
  case bytes([UInt8], ElementKind? = nil)
  /// Milliseconds since 1970.
  case date(Double)
  case function
  /// A Swift object that JavaScript holds.
  case shared(SharedReference)
  /// An async iterator over what Swift gives.
  case stream(JavaScriptStream)
  /// Compared by name, message and code.
  case error(name: String, message: String, code: String?)

  /// Of a JSON value, with whole numbers as numbers where they are exact.
  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = Double(exactly: value).map(Self.number) ?? .bigInt(value)
    case .unsigned(let value): self = .number(Double(value))
    case .number(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .array(let elements): self = .array(elements.map(Self.init))
    case .object(let members):
      self = .object([String: JavaScriptValue](members.map { ($0.key, Self($0.value)) }) { $1 })
    }
  }

  /// What JavaScript gets of a native value.
  ///
  /// - Throws: what converting it throws.
  public init(of value: some BridgeEncodable) throws { self.init(try ScriptValue(encoding: value)) }

  /// As `JSON.stringify` shows it; what JSON has no word for is null.
  public var json: JSONValue { ScriptValue(self).json }

  /// The native value that it becomes.
  ///
  /// - Throws: `ERR_ARGUMENT` with the words that a bridge has for it.
  public func decoded<Value: BridgeDecodable>(as type: Value.Type) throws -> Value {
    try ScriptValue(self).decoded(as: type)
  }
}

extension JavaScriptValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral,
  ExpressibleByStringInterpolation
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JavaScriptValue...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, JavaScriptValue)...) { self = .object([:].merging(members) { $1 }) }
  public init(nilLiteral: ()) { self = .null }
}

extension JavaScriptValue: CustomStringConvertible {
  public var description: String {
    switch self {
    case .undefined: "undefined"
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): TypeSchema.JSONLiteral.number(value).description
    case .bigInt(let value): "\(value)n"
    case .string(let value): JSONValue.string(value).description
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
    case .object(let members): Self.description(of: members)
    case .bytes(let bytes, let kind):
      "\(kind?.constructorName ?? "ArrayBuffer") of \(bytes.count) bytes \(bytes.prefix(32))"
    case .date(let milliseconds): "Date(\(TypeSchema.JSONLiteral.number(milliseconds)))"
    case .function: "function"
    case .shared(let reference): "\(type(of: reference.object).sharedClass.name)"
    case .stream: "stream"
    case .error(let name, let message, let code): "\(name): \(message)" + (code.map { " (\($0))" } ?? "")
    }
  }

  /// In alphabetical order.
  private static func description(of members: [String: JavaScriptValue]) -> String {
    "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
  }
}

extension JavaScriptValue {
  init(_ value: ScriptValue) {
    switch value {
    case .undefined: self = .undefined
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value): self = .number(value)
    case .bigInt(let value): self = .bigInt(value)
    case .bigUInt(let value): self = Int64(exactly: value).map(Self.bigInt) ?? .number(Double(value))
    case .string(let value): self = .string(value)
    case .utf16(let units): self = .string(String(decoding: units, as: UTF16.self))
    case .array(let elements): self = .array(elements.map(Self.init))
    case .object(let members): self = .object(.init(members.map { ($0.key, Self($0.value)) }) { $1 })
    case .record(_, let values): self = .array(values.map(Self.init))
    case .binary(let bytes, let kind): self = .bytes(bytes, kind.flatMap(ElementKind.init(rawValue:)))
    case .detached: self = .bytes([])
    case .date(let milliseconds): self = .date(milliseconds)
    case .function: self = .function
    case .shared(let reference): self = .shared(reference)
    case .stream(let reference): self = .stream(JavaScriptStream(reference))
    case .error: self = JavaScriptError(value).map(Self.init) ?? .error(name: "Error", message: "", code: nil)
    }
  }

  private init(_ error: JavaScriptError) { self = .error(name: error.name, message: error.message, code: error.code) }
}

extension ScriptValue {
  init(_ value: JavaScriptValue) {
    switch value {
    case .undefined: self = .undefined
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value): self = .number(value)
    case .bigInt(let value): self = .bigInt(value)
    case .string(let value): self = .string(value)
    case .array(let elements): self = .array(elements.map(Self.init))
    case .object(let members):
      self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, Self($0.value)) })
    case .bytes(let bytes, let kind): self = .binary(bytes, kind: kind?.rawValue)
    case .date(let milliseconds): self = .date(milliseconds)
    case .function: self = .function
    case .shared(let reference): self = .shared(reference)
    case .stream(let stream): self = .stream(stream.reference)
    case .error(let name, let message, let code):
      let code = code.map(ScriptValue.string) ?? .undefined
      self = .error([.string(name), .string(message), code, .undefined, [:], .undefined], identity: 0)
    }
  }
}
