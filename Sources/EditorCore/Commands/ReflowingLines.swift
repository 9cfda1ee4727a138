import Rope
import TextMetrics

/// Lines of a paragraph are broken anew, so that each has as many words as there is room for.
///
/// Words stay where they are in the text: what stands between them is replaced, so that carets stay with their words and no byte of a word
/// is touched.
extension TextView {
  /// A paragraph that is longer is left alone, as is more of them together.
  static let reflowedByteCount = 4 << 20

  /// Each paragraph of the selected lines; that of each caret.
  func reflow() {
    let language = document.rules ?? .plain(document.language)
    var paragraphs: [[ParagraphLine]] = []
    var room = Self.reflowedByteCount
    for region in selection.regions {
      // Carets in one paragraph are many carets of one change.
      if let end = paragraphs.last?.last?.end, region.lowerBound <= end, region.isCaret { continue }
      let found =
        region.isCaret
        ? paragraph(at: region.active, language, &room).map { [$0] } : linesTogether(of: region, language, &room)
      guard let found else {
        remark = "The paragraph is too long to be broken anew"
        return
      }
      for paragraph in found {
        guard let first = paragraph.first, paragraphs.last?.last.map({ $0.end < first.start }) ?? true else { continue }
        paragraphs.append(paragraph)
      }
    }
    if paragraphs.isEmpty {
      remark = "There is no paragraph here"
      return
    }
    let delta = replace { builder in
      for paragraph in paragraphs {
        for (range, replacement) in gaps(of: paragraph) where !text.bytes(in: range).elementsEqual(replacement) {
          builder.replace(range, with: Rope(replacement))
        }
      }
    }
    if !delta.isIdentity { commit(delta, as: .other) }
  }

  // MARK: Paragraphs

  /// The lines around a caret that belong together; empty where it stands in none, nil where they are too long.
  private func paragraph(at caret: ByteOffset, _ language: Language, _ room: inout Int) -> [ParagraphLine]? {
    guard let line = paragraphLine(text.line(at: caret), language, &room) else { return nil }
    guard !line.isBlank else { return [] }
    var above: [ParagraphLine] = []
    var first = line
    while !first.isItem, first.number > 0 {
      guard let next = paragraphLine(first.number - 1, language, &room) else { return nil }
      guard next.continues(with: first) else { break }
      above.append(next)
      first = next
    }
    var lines = above.reversed() + [line]
    while let last = lines.last, last.number.value + 1 < text.lineCount {
      guard let below = paragraphLine(last.number + 1, language, &room) else { return nil }
      guard last.continues(with: below), !below.isItem else { break }
      lines.append(below)
    }
    return lines
  }

  /// The paragraphs of selected lines.
  private func linesTogether(
    of region: SelectionRegion, _ language: Language, _ room: inout Int
  ) -> [[ParagraphLine]]? {
    var paragraphs: [[ParagraphLine]] = []
    for number in logicalLines(of: region) {
      guard let line = paragraphLine(number, language, &room) else { return nil }
      if line.isBlank { continue }
      if let last = paragraphs.last?.last, last.number + 1 == number, last.continues(with: line), !line.isItem {
        paragraphs[paragraphs.count - 1].append(line)
      } else {
        paragraphs.append([line])
      }
    }
    return paragraphs
  }

  private func paragraphLine(_ number: LineNumber, _ language: Language, _ room: inout Int) -> ParagraphLine? {
    let start: ByteOffset = text.convert(number)
    let end = text.lineContentEnd(of: start)
    room -= text.range(ofLine: number).count
    return room < 0 ? nil : ParagraphLine(number: number, start: start, text.bytes(in: start..<end), language)
  }

  // MARK: Breaking

  /// What stands between the words, and what is to.
  private func gaps(of paragraph: [ParagraphLine]) -> [(Range<ByteOffset>, [UInt8])] {
    let words = paragraph.flatMap { line in unbroken(self.words(from: line.start + line.prefix.count, to: line.end)) }
    guard let first = words.first, let last = words.last, let end = paragraph.last?.end else { return [] }
    let metrics = CellMetrics(tabSize: document.config.tabSize)
    let ending = Array(document.lineEnding.utf8)
    let hanging = paragraph.count > 1 ? paragraph[1].prefix : paragraph[0].hangingPrefix
    func width(of bytes: [UInt8], from column: Int = 0) -> Int {
      metrics.width(of: String(decoding: bytes, as: UTF8.self), startingAtColumn: column)
    }
    let start = width(of: hanging)
    var column = width(of: paragraph[0].prefix)
    column += width(of: text.bytes(in: first), from: column)
    var gaps: [(Range<ByteOffset>, [UInt8])] = []
    for (word, next) in zip(words, words.dropFirst()) {
      let bytes = text.bytes(in: next)
      let gap = word.upperBound..<next.lowerBound
      let blank: [UInt8] = needsBlank(gap) ? [0x20] : []
      let end = column + blank.count + width(of: bytes, from: column + blank.count)
      let isBroken = end > document.config.textWidth
      column = isBroken ? start + width(of: bytes, from: start) : end
      gaps.append((gap, isBroken ? ending + hanging : blank))
    }
    gaps.append((last.upperBound..<end, []))
    return gaps
  }

  /// Not within a line that has none there, nor between lines of a script without blanks.
  private func needsBlank(_ gap: Range<ByteOffset>) -> Bool {
    guard !gap.isEmpty else { return false }
    guard text.bytes(in: gap).contains(0x0A) else { return true }
    var (before, behind) = (Rope.Cursor(text, at: gap.lowerBound), Rope.Cursor(text, at: gap.upperBound))
    guard let previous = before.previousCodePoint(), let next = behind.nextCodePoint() else { return true }
    return !LineBreaker.joinsUnspaced(previous, next)
  }

  /// What blanks stand between, and what may be broken without. A blank with a mark on it is none.
  private func words(from start: ByteOffset, to end: ByteOffset) -> [Range<ByteOffset>] {
    let bytes = text.bytes(in: start..<end)
    var words: [Range<ByteOffset>] = []
    var wordStart: Int?
    let breaks = unspacedBreaks(in: bytes, from: start)
    for (index, byte) in bytes.enumerated() {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      let separates = byte.isBlank && (next < 0x80 || text.isBetweenClusters(start + index + 1))
      if separates, let first = wordStart {
        words.append(start + first..<start + index)
        wordStart = nil
      } else if !separates, wordStart == nil {
        wordStart = index
      } else if let first = wordStart, breaks.contains(index) {
        words.append(start + first..<start + index)
        wordStart = index
      }
    }
    if let first = wordStart { words.append(start + first..<end) }
    return words
  }

  /// A mark of a list or a quotation stays with the word behind it where it begins the line, else with the one before: alone at the end
  /// of a line, or at the beginning of the next one, it would be another's.
  private func unbroken(_ words: [Range<ByteOffset>]) -> [Range<ByteOffset>] {
    var kept: [Range<ByteOffset>] = []
    for (index, word) in words.enumerated() {
      let isBehindMark = index == 1 && isMark(words[0])
      if let last = kept.last, isBehindMark || isMark(word) {
        kept[kept.count - 1] = last.lowerBound..<word.upperBound
      } else {
        kept.append(word)
      }
    }
    return kept
  }

  private func isMark(_ word: Range<ByteOffset>) -> Bool {
    // One more than the longest mark: what is longer is none.
    let bytes = text.bytes(
      in: word.lowerBound..<min(word.upperBound, word.lowerBound + ArraySlice<UInt8>.longestMark + 1))[...]
    return bytes.first == UInt8(ascii: ">") || bytes.itemMarkCount == bytes.count
  }

  private func unspacedBreaks(in bytes: [UInt8], from start: ByteOffset) -> Set<Int> {
    guard bytes.contains(where: { $0 >= 0xE2 }) else { return [] }
    return bytes.withUnsafeBytes { bytes in
      var breaks: Set<Int> = []
      var (index, previous) = (0, Unicode.Scalar(UInt8(0)))
      while index < bytes.count {
        let length = UTF8Sequence.length(at: index, in: bytes) ?? 1
        let scalar = UTF8Sequence.decode(length, at: index, in: bytes)
        if LineBreaker.mayBreakUnspaced(previous, scalar), text.isBetweenClusters(start + index) {
          breaks.insert(index)
        }
        previous = scalar
        index += length
      }
      return breaks
    }
  }
}

/// A line, and what it begins with that is none of its words.
private struct ParagraphLine {
  let number: LineNumber
  let start: ByteOffset
  /// Before its line end.
  let end: ByteOffset
  /// Indentation, marks of a comment or a quotation, and the blanks behind them.
  let prefix: [UInt8]
  /// Those marks alone.
  let marks: [UInt8]
  /// It has no words.
  let isBlank: Bool
  /// Of the mark of a list with the blanks behind it; 0 for what is no item of one.
  private let itemMarkCount: Int

  init(number: LineNumber, start: ByteOffset, _ bytes: [UInt8], _ language: Language) {
    (self.number, self.start, end) = (number, start, start + bytes.count)
    var (rest, marks) = (bytes[...], [UInt8]())
    rest = rest.drop(while: \.isBlank)
    while let count = rest.markCount(language, isFirst: marks.isEmpty), count > 0 {
      marks += rest.prefix(count)
      rest = rest.dropFirst(count).drop(while: \.isBlank)
    }
    // A blank with a mark on it is a word's.
    if let byte = rest.first, byte >= 0x80, rest.startIndex > 0, bytes[rest.startIndex - 1].isBlank,
      !Rope(bytes).isBetweenClusters(ByteOffset(rest.startIndex))
    {
      rest = bytes[(rest.startIndex - 1)...]
    }
    (prefix, self.marks, isBlank) = (Array(bytes[..<rest.startIndex]), marks, rest.isEmpty)
    itemMarkCount = rest.itemMarkCount
  }

  var isItem: Bool { itemMarkCount > 0 }

  /// What lines below begin with, where there are none yet: the words of an item stand below each other.
  var hangingPrefix: [UInt8] { prefix + [UInt8](repeating: 0x20, count: itemMarkCount) }

  /// Whether the next line may be of the same paragraph.
  func continues(with next: ParagraphLine) -> Bool { !isBlank && !next.isBlank && marks == next.marks }
}

extension ArraySlice<UInt8> {
  /// The length of the mark of a comment or a quotation that these begin with.
  fileprivate func markCount(_ language: Language, isFirst: Bool) -> Int? {
    if first == UInt8(ascii: ">") { return 1 }
    guard isFirst else { return nil }
    if language.blockComment?.open == "/*", first == UInt8(ascii: "*"), dropFirst().first?.isBlank ?? true { return 1 }
    guard let mark = language.lineComment.map({ Array($0.utf8) }), let end = mark.last, starts(with: mark) else {
      return nil
    }
    // As in `///`, `//!` and `;;`.
    if end.isWordByte { return dropFirst(mark.count).first?.isBlank ?? true ? mark.count : nil }
    let repeated = dropFirst(mark.count).prefix { $0 == end }.count
    let isLoud = dropFirst(mark.count + repeated).first == UInt8(ascii: "!")
    return mark.count + repeated + (isLoud ? 1 : 0)
  }

  fileprivate static var longestMark: Int { 5 }

  /// The length of `- `, `* `, `+ `, `1. ` or `1) `, whose blank may be the end of the line.
  fileprivate var itemMarkCount: Int {
    let digits = prefix { (0x30...0x39).contains($0) }.count
    let marks = digits == 0 ? Array("-*+".utf8) : Array(".)".utf8)
    guard digits < Self.longestMark, let mark = dropFirst(digits).first, marks.contains(mark) else { return 0 }
    let blanks = dropFirst(digits + 1).prefix { $0 == 0x20 }.count
    return blanks > 0 || count == digits + 1 ? digits + 1 + blanks : 0
  }
}
