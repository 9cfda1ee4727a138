import Rope
import Testing

@testable import EditorCore

@Suite struct PartialLinesTests {
  private var partial = PartialLines()
  private let long = Rope(String(repeating: "x", count: 100_000))

  @Test mutating func onlyWhoTakesPartsGetsThem() {
    #expect(partial.part(of: long.fullRange, in: long) == long.fullRange)
    partial.areTaken = true
    #expect(partial.part(of: long.fullRange, in: long) == 0..<ByteOffset(PartialLines.byteCount))
    #expect(partial.part(of: 7..<99, in: long) == 7..<99, "a short line goes as a whole")
  }

  @Test mutating func theCaretIsWellWithinThePart() {
    partial.areTaken = true
    for column in [0, 100, 5000, 15_000, 16_384, 50_000, 49_000, 99_999, 3, 0] {
      let before = partial.firstColumn
      let isAnother = partial.follow(caretAt: column)
      #expect(isAnother == (partial.firstColumn != before))
      let part = partial.part(of: long.fullRange, in: long)
      #expect(part.contains(ByteOffset(column)) && part.count <= PartialLines.byteCount)
      let goesOn = partial.follow(caretAt: column)
      #expect(!goesOn, "it stays there")
    }
    #expect(partial.firstColumn == 0)
  }

  @Test mutating func aPartHasWholeClusters() {
    let flags = Rope(String(repeating: "🇩🇪", count: 10_000))
    partial.areTaken = true
    _ = partial.follow(caretAt: 40_003)
    #expect(partial.firstColumn > 0)
    let part = partial.part(of: flags.fullRange, in: flags)
    #expect(flags.isBetweenClusters(part.lowerBound) && flags.isBetweenClusters(part.upperBound))
  }
}
