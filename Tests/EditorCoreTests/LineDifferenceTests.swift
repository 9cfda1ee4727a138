import Rope
import Testing

@testable import EditorCore

@Suite struct LineDifferenceTests {
  private func edits(_ old: String, _ new: String) -> [String] {
    LineDifference.delta(from: Rope(old), to: Rope(new)).edits.map {
      "\($0.range.lowerBound.value)..\($0.range.upperBound.value) \($0.replacement.string(in: $0.replacement.fullRange))"
    }
  }

  @Test func onlyTheLinesThatDifferAreReplaced() {
    #expect(edits("a\nb\nc\n", "a\nX\nc\n") == ["2..4 X\n"])
    #expect(edits("a\nb\nc\nd\ne\n", "X\nb\nc\nd\nY\n") == ["0..2 X\n", "8..10 Y\n"])
    #expect(edits("a\nb\n", "a\nb\n") == [])
    #expect(edits("", "x") == ["0..0 x"])
    #expect(edits("x\ny", "") == ["0..3 "])
    #expect(edits("one\ntwo", "one\ntwo\n") == ["4..7 two\n"])
    #expect(edits("a\n\nb\n\n", "\na\n\n\nb\n\nc").count <= 3)
  }

  @Test func anyTwoTextsBecomeEachOther() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      let texts = (0..<2).map { _ in
        Rope(
          (0..<Int.random(in: 0...12, using: &random)).map { _ in
            ["a\n", "b\n", "\n", "c", "long line\r\n"][Int.random(in: 0..<5)]
          }.joined())
      }
      #expect(texts[0].applying(LineDifference.delta(from: texts[0], to: texts[1])) == texts[1])
    }
  }

  @Test func aLargeTextThatDiffersAllOver() {
    let old = Rope(String(repeating: "one\n", count: 3 << 20))
    let new = Rope(String(repeating: "two\n", count: 3 << 20))
    #expect(old.applying(LineDifference.delta(from: old, to: new)) == new)
  }
}
