/// Records and unions: objects whose members the Swift type names.
///
/// Our encoder sends the members of a record in the order of its shape, so that reading them is reading values one after
/// the other. Any other object is sent with its keys; then the members are looked up first, and read from where they are.
extension ValueReader {
  /// Reads one record; `body` reads its members with `member`, in the order of the shape.
  @inlinable @inline(__always)
  public mutating func _record<Value>(
    _ shape: _Expansion.RecordShape, _ body: (inout ValueReader) throws(ConversionError) -> Value
  ) throws(ConversionError) -> Value {
    let (tag, low) = try header()
    guard tag == Tag.record.rawValue, low == shape.id, memberPositions == nil else {
      position -= 8
      return try recordOrObject(shape, body)
    }
    return try nested(body)
  }

  @usableFromInline @inline(never)
  mutating func recordOrObject<Value>(
    _ shape: _Expansion.RecordShape, _ body: (inout ValueReader) throws(ConversionError) -> Value
  ) throws(ConversionError) -> Value {
    let (tag, low) = try header()
    guard tag == Tag.record.rawValue, low == shape.id else {
      guard tag == Tag.object.rawValue else { throw error(.mismatch) }
      position -= 8
      return try object(members: shape.memberNames, body)
    }
    let outer = memberPositions
    memberPositions = nil
    defer { memberPositions = outer }
    return try nested(body)
  }

  /// Reads one object of a union: `body` gets the case's name and reads the members of that case with `member`.
  public mutating func _union<Value>(
    _ shape: _Expansion.UnionShape, _ body: (String, inout ValueReader) throws(ConversionError) -> Value
  ) throws(ConversionError) -> Value {
    let first = position
    let name: String = try object(members: [shape.discriminator]) { (reader) throws(ConversionError) in
      try reader._member()
    }
    guard let members = shape.memberNames(ofCase: name) else {
      throw ConversionError(.mismatch, byteOffset: Int32(truncatingIfNeeded: first - start))
    }
    position = first
    return try object(members: members) { (reader) throws(ConversionError) in try body(name, &reader) }
  }

  /// The next member of the record that is being read.
  @inlinable @inline(__always)
  public mutating func _member<Value: BridgeDecodable>() throws(ConversionError) -> Value {
    if memberPositions != nil { moveToNextMember() }
    return try Value.decode(from: &self)
  }

  /// The next member, or `defaultValue` where it is missing or `undefined`.
  @inlinable @inline(__always)
  public mutating func _member<Value: BridgeDecodable>(
    default defaultValue: @autoclosure () -> Value
  ) throws(ConversionError) -> Value {
    if memberPositions != nil { moveToNextMember() }
    if try skipUndefined() { return defaultValue() }
    return try Value.decode(from: &self)
  }

  /// Reads the next member into `value`, which keeps what it is where the member is missing or `undefined`.
  @inlinable @inline(__always)
  public mutating func _member<Value: BridgeDecodable>(into value: inout Value) throws(ConversionError) {
    if memberPositions != nil { moveToNextMember() }
    if try !skipUndefined() { value = try Value.decode(from: &self) }
  }

  /// Passes over the next member, whatever it is.
  public mutating func _skipMember() throws(ConversionError) {
    if memberPositions != nil { moveToNextMember() }
    if try !skipUndefined() { try skip() }
  }

  @_disfavoredOverload
  public mutating func _member<Value: Decodable & Sendable>() throws(ConversionError) -> Value {
    let decoded: DecodedValue<Value> = try _member()
    return decoded.value
  }

  @_disfavoredOverload
  public mutating func _member<Value: Decodable & Sendable>(
    default defaultValue: @autoclosure () -> Value
  ) throws(ConversionError) -> Value {
    if memberPositions != nil { moveToNextMember() }
    if try skipUndefined() { return defaultValue() }
    return try DecodedValue<Value>.decode(from: &self).value
  }

  @_disfavoredOverload
  public mutating func _member<Value: Decodable & Sendable>(into value: inout Value) throws(ConversionError) {
    value = try _member(default: value)
  }

  /// Reads an object with keys: finds the `members`, lets `body` read them in that order, and leaves the reader behind it.
  @usableFromInline
  mutating func object<Value>(
    members: [String], _ body: (inout ValueReader) throws(ConversionError) -> Value
  ) throws(ConversionError) -> Value {
    let found = try memberPositions(of: members)
    let (behind, outer) = (position, memberPositions)
    memberPositions = MemberPositions(found)
    defer { memberPositions = outer }
    let value = try nested(body)
    position = behind
    return value
  }

  /// Steps over an object with keys, and tells where the values of `names` lie: at the end for those that are missing,
  /// which reads as `undefined`.
  mutating func memberPositions(of names: [String]) throws(ConversionError) -> [UnsafeRawPointer] {
    let (tag, count) = try header()
    guard tag == Tag.object.rawValue else { throw error(.mismatch) }
    var found = [UnsafeRawPointer](repeating: end, count: names.count)
    for _ in 0..<count {
      let key = try String.decode(from: &self)
      if let index = names.firstIndex(of: key) { found[index] = position }
      try skip()
    }
    return found
  }

  @usableFromInline
  mutating func moveToNextMember() {
    guard let next = memberPositions?.next() else { return }
    position = next
  }

  /// Steps over one value.
  mutating func skip() throws(ConversionError) {
    let (tag, low) = try header()
    switch Tag(rawValue: tag) {
    case .undefined, .null, .bool, .longString, .callback, .reference, .shared: break
    case .number, .bigInt, .bigUInt, .date: _ = try slot(UInt64.self)
    case .string: _ = try bytes(count: Int(low))
    case .utf16String: _ = try bytes(count: Int(low) * 2)
    case .binary: _ = try bytes(count: 16)
    case .array: try skip(values: Int(low))
    case .object: try skip(values: Int(low) * 2)
    case .record: try skip(values: RecordShape.shape(id: low)?.memberNames.count ?? 0)
    case .error: try skip(values: 6)
    case .name, .signal, .stream, nil: throw error(.malformed)
    }
  }

  private mutating func skip(values count: Int) throws(ConversionError) {
    try nested { (reader) throws(ConversionError) in
      for _ in 0..<count { try reader.skip() }
    }
  }
}

/// Where the members of an object with keys lie, in the order in which they will be read.
@usableFromInline
final class MemberPositions {
  private let positions: [UnsafeRawPointer]
  private var index = 0

  init(_ positions: [UnsafeRawPointer]) { self.positions = positions }

  func next() -> UnsafeRawPointer? {
    guard index < positions.count else { return nil }
    defer { index += 1 }
    return positions[index]
  }
}
