import Glibc

/// Loops over raw bytes, sixteen at a time.
enum ByteScan {
  static let newline = UInt8(ascii: "\n")

  /// The index of the first `byte`, or nil.
  static func firstIndex(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count) else { return nil }
    return UnsafeRawPointer(found) - start
  }

  static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    var seen: UInt64 = 0
    while index + 16 <= bytes.count {
      let words = bytes.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
      seen |= words[0] | words[1]
      index += 16
    }
    while index < bytes.count {
      seen |= UInt64(bytes[index])
      index += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }

  static func count(_ byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int {
    count(in: bytes, vector: { $0 .== SIMD16(repeating: byte) }, scalar: { $0 == byte })
  }

  /// How many bytes are not the second, third or fourth of a UTF-8 sequence.
  static func countLeading(in bytes: UnsafeRawBufferPointer) -> Int {
    count(
      in: bytes, vector: { ($0 & SIMD16(repeating: 0xC0)) .!= SIMD16(repeating: 0x80) }, scalar: { $0 & 0xC0 != 0x80 })
  }

  /// How many bytes begin a UTF-8 sequence of four.
  static func countLeadingOfFour(in bytes: UnsafeRawBufferPointer) -> Int {
    count(
      in: bytes, vector: { ($0 & SIMD16(repeating: 0xF0)) .== SIMD16(repeating: 0xF0) }, scalar: { $0 >= 0xF0 })
  }

  /// How often `first` stands before `second`, two different bytes.
  static func countPairs(_ first: UInt8, _ second: UInt8, in bytes: UnsafeRawBufferPointer) -> Int {
    var total = 0
    var rest = bytes
    while let index = firstIndex(of: first, in: rest) {
      if index + 1 < rest.count, rest[index + 1] == second { total += 1 }
      rest = UnsafeRawBufferPointer(rebasing: rest[(index + 1)...])
    }
    return total
  }

  /// - Parameter vector: Without integer literals: as a vector, one goes through generic code, two hundred times slower.
  @inline(__always)
  private static func count(
    in bytes: UnsafeRawBufferPointer, vector: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>, scalar: (UInt8) -> Bool
  ) -> Int {
    var index = 0
    var total = 0
    while index + 16 <= bytes.count {
      // A lane counts up to 255.
      let stop = min(bytes.count - 15, index + 255 * 16)
      var lanes = SIMD16<UInt8>()
      while index < stop {
        lanes.replace(
          with: lanes &+ 1, where: vector(bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)))
        index += 16
      }
      total += Int(SIMD16<UInt16>(truncatingIfNeeded: lanes).wrappedSum())
    }
    while index < bytes.count {
      if scalar(bytes[index]) { total += 1 }
      index += 1
    }
    return total
  }
}
