import Rope
import TestSupport
import Testing

@testable import EditorCore

/// Motion up and down in code goes straight; `Tests/EditorCases/columns` shows how.
@Suite struct CellColumnTests {
  private func view(_ text: Rope) throws -> TextView {
    let driver = CoreDriver(handshake: true)
    driver.open()
    let document = try #require(driver.document)
    document.commit(Delta(baseByteCount: 0, replacing: 0..<0, with: text), as: .other)
    return try #require(driver.textView)
  }

  @Test func equalLinesHaveEqualColumns() throws {
    var random = SystemRandomNumberGenerator()
    let pieces: [[UInt8]] =
      ["a", "bc", "\t", " ", "é", "日本", "e\u{301}", "👍🏽", "\u{7}"].map { Array($0.utf8) } + [[0xFF]]
    for length in (0..<150).map({ $0 % 30 }) + [20_000] {
      let line = Rope((0..<length).flatMap { _ in pieces.randomElement(using: &random) ?? [] } + [0x0A])
      var text = line
      text.append(line)
      let view = try view(text)
      var lookup = LineLookup(view.lines, of: text)
      for _ in 0..<40 {
        let place = text.graphemeBoundary(atOrBefore: ByteOffset(Int.random(in: 0..<line.byteCount, using: &random)))
        let cell = view.cell(of: place, lineStart: 0)
        #expect(view.offset(ofCell: cell, inLine: 1, &lookup) == place + line.byteCount, "\(length): \(place)")
      }
    }
  }

  /// A key must not walk through it.
  @Test func whatLiesFarBehindTheStartCountsABytePerCell() throws {
    let line = "\t" + String(repeating: "日", count: 1 << 20) + "\n"
    let text = Rope(line + line)
    let view = try view(text)
    var lookup = LineLookup(view.lines, of: text)
    let place = ByteOffset(1 + 3 * 500_000)
    let cell = view.cell(of: place, lineStart: 0)
    #expect(cell > 1_400_000)
    #expect(view.offset(ofCell: cell, inLine: 1, &lookup) == place + line.utf8.count)
    #expect(view.offset(ofCell: .max, inLine: 1, &lookup) == text.endOffset - 1)
  }

  /// Rows get other numbers where lines above are broken anew; the block stays where it was.
  @Test func aBlockGoesOnInANarrowerWindow() {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("resize", ["width": 80, "height": 20])
    driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["word_wrap": true]))
    driver.edit("paste", ["chars": "some words to be broken here\n12345678\n12345678\n12345678\n"])
    for (line, extend) in [(1, false), (2, true)] {
      driver.edit(
        "gesture",
        [
          "line": .integer(Int64(line)), "col": 0,
          "ty": ["select_columns": ["cell": .integer(extend ? 4 : 2), "extend": .bool(extend)]],
        ])
    }
    driver.edit("resize", ["width": 10, "height": 20])
    driver.edit("xiedit_select_columns_down")
    driver.edit("insert", ["chars": "#"])
    #expect(
      driver.document?.buffer.text == Rope("some words to be broken here\n12#5678\n12#5678\n12#5678\n"))
  }
}
