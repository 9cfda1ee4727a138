import Testing

@testable import Rope

@Suite struct RopeSeekTests {
  /// Every offset of every unit, against prefixes counted the plain way.
  @Test(arguments: 0..<6 as Range<UInt64>)
  func conversionsMatchPlainCounts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let model = random.bytes(upTo: 250, anyBytes: seed % 2 == 1)
    let rope = Rope(model, shape: tinyShape)
    var borders: [Int] = []
    var index = 0
    while index < model.count {
      borders.append(index)
      index += model.withUnsafeBytes { UTF8Sequence.length(at: index, in: $0) } ?? 1
    }
    borders.append(model.count)
    for (border, next) in zip(borders, borders.dropFirst() + [model.count + 1]) {
      let plain = plainSummary(Array(model[..<border]))
      for offset in border..<min(next, model.count + 1) {
        let summary = rope.summary(before: ByteOffset(offset))
        #expect(summary.codePoints == plain.codePoints)
        #expect(summary.utf16 == plain.utf16)
        #expect(summary.newlines == plain.newlines)
        #expect(summary.bytes == offset)
      }
      #expect(rope.convert(CodePointOffset(plain.codePoints), to: ByteOffset.self).value == border)
      #expect(rope.convert(UTF16Offset(plain.utf16), to: ByteOffset.self).value == border)
    }
  }

  @Test func linesHaveRanges() {
    let lines = (0..<200).map { String(repeating: "x", count: $0 % 37) + "\n" } + ["no newline"]
    let rope = Rope(Array(lines.joined().utf8), shape: tinyShape)
    #expect(rope.lineCount == lines.count)
    for (number, line) in lines.enumerated() {
      let range = rope.range(ofLine: LineNumber(number))
      #expect(rope.string(in: range) == line)
      #expect(rope.line(at: range.lowerBound).value == number)
      #expect(rope.firstNewline(from: range.lowerBound) == (number < 200 ? range.upperBound - 1 : nil))
      #expect(rope.lastNewline(before: range.lowerBound) == (number > 0 ? range.lowerBound - 1 : nil))
    }
  }

  @Test func emptyTextHasOneLine() {
    let rope = Rope()
    #expect(rope.lineCount == 1)
    #expect(rope.range(ofLine: 0) == 0..<0)
    #expect(rope.firstNewline(from: 0) == nil)
    #expect(rope.string(in: 0..<0) == "")
    #expect(rope.convert(LineNumber(0), to: UTF16Offset.self) == 0)
  }

  @Test func middleOfACodePointRoundsDown() {
    let rope = Rope("a🎈b")
    #expect(rope.convert(UTF16Offset(2), to: ByteOffset.self) == 1)
    #expect(rope.convert(ByteOffset(3), to: CodePointOffset.self) == 1)
    #expect(rope.convert(ByteOffset(5), to: CodePointOffset.self) == 2)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func cursorReadsBothWays(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let model = random.bytes(upTo: 300, anyBytes: seed % 2 == 1)
    let rope = Rope(model, shape: tinyShape)
    var cursor = Rope.Cursor(rope, at: 0)
    var read: [UInt8] = []
    while let byte = cursor.next() { read.append(byte) }
    #expect(read == model)
    var backwards: [UInt8] = []
    while let byte = cursor.previous() { backwards.append(byte) }
    #expect(backwards.reversed() == model)
    #expect(cursor.offset == 0)

    let scalars = Array(rope.string(in: rope.fullRange).unicodeScalars)
    var forward: [Unicode.Scalar] = []
    while let scalar = cursor.nextCodePoint() { forward.append(scalar) }
    #expect(forward == scalars)
    var reversed: [Unicode.Scalar] = []
    while let scalar = cursor.previousCodePoint() { reversed.append(scalar) }
    #expect(reversed.reversed() == scalars)
    for (index, byte) in model.enumerated() { #expect(rope[ByteOffset(index)] == byte) }
    for _ in 0..<100 {
      let offset = Int.random(in: 0...model.count, using: &random)
      cursor.move(to: ByteOffset(offset))
      #expect(cursor.next() == (offset < model.count ? model[offset] : nil))
    }
  }

  @Test func eachInvalidByteIsShownOnce() {
    let bytes: [UInt8] = [0x61, 0xE2, 0x82, 0x62, 0xFF, 0xED, 0xA0, 0x80]
    #expect(Rope(bytes).string(in: 0..<8) == "a\u{FFFD}\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func pieceOfTextIsContiguousOnDemand(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let model = random.bytes(upTo: 300, anyBytes: true)
    let rope = Rope(model, shape: tinyShape)
    for _ in 0..<100 {
      let range = random.range(in: model.count)
      let expected = model[range.lowerBound.value..<range.upperBound.value]
      #expect(rope.withBytes(in: range) { $0.elementsEqual(expected) })
    }
  }
}
