/// The members of an object or record, found once and decoded where they lie. Members that are `undefined` are not there.
struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ValueDecoder
  private let members: [(name: String, position: UnsafeRawPointer)]
  /// Beyond a handful of members, where in `members` each name is.
  private let indices: [String: Int]

  init(_ decoder: ValueDecoder) throws {
    var reader = try decoder.reader()
    guard let members = try reader.members() else {
      throw try decoder.mismatch([String: Any].self, expected: "object")
    }
    self.decoder = decoder
    self.members = members
    indices = members.count <= 8 ? [:] : Dictionary(zip(members.map(\.name), members.indices)) { _, last in last }
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  private func position(of name: String) -> UnsafeRawPointer? {
    if members.count > 8 { return indices[name].map { members[$0].position } }
    return members.first { $0.name == name }?.position
  }

  private func inner(_ key: some CodingKey, wanting type: Any.Type) throws -> ValueDecoder {
    guard let position = position(of: key.stringValue) else {
      let expected = (type as? any BridgeTyped.Type)?.typeSchema.expectedDescription ?? "\(type)".inWordsOfScripts
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "expected \(expected), got undefined"))
    }
    return try decoder.inner(at: position, key: key)
  }

  func contains(_ key: Key) -> Bool { position(of: key.stringValue) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try inner(key, wanting: Void.self).decodeNil() }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try inner(key, wanting: type).value(type)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try inner(key, wanting: [String: Any].self).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try inner(key, wanting: [Any].self).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try inner(PlainKey.superKey, wanting: Any.self) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key, wanting: Any.self) }
}

/// The elements of an array, decoded one after the other.
struct UnkeyedValues: UnkeyedDecodingContainer {
  private let decoder: ValueDecoder
  private var next: UnsafeRawPointer
  private let elementCount: Int
  private(set) var currentIndex = 0

  init(_ decoder: ValueDecoder) throws {
    var reader = try decoder.reader()
    guard reader.peekTag() == Tag.array.rawValue else {
      throw try decoder.mismatch([Any].self, expected: "array")
    }
    elementCount = Int(try reader.header().low)
    next = reader.position
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elementCount }
  var isAtEnd: Bool { currentIndex >= elementCount }

  private func current(_ type: Any.Type) throws -> ValueDecoder {
    let key = PlainKey(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath + [key], debugDescription: "expected \(type), got the end of the array"))
    }
    return try decoder.inner(at: next, key: key)
  }

  private mutating func advance() throws {
    var reader = try decoder.session.reader(at: next, depth: decoder.depth)
    try reader.skip()
    next = reader.position
    currentIndex += 1
  }

  mutating func decodeNil() throws -> Bool {
    guard try current(Void.self).decodeNil() else { return false }
    try advance()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try current(type).value(type)
    try advance()
    return value
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let container = try current([String: Any].self).container(keyedBy: type)
    try advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try current([Any].self).unkeyedContainer()
    try advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try current(Any.self)
    try advance()
    return decoder
  }
}

extension ValueReader {
  /// The members of the next object or record with their places; nil if it is neither.
  fileprivate mutating func members() throws(ConversionError) -> [(name: String, position: UnsafeRawPointer)]? {
    let (tag, low) = try header()
    var names: [String]?
    switch Tag(rawValue: tag) {
    case .object: names = nil
    case .record: names = RecordShape.shape(id: low)?.memberNames ?? []
    default: return nil
    }
    var members: [(name: String, position: UnsafeRawPointer)] = []
    let count = names?.count ?? Int(low)
    members.reserveCapacity(min(count, plausibleCount(low)))
    for index in 0..<count {
      let name: String
      if let names { name = names[index] } else { name = try String.decode(from: &self) }
      if peekTag() != Tag.undefined.rawValue { members.append((name, position)) }
      try skip()
    }
    return members
  }
}
