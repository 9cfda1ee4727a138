import Testing

@testable import Rope

@Suite struct SpansTests {
  private static let shape = TreeShape(leafSize: 4, branching: 4)

  private func sorted(_ spans: [Spans.Span]) -> [[Int]] {
    spans.map { [$0.range.lowerBound.value, $0.range.upperBound.value, $0.value] }.sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  /// Against a plain array, through random changes of the text.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func areThoseOfAPlainArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var count = random.number(below: 120)
    var spans = Spans(byteCount: count, shape: Self.shape)
    var plain: [Spans.Span] = []
    for step in 0..<60 {
      if random.number(below: 3) == 0 {
        let range = random.range(in: count)
        let new = (0..<random.number(below: 9)).compactMap { value -> Spans.Span? in
          guard !range.isEmpty else { return nil }
          let start = range.lowerBound + random.number(below: range.count)
          return Spans.Span(range: start..<start + random.number(below: range.upperBound - start + 1), value: value)
        }
        spans.replace(in: range, with: new)
        plain.removeAll { $0.range.overlaps(range) || (range.isEmpty && $0.range.contains(range.lowerBound)) }
        plain += new.filter { !$0.range.isEmpty }
      } else {
        var builder = Delta.Builder(baseByteCount: count)
        var end = 0
        for _ in 0..<random.number(below: 5) {
          let start = min(count, end + random.number(below: 30))
          end = min(count, start + random.number(below: 9))
          builder.replace(
            ByteOffset(start)..<ByteOffset(end), with: Rope(String(repeating: "x", count: random.number(below: 3) * 5)))
        }
        let delta = builder.build()
        spans.follow(delta)
        plain = plain.compactMap { span in
          let start = delta.transform(span.range.lowerBound, bias: .right)
          let end = delta.transform(span.range.upperBound, bias: .left)
          return start < end ? Spans.Span(range: start..<end, value: span.value) : nil
        }
        count = delta.newByteCount
      }
      let range = random.range(in: count)
      #expect(spans.byteCount == count && spans.count == plain.count, "step \(step)")
      #expect(sorted(spans.spans(touching: range)) == sorted(plain.filter { $0.range.overlaps(range) }), "step \(step)")
      #expect(sorted(spans.spans(touching: 0..<ByteOffset(count))) == sorted(plain), "step \(step)")
      guard plain.count == spans.count else { return }
    }
  }

  @Test func aTextThatGrowsOrShrinksBehindItsEnd() {
    var spans = Spans(byteCount: 10)
    spans.replace(in: 0..<10, with: [Spans.Span(range: 2..<4, value: 1), Spans.Span(range: 8..<10, value: 2)])
    spans.setByteCount(20)
    #expect(spans.byteCount == 20 && spans.count == 2)
    spans.setByteCount(5)
    #expect(spans.spans(touching: 0..<20).map(\.value) == [1])
  }

  @Test func aCopyKeepsWhatItHas() {
    var spans = Spans(byteCount: 100_000)
    spans.replace(
      in: 0..<100_000,
      with: (0..<10_000).map { Spans.Span(range: ByteOffset($0 * 10)..<ByteOffset($0 * 10 + 5), value: $0) })
    let before = spans
    spans.follow(Delta(baseByteCount: 100_000, replacing: 50_000..<50_002, with: "longer"))
    #expect(before.spans(touching: 50_010..<50_011).first?.range == 50_010..<50_015)
    #expect(spans.spans(touching: 50_014..<50_015).first?.range == 50_014..<50_019)
    #expect(spans.count == 10_000)
  }
}
