import Testing
import TextMetrics

@Suite struct CellMetricsTests {
  private let metrics = CellMetrics(tabSize: 8)

  private func clusters(_ text: String) -> [CellCluster] {
    var found: [CellCluster] = []
    metrics.forEachCluster(in: text.utf8Span) { cluster in
      found.append(cluster)
      return true
    }
    return found
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("日本語", 6), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧‍👦", 2), ("🇯🇵", 2), ("🇯", 1), ("❤️", 2), ("❤", 1),
    ("1️⃣", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("क्षि", 1), ("\u{1FAEA}", 2), ("a\tb", 9), ("\t\t", 16),
    ("日\tx", 9), ("\u{1B}", 2), ("\u{7F}", 2), ("\u{85}", 4), ("\u{200B}", 6), ("\u{202E}abc", 9), ("\u{E0041}", 7),
    ("\u{301}", 1), ("\u{FFFD}", 1), ("\u{10FFFF}", 1), ("\u{AD}", 4),
  ])
  func widthOf(_ text: String, is width: Int) {
    #expect(metrics.width(of: text) == width)
  }

  @Test(arguments: ["abc\n", "abc\r\n", "abc"])
  func lineEndsTakeNoRoom(_ text: String) {
    #expect(metrics.width(of: text) == 3)
  }

  @Test func aCarriageReturnInsideIsShown() {
    #expect(clusters("a\rb\r").map(\.appearance) == [.text, .escaped, .text, .escaped])
  }

  @Test func ignorableCharactersAfterASCIIAreShown() {
    #expect(clusters("a\u{200D}b").map(\.width) == [7, 1])
    #expect(CellMetrics.escape(of: "a\u{200D}".unicodeScalars) == "a<200d>")
  }

  @Test func escapesAreAsWideAsTheyAreDrawn() {
    for value: UInt32 in [0, 9, 0x1B, 0x7F, 0x80, 0x9F, 0xAD, 0x200B, 0xFFF0, 0x10000, 0xE0041, 0xFFFFF, 0x10FFFF] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let drawn = CellMetrics.escape(of: CollectionOfOne(scalar))
      let text = String(scalar)
      if clusters(text).first?.appearance == .escaped { #expect(metrics.width(of: text) == drawn.utf8.count) }
    }
  }

  @Test func offsetsAndColumnsMapBothWays() {
    let text = "a日\te\u{301}x\u{1}"
    #expect(clusters(text).map(\.byteOffset) == [0, 1, 4, 5, 8, 9])
    #expect(clusters(text).map(\.column) == [0, 1, 3, 8, 9, 10])
    #expect((0...10).map { metrics.column(ofByteOffset: $0, in: text) } == [0, 1, 1, 1, 3, 8, 8, 8, 9, 10, 12])
    #expect((0...12).map { metrics.byteOffset(ofColumn: $0, in: text) } == [0, 1, 1, 4, 4, 4, 4, 4, 5, 8, 9, 9, 10])
  }

  @Test func stopsWhenAskedTo() {
    for text in ["abcdef", "日本語日本語"] {
      var seen = 0
      metrics.forEachCluster(in: text.utf8Span) { _ in
        seen += 1
        return seen < 2
      }
      #expect(seen == 2)
    }
  }

  /// The clusters are the standard library's, whatever the mix of ASCII, marks and joiners.
  @Test func clustersAreTheStandardLibrarys() {
    let pieces = [
      "a", "1", " ", "\r", "\u{301}", "\u{200D}", "日", "👩", "🇯", "\u{FE0F}", "\u{600}", "\u{903}", "한", "\u{11AB}",
    ]
    var random = SplitMix(state: 1)
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...8, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
      text += "."
      #expect(
        clusters(text).map(\.byteCount) == text.map { String($0).utf8.count }, "\(text.unicodeScalars.map(\.value))")
    }
  }

  @Test func tabSizeIsAtLeastOne() {
    #expect(CellMetrics(tabSize: 0).width(of: "\t\t") == 2)
  }

  @Test func announcesItsUnicodeVersion() {
    #expect(CellMetrics.unicodeVersion == "17.0.0")
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
