import JSON

/// Bytes that need not be a text: on the wire a string with a character for each, of its number.
package struct RawBytes: Equatable, Sendable, WireValue {
  package var bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// How many bytes of the wire these take.
  package static func wireCount(of byte: UInt8) -> Int {
    // Of a control the number is written.
    byte < 0x20 ? 6 : byte < 0x80 ? 2 - (byte == 0x22 || byte == 0x5C ? 0 : 1) : 2
  }

  static func read(_ json: JSONValue, of method: String) -> RawBytes? {
    guard let string = json.string else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(string.utf8.count)
    // The upper bits of a character of two bytes; others have more, and are none of these.
    var upper: UInt8 = 0
    for unit in string.utf8 {
      switch unit {
      case 0x80...0xBF: bytes.append(upper | unit & 0x3F)
      case 0xC2...0xC3: upper = unit << 6
      case 0xC4...: return nil
      default: bytes.append(unit)
      }
    }
    return RawBytes(bytes)
  }

  func write(to writer: inout JSONWriter) {
    var units: [UInt8] = []
    units.reserveCapacity(bytes.count + bytes.count / 4)
    for byte in bytes {
      if byte < 0x80 {
        units.append(byte)
      } else {
        units.append(0xC0 | byte >> 6)
        units.append(0x80 | byte & 0x3F)
      }
    }
    writer.write(String(decoding: units, as: UTF8.self))
  }
}
