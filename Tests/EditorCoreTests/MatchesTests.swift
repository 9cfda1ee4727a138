import Rope
import Testing

@testable import EditorCore

@Suite struct MatchesTests {
  private func matches(_ ranges: [Range<Int>]) -> IntervalTree {
    var builder = IntervalTree.Builder()
    for range in ranges { builder.append(Interval(ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound))) }
    return builder.finish()
  }

  @Test func matchesAreNumbered() {
    let list = matches((0..<5000).map { $0 * 3..<$0 * 3 + 2 })
    for number in [0, 1, 1023, 1024, 4999] {
      #expect(list.rank(of: ByteOffset(number * 3)..<ByteOffset(number * 3 + 2)) == number)
      #expect(list.rank(of: ByteOffset(number * 3)..<ByteOffset(number * 3 + 1)) == nil)
    }
    #expect(list.rank(of: ByteOffset(15_000)..<ByteOffset(15_002)) == nil)
    #expect(IntervalTree().rank(of: ByteOffset(0)..<ByteOffset(1)) == nil)
  }

  /// Beside a plain list of ranges, through random changes.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func isLikeAPlainList(seed: UInt64) {
    var random = SplitMix64(state: seed)
    var length = 40_000
    var plain: [Range<Int>] = []
    var start = 0
    while start + 3 < length {
      let end = start + Int.random(in: 1...3, using: &random)
      plain.append(start..<end)
      start = end + Int.random(in: 0...(seed % 2 == 0 ? 6 : 200), using: &random)
    }
    var list = matches(plain)
    for _ in 0..<60 {
      var edits: [(Range<Int>, Int)] = []
      var place = 0
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let first = place + Int.random(in: 0...max(0, (length - place) / 2), using: &random)
        let end = min(length, first + ([0, 0, 1, 2, 3000].randomElement(using: &random) ?? 0))
        edits.append((first..<end, Int.random(in: 0...3, using: &random)))
        place = end + 1
        if place >= length { break }
      }
      var builder = Delta.Builder(baseByteCount: length)
      for (range, count) in edits {
        builder.replace(
          ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound), with: Rope(String(repeating: "x", count: count)))
      }
      let delta = builder.build()
      list.follow(delta, touched: .dropped)
      plain = plain.compactMap { match in
        let start = delta.transform(ByteOffset(match.lowerBound), bias: .right).value
        let end = delta.transform(ByteOffset(match.upperBound), bias: .left).value
        return end - start == match.count ? start..<end : nil
      }
      length = delta.newByteCount
      #expect(list.count == plain.count)
      #expect(list.map { $0.range.lowerBound.value..<$0.range.upperBound.value } == plain)
      let low = Int.random(in: 0...length, using: &random)
      let high = min(length, low + Int.random(in: 0...100, using: &random))
      let part = ByteOffset(low)..<ByteOffset(high)
      #expect(
        list.touching(part).map(\.range.lowerBound.value)
          == plain.filter { $0.upperBound > low && $0.lowerBound < high }.map(\.lowerBound))
      let other = list.touching(part).first?.range ?? part
      #expect(
        list.first(from: part.lowerBound, except: other)?.lowerBound.value
          == plain.first { $0.lowerBound >= low && $0 != other.lowerBound.value..<other.upperBound.value }?.lowerBound)
      #expect(
        list.last(upTo: part.lowerBound, except: other)?.lowerBound.value
          == plain.last { $0.upperBound <= low && $0 != other.lowerBound.value..<other.upperBound.value }?.lowerBound)
      guard low + 2 < high else { continue }
      let new = [low..<low + 1, low + 1..<high]
      list.replace(in: part, with: Array(matches(new)))
      let kept = plain.filter { $0.upperBound <= low || $0.lowerBound >= high }
      plain = (kept + new).sorted { $0.lowerBound < $1.lowerBound }
      #expect(list.map { $0.range.lowerBound.value..<$0.range.upperBound.value } == plain)
      #expect(list.count == plain.count)
    }
  }
}
