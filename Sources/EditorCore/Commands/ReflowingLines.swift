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
    var lines = ParagraphLines(
      of: text, document.settings.rules ?? .plain(document.settings.language), room: Self.reflowedByteCount)
    var paragraphs: [[ParagraphLine]] = []
    for region in selection.regions {
      // Carets in one paragraph are many carets of one change.
      if let end = paragraphs.last?.last?.end, region.lowerBound <= end, region.isCaret { continue }
      let found = region.isCaret ? lines.paragraph(at: region.active).map { [$0] } : lines.paragraphs(of: region)
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
    let delta = replace { builder in for paragraph in paragraphs { breakAnew(paragraph, &builder) } }
    if !delta.isIdentity { commit(delta, as: .other) }
  }

  // MARK: Breaking

  /// Replaces what stands between the words, where it is not what it is to be.
  private func breakAnew(_ paragraph: [ParagraphLine], _ builder: inout Delta.Builder) {
    let metrics = CellMetrics(tabSize: document.settings.config.tabSize)
    let hanging = paragraph.count > 1 ? paragraph[1].prefix : paragraph[0].hangingPrefix
    let lineBreak = Array(document.lineEnding.utf8) + hanging
    let blank: [UInt8] = [0x20]
    let (brokenGap, blankGap) = (Rope(lineBreak), Rope(blank))
    let start = metrics.width(of: hanging[...], from: 0)
    var column = metrics.width(of: paragraph[0].prefix[...], from: 0)
    var last: ByteOffset?
    var cursor = Rope.Cursor(text, at: paragraph[0].start)
    for line in paragraph {
      for (index, word) in unbroken(words(of: line), of: line).enumerated() {
        let bytes = line.bytes[word]
        defer { last = line.start + word.upperBound }
        guard let last else {
          column += metrics.width(of: bytes, from: column)
          continue
        }
        let gap = last..<(line.start + word.lowerBound)
        let blankCount = gap.isEmpty || index == 0 && joinsUnspaced(gap, &cursor) ? 0 : 1
        let end = column + blankCount + metrics.width(of: bytes, from: column + blankCount)
        let isBroken = end > document.settings.config.textWidth
        column = isBroken ? start + metrics.width(of: bytes, from: start) : end
        let wanted = isBroken ? lineBreak[...] : blank.prefix(blankCount)
        cursor.move(to: gap.lowerBound)
        if gap.count != wanted.count || !wanted.allSatisfy({ cursor.next() == $0 }) {
          builder.replace(gap, with: isBroken ? brokenGap : blankCount == 0 ? Rope() : blankGap)
        }
      }
    }
    if let last, let end = paragraph.last?.end { builder.replace(last..<end, with: Rope()) }
  }

  /// Between lines of a script without blanks there is none.
  private func joinsUnspaced(_ gap: Range<ByteOffset>, _ cursor: inout Rope.Cursor) -> Bool {
    cursor.move(to: gap.lowerBound)
    guard let previous = cursor.previousCodePoint(), previous.value >= 0x80 else { return false }
    cursor.move(to: gap.upperBound)
    return cursor.nextCodePoint().map { LineBreaker.joinsUnspaced(previous, $0) } ?? false
  }

  /// What blanks stand between, and what may be broken without. A blank with a mark on it is none.
  private func words(of line: ParagraphLine) -> [Range<Int>] {
    let bytes = line.bytes
    var words: [Range<Int>] = []
    var wordStart: Int?
    let breaks = unspacedBreaks(in: line)
    for index in line.prefix.count..<bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      let separates = bytes[index].isBlank && (next < 0x80 || text.isBetweenClusters(line.start + index + 1))
      if separates, let first = wordStart {
        words.append(first..<index)
        wordStart = nil
      } else if !separates, wordStart == nil {
        wordStart = index
      } else if let first = wordStart, !breaks.isEmpty, breaks.contains(index) {
        words.append(first..<index)
        wordStart = index
      }
    }
    if let first = wordStart { words.append(first..<bytes.count) }
    return words
  }

  /// A mark of a list or a quotation stays with the word behind it where it begins the line, else with the one before: alone at the end
  /// of a line, or at the beginning of the next one, it would be another's.
  private func unbroken(_ words: [Range<Int>], of line: ParagraphLine) -> [Range<Int>] {
    guard words.contains(where: { line.bytes[$0].isMark }) else { return words }
    var kept: [Range<Int>] = []
    kept.reserveCapacity(words.count)
    for (index, word) in words.enumerated() {
      let isBehindMark = index == 1 && line.bytes[words[0]].isMark
      if let last = kept.last, isBehindMark || line.bytes[word].isMark {
        kept[kept.count - 1] = last.lowerBound..<word.upperBound
      } else {
        kept.append(word)
      }
    }
    return kept
  }

  private func unspacedBreaks(in line: ParagraphLine) -> Set<Int> {
    guard line.bytes.contains(where: { $0 >= 0xE2 }) else { return [] }
    return line.bytes.withUnsafeBytes { bytes in
      var breaks: Set<Int> = []
      var (index, previous) = (line.prefix.count, Unicode.Scalar(UInt8(0)))
      while index < bytes.count {
        let length = UTF8Sequence.length(at: index, in: bytes) ?? 1
        let scalar = UTF8Sequence.decode(length, at: index, in: bytes)
        if LineBreaker.mayBreakUnspaced(previous, scalar), text.isBetweenClusters(line.start + index) {
          breaks.insert(index)
        }
        previous = scalar
        index += length
      }
      return breaks
    }
  }
}

/// Lines of paragraphs, which mostly come in the order of the text.
private struct ParagraphLines {
  private let text: Rope
  private let language: Language
  /// How many bytes may still be looked at.
  private var room: Int
  private var lookup: LogicalLineLookup
  /// The last ones, and where the next goes: who goes down a text looks up from each paragraph at the line above.
  private var known: [ParagraphLine] = []
  private var next = 0
  private static let knownCount = 4

  init(of text: Rope, _ language: Language, room: Int) {
    (self.text, self.language, self.room) = (text, language, room)
    lookup = LogicalLineLookup(of: text)
  }

  /// The lines around a caret that belong together; empty where it stands in none, nil where they are too long.
  mutating func paragraph(at caret: ByteOffset) -> [ParagraphLine]? {
    guard let line = line(at: caret) else { return nil }
    guard !line.isBlank else { return [] }
    var above: [ParagraphLine] = []
    var first = line
    while !first.isItem, first.start > 0 {
      guard let next = self.line(at: first.start - 1) else { return nil }
      guard next.continues(with: first) else { break }
      above.append(next)
      first = next
    }
    var lines = above.reversed() + [line]
    var last = line
    while !last.isLast {
      guard let below = self.line(at: last.next) else { return nil }
      guard last.continues(with: below), !below.isItem else { break }
      lines.append(below)
      last = below
    }
    return lines
  }

  /// The paragraphs of selected lines.
  mutating func paragraphs(of region: SelectionRegion) -> [[ParagraphLine]]? {
    var paragraphs: [[ParagraphLine]] = []
    var place = region.lowerBound
    while true {
      guard let line = line(at: place) else { return nil }
      if let last = paragraphs.last?.last, last.next == line.start, last.continues(with: line), !line.isItem {
        paragraphs[paragraphs.count - 1].append(line)
      } else if !line.isBlank {
        paragraphs.append([line])
      }
      place = line.next
      if line.isLast || place >= region.upperBound { return paragraphs }
    }
  }

  private mutating func line(at offset: ByteOffset) -> ParagraphLine? {
    for line in known where line.start <= offset && (offset < line.next || line.isLast) { return line }
    let found = lookup.line(of: offset)
    room -= found.range.count
    guard room >= 0 else { return nil }
    let bytes = text.bytes(in: found.range.lowerBound..<found.contentEnd)
    let line = ParagraphLine(bytes, language, from: found.range, isLast: found.isLast)
    if known.count < Self.knownCount { known.append(line) } else { known[next] = line }
    next = (next + 1) % Self.knownCount
    return line
  }
}

/// A line, and what it begins with that is none of its words.
private struct ParagraphLine {
  let start: ByteOffset
  /// Where the next line starts, or the text ends.
  let next: ByteOffset
  let isLast: Bool
  /// Without its line end.
  let bytes: [UInt8]
  var end: ByteOffset { start + bytes.count }
  /// Indentation, marks of a comment or a quotation, and the blanks behind them.
  let prefix: [UInt8]
  /// Those marks alone.
  let marks: [UInt8]
  /// It has no words.
  let isBlank: Bool
  /// Of the mark of a list with the blanks behind it; 0 for what is no item of one.
  private let itemMarkCount: Int

  init(_ bytes: [UInt8], _ language: Language, from range: Range<ByteOffset>, isLast: Bool) {
    (start, next, self.isLast, self.bytes) = (range.lowerBound, range.upperBound, isLast, bytes)
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
    guard let mark = language.lineComment?.utf8, let end = mark.last, starts(with: mark) else { return nil }
    // As in `///`, `//!` and `;;`.
    if end.isWordByte { return dropFirst(mark.count).first?.isBlank ?? true ? mark.count : nil }
    let repeated = dropFirst(mark.count).prefix { $0 == end }.count
    let isLoud = dropFirst(mark.count + repeated).first == UInt8(ascii: "!")
    return mark.count + repeated + (isLoud ? 1 : 0)
  }

  private static var longestMark: Int { 5 }

  /// The length of `- `, `* `, `+ `, `1. ` or `1) `, whose blank may be the end of the line.
  fileprivate var itemMarkCount: Int {
    let digits = prefix { (0x30...0x39).contains($0) }.count
    let marks: StaticString = digits == 0 ? "-*+" : ".)"
    guard digits < Self.longestMark, let mark = dropFirst(digits).first,
      marks.withUTF8Buffer({ $0.contains(mark) })
    else { return 0 }
    let blanks = dropFirst(digits + 1).prefix { $0 == 0x20 }.count
    return blanks > 0 || count == digits + 1 ? digits + 1 + blanks : 0
  }

  /// Whether this word is a mark of a list or a quotation.
  fileprivate var isMark: Bool {
    guard let first, !first.isWordByte || (0x30...0x39).contains(first) else { return false }
    // One more than the longest mark: what is longer is none.
    let bytes = prefix(Self.longestMark + 1)
    return first == UInt8(ascii: ">") || bytes.itemMarkCount == bytes.count
  }
}

extension CellMetrics {
  fileprivate func width(of word: ArraySlice<UInt8>, from column: Int) -> Int {
    // Of most words it is known without a look at their clusters.
    if word.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return word.count }
    return width(of: String(decoding: word, as: UTF8.self), startingAtColumn: column)
  }
}
