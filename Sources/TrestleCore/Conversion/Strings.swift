/// Lone surrogates, which Swift strings cannot hold, become U+FFFD.
extension String: BridgeCodable {
  public static var bridgeSchema: TypeSchema { .string }

  @inlinable
  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> String {
    let (tag, low) = try reader.header()
    if tag == Tag.string.rawValue {
      return String(decoding: try reader.bytes(count: Int(low)), as: UTF8.self)
    }
    return try decodeWide(from: &reader, tag: tag, low: low)
  }

  @usableFromInline
  static func decodeWide(
    from reader: inout ValueReader, tag: UInt32, low: UInt32
  ) throws(ConversionError) -> String {
    switch tag {
    case Tag.utf16String.rawValue:
      let bytes = try reader.bytes(count: Int(low) * 2)
      return String(transcoding: bytes.bindMemory(to: UInt16.self))
    case Tag.longString.rawValue:
      guard let string = reader.sideValues.longString(at: Int(low)) else { throw reader.error(.missing) }
      return string
    default: throw reader.error(.mismatch)
    }
  }

  @inlinable
  public func encode(into writer: inout ValueWriter) { writer.append(self) }
}

extension String {
  /// A string of UTF-16 units; lone surrogates become U+FFFD.
  ///
  /// A scalar loop, as `String(decoding:as: UTF16.self)` takes a hundred times as long on ASCII and five times on the rest.
  init(transcoding units: UnsafeBufferPointer<UInt16>) {
    var seen: UInt16 = 0
    let narrow = String(unsafeUninitializedCapacity: units.count) { output in
      for index in 0..<units.count {
        let unit = units[index]
        seen |= unit
        output[index] = UInt8(truncatingIfNeeded: unit)
      }
      return seen < 0x80 ? units.count : 0
    }
    self = seen < 0x80 ? narrow : String(transcodingWide: units)
  }

  private init(transcodingWide units: UnsafeBufferPointer<UInt16>) {
    self.init(unsafeUninitializedCapacity: units.count * 3) { output in
      var (index, length) = (0, 0)
      while index < units.count {
        var scalar = UInt32(units[index])
        index += 1
        if scalar & 0xF800 == 0xD800 {
          let low: UInt32 = index < units.count ? UInt32(units[index]) : 0
          if scalar < 0xDC00, low & 0xFC00 == 0xDC00 {
            scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            index += 1
          } else {
            scalar = 0xFFFD
          }
        }
        length += writeUTF8(scalar, to: output, at: length)
      }
      return length
    }
  }
}

/// Writes a Unicode scalar as UTF-8.
///
/// - Returns: its length in bytes.
@inline(__always)
private func writeUTF8(_ scalar: UInt32, to output: UnsafeMutableBufferPointer<UInt8>, at index: Int) -> Int {
  func continuation(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift) & 0x3F }
  switch scalar {
  case ..<0x80:
    output[index] = UInt8(truncatingIfNeeded: scalar)
    return 1
  case ..<0x800:
    output[index] = 0xC0 | UInt8(truncatingIfNeeded: scalar >> 6)
    output[index + 1] = continuation(0)
    return 2
  case ..<0x10000:
    output[index] = 0xE0 | UInt8(truncatingIfNeeded: scalar >> 12)
    output[index + 1] = continuation(6)
    output[index + 2] = continuation(0)
    return 3
  default:
    output[index] = 0xF0 | UInt8(truncatingIfNeeded: scalar >> 18)
    output[index + 1] = continuation(12)
    output[index + 2] = continuation(6)
    output[index + 3] = continuation(0)
    return 4
  }
}
