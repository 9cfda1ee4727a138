import Rope
import TextMetrics

/// Finds where one logical line is broken. Breaks may stand behind blanks, behind a hyphen between letters, and on either
/// side of an ideograph: the most used part of Unicode's line breaking (UAX 14).
struct LineBreaker {
  let mode: WrapMode
  let metrics: CellMetrics
  var widths: MeasuredWidths?

  /// The breaks of the line `range`, which includes its line end.
  func breaks(of range: Range<ByteOffset>, in text: Rope) -> [ByteOffset] {
    guard case .bytes(let width) = mode else { return cellBreaks(of: range, in: text) }
    guard range.count > width else { return [] }
    return text.withBytes(in: range) { bytes in
      var filler = LineFiller(width: width, canBreakWords: false)
      var index = 0
      var previous: Unicode.Scalar?
      while index < bytes.count {
        let length = UTF8Sequence.length(at: index, in: bytes) ?? 1
        let scalar = UTF8Sequence.decode(length, at: index, in: bytes)
        filler.add(at: index, width: scalar == "\n" ? 0 : length, mayBreakBefore: Self.mayBreak(previous, scalar))
        previous = scalar
        index += length
      }
      return filler.breaks.map { range.lowerBound + $0 }
    }
  }

  private func cellBreaks(of range: Range<ByteOffset>, in text: Rope) -> [ByteOffset] {
    let width: Int
    switch mode {
    case .cells(let limit), .measured(let limit): width = limit
    case .off, .bytes: return []
    }
    if let breaks = text.withBytes(in: range, { asciiBreaks(of: $0, width: max(width, 1)) }) {
      return breaks.map { range.lowerBound + $0 }
    }
    // Invalid bytes count one for one in offsets and as U+FFFD in cells: such lines are measured by bytes.
    let string = text.string(in: range)
    guard string.utf8.count == range.count else {
      return LineBreaker(mode: .bytes(max(width, 1)), metrics: metrics).breaks(of: range, in: text)
    }
    var filler = LineFiller(width: max(width, 1), canBreakWords: true)
    let bytes = string.utf8Span
    var previous: Unicode.Scalar?
    metrics.forEachCluster(in: bytes) { cluster in
      let first = Self.scalar(at: cluster.byteOffset, of: string)
      filler.add(
        at: cluster.byteOffset, width: measure(cluster, in: string), mayBreakBefore: Self.mayBreak(previous, first))
      previous =
        cluster.byteCount == 1 ? first : Self.lastScalar(before: cluster.byteOffset + cluster.byteCount, of: string)
      return true
    }
    return filler.breaks.map { range.lowerBound + $0 }
  }

  private func measure(_ cluster: CellCluster, in string: String) -> Int {
    guard let widths else { return cluster.width }
    let start = string.utf8.index(string.startIndex, offsetBy: cluster.byteOffset)
    let end = string.utf8.index(start, offsetBy: cluster.byteCount)
    return widths.width(of: String(string[start..<end]), cells: cluster.width)
  }

  /// The same for text of plain ASCII, which most is; nil for any other.
  private func asciiBreaks(of bytes: UnsafeRawBufferPointer, width: Int) -> [Int]? {
    var filler = LineFiller(width: width, canBreakWords: true)
    var column = 0
    var previous: UInt8 = 0x0A
    var end = bytes.count
    if end > 0, bytes[end - 1] == 0x0A { end -= end > 1 && bytes[end - 2] == 0x0D ? 2 : 1 }
    for index in 0..<end {
      let byte = bytes[index]
      let cells: Int
      switch byte {
      case 0x20..<0x7F: cells = 1
      case 0x09: cells = metrics.tabSize - column % metrics.tabSize
      default: return nil
      }
      let pieceWidth = widths?.width(ofASCII: byte, cells: cells) ?? cells
      filler.add(at: index, width: pieceWidth, mayBreakBefore: index > 0 && Self.mayBreak(previous, byte))
      column += cells
      previous = byte
    }
    return filler.breaks
  }

  private static func mayBreak(_ previous: UInt8, _ next: UInt8) -> Bool {
    if next == 0x20 || next == 0x09 { return false }
    if previous == 0x20 || previous == 0x09 { return true }
    return previous == UInt8(ascii: "-") && (next | 0x20) >= UInt8(ascii: "a") && (next | 0x20) <= UInt8(ascii: "z")
  }

  private static func scalar(at offset: Int, of string: String) -> Unicode.Scalar {
    string.unicodeScalars[string.utf8.index(string.startIndex, offsetBy: offset)]
  }

  private static func lastScalar(before offset: Int, of string: String) -> Unicode.Scalar {
    let scalars = string.unicodeScalars
    return scalars[scalars.index(before: string.utf8.index(string.startIndex, offsetBy: offset))]
  }

  private static func mayBreak(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar) -> Bool {
    guard let previous else { return false }
    if next.isBlank || next == "\n" || next == "\r" { return false }
    if previous.isBlank { return true }
    if previous == "-" { return next.properties.isAlphabetic }
    return (previous.isIdeographic || next.isIdeographic) && !next.closes && !previous.opens
  }
}

/// Fills rows of a width with pieces.
private struct LineFiller {
  let width: Int
  let canBreakWords: Bool
  private(set) var breaks: [Int] = []
  private var rowWidth = 0
  private var candidate: (offset: Int, rowWidth: Int)?

  init(width: Int, canBreakWords: Bool) {
    self.width = width
    self.canBreakWords = canBreakWords
  }

  mutating func add(at offset: Int, width pieceWidth: Int, mayBreakBefore: Bool) {
    if mayBreakBefore { candidate = (offset, rowWidth) }
    if rowWidth + pieceWidth > width {
      if let candidate {
        breaks.append(candidate.offset)
        rowWidth -= candidate.rowWidth
        self.candidate = nil
      } else if canBreakWords, rowWidth > 0 {
        breaks.append(offset)
        rowWidth = 0
      }
    }
    rowWidth += pieceWidth
  }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { self == " " || self == "\t" || value == 0x3000 }

  /// Ideographs, kana and hangul.
  fileprivate var isIdeographic: Bool {
    switch value {
    case 0x2E80...0x2FFF, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }

  fileprivate var closes: Bool {
    switch properties.generalCategory {
    case .closePunctuation, .finalPunctuation, .otherPunctuation, .nonspacingMark, .spacingMark: true
    default: false
    }
  }

  fileprivate var opens: Bool {
    properties.generalCategory == .openPunctuation || properties.generalCategory == .initialPunctuation
  }
}
