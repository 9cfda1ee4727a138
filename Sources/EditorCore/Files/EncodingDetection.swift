import EditorProtocol
import Rope

/// Guesses in which encoding bytes are a text. What is guessed is taken only if the text gives the same bytes back.
struct EncodingDetection {
  /// So much is looked at of what tells one encoding from another.
  private static let sampleByteCount = 1 << 20
  private static let beginningByteCount = 1 << 12

  private let bytes: Rope
  /// From the first byte on that is no ASCII.
  private let sample: [UInt8]

  init(_ bytes: Rope) {
    self.bytes = bytes
    let start = bytes.asciiPrefix
    let end = min(start + Self.sampleByteCount, bytes.endOffset)
    // With what stands before it: a letter or not.
    sample = bytes.bytes(in: max(0, start - 1)..<end)
  }

  /// The mark that the bytes begin with, or UTF-8 without one.
  static func marked(_ bytes: Rope) -> TextEncoding {
    let marked = [TextEncoding.utf8WithMark, .utf16LittleEndianWithMark, .utf16BigEndianWithMark]
    return marked.first { bytes.starts(with: $0.byteOrderMark) } ?? .utf8
  }

  /// UTF-16 without a mark has zeros, all of them in the same halves of its units. UTF-8 may have some: lists of names do.
  static func utf16ByZeros(_ bytes: Rope) -> TextEncoding? {
    let beginning = bytes.bytes(in: 0..<min(ByteOffset(beginningByteCount), bytes.endOffset))
    var zeros = [0, 0]
    for index in beginning.indices where beginning[index] == 0 { zeros[index % 2] += 1 }
    guard zeros.contains(0), zeros[0] + zeros[1] >= max(2, beginning.count / 100) else { return nil }
    let whole = beginning.dropLast(beginning.withUnsafeBytes(UTF8Sequence.unfinishedSuffix(of:)))
    // As UTF-16 it would be more than ASCII, whose letters seldom make UTF-8.
    if (zeros[0] + zeros[1]) * 5 < beginning.count * 2, Rope(whole).isValidUTF8 { return nil }
    return zeros[0] == 0 ? .utf16LittleEndian : .utf16BigEndian
  }

  /// Whether it is no text in any of the encodings of bytes.
  var isBinary: Bool {
    if sample.contains(0) { return true }
    return sample.count(where: \.isRareControl) * 32 > sample.count
  }

  /// Whether it is UTF-8 with damage.
  var isMostlyUTF8: Bool {
    sample.withUnsafeBytes { bytes in
      var (index, sequences, strays) = (0, 0, 0)
      while index < bytes.count {
        let length = UTF8Sequence.length(at: index, in: bytes)
        if length == nil { strays += 1 } else if length != 1 { sequences += 1 }
        index += length ?? 1
      }
      return sequences > strays
    }
  }

  /// What bytes that are not UTF-8 may be, the likelier first.
  var candidates: [TextEncoding] {
    var candidates: [TextEncoding] = []
    if let zeros = Self.utf16ByZeros(bytes) { candidates.append(zeros) }
    if isBinary || isMostlyUTF8 { return candidates }
    let pairs: [(TextEncoding, PairEvidence?)] = [
      (.shiftJIS, PairEvidence(sample, isLead: \.isShiftJISLead, isCommon: PairEvidence.isCommonShiftJIS)),
      (.gb18030, PairEvidence(sample, isLead: \.isGBLead, isCommon: PairEvidence.isCommonGB, hasFours: true)),
    ]
    candidates += pairs.filter { $0.1?.isConvincing == true }.map(\.0)
    if bytes.contains(where: { $0 & 0xE0 == 0x80 }) { candidates.append(.windows1252) }
    return candidates + [.latin1]
  }
}

/// What speaks for an encoding in which some bytes stand in pairs.
private struct PairEvidence {
  private var common = 0
  private var rare = 0
  /// Of the rare ones those that are no characters; and of the common ones those of four bytes.
  private var (strays, fours) = (0, 0)
  private var runs = 0
  /// Of one character beside a letter: rather a letter with an accent, and its neighbour.
  private var loneRuns = 0

  /// Nil if it cannot be that.
  ///
  /// - Parameter hasFours: Four bytes may be a character, too, as no other text has them: lead, digit, lead, digit.
  init?(_ bytes: [UInt8], isLead: (UInt8) -> Bool, isCommon: (UInt8, UInt8) -> Bool, hasFours: Bool = false) {
    var (index, runLength, runStart) = (0, 0, 0)
    func isLetter(_ index: Int) -> Bool { bytes.indices.contains(index) && bytes[index].isASCIILetter }
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        if runLength == 1, isLetter(runStart - 1) || isLetter(index) { loneRuns += 1 }
        (runLength, index) = (0, index + 1)
        continue
      }
      if runLength == 0 { (runs, runStart) = (runs + 1, index) }
      runLength += 1
      guard isLead(byte) else {
        (rare, strays, index) = (rare + 1, strays + 1, index + 1)
        continue
      }
      if hasFours, index + 3 < bytes.count, isLead(bytes[index + 2]), bytes[index + 1].isDigit, bytes[index + 3].isDigit
      {
        (common, fours, index) = (common + 1, fours + 1, index + 4)
        continue
      }
      // The sample may be cut in a pair.
      guard index + 1 < bytes.count else { break }
      if isCommon(byte, bytes[index + 1]) { common += 1 } else { rare += 1 }
      if bytes[index + 1] < 0x40 { strays += 1 }
      index += 2
    }
    if runLength == 1, isLetter(runStart - 1) { loneRuns += 1 }
  }

  /// Nearly all is in everyday use; or some of it is as in no other text, and nothing speaks against it.
  var isConvincing: Bool {
    common > 0 && (common >= 9 * rare || fours > 0 && strays == 0) && loneRuns * 2 <= runs
  }

  /// Kana, punctuation, and the kanji that schools teach.
  static func isCommonShiftJIS(_ lead: UInt8, _ trail: UInt8) -> Bool {
    guard trail >= 0x40, trail != 0x7F, trail <= 0xFC else { return false }
    switch lead {
    case 0x81: return true
    case 0x82: return (0x4F...0xF1).contains(trail)
    case 0x83: return trail <= 0x96
    case 0x88: return trail >= 0x9F
    case 0x89...0x97: return true
    default: return false
    }
  }

  /// Punctuation, wide letters, and the first of the two levels of GB 2312.
  static func isCommonGB(_ lead: UInt8, _ trail: UInt8) -> Bool {
    trail >= 0xA1 && trail != 0xFF && ((0xA1...0xA3).contains(lead) || (0xB0...0xD7).contains(lead))
  }
}

extension UInt8 {
  fileprivate var isRareControl: Bool { self < 0x20 && !(0x08...0x0D).contains(self) && self != 0x1B || self == 0x7F }
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isASCIILetter: Bool { (0x41...0x5A).contains(self & 0xDF) }
  fileprivate var isShiftJISLead: Bool { (0x81...0x9F).contains(self) || (0xE0...0xFC).contains(self) }
  fileprivate var isGBLead: Bool { (0x81...0xFE).contains(self) }
}

extension Rope {
  /// Where the first byte is that is not ASCII, or the end. O(log² n).
  var asciiPrefix: ByteOffset {
    var (start, end) = (0, byteCount)
    while start < end {
      let middle = (start + end + 1) / 2
      if slice(ByteOffset(start)..<ByteOffset(middle)).summary.isASCII { start = middle } else { end = middle - 1 }
    }
    return ByteOffset(start)
  }

  func starts(with other: Rope) -> Bool {
    !other.isEmpty && byteCount >= other.byteCount && slice(0..<other.endOffset) == other
  }

  func contains(where isWanted: (UInt8) -> Bool) -> Bool {
    !forEachChunk(in: fullRange) { !$0.contains(where: isWanted) }
  }
}
