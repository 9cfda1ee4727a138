/// Encodes one value into a stream. Types that cross the bridge by themselves (dates, data, numbers, …) take their
/// bridge form.
final class ValueEncoder: Encoder {
  /// The array or object that was begun: its entries are counted in its header.
  struct Container {
    let tag: Tag
    let segment: EncodingStream.Segment
    let byteOffset: Int
  }

  let stream: EncodingStream
  let depth: Int32
  let path: CodingPathNode?
  private var container: Container?
  private var hasSingleValue = false

  init(stream: EncodingStream, depth: Int32, path: CodingPathNode?) {
    self.stream = stream
    self.depth = depth
    self.path = path
  }

  var codingPath: [any CodingKey] { path?.keys ?? [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    begin(.object)
    return KeyedEncodingContainer(KeyedEncoder<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin(.array)
    return UnkeyedEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueEncoder(encoder: self) }

  /// Begins the array or object, or goes on with it: superclass and subclass may each ask for it.
  private func begin(_ tag: Tag) {
    if let container {
      if container.tag != tag { fail("an array and an object for one value") }
    } else if hasSingleValue {
      fail("a container after a value")
    } else {
      container = Container(tag: tag, segment: stream.current, byteOffset: stream.current.writer.byteCount)
      stream.current.writer.append(tag)
      if depth >= ValueReader.maximumDepth { stream.session.failure = stream.session.failure ?? BridgeError.tooDeep }
    }
  }

  private func fail(_ words: String) {
    let context = EncodingError.Context(codingPath: codingPath, debugDescription: words)
    stream.session.failure = stream.session.failure ?? EncodingError.invalidValue((), context)
  }

  /// Writes the key of the next entry and counts it.
  ///
  /// - Returns: how many there were before.
  @discardableResult
  func beginEntry(_ key: String? = nil) -> Int {
    guard let container else { return 0 }
    if let key { stream.current.writer.append(key) }
    return container.segment.writer.incrementCount(atByteOffset: container.byteOffset)
  }

  var entryCount: Int {
    container.map { $0.segment.writer.count(atByteOffset: $0.byteOffset) } ?? 0
  }

  func append(_ value: some BridgeEncodable) throws {
    // A nested bridge value counts from this depth on.
    let outer = stream.current.writer.depth
    stream.current.writer.depth = depth
    defer { stream.current.writer.depth = outer }
    do { try value.encode(into: &stream.current.writer) } catch { throw failed(error) }
  }

  private func failed(_ error: any Error) -> any Error {
    stream.session.failure = stream.session.failure ?? error
    return error
  }

  /// Writes exactly one value.
  func encode<Value: Encodable>(_ value: Value) throws {
    if let value = value as? any BridgeEncodable { return try append(value) }
    let before = stream.progress
    do {
      if let failure = stream.session.failure { throw failure }
      try FoundationTypes.refuse(Value.self)
      try value.encode(to: self)
    } catch { throw failed(error) }
    if stream.progress == before { stream.current.writer.append(.object) }
  }

  /// The value of this encoder is a single one.
  func encodeSingle<Value: Encodable>(_ value: Value) throws {
    if hasSingleValue || container != nil { fail("two values for one") }
    hasSingleValue = true
    if let value = value as? any BridgeEncodable { return try append(value) }
    try inner(stream, nil).encode(value)
  }

  /// The encoder of a value inside this one.
  func inner(_ stream: EncodingStream, _ key: (any CodingKey)?) -> ValueEncoder {
    ValueEncoder(stream: stream, depth: depth + 1, path: key.map { CodingPathNode($0, in: path) } ?? path)
  }
}

extension ValueWriter {
  /// Adds one to the count in the low half of a header.
  ///
  /// - Returns: the count before.
  fileprivate mutating func incrementCount(atByteOffset byteOffset: Int) -> Int {
    let count = count(atByteOffset: byteOffset)
    base.storeBytes(of: UInt32(count + 1), toByteOffset: byteOffset + 4, as: UInt32.self)
    return count
  }

  fileprivate func count(atByteOffset byteOffset: Int) -> Int {
    Int(base.load(fromByteOffset: byteOffset + 4, as: UInt32.self))
  }
}
