/// Writes numbers and bytes the compact way: integers in groups of seven bits, lowest first (LEB128), byte strings with their length.
struct ByteEncoder {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func write(_ number: Int) { write(UInt64(bitPattern: Int64(number))) }

  mutating func write(_ string: UnsafeRawBufferPointer) {
    write(string.count)
    bytes.append(contentsOf: string)
  }
}

/// Reads what `ByteEncoder` wrote; nil wherever the bytes do not fit, whatever they are.
struct ByteDecoder {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func readNumber() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }

  /// A number that is no less than zero.
  mutating func readCount() -> Int? { readNumber().flatMap { Int(exactly: $0) } }

  mutating func readBytes() -> ArraySlice<UInt8>? {
    guard let count = readCount(), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
