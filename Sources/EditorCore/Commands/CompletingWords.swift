import EditorProtocol
import Rope

/// Words of the open texts that begin as what stands before the caret.
///
/// No text is walked through as a whole: a key must not take longer in a large one.
extension TextView {
  /// So far around the caret words are looked for, in bytes to each side; and around the carets of the other texts, of so many.
  static let wordReach = 256 << 10
  static let otherWordReach = 64 << 10
  static let mostOtherTexts = 20
  static let mostWords = 1000
  /// Of a longer one nobody types the beginning.
  static let longestWord = 200

  /// - Parameter others: Texts in which words are looked for behind those of this one.
  func words(with others: [Document]) -> WordList {
    guard let caret = carets.main?.active, let typed = typedWord(before: caret) else {
      return WordList(typed: "", words: [])
    }
    var finder = WordFinder(typed)
    finder.look(in: text, around: caret - typed.utf8.count..<caret, reach: Self.wordReach)
    for other in others.prefix(Self.mostOtherTexts) {
      let place = other.views.used?.carets.main?.active ?? 0
      finder.look(in: other.buffer.text, around: place..<place, reach: Self.otherWordReach)
    }
    return WordList(typed: typed, words: finder.words)
  }

  /// What stands before a caret of a word; nil where none does, or a very long one.
  private func typedWord(before caret: ByteOffset) -> String? {
    var cursor = Rope.Cursor(text, at: caret)
    var start = caret
    while let scalar = cursor.previousCodePoint(), WordList.mayHave(scalar) {
      start = cursor.offset
      guard caret - start <= Self.longestWord else { return nil }
    }
    // A mark at its start is one of what stands before.
    return start < caret && text.isBetweenClusters(start) ? text.string(in: start..<caret) : nil
  }

  /// Puts a word in the place of what is typed of it, at each caret that stands behind that; one that was the end of a selection is
  /// alone then.
  func completeWord(_ typed: String, by word: String) {
    if selection.regions.contains(where: { !$0.isCaret }) {
      var carets = Selection()
      for region in selection.regions {
        carets.add(typedWord(before: region.active) == typed ? .caret(region.active) : region)
      }
      if carets != selection { setSelection(carets) }
    }
    let delta = replace { builder in
      for region in selection.regions where region.isCaret && typedWord(before: region.active) == typed {
        builder.replace(region.active - typed.utf8.count..<region.active, with: Rope(word))
      }
    }
    if delta.isIdentity { remark = "What was to be completed is not there" } else { commit(delta, as: .other) }
  }
}

/// Collects words, the nearest of each text first.
private struct WordFinder {
  private let typed: String
  private let firstByte: UInt8
  private var known: Set<String>
  private(set) var words: [String] = []

  init(_ typed: String) {
    self.typed = typed
    firstByte = typed.utf8.first ?? 0
    known = [typed]
  }

  /// - Parameter place: What is typed in this text; empty in another.
  mutating func look(in text: Rope, around place: Range<ByteOffset>, reach: Int) {
    guard words.count < TextView.mostWords else { return }
    let (from, caret) = (place.lowerBound.value, place.upperBound.value)
    let (start, end) = (max(0, from - reach), min(text.byteCount, caret + reach))
    let bytes = text.bytes(in: ByteOffset(start)..<ByteOffset(end))
    var found: [(distance: Int, range: Range<Int>)] = []
    bytes.withUnsafeBytes { bytes in
      for range in Ranges(bytes) {
        // What the window has cut is no word, and neither is the one that is being typed.
        if range.lowerBound == 0 && start > 0 || range.upperBound == bytes.count && end < text.byteCount { continue }
        let (first, last) = (start + range.lowerBound, start + range.upperBound)
        if range.count > TextView.longestWord || !mayBegin(bytes[range.lowerBound]) { continue }
        if first == from, caret > from { continue }
        found.append((last <= from ? 2 * (from - last) : 2 * (first - caret) + 1, range))
      }
    }
    found.sort { $0.distance < $1.distance }
    for (_, range) in found {
      let word = String(decoding: bytes[range], as: UTF8.self)
      guard WordList.begins(word, with: typed), known.insert(word).inserted else { continue }
      words.append(word)
      if words.count == TextView.mostWords { return }
    }
  }

  /// Most words are ruled out by their first byte.
  private func mayBegin(_ byte: UInt8) -> Bool {
    guard firstByte < 0x80, byte < 0x80 else { return true }
    return firstByte | 0x20 == byte | 0x20
  }

  /// The words in some bytes.
  private struct Ranges: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> Range<Int>? {
      var start: Int?
      while index < bytes.count {
        let length = UTF8Sequence.length(at: index, in: bytes)
        let isInWord = length.map { WordList.mayHave(UTF8Sequence.decode($0, at: index, in: bytes)) } ?? false
        if !isInWord, let start { return start..<index }
        if isInWord, start == nil { start = index }
        index += length ?? 1
      }
      return start.map { $0..<bytes.count }
    }
  }
}
