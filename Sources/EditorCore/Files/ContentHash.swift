/// XXH64 with seed 0, fed in pieces: tells whether contents are what they were, not whether someone forged them.
///
/// As specified in the xxHash fast digest algorithm, version 0.1.1.
package struct ContentHash: Sendable {
  private static let primes: [UInt64] = [
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63, 0x27D4_EB2F_1656_67C5,
  ]
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  private var lanes = SIMD4<UInt64>(prime1 &+ prime2, prime2, 0, 0 &- prime1)
  private var pending: [UInt8] = []
  private var total: UInt64 = 0

  package init() {}

  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = ContentHash()
    hash.update(bytes)
    return hash.value
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    total &+= UInt64(bytes.count)
    var index = 0
    if !pending.isEmpty {
      index = min(32 - pending.count, bytes.count)
      pending += bytes[..<index]
      guard pending.count == 32 else { return }
      pending.withUnsafeBytes { lanes = Self.mixed(lanes, $0, at: 0) }
      pending.removeAll(keepingCapacity: true)
    }
    var state = lanes
    while index + 32 <= bytes.count {
      state = Self.mixed(state, bytes, at: index)
      index += 32
    }
    lanes = state
    pending += bytes[index...]
  }

  /// The hash of all bytes so far.
  package var value: UInt64 {
    var hash = total < 32 ? Self.primes[4] : merged
    hash &+= total
    var index = 0
    pending.withUnsafeBytes { bytes in
      while index + 8 <= bytes.count {
        hash ^= Self.round(0, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
        hash = Self.rotate(hash, 27) &* Self.prime1 &+ Self.primes[3]
        index += 8
      }
      if index + 4 <= bytes.count {
        hash ^= UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))) &* Self.prime1
        hash = Self.rotate(hash, 23) &* Self.prime2 &+ Self.primes[2]
        index += 4
      }
      for byte in bytes[index...] {
        hash ^= UInt64(byte) &* Self.primes[4]
        hash = Self.rotate(hash, 11) &* Self.prime1
      }
    }
    hash = (hash ^ (hash >> 33)) &* Self.prime2
    hash = (hash ^ (hash >> 29)) &* Self.primes[2]
    return hash ^ (hash >> 32)
  }

  private var merged: UInt64 {
    var hash: UInt64 = 0
    for (lane, bits) in zip(0..<4, [1, 7, 12, 18] as [UInt64]) { hash &+= Self.rotate(lanes[lane], bits) }
    for lane in 0..<4 { hash = (hash ^ Self.round(0, lanes[lane])) &* Self.prime1 &+ Self.primes[3] }
    return hash
  }

  private static func mixed(
    _ lanes: SIMD4<UInt64>, _ bytes: UnsafeRawBufferPointer, at index: Int
  ) -> SIMD4<UInt64> {
    var lanes = lanes
    for lane in 0..<4 {
      let word = bytes.loadUnaligned(fromByteOffset: index + lane * 8, as: UInt64.self)
      lanes[lane] = round(lanes[lane], UInt64(littleEndian: word))
    }
    return lanes
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* prime2, 31) &* prime1
  }

  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }
}
