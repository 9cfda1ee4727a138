/// What all decoders of one value share: the record, as long as it may be read.
final class DecodingSession {
  private let start: UnsafeRawPointer
  private let end: UnsafeRawPointer
  private let sideValues: SideValues
  /// Set when the outermost `init(from:)` has returned: a decoder that was kept reads nothing any more.
  var isOver = false

  init(_ reader: borrowing ValueReader) {
    (start, end, sideValues) = (reader.start, reader.end, reader.sideValues)
  }

  func reader(at position: UnsafeRawPointer, depth: Int32) throws -> ValueReader {
    guard !isOver else { throw BridgeError(.closed, "a decoder was used after its value was decoded") }
    var reader = ValueReader(start: start, end: end, sideValues: sideValues)
    reader.position = position
    reader.depth = depth
    return reader
  }
}

/// Decodes one value where it lies in the record. Types that cross the bridge by themselves (dates, data, numbers, …)
/// take their bridge form.
struct ValueDecoder: Decoder {
  let session: DecodingSession
  let position: UnsafeRawPointer
  let depth: Int32
  var path: CodingPathNode?

  var codingPath: [any CodingKey] { path?.keys ?? [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func reader() throws -> ValueReader { try session.reader(at: position, depth: depth) }

  /// The decoder of a value inside this one.
  func inner(at position: UnsafeRawPointer, key: any CodingKey) throws -> ValueDecoder {
    guard depth < ValueReader.maximumDepth else { throw try reader().error(.tooDeep, bytesBack: 0) }
    return ValueDecoder(
      session: session, position: position, depth: depth + 1, path: CodingPathNode(key, in: path))
  }

  func value<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
    if let type = Value.self as? any BridgeDecodable.Type, let value = try bridged(type) as? Value { return value }
    try FoundationTypes.refuse(Value.self)
    return try Value(from: self)
  }

  func bridged<Value: BridgeDecodable>(_: Value.Type) throws -> Value {
    var reader = try reader()
    do { return try Value.decode(from: &reader) } catch { throw try refusal(of: Value.self, error) }
  }

  func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try KeyedValues<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try UnkeyedValues(self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    guard let tag = try? reader().peekTag() else { return true }
    return tag <= Tag.null.rawValue
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }
}

/// Errors whose debug description is what JavaScript is told: `expected …, got …`.
extension ValueDecoder {
  /// The value is no array or object.
  func mismatch(_ type: Any.Type, expected: String) throws -> DecodingError {
    let words = "expected \(expected), got \(try reader().nextDescription())"
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: words)
    return decodeNil() ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// A bridge type did not accept the value. A record that is broken stays what it is.
  private func refusal<Value: BridgeDecodable>(of type: Value.Type, _ error: ConversionError) throws -> any Error {
    switch error.reason {
    case .malformed, .tooDeep, .argumentCount: return error
    case .mismatch, .outOfRange, .missing: break
    }
    var first = try reader()
    var validator = SchemaValidator()
    var misfit = try validator.misfit(of: type.typeSchema, in: &first)
    if misfit == nil {
      var again = try reader()
      validator = SchemaValidator(culprit: error.byteOffset)
      misfit = try validator.misfit(of: type.typeSchema, in: &again)
    }
    guard let misfit else { return try mismatch(type, expected: type.typeSchema.expectedDescription) }
    let keys = misfit.path.components.map(PlainKey.init)
    let context = DecodingError.Context(codingPath: codingPath + keys, debugDescription: misfit.words)
    if error.reason == .outOfRange { return DecodingError.dataCorrupted(context) }
    return decodeNil() ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
  }
}

extension PlainKey {
  fileprivate init(_ component: ValuePath.Component) {
    switch component {
    case .key(let key): self.init(stringValue: key)
    case .index(let index): self.init(intValue: index)
    }
  }
}
