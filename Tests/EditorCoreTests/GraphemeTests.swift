import Rope
import Testing

@testable import EditorCore

/// Clusters are those of the standard library, wherever one begins to look.
@Suite struct GraphemeTests {
  private static let pieces: [String] = [
    "a", "é", "e\u{301}", "\u{301}", "\n", "\r", "\r\n", "\t", " ", "\u{0}", "\u{AD}", "\u{200B}", "\u{200D}",
    "\u{FE0F}",
    "日", "本", "語", "か\u{3099}", "カ", "ー", "。", "〰", "㊙", "각", "한", "ᄀ", "ᅡ", "ᆨ", "ㄱ", "ꥠ", "ힰ", "ﾡ",
    "🇩", "🇪", "🇩🇪", "👩", "👨‍👩‍👧", "👍", "🏽", "👍🏽", "❤\u{FE0F}\u{200D}🔥", "©", "™", "1\u{FE0F}\u{20E3}", "🏴\u{E0067}\u{E007F}",
    "क", "ष", "्", "क्ष", "क्\u{200D}त", "\u{93E}", "ন", "\u{9CD}", "ക", "\u{D4E}", "\u{D4D}", "ก", "\u{E33}", "\u{E49}",
    "က", "\u{1039}", "ក",
    "\u{17D2}", "ᬓ", "\u{1B44}", "\u{600}", "\u{6DD}", "ب", "\u{110BD}", "\u{111C2}", "𑀓", "\u{16D63}", "\u{E000}",
    "\u{10FFFF}", "\u{2028}",
    "\u{FFFD}", "\u{FF9E}", "ｶ",
  ]

  /// Everything, or a few kinds that meet often.
  private func text(_ random: inout SplitMix64, count: Int) -> String {
    var kinds = Self.pieces
    if Bool.random(using: &random) { kinds = (0..<4).map { _ in Self.pieces.randomElement(using: &random) ?? "" } }
    return (0..<count).map { _ in kinds.randomElement(using: &random) ?? "" }.joined()
  }

  @Test func clustersAreThoseOfTheStandardLibrary() {
    var random = SplitMix64(state: 14)
    for round in 0..<500 {
      let string = text(&random, count: round % 40 + 1)
      let rope = Rope(string)
      var start: ByteOffset = 0
      for character in string {
        let end = start + character.utf8.count
        if rope.graphemeEnd(after: start) != end {
          Issue.record(
            "the end after \(start) of \(string.unicodeScalars.map(\.value)): \(rope.graphemeEnd(after: start) ?? -1)")
          return
        }
        for offset in 1...character.utf8.count where rope.graphemeStart(before: start + offset) != start {
          Issue.record("the start before \(start + offset) of \(string.unicodeScalars.map(\.value)) is not \(start)")
          return
        }
        start = end
      }
    }
  }

  /// Where neighbours may differ; elsewhere are ideographs, syllables and what is for private use.
  private static func isInMixedBlock(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x3400, 0xA000..<0xAC00, 0xD7A4..<0xD800, 0xF900..<0x17000, 0x1AFF0..<0x20000, 0xE0000..<0xE0200: true
    default: false
    }
  }

  /// Of nearly every character that there is, beside others of which this is said.
  @Test func whatAlwaysBreaksDoes() {
    let others: [Unicode.Scalar] = ["x", "日", "각", "क", "👩", "ب", "\u{D15}"]
    for value in UInt32(0)...0x10FFFF where value % 97 == 0 || Self.isInMixedBlock(value) {
      guard let scalar = Unicode.Scalar(value), others.allSatisfy({ scalar.alwaysEndsCluster(before: $0) }) else {
        continue
      }
      var text = String.UnicodeScalarView()
      for other in others { text += [scalar, other] }
      text.append(scalar)
      if String(text).count != text.count || !others.allSatisfy({ $0.alwaysEndsCluster(before: scalar) }) {
        Issue.record("U+\(String(value, radix: 16))")
        return
      }
    }
  }

  /// Where they are taken apart does not depend on the side that one comes from, and nothing is looked through for their ends.
  @Test func clustersHaveALongestLength() throws {
    var random = SplitMix64(state: 41)
    let runs = [
      "\u{301}", "\u{200D}", "\u{1F1E9}\u{1F1EA}", "ᄀ", "क\u{94D}", "👩\u{200D}", "\u{FE0F}", "👍🏽", "a", "日", "\u{600}",
    ]
    for round in 0..<60 {
      var text = Rope()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let run = runs.randomElement(using: &random) ?? ""
        text.append(Rope(String(repeating: run, count: Int.random(in: 1...(20_000 / run.utf8.count), using: &random))))
        if Bool.random(using: &random) { text.append(Rope([0xFF, 0x80])) }
      }
      var (starts, offset): ([ByteOffset], ByteOffset) = ([], 0)
      while let end = text.graphemeEnd(after: offset) {
        starts.append(offset)
        try #require(end > offset && end - offset <= 8200, "round \(round): \(offset)..<\(end)")
        let inside = offset + Int.random(in: 1...(end - offset), using: &random)
        #expect(text.graphemeStart(before: inside) == offset, "round \(round)")
        offset = end
      }
      while let start = text.graphemeStart(before: offset) {
        try #require(start == starts.popLast(), "round \(round): before \(offset)")
        offset = start
      }
      #expect(starts.isEmpty)
    }
  }

  /// They are of a usual kind, and each begins where the one before has ended.
  @Test(arguments: ["❤\u{FE0F}", "👍🏽", "👨‍👩‍👧", "한"]) func manyEmojiInARowStayWhole(_ unit: String) {
    let text = Rope("x" + String(repeating: unit, count: 3000))
    for index in 0..<3000 {
      let start = ByteOffset(1 + index * unit.utf8.count)
      guard text.graphemeEnd(after: start) == start + unit.utf8.count,
        text.graphemeStart(before: start + unit.utf8.count) == start
      else {
        Issue.record("\(index)")
        return
      }
    }
  }

  @Test func bytesThatAreNoUTF8AreClusters() {
    let bytes: [UInt8] = [0x61, 0xE6, 0x97, 0xE6, 0x97, 0xA5, 0x80, 0xF0, 0x9F, 0xFF, 0xC3]
    let rope = bytes.withUnsafeBytes { Rope($0) }
    let starts = (1...bytes.count).map { rope.graphemeStart(before: ByteOffset($0)) }
    #expect(starts == [0, 1, 2, 3, 3, 3, 6, 7, 8, 9, 10])
  }

  /// Each in a short time: going back to the last two letters of ASCII this would take an hour.
  @Test(arguments: ["日本語", "👨‍👩‍👧X", "e\u{301}é", "한국어", "क्षत्रि", "か\u{3099}き"])
  func manyPlacesAreFoundFast(_ unit: String) {
    let rope = Rope(String(repeating: unit, count: 10_000))
    let ends = unit.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.utf8.count) }
    for start in stride(from: 0, to: rope.byteCount, by: unit.utf8.count) {
      for (before, after) in zip(ends, ends.dropFirst())
      where rope.graphemeStart(before: ByteOffset(start + after)) != ByteOffset(start + before) {
        Issue.record("before \(start + after)")
        return
      }
    }
  }

  @Test func manyCaretsGoLeftFast() throws {
    let driver = CoreDriver()
    driver.open()
    let text = Rope(String(repeating: "日本語", count: 20_000))
    driver.document?.commit(Delta(baseByteCount: 0, replacing: 0..<0, with: text), as: .other)
    let view = try #require(driver.textView)
    var carets = Selection()
    for offset in stride(from: 3, through: text.byteCount, by: 9) { carets.add(.caret(ByteOffset(offset))) }
    view.select(carets)
    driver.edit("move_left")
    #expect(view.selection.regions.count == 20_000)
    #expect(view.selection.regions.last == .caret(text.endOffset - 9))
  }
}
