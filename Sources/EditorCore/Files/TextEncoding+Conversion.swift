import EditorProtocol
import Glibc
import Rope

/// A character that an encoding has not, or a byte that is none in UTF-8.
package struct Unencodable: Error, Equatable {
  /// Where it begins in the text.
  package let offset: ByteOffset
  package let encoding: TextEncoding
}

extension TextEncoding {
  /// What stands before the text.
  package var byteOrderMark: Rope {
    switch self {
    case .utf8WithMark: Rope([0xEF, 0xBB, 0xBF])
    case .utf16LittleEndianWithMark: Rope([0xFF, 0xFE])
    case .utf16BigEndianWithMark: Rope([0xFE, 0xFF])
    default: Rope()
    }
  }

  package var isUTF8: Bool { converterName == nil }

  /// Whether what is ASCII is the same bytes.
  var extendsASCII: Bool { converterName?.hasPrefix("UTF-16") != true }

  /// The C library's name of what follows the mark; nil where that is the text itself.
  private var converterName: String? {
    switch self {
    case .utf8, .utf8WithMark: nil
    case .utf16LittleEndian, .utf16LittleEndianWithMark: "UTF-16LE"
    case .utf16BigEndian, .utf16BigEndianWithMark: "UTF-16BE"
    case .latin1: "ISO-8859-1"
    case .windows1252: "CP1252"
    // What Windows writes under that name: it has the backslash and the tilde of ASCII.
    case .shiftJIS: "CP932"
    case .gb18030: "GB18030"
    }
  }

  /// The text of what follows the mark; nil if some of it is no text in this encoding. O(bytes).
  package func decode(_ bytes: Rope) -> Rope? {
    guard let name = converterName else { return bytes }
    let (text, failure) = Rope.converted(bytes, from: name, to: "UTF-8")
    return failure == nil ? text : nil
  }

  /// The bytes of a text, without the mark. O(bytes).
  package func encode(_ text: Rope) throws(Unencodable) -> Rope {
    guard let name = converterName else { return text }
    let (bytes, failure) = Rope.converted(text, from: "UTF-8", to: name)
    if let failure { throw Unencodable(offset: failure, encoding: self) }
    // The library leaves some characters out without a word.
    let back = decode(bytes) ?? Rope()
    guard back == text else { throw Unencodable(offset: text.firstDifference(from: back), encoding: self) }
    return bytes
  }
}

extension Rope {
  private static let pieceByteCount = 1 << 14

  /// - Returns: Also where the first bytes are that cannot be converted.
  fileprivate static func converted(
    _ source: Rope, from: String, to: String
  ) -> (result: Rope, failure: ByteOffset?) {
    guard let converter = iconv_open(to, from), converter != iconv_t(bitPattern: -1) else { return (Rope(), 0) }
    defer { iconv_close(converter) }
    var builder = Rope.Builder()
    var (pending, converted) = ([UInt8](), 0)
    var output = [CChar](repeating: 0, count: pieceByteCount)
    // False where bytes cannot be converted; those of a character that is not there to its end stay.
    func convertPending() -> Bool {
      let (used, isDone) = pending.withUnsafeMutableBytes { bytes in
        var next = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        var left = bytes.count
        while left > 0 {
          let (result, error) = output.withUnsafeMutableBufferPointer { output in
            var (end, room) = (output.baseAddress, output.count)
            let result = iconv(converter, &next, &left, &end, &room)
            let error = errno
            builder.append(UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: output.dropLast(room))))
            return (result, error)
          }
          if result == -1, error != E2BIG { return (bytes.count - left, error == EINVAL) }
        }
        return (bytes.count, true)
      }
      converted += used
      pending.removeFirst(used)
      return isDone
    }
    var isConvertible = true
    source.forEachChunk(in: source.fullRange) { chunk in
      pending += chunk
      if pending.count >= pieceByteCount { isConvertible = convertPending() }
      return isConvertible
    }
    isConvertible = isConvertible && convertPending() && pending.isEmpty
    return (builder.finish(), isConvertible ? nil : ByteOffset(converted))
  }

  /// Where the first character stands that `other` has not there.
  fileprivate func firstDifference(from other: Rope) -> ByteOffset {
    var (start, end) = (0, min(byteCount, other.byteCount))
    while start < end {
      let middle = (start + end + 1) / 2
      let range = ByteOffset(start)..<ByteOffset(middle)
      if slice(range) == other.slice(range) { start = middle } else { end = middle - 1 }
    }
    guard start < byteCount else { return ByteOffset(start) }
    let first = max(0, start - 3)
    return withBytes(in: ByteOffset(first)..<ByteOffset(min(byteCount, start + 4))) { bytes in
      ByteOffset(first + UTF8Sequence.start(at: start - first, in: bytes))
    }
  }
}
