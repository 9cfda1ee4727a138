/// A JavaScript value as the wire tells it apart: for calling native code without an engine.
package indirect enum ScriptValue: Sendable, Equatable {
  case undefined
  case null
  case bool(Bool)
  case number(Double)
  case bigInt(Int64)
  /// Beyond `Int64.max`.
  case bigUInt(UInt64)
  case string(String)
  /// A string as JavaScript has it, perhaps with lone surrogates.
  case utf16([UInt16])
  case array([ScriptValue])
  case object([Member])
  /// A record as an encoder that knows its shape sends it.
  case record(RecordShape, [ScriptValue])
  /// A view on an ArrayBuffer of these bytes: an `ElementKind`, or a number of `Tag.binary`; nil for an ArrayBuffer.
  case binary([UInt8], kind: UInt32?)
  /// A buffer that was transferred away.
  case detached
  /// Milliseconds since 1970.
  case date(Double)
  case function
  case shared(SharedReference)
  case stream(StreamReference)
  /// Name, message, code, stack, properties and cause; the number that it is kept under, or 0.
  case error([ScriptValue], identity: UInt32)

  package struct Member: Sendable, Equatable {
    package let key: String
    package let value: ScriptValue

    package init(_ key: String, _ value: ScriptValue) {
      self.key = key
      self.value = value
    }
  }
}

/// A stream as a value: equal to itself alone. Its elements are taken once.
package struct StreamReference: Sendable, Equatable {
  private let source: StreamSource
  init(_ source: StreamSource) { self.source = source }

  /// - Returns: none at the end.
  package func next() async throws -> [ScriptValue] {
    // One by one: an array of numbers would be a typed one.
    let elements = try await source.next() as? [any BridgeEncodable] ?? []
    return try elements.map { try ScriptValue(encoding: $0) }
  }

  package static func == (one: StreamReference, other: StreamReference) -> Bool { one.source === other.source }
}

extension ScriptValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: ScriptValue...) { self = .array(elements) }
  package init(dictionaryLiteral members: (String, ScriptValue)...) { self = .object(members.map(Member.init)) }
  package init(nilLiteral: ()) { self = .null }
}
