/// Why and where a JSON text was refused.
package struct JSONError: Error, Sendable, Hashable {
  package enum Code: String, Sendable {
    case unexpectedEnd = "unexpected end"
    case unexpectedByte = "unexpected byte"
    case trailingContent = "content after the value"
    case controlCharacter = "control character in a string"
    case invalidEscape = "invalid escape"
    case invalidUTF8 = "invalid UTF-8 in a string"
    case invalidNumber = "invalid number"
    case numberOutOfRange = "number out of range"
    case tooDeep = "nested too deeply"
    case tooManyValues = "too many values"
  }

  package let code: Code
  /// Where the offending byte is, or the value that holds it (strings and numbers); the length of the text at its end.
  package let byteOffset: Int

  package init(_ code: Code, atByteOffset byteOffset: Int) {
    self.code = code
    self.byteOffset = byteOffset
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "\(code.rawValue) at byte \(byteOffset)" }
}
