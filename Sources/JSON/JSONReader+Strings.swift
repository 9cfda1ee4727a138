extension JSONReader {
  /// Reads a string from its opening quote to behind its closing one.
  mutating func readString() throws(JSONError) -> String {
    let start = offset
    var isASCII = true
    offset = endOfPlainRun(in: bytes, from: start &+ 1, isASCII: &isASCII)
    let run = UnsafeBufferPointer(rebasing: bytes[(start &+ 1)..<offset])
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") {
      offset &+= 1
      return try Self.string(from: run, isASCII: isASCII, startingAt: start)
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: run)
    while try readEscapeOrEnd() {
      let end = endOfPlainRun(in: bytes, from: offset, isASCII: &isASCII)
      scratch.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[offset..<end]))
      offset = end
    }
    // Escapes decode to valid UTF-8, so that whatever is invalid is so in the text.
    return try scratch.withUnsafeBufferPointer { utf8 throws(JSONError) in
      try Self.string(from: utf8, isASCII: isASCII, startingAt: start)
    }
  }

  /// - Parameter isASCII: Whether no check is needed; `String(validating:)` takes a slow, unspecialized way.
  private static func string(
    from utf8: UnsafeBufferPointer<UInt8>, isASCII: Bool, startingAt start: Int
  ) throws(JSONError) -> String {
    if isASCII { return String(decoding: utf8, as: UTF8.self) }
    guard let text = String(validating: utf8, as: UTF8.self) else { throw JSONError(.invalidUTF8, atByteOffset: start) }
    return text
  }

  /// Decodes the escape at `offset`; false when the closing quote is there instead.
  private mutating func readEscapeOrEnd() throws(JSONError) -> Bool {
    let start = offset
    switch try current() {
    case UInt8(ascii: "\""):
      offset &+= 1
      return false
    case UInt8(ascii: "\\"):
      offset &+= 1
    default:
      throw JSONError(.controlCharacter, atByteOffset: offset)
    }
    let byte = try current()
    offset &+= 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "u"): scratch.append(contentsOf: String(Character(try readEscapedScalar(startingAt: start))).utf8)
    default: throw JSONError(.invalidEscape, atByteOffset: start)
    }
    return true
  }

  /// Reads what follows `\u`: four digits, or a surrogate pair of twice four.
  private mutating func readEscapedScalar(startingAt start: Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try readHexDigits(startingAt: start)
    if UTF16.isLeadSurrogate(unit), offset &+ 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset &+ 1] == UInt8(ascii: "u")
    {
      let afterLead = offset
      offset &+= 2
      let trail = try readHexDigits(startingAt: afterLead)
      if UTF16.isTrailSurrogate(trail) { return scalar(lead: unit, trail: trail) }
      // The second escape is no trail surrogate: it stands for itself.
      offset = afterLead
    }
    return Unicode.Scalar(unit) ?? "\u{FFFD}"
  }

  private func scalar(lead: UInt16, trail: UInt16) -> Unicode.Scalar {
    Unicode.Scalar(0x1_0000 + ((UInt32(lead) & 0x3FF) << 10) + (UInt32(trail) & 0x3FF)) ?? "\u{FFFD}"
  }

  private mutating func readHexDigits(startingAt start: Int) throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let byte = try current()
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte &- UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt16(byte &- UInt8(ascii: "a") &+ 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt16(byte &- UInt8(ascii: "A") &+ 10)
      default: throw JSONError(.invalidEscape, atByteOffset: start)
      }
      offset &+= 1
    }
    return unit
  }
}
