/// UTF-8 as the Unicode standard, table 3-7, has it: no overlong forms, no surrogates, nothing above U+10FFFF.
package enum UTF8Sequence {
  /// The length, 1 to 4, of the well-formed sequence that begins at `index`, or nil.
  package static func length(at index: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    let first = bytes[index]
    if first < 0x80 { return 1 }
    let length = declaredLength(first)
    guard length > 1, index + length <= bytes.count, secondByteRange(first).contains(bytes[index + 1]) else {
      return nil
    }
    for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return nil }
    return length
  }

  /// The start of the well-formed sequence that `index` lies inside of, or `index` itself between two.
  package static func start(at index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    guard index < bytes.count, isContinuation(bytes[index]) else { return index }
    var start = index - 1
    while start >= max(0, index - 3) {
      if !isContinuation(bytes[start]) {
        guard let length = length(at: start, in: bytes), start + length > index else { return index }
        return start
      }
      start -= 1
    }
    return index
  }

  /// The length of the unfinished sequence that the bytes end in, 0 to 3: more bytes could make it well-formed.
  package static func unfinishedSuffix(of bytes: UnsafeRawBufferPointer) -> Int {
    for count in 1..<4 where count <= bytes.count {
      let byte = bytes[bytes.count - count]
      if isContinuation(byte) { continue }
      let second = count > 1 ? bytes[bytes.count - count + 1] : nil
      guard declaredLength(byte) > count, second.map(secondByteRange(byte).contains) ?? true else { return 0 }
      return count
    }
    return 0
  }

  /// The code point of a well-formed sequence of that length.
  package static func decode(_ length: Int, at index: Int, in bytes: UnsafeRawBufferPointer) -> Unicode.Scalar {
    var value = UInt32(bytes[index]) & (length == 1 ? 0x7F : 0x7F >> UInt32(length))
    for offset in 1..<max(length, 1) { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  package static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// What the first byte promises: 0 when it can begin nothing.
  private static func declaredLength(_ first: UInt8) -> Int {
    switch first {
    case 0x00..<0x80: 1
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: 0
    }
  }

  private static func secondByteRange(_ first: UInt8) -> ClosedRange<UInt8> {
    switch first {
    case 0xE0: 0xA0...0xBF
    case 0xED: 0x80...0x9F
    case 0xF0: 0x90...0xBF
    case 0xF4: 0x80...0x8F
    default: 0x80...0xBF
    }
  }
}
