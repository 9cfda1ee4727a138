import JSON

struct KeyedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws {
    encoder.beginEntry(key.stringValue)
    encoder.stream.current.writer.append(.null)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    encoder.beginEntry(key.stringValue)
    if let value = value as? any BridgeEncodable { return try encoder.append(value) }
    try encoder.inner(encoder.stream, key).encode(value)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> {
    later(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { later(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { later(PlainKey.superKey) }
  func superEncoder(forKey key: Key) -> any Encoder { later(key) }

  /// The encoder of an entry that is written some time.
  private func later(_ key: some CodingKey) -> ValueEncoder {
    encoder.beginEntry(key.stringValue)
    return encoder.inner(encoder.stream.split(), key)
  }
}

struct UnkeyedEncoder: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.entryCount }

  func encodeNil() throws {
    encoder.beginEntry()
    encoder.stream.current.writer.append(.null)
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    let index = encoder.beginEntry()
    if let value = value as? any BridgeEncodable { return try encoder.append(value) }
    try encoder.inner(encoder.stream, PlainKey(intValue: index)).encode(value)
  }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    later().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { later().unkeyedContainer() }
  func superEncoder() -> any Encoder { later() }

  private func later() -> ValueEncoder {
    let index = encoder.beginEntry()
    return encoder.inner(encoder.stream.split(), PlainKey(intValue: index))
  }
}

struct SingleValueEncoder: SingleValueEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() throws { try encoder.append(JSONValue.null) }
  func encode<Value: Encodable>(_ value: Value) throws { try encoder.encodeSingle(value) }
}
