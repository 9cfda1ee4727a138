/// How the characters of a file are written as bytes, the byte-order mark before them included. By the names of the protocol.
package enum TextEncoding: String, CaseIterable, Sendable, WireValue {
  case utf8 = "UTF-8"
  case utf8WithMark = "UTF-8 BOM"
  case utf16LittleEndian = "UTF-16LE"
  case utf16LittleEndianWithMark = "UTF-16LE BOM"
  case utf16BigEndian = "UTF-16BE"
  case utf16BigEndianWithMark = "UTF-16BE BOM"
  case latin1 = "ISO-8859-1"
  case windows1252 = "Windows-1252"
  case shiftJIS = "Shift_JIS"
  case gb18030 = "GB18030"

  package var withoutMark: TextEncoding {
    switch self {
    case .utf8WithMark: .utf8
    case .utf16LittleEndianWithMark: .utf16LittleEndian
    case .utf16BigEndianWithMark: .utf16BigEndian
    default: self
    }
  }
}
