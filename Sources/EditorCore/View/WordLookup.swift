import Rope

/// Looks up the words of many places that come in the order of the text: a long word with many carets is walked through once.
struct WordLookup {
  private typealias Found = (place: ByteOffset, result: ByteOffset)

  private let text: Rope
  private var lastStart: Found?
  private var lastEnd: Found?

  init(of text: Rope) { self.text = text }

  /// The start of the word before `offset`; nil at the start of the text.
  mutating func start(before offset: ByteOffset) -> ByteOffset? {
    let start = text.wordStart(before: offset, knowing: lastStart)
    lastStart = start.map { (offset, $0) }
    return start
  }

  /// The end of the word after `offset`; nil at the end of the text.
  mutating func end(after offset: ByteOffset) -> ByteOffset? {
    // All between them is of one word.
    if let lastEnd, lastEnd.place <= offset, offset < lastEnd.result { return lastEnd.result }
    let end = text.wordEnd(after: offset)
    lastEnd = end.map { (offset, $0) }
    return end
  }
}
