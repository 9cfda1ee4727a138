import Testing

@testable import Rope

@Suite struct IntervalTreeTests {
  private static let shape = TreeShape(leafSize: 4, branching: 4)

  private func sorted(_ intervals: [Interval]) -> [[Int]] {
    intervals.map { [$0.range.lowerBound.value, $0.range.upperBound.value, $0.value] }.sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  private static func range(
    of range: Range<ByteOffset>, through delta: Delta, _ touched: IntervalTree.Touched
  ) -> Range<ByteOffset>? {
    let start = delta.transform(range.lowerBound, bias: touched == .grown ? .left : .right)
    let end = delta.transform(range.upperBound, bias: touched == .grown ? .right : .left)
    return start < end && (touched != .dropped || end - start == range.count) ? start..<end : nil
  }

  private static func random(_ count: Int, in range: Range<ByteOffset>, _ random: inout SeededGenerator) -> [Interval] {
    (0..<(range.isEmpty ? 0 : count)).map { value in
      let start = range.lowerBound + random.number(below: range.count)
      return Interval(start..<start + random.number(below: range.upperBound - start + 1), value: value)
    }
  }

  /// Half of them begin or end where an interval does.
  private static func edits(
    atMost limit: Int, of count: Int, near intervals: [Interval], _ random: inout SeededGenerator
  ) -> Delta {
    let borders = intervals.flatMap { [$0.range.lowerBound.value, $0.range.upperBound.value] }
    func place(from start: Int, within distance: Int) -> Int {
      let border = random.number(below: 2) == 0 ? borders.randomElement(using: &random) : nil
      if let border, border >= start { return border }
      return min(count, start + random.number(below: distance))
    }
    var builder = Delta.Builder(baseByteCount: count)
    var end = 0
    for _ in 0...random.number(below: limit) {
      let start = place(from: end, within: 30)
      end = random.number(below: 3) == 0 ? start : min(start + 20, place(from: start, within: 9))
      builder.replace(
        ByteOffset(start)..<ByteOffset(end), with: Rope(String(repeating: "x", count: random.number(below: 3) * 5)))
    }
    return builder.build()
  }

  /// Against a plain array, through random changes of the text.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func areThoseOfAPlainArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var count = random.number(below: seed % 2 == 0 ? 120 : 1000)
    var intervals = IntervalTree(tree: Tree(shape: Self.shape))
    intervals.setByteCount(count)
    var plain: [Interval] = []
    for step in 0..<60 {
      let before = (intervals, plain)
      if step == 0 || random.number(below: 3) == 0 {
        let range = step == 0 ? 0..<ByteOffset(count) : random.range(in: count)
        let new = Self.random(random.number(below: step == 0 ? 100 : 9), in: range, &random)
        intervals.replace(in: range, with: new)
        plain.removeAll { $0.range.overlaps(range) || (range.isEmpty && $0.range.contains(range.lowerBound)) }
        plain += new.filter { !$0.range.isEmpty }
      } else {
        let delta = Self.edits(atMost: 4, of: count, near: plain, &random)
        let touched = [.kept, .kept, .grown, .dropped][random.number(below: 4)] as IntervalTree.Touched
        intervals.follow(delta, touched: touched)
        plain = plain.compactMap { interval in
          Self.range(of: interval.range, through: delta, touched).map { Interval($0, value: interval.value) }
        }
        count = delta.newByteCount
      }
      #expect(intervals.byteCount == count && intervals.count == plain.count, "step \(step)")
      #expect(sorted(Array(intervals)) == sorted(plain), "step \(step)")
      if step % 8 == 0 { #expect(sorted(Array(before.0)) == sorted(before.1), "a copy keeps what it has") }
      guard plain.count == intervals.count else { return }
      look(into: intervals, plain, in: random.range(in: count), index: random.number(below: plain.count + 1))
    }
  }

  private func look(into intervals: IntervalTree, _ plain: [Interval], in range: Range<ByteOffset>, index: Int) {
    let touching = intervals.touching(range)
    #expect(
      sorted(touching)
        == sorted(plain.filter { $0.range.lowerBound < range.upperBound && $0.range.upperBound > range.lowerBound }))
    #expect(intervals.touching(range, atMost: 3) == Array(touching.prefix(3)))
    #expect(intervals.index(from: range.lowerBound) == plain.count { $0.range.lowerBound < range.lowerBound })
    #expect(intervals[index] == (index < plain.count ? Array(intervals)[index] : nil))
    #expect(intervals[-1] == nil)
    let starts = intervals.map(\.range.lowerBound)
    #expect(starts == starts.sorted())
  }

  @Test func numbersMayBeOfAnySize() {
    let numbers = [0, 1, 127, 128, 16_383, 16_384, 1 << 32, 1 << 40]
    var builder = IntervalTree.Builder(shape: Self.shape)
    var all: [Interval] = []
    var start: ByteOffset = 0
    for (index, number) in numbers.enumerated() {
      start += number
      let value = [.min, -1, .max, number][index % 4]
      all.append(Interval(start..<start + max(1, numbers[numbers.count - 1 - index]), value: value))
    }
    for interval in all { builder.append(interval) }
    let intervals = builder.finish()
    #expect(Array(intervals) == all)
    builder.append(all[0])
    #expect(Array(builder.finish()) == [all[0]], "a builder begins anew")
    let half = ByteOffset(1 << 40)
    #expect(intervals.touching(half..<half + 1) == all.filter { $0.range.contains(half) })
  }

  @Test func leavesThatEmptyAreJoined() {
    var random = SeededGenerator(seed: 1)
    var intervals = IntervalTree(tree: Tree(shape: Self.shape))
    intervals.replace(in: 0..<20_000, with: (0..<2000).map { Interval(ByteOffset($0 * 10)..<ByteOffset($0 * 10 + 5)) })
    while intervals.count > 100 {
      let start = ByteOffset(random.number(below: 19_990))
      intervals.replace(in: start..<start + 10, with: [])
    }
    var leafCount = 0
    intervals.tree.forEachLeaf { _ in leafCount += 1 }
    #expect(leafCount <= 100)
  }

  @Test func aTextThatGrowsOrShrinksBehindItsEnd() {
    var intervals = IntervalTree()
    intervals.replace(in: 0..<10, with: [Interval(2..<4, value: 1), Interval(8..<10, value: 2)])
    intervals.setByteCount(20)
    #expect(intervals.byteCount == 20 && intervals.count == 2)
    intervals.setByteCount(5)
    #expect(intervals.touching(0..<20).map(\.value) == [1])
  }

  @Test func aCopyKeepsWhatItHas() {
    var intervals = IntervalTree()
    intervals.replace(
      in: 0..<100_000,
      with: (0..<10_000).map { Interval(ByteOffset($0 * 10)..<ByteOffset($0 * 10 + 5), value: $0) })
    let before = intervals
    intervals.follow(Delta(baseByteCount: 100_000, replacing: 50_000..<50_002, with: "longer"))
    #expect(before.touching(50_010..<50_011).first?.range == 50_010..<50_015)
    #expect(intervals.touching(50_014..<50_015).first?.range == 50_014..<50_019)
    #expect(intervals.count == 10_000)
  }
}
