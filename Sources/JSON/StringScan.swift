/// The offset of the first byte at or after `offset` that a JSON string cannot hold as it is (`"`, `\`, or a control
/// character), or the count of `bytes`. Looks at eight bytes a step.
/// - Parameter isASCII: Becomes false when a byte of the run is not ASCII.
func endOfPlainRun(in bytes: UnsafeBufferPointer<UInt8>, from offset: Int, isASCII: inout Bool) -> Int {
  let raw = UnsafeRawBufferPointer(bytes)
  var offset = offset
  while offset &+ 8 <= raw.count {
    let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    let found = highBitsOfSpecialBytes(word)
    if found != 0 {
      let before = found & (0 &- found) &- 1
      if word & before & highBits != 0 { isASCII = false }
      return offset &+ found.trailingZeroBitCount / 8
    }
    if word & highBits != 0 { isASCII = false }
    offset &+= 8
  }
  while offset < bytes.count, !isSpecial(bytes[offset]) {
    if bytes[offset] >= 0x80 { isASCII = false }
    offset &+= 1
  }
  return offset
}

private let ones: UInt64 = 0x0101_0101_0101_0101
private let highBits: UInt64 = ones &* 0x80

@inline(__always)
private func isSpecial(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// Sets the high bit of each special byte. Bits above the lowest one set may be wrong: a borrow runs upwards.
@inline(__always)
private func highBitsOfSpecialBytes(_ word: UInt64) -> UInt64 {
  let control = (word &- ones &* 0x20) & ~word
  let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
  let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
  let equal = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
  return (control | equal) & highBits
}
