/// The terminal's clipboard (xterm, OSC 52).
enum Clipboard {
  /// Terminals drop longer ones, some of them without a word.
  private static let byteLimit = 74_994

  /// Nothing for a text that is too long.
  static func sequence(for text: String) -> [UInt8] {
    guard text.utf8.count <= byteLimit else { return [] }
    return Array("\u{1B}]52;c;".utf8) + base64(Array(text.utf8)) + [0x07]
  }

  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let padded = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for index in 0..<4 {
        encoded.append(index <= group.count ? digits[Int(padded >> (18 - 6 * UInt32(index)) & 63)] : 0x3D)
      }
    }
    return encoded
  }
}
