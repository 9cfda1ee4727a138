import Rope
import TextMetrics

/// Finds where one logical line is broken. Breaks may stand behind blanks, behind a hyphen between letters, on either side of
/// an ideograph or an emoji, and between two flags: the most used part of Unicode's line breaking (UAX 14).
struct LineBreaker {
  let mode: WrapMode
  let metrics: CellMetrics
  var widths: MeasuredWidths?

  /// What is longer in one piece makes its row longer; nil where words are broken.
  var longestRow: Int? { if case .bytes(let width) = mode { width } else { nil } }

  /// The breaks of the line `range`, which includes its line end.
  ///
  /// - Parameter goesOn: It is the rest of a row that is too long without a place for a break.
  func breaks(of range: Range<ByteOffset>, in text: Rope, goesOn: Bool = false) -> [ByteOffset] {
    guard case .bytes(let width) = mode else { return cellBreaks(of: range, in: text) }
    guard goesOn || range.count > width else { return [] }
    return text.withBytes(in: range) { bytes in
      if let breaks = asciiBreaks(of: bytes, width: width, countsBytes: true, goesOn: goesOn) {
        return breaks.map { range.lowerBound + $0 }
      }
      var filler = LineFiller(width: width, canBreakWords: false, rowWidth: goesOn ? width : 0)
      var index = 0
      var previous: Unicode.Scalar?
      var isAmidFlag = false
      while index < bytes.count {
        let length = UTF8Sequence.length(at: index, in: bytes) ?? 1
        let scalar = UTF8Sequence.decode(length, at: index, in: bytes)
        let mayBreak = !isAmidFlag && Self.mayBreak(previous, scalar)
        filler.add(
          at: index, width: scalar == "\n" ? 0 : length,
          mayBreakBefore: mayBreak && text.isBetweenClusters(range.lowerBound + index))
        isAmidFlag = scalar.isFlagLetter && !isAmidFlag
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
    let string = text.string(in: range)
    var filler = LineFiller(width: max(width, 1), canBreakWords: true, tabSize: widths == nil ? metrics.tabSize : nil)
    let bytes = string.utf8Span
    var previous: Unicode.Scalar?
    metrics.forEachCluster(in: bytes) { cluster in
      let first = Self.scalar(at: cluster.byteOffset, of: string)
      filler.add(
        at: cluster.byteOffset, width: measure(cluster, in: string), isTab: first == "\t",
        mayBreakBefore: Self.mayBreak(previous, first))
      previous =
        cluster.byteCount == 1 ? first : Self.lastScalar(before: cluster.byteOffset + cluster.byteCount, of: string)
      return true
    }
    guard string.utf8.count != range.count else { return filler.breaks.map { range.lowerBound + $0 } }
    // An invalid byte is drawn as U+FFFD, which has three.
    return text.withBytes(in: range) { source in
      var (offset, drawn) = (0, 0)
      return filler.breaks.map { place in
        while drawn < place, offset < source.count {
          let length = UTF8Sequence.length(at: offset, in: source)
          offset += length ?? 1
          drawn += length ?? 3
        }
        return range.lowerBound + offset
      }
    }
  }

  private func measure(_ cluster: CellCluster, in string: String) -> Int {
    guard let widths else { return cluster.width }
    let start = string.utf8.index(string.startIndex, offsetBy: cluster.byteOffset)
    let end = string.utf8.index(start, offsetBy: cluster.byteCount)
    return widths.width(of: String(string[start..<end]), cells: cluster.width)
  }

  /// The same for text of plain ASCII, which most is; nil for any other.
  ///
  /// - Parameter countsBytes: Each is as wide as another, the return before a newline among them.
  private func asciiBreaks(
    of bytes: UnsafeRawBufferPointer, width: Int, countsBytes: Bool = false, goesOn: Bool = false
  ) -> [Int]? {
    let tabSize = widths == nil && !countsBytes ? metrics.tabSize : nil
    var filler = LineFiller(
      width: width, canBreakWords: !countsBytes, tabSize: tabSize, rowWidth: goesOn ? width : 0)
    var column = 0
    var previous: UInt8 = 0x0A
    var end = bytes.count
    if end > 0, bytes[end - 1] == 0x0A { end -= end > 1 && bytes[end - 2] == 0x0D && !countsBytes ? 2 : 1 }
    for index in 0..<end {
      let byte = bytes[index]
      let cells: Int
      switch byte {
      case 0x20..<0x7F: cells = 1
      case 0x09: cells = countsBytes ? 1 : metrics.tabSize - column % metrics.tabSize
      default: return nil
      }
      let pieceWidth = countsBytes ? 1 : widths?.width(ofASCII: byte, cells: cells) ?? cells
      filler.add(
        at: index, width: pieceWidth, isTab: byte == 0x09, mayBreakBefore: index > 0 && Self.mayBreak(previous, byte))
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
    if previous.isFlagLetter, next.isFlagLetter { return true }
    // Letters of most alphabets, as which nothing below is; the tables of the library are slow.
    if max(previous.value, next.value) < 0x200D { return false }
    // Parts of one emoji.
    if previous.isJoiner || next.isJoiner || next.properties.isEmojiModifier { return false }
    return (previous.isIdeographic || next.isIdeographic) && !next.closes && !previous.opens
  }
}

/// Fills rows of a width with pieces.
private struct LineFiller {
  private struct Piece {
    var offset: Int
    var width: Int
    var isTab: Bool
  }

  let width: Int
  let canBreakWords: Bool
  /// A tab goes to the next stop of its row; nil where it has a width of its own.
  let tabSize: Int?
  private(set) var breaks: [Int] = []
  private var rowWidth: Int
  /// The last place for a break in the row, and what stands behind it.
  private var candidate: Int?
  private var behindCandidate: [Piece] = []

  init(width: Int, canBreakWords: Bool, tabSize: Int? = nil, rowWidth: Int = 0) {
    self.width = width
    self.rowWidth = rowWidth
    self.canBreakWords = canBreakWords
    self.tabSize = tabSize
  }

  mutating func add(at offset: Int, width pieceWidth: Int, isTab: Bool = false, mayBreakBefore: Bool) {
    if mayBreakBefore {
      candidate = offset
      behindCandidate.removeAll(keepingCapacity: true)
    }
    place(Piece(offset: offset, width: pieceWidth, isTab: isTab))
  }

  private mutating func place(_ piece: Piece) {
    if rowWidth + width(of: piece) > width {
      if let candidate {
        breaks.append(candidate)
        let moved = behindCandidate
        startRow()
        // Their tabs go to the stops of the row they are in now.
        for piece in moved { place(piece) }
        if !moved.isEmpty, rowWidth + width(of: piece) > width, canBreakWords { breakBefore(piece) }
      } else if canBreakWords, rowWidth > 0 {
        breakBefore(piece)
      }
    }
    rowWidth += width(of: piece)
    if candidate != nil { behindCandidate.append(piece) }
  }

  private mutating func breakBefore(_ piece: Piece) {
    breaks.append(piece.offset)
    startRow()
  }

  private mutating func startRow() {
    rowWidth = 0
    candidate = nil
    behindCandidate.removeAll(keepingCapacity: true)
  }

  private func width(of piece: Piece) -> Int {
    guard piece.isTab, let tabSize else { return piece.width }
    return tabSize - rowWidth % tabSize
  }
}

extension LineBreaker {
  /// Whether a text that has no blanks there may be broken between two characters.
  static func mayBreakUnspaced(_ previous: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
    let first: UInt32 = 0x2E80
    return max(previous.value, next.value) >= first && !previous.isBlank && mayBreak(previous, next)
      && (previous.isUnspaced || next.isUnspaced || previous.isIdeographic && next.isIdeographic)
  }

  /// Whether lines that end and begin with these are one without a blank.
  static func joinsUnspaced(_ previous: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
    previous.isUnspaced && next.isUnspaced
  }
}

extension Unicode.Scalar {
  /// Of a script that has no blanks between words, or its punctuation. Hangul has some.
  fileprivate var isUnspaced: Bool {
    switch value {
    case 0x2E80...0x2FFF, 0x3001...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF01...0xFF60, 0x20000...0x3FFFD: true
    default: false
    }
  }

  fileprivate var isBlank: Bool { self == " " || self == "\t" || value == 0x3000 }

  /// Ideographs, kana and hangul, and emoji, which are broken as they are.
  fileprivate var isIdeographic: Bool {
    switch value {
    case 0x2E80...0x2FFF, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation && !isFlagLetter
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
