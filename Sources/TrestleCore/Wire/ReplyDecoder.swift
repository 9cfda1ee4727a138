import JSEngine

/// Reads what native code wrote for JavaScript, as `js/runtime` does. What it reads was written by this program; still,
/// content that does not fit gives nil rather than a crash.
package struct ReplyDecoder: ~Copyable {
  private let writer: ValueWriter
  private var byteOffset = 0
  private var textOffset = 0
  private var sideIndex = 0

  package init(_ writer: consuming ValueWriter) { self.writer = writer }

  package var isAtEnd: Bool { byteOffset == writer.byteCount }

  /// The next value; nil if what is there is none.
  package mutating func next() -> ScriptValue? {
    guard let header = nextSlot(), let tag = Tag(rawValue: UInt32(truncatingIfNeeded: header)) else { return nil }
    let low = Int(header >> 32)
    switch tag {
    case .undefined: return .undefined
    case .null: return .null
    case .bool: return .bool(low != 0)
    case .number: return nextSlot().map { .number(Double(bitPattern: $0)) }
    case .bigInt: return nextSlot().map { .bigInt(Int64(bitPattern: $0)) }
    case .bigUInt: return nextSlot().map { .bigUInt($0) }
    case .date: return nextSlot().map { .date(Double(bitPattern: $0)) }
    case .string: return text(low).map { .string($0) }
    case .longString, .binary: return sideValue()
    case .array: return values(low).map { .array($0) }
    case .object: return members(low).map { .object($0) }
    case .record: return record(RecordShape.shape(id: UInt32(low)))
    case .error: return error(hasIdentity: low != 0)
    case .signal: return .undefined
    case .stream, .shared, .reference: return sideValue()
    case .utf16String, .callback, .name: return nil
    }
  }

  mutating func nextSlot() -> UInt64? {
    guard byteOffset + 8 <= writer.byteCount else { return nil }
    defer { byteOffset += 8 }
    return writer.bytes.load(fromByteOffset: byteOffset, as: UInt64.self)
  }

  private mutating func text(_ count: Int) -> String? {
    guard textOffset + count <= writer.textCount else { return nil }
    defer { textOffset += count }
    return String(utf16: UnsafeBufferPointer(start: writer.text + textOffset, count: count))
  }

  private mutating func sideValue() -> ScriptValue? {
    guard writer.sideValues.indices.contains(sideIndex) else { return nil }
    defer { sideIndex += 1 }
    switch writer.sideValues[sideIndex] {
    case .string(let string): return .string(string)
    case .transfer(let passage): return .binary(passage.bytes.bytesOfMessage, kind: nil)
    case .stream(let source): return .stream(StreamReference(source))
    case .shared(let object): return .shared(SharedReference(object))
    case .binary(let bytes, let elements): return .binary(bytes, kind: elements?.rawValue)
    case .error(let identity): return .number(Double(identity.number))
    case .kept: return .function
    }
  }

  private mutating func error(hasIdentity: Bool) -> ScriptValue? {
    var identity: UInt32 = 0
    if hasIdentity {
      guard case .number(let number)? = sideValue() else { return nil }
      identity = UInt32(number)
    }
    return values(6).map { .error($0, identity: identity) }
  }

  private mutating func values(_ count: Int) -> [ScriptValue]? {
    var values: [ScriptValue] = []
    for _ in 0..<count {
      guard let value = next() else { return nil }
      values.append(value)
    }
    return values
  }

  private mutating func members(_ count: Int) -> [ScriptValue.Member]? {
    var members: [ScriptValue.Member] = []
    for _ in 0..<count {
      guard case .string(let key)? = next(), let value = next() else { return nil }
      members.append(ScriptValue.Member(key, value))
    }
    return members
  }

  private mutating func record(_ shape: RecordShape?) -> ScriptValue? {
    guard let shape, let values = values(shape.memberNames.count) else { return nil }
    return .object(zip(shape.memberNames, values).map(ScriptValue.Member.init))
  }
}
