import Rope
import TestSupport
import Testing

@testable import EditorCore

/// What is looked up once is what is looked up each time.
@Suite struct LineLookupTests {
  @Test(arguments: [WrapMode.off, .cells(7), .bytes(5)], 0..<5 as Range<UInt64>)
  func isLikeTheLines(_ mode: WrapMode, seed: UInt64) {
    var random = SplitMix64(state: seed)
    let words = ["a", "few ", "words\n", "日本語", "\r\n", "\n", "é ", "👩‍🚀"]
    let text = Rope(
      (0..<Int.random(in: 0..<60, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined())
    var lines = VisualLines()
    lines.wrap(text, mode, tabSize: 4, around: 0, rowCount: 10)
    var lookup = LineLookup(lines, of: text)
    for step in 0..<300 {
      // Mostly on, now and then elsewhere.
      let offset = ByteOffset(
        step % 10 == 0 ? Int.random(in: 0...text.byteCount, using: &random) : min(step / 2, text.byteCount))
      let place = lookup.place(of: offset)
      #expect(place == lines.place(of: offset, in: text))
      let line = max(0, place.line + Int.random(in: -2...2, using: &random))
      let column = Int.random(in: 0..<12, using: &random)
      let found = lookup.offset(ofLine: line, column: column)
      #expect(found == lines.offset(ofLine: line, column: column, in: text))
      #expect(line >= lookup.lineCount ? found == text.endOffset : lines.line(of: found, in: text) == line)
    }
  }
}
