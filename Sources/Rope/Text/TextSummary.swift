/// The counts of a piece of text.
///
/// A byte that is no part of a well-formed UTF-8 sequence counts as one code point and one UTF-16 unit, as the U+FFFD that stands for it
/// when the text is shown. Counts of pieces add up as long as no sequence is cut.
package struct TextSummary: Summary, Hashable {
  package var bytes = 0
  package var newlines = 0
  package var utf16 = 0
  package var codePoints = 0
  /// Bytes that are no part of a well-formed sequence; the text is valid UTF-8 when there are none.
  package var invalidBytes = 0

  package enum Dimension: Sendable {
    case bytes, newlines, utf16, codePoints
  }

  @inlinable @inline(__always)
  package func measure(_ dimension: Dimension) -> Int {
    switch dimension {
    case .bytes: bytes
    case .newlines: newlines
    case .utf16: utf16
    case .codePoints: codePoints
    }
  }

  package static let zero = TextSummary()

  package var isASCII: Bool { codePoints == bytes && invalidBytes == 0 }
  var length: Int { bytes }

  package init() {}

  /// Counts. O(bytes).
  package init(of text: UnsafeRawBufferPointer) {
    bytes = text.count
    newlines = ByteScan.count(ByteScan.newline, in: text)
    utf16 = bytes
    codePoints = bytes
    guard !ByteScan.isASCII(text) else { return }
    invalidBytes = Self.countInvalidBytes(in: text)
    if invalidBytes == 0 {
      codePoints = ByteScan.countLeading(in: text)
      utf16 = codePoints + ByteScan.countLeadingOfFour(in: text)
    } else {
      countSequences(in: text)
    }
  }

  private static func countInvalidBytes(in text: UnsafeRawBufferPointer) -> Int {
    var invalid = 0
    var index = 0
    while index < text.count {
      let length = UTF8Sequence.length(at: index, in: text)
      if length == nil { invalid += 1 }
      index += length ?? 1
    }
    return invalid
  }

  private mutating func countSequences(in text: UnsafeRawBufferPointer) {
    codePoints = 0
    utf16 = 0
    var index = 0
    while index < text.count {
      let length = UTF8Sequence.length(at: index, in: text) ?? 1
      codePoints += 1
      utf16 += length == 4 ? 2 : 1
      index += length
    }
  }

  @inline(__always)
  package static func += (left: inout TextSummary, right: TextSummary) {
    left.bytes &+= right.bytes
    left.newlines &+= right.newlines
    left.utf16 &+= right.utf16
    left.codePoints &+= right.codePoints
    left.invalidBytes &+= right.invalidBytes
  }

  @inline(__always)
  package static func -= (left: inout TextSummary, right: TextSummary) {
    left.bytes &-= right.bytes
    left.newlines &-= right.newlines
    left.utf16 &-= right.utf16
    left.codePoints &-= right.codePoints
    left.invalidBytes &-= right.invalidBytes
  }
}
