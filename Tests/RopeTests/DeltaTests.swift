import Testing

@testable import Rope

@Suite struct DeltaTests {
  private func randomDelta(
    _ count: Int, _ random: inout SeededGenerator, edits: Int = 6, anyBytes: Bool = false,
    shape: TreeShape = Rope.standardShape
  ) -> Delta {
    var builder = Delta.Builder(baseByteCount: count)
    var end = 0
    for _ in 0..<random.number(below: edits) {
      let start = min(count, end + random.number(below: random.number(below: 8) == 0 ? 100 : 8))
      end = min(count, start + random.number(below: random.number(below: 8) == 0 ? 60 : 5))
      let limit = random.number(below: 8) == 0 ? 100 : random.number(below: 3) * 4
      let text = Rope(random.bytes(upTo: limit, anyBytes: anyBytes), shape: shape)
      builder.replace(ByteOffset(start)..<ByteOffset(end), with: text)
    }
    return builder.build()
  }

  private func apply(_ delta: Delta, to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for element in delta.elements {
      switch element {
      case .copy(let range): result += bytes[range.lowerBound.value..<range.upperBound.value]
      case .insert(let text): result += text.allBytes
      }
    }
    return result
  }

  /// One edit behind, before, in and over another: all ways in which they can stand.
  @Test func oneEditAfterAnotherIsOneWhereTheyTouch() {
    let text = Rope(Array("abcdef".utf8), shape: tinyShape)
    for first in singleEdits(of: text.byteCount) {
      let changed = text.applying(first)
      for second in singleEdits(of: changed.byteCount) {
        let composed = first.composed(with: second)
        #expect(text.applying(composed) == changed.applying(second))
        guard let before = first.edits.first, let after = second.edits.first else { continue }
        let touch =
          after.range.lowerBound <= before.newRange.upperBound
          && after.range.upperBound >= before.newRange.lowerBound
        #expect(touch == (composed.edits.count < 2))
      }
    }
  }

  private func singleEdits(of byteCount: Int) -> [Delta] {
    (0...byteCount).flatMap { start in
      (start...byteCount).flatMap { end in
        ["", "x", "yz"].map {
          Delta(baseByteCount: byteCount, replacing: ByteOffset(start)..<ByteOffset(end), with: Rope(Array($0.utf8)))
        }
      }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func lawsHold(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = random.bytes(upTo: 60, anyBytes: false)
    let text = Rope(bytes, shape: tinyShape)
    let first = randomDelta(bytes.count, &random)
    let concurrent = randomDelta(bytes.count, &random)
    let changed = text.applying(first)
    #expect(changed.allBytes == apply(first, to: bytes))
    #expect(changed.byteCount == first.newByteCount)

    let later = randomDelta(changed.byteCount, &random)
    let composed = first.composed(with: later)
    #expect(text.applying(composed) == changed.applying(later))
    let last = randomDelta(composed.newByteCount, &random)
    #expect(
      text.applying(composed.composed(with: last)) == text.applying(first.composed(with: later.composed(with: last))))

    let inverse = first.inverted(base: text)
    #expect(changed.applying(inverse) == text)
    #expect(text.applying(inverse.inverted(base: changed)) == changed)
    #expect(text.applying(first.composed(with: inverse)) == text)

    let there = text.applying(concurrent).applying(first.transformed(over: concurrent, landing: .left))
    let back = changed.applying(concurrent.transformed(over: first, landing: .right))
    #expect(there == back)
    #expect(Delta(baseByteCount: first.baseByteCount, elements: first.elements) == first)
  }

  /// Whether few edits are made one by one or many in one walk: the text is the same, and its tree sound.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func manyEditsMatchAnArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let anyBytes = seed % 2 == 1
    let bytes = random.bytes(upTo: 1500, anyBytes: anyBytes)
    let text = Rope(bytes, shape: tinyShape)
    let delta = randomDelta(bytes.count, &random, edits: 120, anyBytes: anyBytes, shape: tinyShape)
    let expected = apply(delta, to: bytes)
    for changed in [text.applying(delta), text.sweep(delta) {}] {
      #expect(changed.allBytes == expected)
      #expect(changed.summary == plainSummary(expected))
      #expect(changed.brokenLaw == nil)
      #expect(changed.applying(delta.inverted(base: text)).allBytes == bytes)
    }
    var hint = 0
    for offset in 0...bytes.count {
      let offset = ByteOffset(random.number(below: 4) == 0 ? random.number(below: bytes.count + 1) : offset)
      for bias in [Bias.left, .right] {
        #expect(delta.transform(offset, bias: bias, hint: &hint) == delta.transform(offset, bias: bias))
      }
    }
  }

  /// What was replaced many times over is kept once.
  @Test func inversesShareEqualTexts() {
    let text = Rope(String(repeating: "one two ", count: 100))
    var builder = Delta.Builder(baseByteCount: text.byteCount)
    for index in 0..<100 { builder.replace(ByteOffset(index * 8)..<ByteOffset(index * 8 + 3), with: "three") }
    let inverse = builder.build().inverted(base: text)
    #expect(Set(inverse.edits.map { ObjectIdentifier($0.replacement.tree.root.node) }).count == 1)
    #expect(inverse.edits.allSatisfy { $0.replacement == "one" })
  }

  @Test func concurrentInsertionsLandOnTheirSide() {
    let text = Rope("ab")
    let own = Delta(baseByteCount: 2, replacing: 1..<1, with: "X")
    let other = Delta(baseByteCount: 2, replacing: 1..<1, with: "yy")
    #expect(text.applying(other).applying(own.transformed(over: other, landing: .left)) == "aXyyb")
    #expect(text.applying(other).applying(own.transformed(over: other, landing: .right)) == "ayyXb")
  }

  @Test func textInsertedInsideARemovalStays() {
    let text = Rope("abcdef")
    let own = Delta(baseByteCount: 6, replacing: 3..<3, with: "X")
    let removal = Delta(baseByteCount: 6, replacing: 1..<5, with: "")
    #expect(text.applying(removal).applying(own.transformed(over: removal, landing: .left)) == "aXf")
    let overlapping = Delta(baseByteCount: 6, replacing: 0..<3, with: "")
    #expect(text.applying(removal).applying(overlapping.transformed(over: removal, landing: .left)) == "f")
  }

  @Test func offsetsMoveWithTheText() {
    var builder = Delta.Builder(baseByteCount: 10)
    builder.replace(2..<2, with: "abc")
    builder.replace(5..<8, with: "x")
    let delta = builder.build()
    let moved: [(ByteOffset, Bias, ByteOffset)] = [
      (1, .right, 1), (2, .left, 2), (2, .right, 5), (3, .left, 6), (5, .left, 8), (5, .right, 9), (6, .left, 9),
      (7, .right, 9), (8, .left, 9), (8, .right, 9), (10, .right, 11),
    ]
    for (offset, bias, expected) in moved { #expect(delta.transform(offset, bias: bias) == expected) }
    #expect(Delta(identityOf: 4).transform(3, bias: .right) == 3)
  }

  /// Ranges may come from other programs: what does not fit is left as it is.
  @Test func rangesOutOfOrderAreClipped() {
    var builder = Delta.Builder(baseByteCount: 6)
    builder.replace(1..<4, with: "x")
    builder.replace(2..<5, with: "y")
    builder.replace(0..<1, with: "z")
    builder.replace(5..<9, with: "!")
    #expect(Rope("abcdef").applying(builder.build()) == "axyz!")
  }

  @Test func wireElementsOutOfOrderAreRefused() {
    #expect(Delta(baseByteCount: 4, elements: [.copy(2..<4), .copy(0..<2)]) == nil)
    #expect(Delta(baseByteCount: 4, elements: [.copy(0..<5)]) == nil)
    #expect(Delta(baseByteCount: 4, elements: [.copy(0..<3), .copy(2..<4)]) == nil)
    #expect(Delta(baseByteCount: -1, elements: []) == nil)
    #expect(Delta(baseByteCount: 4, elements: [.copy(0..<2), .copy(2..<4)])?.isIdentity == true)
  }
}
