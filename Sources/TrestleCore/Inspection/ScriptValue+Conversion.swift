import JSON

extension ScriptValue {
  /// What JavaScript gets of a native value.
  package init(encoding value: some BridgeEncodable) throws {
    var writer = ValueWriter()
    try value.encode(into: &writer)
    var decoder = ReplyDecoder(writer)
    self = decoder.next() ?? .undefined
  }

  /// What JavaScript gets of a Swift error.
  package init(error: any Error) {
    var writer = ValueWriter()
    writer.append(error: error)
    var decoder = ReplyDecoder(writer)
    self = decoder.next() ?? .undefined
  }

  /// The native value that JavaScript's answer becomes.
  ///
  /// - Throws: `ERR_ARGUMENT` with the words of a bridge.
  package func decoded<Value: BridgeDecodable>(as: Value.Type) throws -> Value {
    var encoder = CommandEncoder()
    encoder.append(self)
    return try encoder.withReader { reader in
      do throws(ConversionError) { return try Value.decode(from: &reader) } catch {
        throw describeResult(error, as: Value.typeSchema, &reader)
      }
    }
  }

  /// All values that follow in a record of JavaScript's.
  package static func all(in reader: borrowing ValueReader) -> [ScriptValue] {
    var reader = reader.copy()
    var values: [ScriptValue] = []
    while reader.peekTag() != nil, let value = try? ScriptValue(from: &reader) { values.append(value) }
    return values
  }

  /// Reads a value whatever its schema; records become objects.
  private init(from reader: inout ValueReader) throws(ConversionError) {
    switch reader.peekTag().flatMap(Tag.init(rawValue:)) {
    case .undefined, .reference: (self, _) = (.undefined, try reader.skip())
    case .null: (self, _) = (.null, try reader.skip())
    case .bool: self = .bool(try Bool.decode(from: &reader))
    case .number: self = .number(try Double.decode(from: &reader))
    case .bigInt: self = .bigInt(try Int64.decode(from: &reader))
    case .bigUInt: self = .bigUInt(try UInt64.decode(from: &reader))
    case .string, .utf16String, .longString: self = .string(try String.decode(from: &reader))
    case .date: self = .date(try Self.date(from: &reader))
    case .callback: (self, _) = (.function, try reader.skip())
    case .shared:
      let object = reader.sideValues.sharedObject(try reader.header().low)
      self = object.map { .shared(SharedReference($0)) } ?? .undefined
    case .binary: self = try Self.binary(from: &reader)
    case .error:
      let (_, _) = try reader.header()
      self = .error(try Self.values(6, from: &reader), identity: 0)
    case .array: self = .array(try Self.values(Int(reader.header().low), from: &reader))
    case .object: self = .object(try Self.members(from: &reader))
    case .record: self = try Self.record(from: &reader)
    case .name, .signal, .stream, nil: throw reader.error(.malformed, bytesBack: 0)
    }
  }

  private static func date(from reader: inout ValueReader) throws(ConversionError) -> Double {
    _ = try reader.header()
    return try reader.slot(Double.self)
  }

  private static func binary(from reader: inout ValueReader) throws(ConversionError) -> ScriptValue {
    let view = try reader.binaryView()
    let kind = view.kind == BinaryKind.arrayBuffer ? nil : view.kind
    // Without lending the bytes, which would keep the buffer from being transferred.
    return reader.sideValues.copyOfBinary(at: view.index, in: view.range).map { .binary($0, kind: kind) } ?? .detached
  }

  private static func values(_ count: Int, from reader: inout ValueReader) throws(ConversionError) -> [ScriptValue] {
    try reader.nested { (reader) throws(ConversionError) in
      var values: [ScriptValue] = []
      for _ in 0..<count { values.append(try ScriptValue(from: &reader)) }
      return values
    }
  }

  private static func members(from reader: inout ValueReader) throws(ConversionError) -> [Member] {
    let count = try reader.header().low
    return try reader.nested { (reader) throws(ConversionError) in
      var members: [Member] = []
      for _ in 0..<count { members.append(Member(try String.decode(from: &reader), try ScriptValue(from: &reader))) }
      return members
    }
  }

  /// Members that were left out are left out here.
  private static func record(from reader: inout ValueReader) throws(ConversionError) -> ScriptValue {
    let names = RecordShape.shape(id: try reader.header().low)?.memberNames ?? []
    let values = try values(names.count, from: &reader)
    return .object(zip(names, values).filter { $0.1 != .undefined }.map(Member.init))
  }

  /// As `JSON.stringify` shows it; what JSON has no word for is null.
  package var json: JSONValue {
    switch self {
    case .bool(let value): .bool(value)
    case .number(let value): Int64(exactly: value).map(JSONValue.integer) ?? .number(value)
    case .bigInt(let value): .integer(value)
    case .bigUInt(let value): JSONValue(value)
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.json) }))
    case .date(let milliseconds): .number(milliseconds)
    default: .null
    }
  }
}

extension JavaScriptError {
  /// The error that is `value`; nil for other values.
  package init?(_ value: ScriptValue) {
    guard case .error = value, let error = try? value.decoded(as: JavaScriptError.self) else { return nil }
    self = error
  }
}
