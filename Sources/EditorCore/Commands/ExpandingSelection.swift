import Rope

/// What is selected grows to what stands around it, and shrinks again.
extension TextView {
  /// Each region by itself: to the smallest word, quotation, pair of brackets, line, paragraph or text that is larger.
  func expandSelection() {
    var surroundings = Surroundings(of: text)
    let grown = regionsAfterLooking { region, budget in
      let larger = surroundings.expanded(region.range) { text.brackets(around: region.range, &budget) }
      return larger.map { SelectionRegion($0.lowerBound, $0.upperBound) } ?? region
    }
    guard grown != selection else { return }
    let before = selection
    setSelection(grown)
    carets.noteGrowth(from: before)
  }

  /// Back to what was selected before it grew.
  func shrinkSelection() {
    guard let before = carets.takeGrowth() else {
      remark = "The selection was not expanded"
      return
    }
    select(before)
  }
}

/// What may be selected around places that come in the order of the text. Together O(what is around them).
private struct Surroundings {
  private let text: Rope
  private var words: WordRanges
  private var lines: LogicalLineLookup
  private var cursor: Rope.Cursor
  private var line: Line?
  private var paragraph: Range<ByteOffset>?
  /// How many bytes of paragraphs may still be walked through.
  private var budget = 4 << 20

  /// A longer line is searched for no quotes.
  private static let longestLine = 1 << 20

  init(of text: Rope) {
    self.text = text
    words = WordRanges(of: text)
    lines = LogicalLineLookup(of: text)
    cursor = Rope.Cursor(text, at: 0)
  }

  /// The smallest that is larger than `range`; nil for the whole text.
  ///
  /// - Parameter brackets: Those around it, looked for where they may be the smallest.
  mutating func expanded(_ range: Range<ByteOffset>, brackets: () -> Range<ByteOffset>?) -> Range<ByteOffset>? {
    // No word has a bracket, a quote or a line end in it.
    if let word = words.word(at: range.lowerBound), word != range, word.contains(range) { return word }
    var smallest = Smallest(around: range)
    let line = line(at: range.lowerBound)
    if let quotation = line.quotation(around: range) { smallest.considerPair(quotation, &cursor) }
    if let brackets = brackets() { smallest.considerPair(brackets, &cursor) }
    let indented = cursor.indentationEnd(from: line.content.lowerBound)
    smallest.consider(min(indented, line.content.upperBound)..<line.content.upperBound, &cursor)
    smallest.consider(line.content, &cursor)
    if line.content == range || !line.content.contains(range) {
      if let paragraph = paragraph(around: range) { smallest.consider(paragraph, &cursor) }
      smallest.consider(0..<text.endOffset, &cursor)
    }
    return smallest.found
  }

  private mutating func line(at offset: ByteOffset) -> Line {
    if let line, line.content.lowerBound <= offset, offset <= line.content.upperBound { return line }
    let found = lines.line(of: offset)
    let content = found.range.lowerBound..<found.contentEnd
    let quotations = content.count <= Self.longestLine ? text.withBytes(in: content, Quotations.find) : []
    let line = Line(content: content, quotations: quotations)
    self.line = line
    return line
  }

  /// The lines around that are not blank, up to the line end of the last.
  private mutating func paragraph(around range: Range<ByteOffset>) -> Range<ByteOffset>? {
    if let paragraph, paragraph.contains(range) { return paragraph }
    guard budget > 0 else { return nil }
    let first = lines.line(of: range.lowerBound)
    guard !isBlank(first) else { return nil }
    var start = first.range.lowerBound
    while start > 0, budget > 0 {
      let previous = lines.line(of: start - 1)
      if isBlank(previous) { break }
      budget -= previous.range.count
      start = previous.range.lowerBound
    }
    var last = lines.line(of: range.upperBound)
    while budget > 0, let next = lines.line(behind: last), !isBlank(next) {
      budget -= next.contentEnd - last.contentEnd
      last = next
    }
    guard budget > 0 else { return nil }
    paragraph = start..<last.contentEnd
    return paragraph
  }

  private mutating func isBlank(_ line: LogicalLineLookup.Line) -> Bool {
    cursor.indentationEnd(from: line.range.lowerBound) >= line.contentEnd
  }
}

/// Of ranges that are larger than one, the smallest; of equal ones the first.
private struct Smallest {
  private let range: Range<ByteOffset>
  private(set) var found: Range<ByteOffset>?

  init(around range: Range<ByteOffset>) { self.range = range }

  mutating func consider(_ other: Range<ByteOffset>, _ cursor: inout Rope.Cursor) {
    guard other.contains(range), other.count < found?.count ?? .max else { return }
    // A mark may stand on a bracket, and belong to it.
    let whole = cursor.wholeClusters(other)
    if whole != range, whole.count < found?.count ?? .max { found = whole }
  }

  /// What is between the two, and they themselves.
  mutating func considerPair(_ pair: Range<ByteOffset>, _ cursor: inout Rope.Cursor) {
    consider((pair.lowerBound + 1)..<(pair.upperBound - 1), &cursor)
    consider(pair, &cursor)
  }
}

private struct Line {
  let content: Range<ByteOffset>
  /// In bytes of the line, with the quotes.
  let quotations: [Range<Int>]

  func quotation(around range: Range<ByteOffset>) -> Range<ByteOffset>? {
    let (low, high) = (range.lowerBound - content.lowerBound, range.upperBound - content.lowerBound)
    var (first, end) = (0, quotations.count)
    while first < end {
      let middle = (first + end) / 2
      if quotations[middle].upperBound <= low { first = middle + 1 } else { end = middle }
    }
    guard first < quotations.count, quotations[first].lowerBound <= low, high <= quotations[first].upperBound else {
      return nil
    }
    return (content.lowerBound + quotations[first].lowerBound)..<(content.lowerBound + quotations[first].upperBound)
  }
}

/// What stands between quotes in a line.
enum Quotations {
  /// One behind the other; an apostrophe in a word is no quote. O(bytes).
  static func find(in line: UnsafeRawBufferPointer) -> [Range<Int>] {
    var found: [Range<Int>] = []
    /// Of these no other one follows.
    var unpaired: Set<UInt8> = []
    var index = 0
    while index < line.count {
      if isQuote(at: index, of: line), !unpaired.contains(line[index]) {
        if let end = closing(line[index], behind: index, of: line) {
          found.append(index..<(end + 1))
          index = end
        } else {
          unpaired.insert(line[index])
        }
      }
      index += 1
    }
    return found
  }

  private static func isQuote(at index: Int, of line: UnsafeRawBufferPointer) -> Bool {
    switch line[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "`"): true
    case UInt8(ascii: "'"): index == 0 || !isLetter(line[index - 1])
    default: false
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }

  private static func closing(_ quote: UInt8, behind start: Int, of line: UnsafeRawBufferPointer) -> Int? {
    var index = start + 1
    while index < line.count {
      if line[index] == quote { return index }
      index += line[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }
}

extension Range<ByteOffset> {
  fileprivate func contains(_ other: Self) -> Bool { lowerBound <= other.lowerBound && other.upperBound <= upperBound }
}
