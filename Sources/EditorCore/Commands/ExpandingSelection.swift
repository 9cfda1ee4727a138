import Rope

/// What is selected grows to what stands around it, and shrinks again.
extension TextView {
  /// Each region by itself: to the smallest word, quotation, pair of brackets, line, paragraph or text that is larger.
  func expandSelection() {
    var surroundings = Surroundings(of: text)
    let distance = Self.commandDistance / selection.regions.count
    var grown = Selection()
    for region in selection.regions {
      var candidates = surroundings.candidates(around: region.range)
      if let outer = enclosing(region.range, within: distance) {
        candidates += [outer, (outer.lowerBound + 1)..<(outer.upperBound - 1)]
      }
      let larger = candidates.filter { $0 != region.range && $0.contains(region.range) }.min { $0.count < $1.count }
      grown.add(larger.map { SelectionRegion($0.lowerBound, $0.upperBound) } ?? region)
    }
    guard grown != selection else { return }
    if expansions.last?.after != selection { expansions = [] }
    let before = selection
    setSelection(grown)
    expansions.append((before, selection))
  }

  /// Back to what was selected before it grew.
  func shrinkSelection() {
    guard let last = expansions.last, last.after == selection else {
      remark = "The selection was not expanded"
      return
    }
    expansions.removeLast()
    select(last.before)
  }
}

/// What may be selected around places that come in the order of the text. Together O(what is around them).
private struct Surroundings {
  private let text: Rope
  private var words: WordRanges
  private var line: Line?
  private var paragraph: Range<ByteOffset>?
  /// How many bytes of paragraphs may still be walked through.
  private var budget = 4 << 20

  /// A longer line is searched for no quotes.
  private static let longestLine = 1 << 20

  init(of text: Rope) {
    self.text = text
    words = WordRanges(of: text)
  }

  mutating func candidates(around range: Range<ByteOffset>) -> [Range<ByteOffset>] {
    var found = [0..<text.endOffset]
    if let word = words.word(at: range.lowerBound) { found.append(word) }
    let line = line(at: range.lowerBound)
    let indented = text.indentationEnd(from: line.content.lowerBound)
    found += [line.content, min(indented, line.content.upperBound)..<line.content.upperBound]
    if let quotation = line.quotation(around: range) {
      found += [quotation, (quotation.lowerBound + 1)..<(quotation.upperBound - 1)]
    }
    if let paragraph = paragraph(around: range) { found.append(paragraph) }
    return found
  }

  private mutating func line(at offset: ByteOffset) -> Line {
    if let line, line.content.lowerBound <= offset, offset <= line.content.upperBound { return line }
    let start = text.lineStart(of: offset)
    let content = start..<text.lineContentEnd(of: offset)
    let bytes = content.count <= Self.longestLine ? text.bytes(in: content) : []
    let line = Line(content: content, quotations: Quotations.find(in: bytes))
    self.line = line
    return line
  }

  /// The lines around that are not blank, up to the line end of the last.
  private mutating func paragraph(around range: Range<ByteOffset>) -> Range<ByteOffset>? {
    if let paragraph, paragraph.contains(range) { return paragraph }
    var (start, end) = (text.lineStart(of: range.lowerBound), text.lineContentEnd(of: range.upperBound))
    guard !isBlank(start) else { return nil }
    while start > 0, budget > 0 {
      let previous = text.lineStart(before: start)
      if isBlank(previous) { break }
      budget -= start - previous
      start = previous
    }
    while budget > 0, let next = text.nextLineStart(after: end), !isBlank(next) {
      let nextEnd = text.lineContentEnd(of: next)
      budget -= nextEnd - end
      end = nextEnd
    }
    guard budget > 0 else { return nil }
    paragraph = start..<end
    return paragraph
  }

  private func isBlank(_ lineStart: ByteOffset) -> Bool {
    text.indentationEnd(from: lineStart) >= text.lineContentEnd(of: lineStart)
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
  static func find(in line: [UInt8]) -> [Range<Int>] {
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

  private static func isQuote(at index: Int, of line: [UInt8]) -> Bool {
    switch line[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "`"): true
    case UInt8(ascii: "'"): index == 0 || !isLetter(line[index - 1])
    default: false
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }

  private static func closing(_ quote: UInt8, behind start: Int, of line: [UInt8]) -> Int? {
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
