/// The last line of a script that says where its source map is: `//# sourceMappingURL=…`.
struct SourceMapComment {
  /// A path, a URL, or the map itself as `data:`.
  let url: String
  /// The script without the line.
  let rest: Substring

  /// Nil if the last line that is not blank is no such comment. Costs a look at that line.
  init?(in script: String) {
    let utf8 = script.utf8
    guard let last = utf8.lastIndex(where: { !Self.isBlank($0) }) else { return nil }
    let start = utf8[...last].lastIndex { $0 == 10 || $0 == 13 }.map(utf8.index(after:)) ?? script.startIndex
    let line = utf8[start...last]
    guard line.starts(with: "//# sourceMappingURL=".utf8) || line.starts(with: "//@ sourceMappingURL=".utf8) else {
      return nil
    }
    let name = line.dropFirst("//# sourceMappingURL=".utf8.count)
    guard !name.isEmpty, !name.contains(where: Self.isBlank) else { return nil }
    (url, rest) = (String(Substring(name)), script[..<start])
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  /// What a `data:` URL of JSON holds; nil for any other.
  static func content(ofURL url: String) -> String? {
    guard url.hasPrefix("data:"), let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let kind = url[..<comma].split(separator: ";")
    guard kind.first == "data:application/json" || kind.first == "data:text/json" else { return nil }
    let data = url.utf8[url.utf8.index(after: comma)...]
    let bytes = kind.last == "base64" ? bytes(ofBase64: data) : bytes(ofPercents: data)
    return bytes.flatMap { String(validating: $0, as: UTF8.self) }
  }

  private static func bytes(ofBase64 text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (bits, count) = (UInt32(0), 0)
    for byte in text where byte != UInt8(ascii: "=") {
      let digit: UInt8
      switch byte {
      case 65...90: digit = byte - 65
      case 97...122: digit = byte - 71
      case 48...57: digit = byte + 4
      case UInt8(ascii: "+"), UInt8(ascii: "-"): digit = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): digit = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(digit)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  private static func bytes(ofPercents text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
