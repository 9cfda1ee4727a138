import Testing

@testable import Rope

@Suite struct BreaksTests {
  private static let shape = TreeShape(leafSize: 4, branching: 4)

  /// Against a plain array, through random changes of the text.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func areThoseOfAPlainArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var count = random.number(below: 200)
    var breaks = Breaks(byteCount: count, shape: Self.shape)
    var plain: [Int] = []
    for step in 0..<80 {
      let before = (breaks, plain)
      switch random.number(below: 4) {
      case 0, 1:
        let range = random.range(in: count)
        let closed = range.lowerBound...range.upperBound
        let new = (0..<random.number(below: 20)).map { _ in
          range.lowerBound.value + random.number(below: range.count + 1)
        }
        let sorted = Set(new).subtracting([0]).sorted()
        breaks.replace(in: closed, with: sorted.map { ByteOffset($0) })
        plain = (plain.filter { !closed.contains(ByteOffset($0)) } + sorted).sorted()
      case 2:
        count += random.number(below: 20)
        breaks.grow(to: count)
      default: follow(&breaks, &plain, &count, &random)
      }
      #expect(breaks.byteCount == count)
      #expect((0..<breaks.count).map { breaks[$0].value } == plain, "step \(step)")
      for _ in 0..<3 {
        let offset = random.number(below: count + 1)
        #expect(breaks.countUpTo(ByteOffset(offset)) == plain.count { $0 <= offset })
        #expect(breaks.contains(ByteOffset(offset)) == plain.contains(offset))
      }
      #expect((0..<before.0.count).map { before.0[$0].value } == before.1, "a copy keeps what it has")
      guard breaks.count == plain.count else { return }
    }
  }

  private func follow(
    _ breaks: inout Breaks, _ plain: inout [Int], _ count: inout Int, _ random: inout SeededGenerator
  ) {
    var builder = Delta.Builder(baseByteCount: count)
    var end = 0
    for _ in 0..<random.number(below: 4) {
      let start = min(count, end + random.number(below: 60))
      end = min(count, start + random.number(below: 30))
      builder.replace(
        ByteOffset(start)..<ByteOffset(end), with: Rope(String(repeating: "x", count: random.number(below: 3) * 9)))
    }
    let delta = builder.build()
    breaks.follow(delta)
    for edit in delta.edits.reversed() {
      let (start, end) = (edit.range.lowerBound.value, edit.range.upperBound.value)
      let growth = edit.replacement.byteCount - edit.range.count
      plain = plain.compactMap { $0 <= start ? $0 : $0 >= end ? $0 + growth : nil }
    }
    // Two may have come together; the start of the text is none.
    plain = Set(plain).subtracting([0]).sorted()
    count = delta.newByteCount
  }

  /// However the text grows and shrinks, the tree stays as low as so many breaks need.
  @Test func leavesStayFull() {
    var random = SeededGenerator(seed: 1)
    var breaks = Breaks(byteCount: 100_000, shape: Self.shape)
    breaks.replace(in: 0...100_000, with: (1..<10_000).map { ByteOffset($0 * 10) })
    for _ in 0..<20_000 {
      let start = random.number(below: 99_000)
      breaks.replace(
        in: ByteOffset(start)...ByteOffset(start + 30), with: [ByteOffset(start + 10), ByteOffset(start + 20)])
    }
    #expect(breaks.tree.height <= 9, "\(breaks.count) breaks")
  }
}
