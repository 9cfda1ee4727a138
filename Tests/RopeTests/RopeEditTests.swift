import Testing

@testable import Rope

@Suite struct RopeEditTests {
  /// Edits at random places, copies kept alive at random, against an array.
  @Test(arguments: 0..<24 as Range<UInt64>)
  func randomEditsMatchAnArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let anyBytes = seed % 2 == 1
    var model = random.bytes(upTo: 300, anyBytes: anyBytes)
    var rope = Rope(model, shape: tinyShape)
    var copies: [(Rope, [UInt8])] = []
    for step in 0..<300 {
      let range = random.range(in: model.count)
      let replacement = random.bytes(upTo: random.number(below: 10) == 0 ? 120 : 10, anyBytes: anyBytes)
      model.replaceSubrange(range.lowerBound.value..<range.upperBound.value, with: replacement)
      replacement.withUnsafeBytes { rope.replace(range, with: $0) }
      if random.number(below: 5) == 0 { copies.append((rope, model)) }
      if let law = rope.brokenLaw {
        Issue.record("step \(step): \(law)")
        return
      }
      guard rope.allBytes == model, step % 8 > 0 || rope.summary == plainSummary(model) else {
        Issue.record("step \(step): the text differs")
        return
      }
    }
    for (copy, bytes) in copies { #expect(copy.allBytes == bytes) }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func slicesMatchAnArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let model = random.bytes(upTo: 500, anyBytes: seed % 2 == 1)
    let rope = Rope(model, shape: tinyShape)
    for _ in 0..<100 {
      let range = random.range(in: model.count)
      let slice = rope.slice(range)
      let expected = Array(model[range.lowerBound.value..<range.upperBound.value])
      #expect(slice.allBytes == expected)
      #expect(slice.summary == plainSummary(expected))
      #expect(slice.brokenLaw == nil)
    }
  }

  /// A sequence that arrives in two pieces counts as one code point, whatever the pieces were.
  @Test func sequencesGrowTogether() {
    let bytes = Array("a🎈b漢é".utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var rope = Rope(Array(bytes[..<first]), shape: tinyShape)
        rope.append(Rope(Array(bytes[first..<second]), shape: tinyShape))
        rope.append(Rope(Array(bytes[second...]), shape: tinyShape))
        #expect(rope.summary == plainSummary(bytes))
        #expect(rope.isValidUTF8)
      }
    }
  }

  @Test func builderTakesPiecesCutAnywhere() {
    let bytes = Array(String(repeating: "ab漢🎈é\n", count: 40).utf8)
    for size in 1...40 {
      var builder = Rope.Builder(shape: tinyShape)
      for start in stride(from: 0, to: bytes.count, by: size) {
        Array(bytes[start..<min(bytes.count, start + size)]).withUnsafeBytes { builder.append($0) }
      }
      let rope = builder.finish()
      #expect(rope.allBytes == bytes)
      #expect(rope.summary == plainSummary(bytes))
      #expect(rope.brokenLaw == nil)
      #expect(builder.finish().isEmpty)
    }
  }

  @Test func editsInEveryUnit() {
    var rope = Rope("añ🎈\nz")
    rope.replace(CodePointOffset(1)..<CodePointOffset(3), with: "b")
    #expect(rope == "ab\nz")
    rope.replace(UTF16Offset(1)..<UTF16Offset(2), with: "🎈🎈")
    #expect(rope == "a🎈🎈\nz")
    rope.replace(UTF16Offset(3)..<UTF16Offset(5), with: "")
    #expect(rope == "a🎈\nz")
    rope.replace(LineNumber(0)..<LineNumber(1), with: "")
    #expect(rope == "z")
  }

  @Test func equalityIsOfBytes() {
    let text = String(repeating: "lorem ipsum\n", count: 300)
    var grown = Rope()
    for piece in text.split(separator: " ", omittingEmptySubsequences: false) {
      grown.append(Rope(String(piece) + " "))
    }
    grown.remove((grown.endOffset - 1)..<grown.endOffset)
    #expect(grown == Rope(text))
    grown.replace(100..<101, with: "X")
    #expect(grown != Rope(text))
  }
}

@Suite struct RopeSharingTests {
  private let text = Array(String(repeating: "some text ", count: 50).utf8)

  private func nodes(of rope: Rope) -> Set<ObjectIdentifier> {
    var found: Set<ObjectIdentifier> = []
    func visit(_ node: Child<Chunk>, _ height: Int) {
      found.insert(ObjectIdentifier(node.node))
      if height == 0 { return }
      for index in 0..<node.branch.count { visit(node.branch.children[index], height - 1) }
    }
    visit(rope.tree.root, rope.tree.height)
    return found
  }

  @Test func unsharedRopeIsEditedInPlace() {
    var rope = Rope(text, shape: tinyShape)
    rope.remove(100..<101)
    let before = nodes(of: rope)
    rope.replace(99..<101, with: "xy")
    let new = nodes(of: rope).subtracting(before)
    #expect(new.isEmpty)
  }

  /// Many edits in one corner of a text leave the rest of it shared.
  @Test func leavesWithoutEditsAreSharedByASweep() {
    let rope = Rope(text, shape: tinyShape)
    var builder = Delta.Builder(baseByteCount: rope.byteCount)
    for index in 0..<10 { builder.replace(ByteOffset(index * 2)..<ByteOffset(index * 2 + 1), with: "xy") }
    let swept = rope.sweep(builder.build()) {}
    #expect(swept.byteCount == rope.byteCount + 10)
    let leaves = { (rope: Rope) in
      var found: Set<ObjectIdentifier> = []
      rope.tree.forEachLeaf { found.insert(ObjectIdentifier($0.pointee.node)) }
      return found
    }
    #expect(leaves(rope).intersection(leaves(swept)).count == leaves(rope).count - 2)
  }

  /// Typing at one place splits leaves, and branches, in place.
  @Test func typingSplitsInPlace() {
    var rope = Rope(text, shape: tinyShape)
    var model = text
    for number in 0..<400 {
      let character = [UInt8(97 + number % 26)]
      character.withUnsafeBytes { rope.replace(ByteOffset(100)..<100, with: $0) }
      model.insert(character[0], at: 100)
      #expect(rope.brokenLaw == nil)
    }
    #expect(rope.allBytes == model)
    #expect(rope.summary == plainSummary(model))
    let copy = rope
    rope.replace(16..<17, with: "123456789")
    #expect(copy.allBytes == model)
  }

  @Test func editOfACopyCopiesOnePath() {
    let rope = Rope(text, shape: tinyShape)
    var copy = rope
    copy.remove(100..<101)
    #expect(nodes(of: copy).subtracting(nodes(of: rope)).count == rope.tree.height + 1)
    #expect(rope.allBytes == text)
  }
}
