/// Writes values towards native as `js/runtime` does: what a module is called with where there is no engine.
package struct CommandEncoder {
  package private(set) var slots: [UInt64] = []
  package let sideValues = ListedSideValues()

  /// Strings of more UTF-16 units than this travel beside the record.
  private static let longestInlineString = 1024

  package init() {}

  package mutating func append(_ value: ScriptValue) {
    switch value {
    case .undefined: append(tag: .undefined)
    case .null: append(tag: .null)
    case .bool(let value): append(tag: .bool, value ? 1 : 0)
    case .number(let value): append(tag: .number, slot: value.bitPattern)
    case .bigInt(let value): append(tag: .bigInt, slot: UInt64(bitPattern: value))
    case .bigUInt(let value): append(tag: .bigUInt, slot: value)
    case .string(let string): append(string)
    case .utf16(let units): append(utf16: units)
    case .array(let elements): append(tag: .array, elements.count, elements)
    case .object(let members):
      append(tag: .object, members.count)
      for member in members {
        append(member.key)
        append(member.value)
      }
    case .record(let shape, let members): append(tag: .record, Int(shape.id), members)
    case .binary(let bytes, let kind): append(bytes, kind: kind ?? BinaryKind.arrayBuffer)
    case .detached: append(nil, kind: BinaryKind.arrayBuffer)
    case .date(let milliseconds): append(tag: .date, slot: milliseconds.bitPattern)
    case .function: append(callback: 1)
    case .shared(let reference): append(tag: .shared, sideValues.add(reference.object))
    case .stream: append(tag: .undefined, 0)
    case .error(let fields, let identity): append(tag: .error, Int(identity), fields)
    }
  }

  /// A function that stands for an answer: 0 failure, 1 success.
  package mutating func append(callback role: Int) { append(tag: .callback, role) }

  /// Calls `body` with a reader of what was written.
  package func withReader<Result>(_ body: (inout ValueReader) throws -> Result) rethrows -> Result {
    try slots.withUnsafeBytes { bytes in
      // An empty array may have no address.
      let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
      var reader = ValueReader(start: start, end: start + bytes.count, sideValues: sideValues)
      return try body(&reader)
    }
  }

  private mutating func append(tag: Tag, _ low: Int = 0, _ values: [ScriptValue] = []) {
    slots.append(UInt64(tag.rawValue) | UInt64(UInt32(low)) << 32)
    for value in values { append(value) }
  }

  private mutating func append(tag: Tag, slot: UInt64) {
    append(tag: tag)
    slots.append(slot)
  }

  private mutating func append(_ string: String) {
    if string.utf16.count > Self.longestInlineString {
      append(tag: .longString, sideValues.add(string))
    } else if string.utf8.allSatisfy({ $0 < 0x80 }) {
      append(tag: .string, string.utf8.count)
      append(padded: Array(string.utf8))
    } else {
      append(utf16: Array(string.utf16))
    }
  }

  private mutating func append(utf16 units: [UInt16]) {
    append(tag: .utf16String, units.count)
    append(padded: units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
  }

  private mutating func append(padded bytes: [UInt8]) {
    for start in stride(from: 0, to: bytes.count, by: 8) {
      let slot = bytes[start..<min(start + 8, bytes.count)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      slots.append(slot)
    }
  }

  private mutating func append(_ bytes: [UInt8]?, kind: UInt32) {
    append(tag: .binary, sideValues.add(bytes))
    slots.append(UInt64(kind))
    slots.append(UInt64(bytes?.count ?? 0) << 32)
  }
}

/// Side values that lie in Swift arrays.
package final class ListedSideValues: SideValues {
  private var strings: [String] = []
  private var buffers: [[UInt8]?] = []
  private var objects: [any SharedObject] = []

  fileprivate func add(_ string: String) -> Int {
    strings.append(string)
    return strings.count - 1
  }

  fileprivate func add(_ bytes: [UInt8]?) -> Int {
    buffers.append(bytes)
    return buffers.count - 1
  }

  fileprivate func add(_ object: any SharedObject) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  override func sharedObject(_ number: UInt32) -> (any SharedObject)? {
    objects.indices.contains(Int(number)) ? objects[Int(number)] : nil
  }

  override package func longString(at index: Int) -> String? { strings.indices.contains(index) ? strings[index] : nil }

  override package func withBinary(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard buffers.indices.contains(index), let bytes = buffers[index] else { return false }
    bytes.withUnsafeBytes(body)
    return true
  }

  override package func takeBinary(at index: Int, in range: Range<Int>) -> TransferredBytes? {
    copyOfBinary(at: index, in: range).map(TransferredBytes.init(copying:))
  }

  /// Detaches all buffers, as `transfer()` does.
  package func detachBuffers() { buffers = buffers.map { _ in nil } }
}
