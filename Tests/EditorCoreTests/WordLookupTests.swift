import Rope
import TestSupport
import Testing

@testable import EditorCore

/// What is looked up once is what is looked up each time.
@Suite struct WordLookupTests {
  @Test(arguments: 0..<20 as Range<UInt64>) func isLikeTheText(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let pieces = ["a", "word", " ", "  ", "\n", "日本語", "_", "-", "(", ")", "é", "\r\n", "1"]
    let text = Rope(
      (0..<Int.random(in: 0..<60, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined())
    var lookup = WordLookup(of: text)
    for step in 0..<400 {
      // Mostly on, now and then elsewhere.
      let offset = step % 10 == 0 ? Int.random(in: 0...text.byteCount, using: &random) : min(step / 3, text.byteCount)
      let place = text.graphemeBoundary(atOrBefore: ByteOffset(offset))
      #expect(lookup.start(before: place) == text.wordStart(before: place))
      #expect(lookup.end(after: place) == text.wordEnd(after: place))
    }
  }

  /// With `\r\n` words end where they do with `\n`, and never within a character as it is seen.
  @Test(arguments: 0..<20 as Range<UInt64>) func wordsEndBetweenClusters(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let pieces = ["a", "word", " ", "\n", "\n\n", "(", "(\u{301}", " \u{301}", "é", "👨‍👩‍👧", "-\u{200D}"]
    let lines = (0..<30).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    let (text, other) = (Rope(lines), Rope(lines.replacing("\n", with: "\r\n")))
    /// The place in `text` of one in `other`; nil within a cluster.
    func same(_ place: ByteOffset?) -> ByteOffset? {
      guard let place, other.graphemeBoundary(atOrBefore: place) == place else { return nil }
      return place - other.slice(0..<place).countCarriageReturnLineFeeds()
    }
    for offset in 0...other.byteCount {
      let place = other.graphemeBoundary(atOrBefore: ByteOffset(offset))
      let known = same(place) ?? 0
      #expect(same(other.wordStart(before: place)) == text.wordStart(before: known))
      #expect(same(other.wordEnd(after: place)) == text.wordEnd(after: known))
      let (word, expected) = (other.wordRange(around: place), text.wordRange(around: known))
      #expect(same(word.lowerBound) == expected.lowerBound && same(word.upperBound) == expected.upperBound)
    }
  }

  /// By one walk for each caret it would take many minutes.
  @Test func aLongWordWithManyCaretsIsWalkedThroughOnce() {
    let count = 200_000
    let text = Rope(String(repeating: "日", count: count))
    var lookup = WordLookup(of: text)
    for caret in 1..<count {
      let place = ByteOffset(3 * caret)
      guard lookup.start(before: place) == 0, lookup.end(after: place) == text.endOffset else {
        Issue.record("another word at \(place)")
        return
      }
    }
  }
}
