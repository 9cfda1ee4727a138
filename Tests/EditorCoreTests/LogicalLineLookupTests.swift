import EditorProtocol
import Rope
import Testing

@testable import EditorCore

/// What is walked to is what is looked up.
@Suite struct LogicalLineLookupTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func isLikeTheText(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let words = [
      "a", "words ", "\r\n", "\n", "\n", "é", "\r", String(repeating: "long ", count: seed % 4 == 0 ? 900 : 3),
    ]
    let text = Rope(
      (0..<Int.random(in: 0..<80, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined())
    var lookup = LogicalLineLookup(of: text)
    var offset = ByteOffset(0)
    for step in 0..<500 {
      offset = min(offset + Int.random(in: 0..<(seed % 4 == 0 ? 500 : 9), using: &random), text.endOffset)
      if step % 20 == 0 { offset = ByteOffset(Int.random(in: 0...text.byteCount, using: &random)) }
      let line = lookup.line(of: offset)
      #expect(line.number == text.line(at: offset))
      #expect(line.range == text.range(ofLine: text.line(at: offset)))
      #expect(line.contentEnd == text.lineContentEnd(of: offset))
      #expect(line.isLast == (text.nextLineStart(after: offset) == nil))
    }
  }
}

/// As many carets as a column of a long file has.
@Suite struct ManyCaretsTests {
  private static let lineCount = 20_000

  private func driver(handshake: Bool = true) -> CoreDriver {
    let driver = CoreDriver(handshake: handshake)
    driver.open()
    let text = Rope((0..<Self.lineCount).map { "\($0)ab" }.joined(separator: "\n") + "\n")
    driver.document?.commit(Delta(baseByteCount: 0, replacing: 0..<0, with: text), as: .other)
    driver.edit("select_all")
    driver.edit("selection_into_lines")
    driver.edit("move_right")
    return driver
  }

  private func text(_ line: (Int) -> String) -> Rope {
    Rope((0..<Self.lineCount).map(line).joined(separator: "\n") + "\n")
  }

  @Test func eachCaretYanksWhatItKilled() {
    let driver = driver()
    let text = driver.document?.buffer.text
    driver.edit("move_to_left_end_of_line")
    driver.edit("delete_to_end_of_paragraph")
    #expect(driver.document?.buffer.text.byteCount == Self.lineCount)
    driver.edit("yank")
    #expect(driver.document?.buffer.text == text && driver.textView?.selection.regions.count == Self.lineCount)
  }

  /// In xi all of it is put in at each caret, which may be more than there is memory.
  @Test func whatNoMemoryHoldsIsRefused() {
    let driver = driver(handshake: false)
    driver.edit("move_to_left_end_of_line")
    driver.edit("delete_to_end_of_paragraph")
    driver.edit("yank")
    #expect(driver.document?.buffer.text.byteCount == Self.lineCount)
    #expect(driver.alerts.count == 1 && driver.alerts[0].hasPrefix("Not done: the text would grow by"))
    driver.edit("collapse_selections")
    driver.edit("yank")
    #expect(
      driver.document?.buffer.text
        == text { $0 == 0 ? (0..<Self.lineCount).map { "\($0)ab" }.joined(separator: "\n") : "" })
  }

  @Test func linesAndTabsAndSwaps() {
    let driver = driver()
    driver.edit("transpose")
    #expect(driver.document?.buffer.text == text { "\($0)ba" })
    driver.edit("indent")
    #expect(driver.document?.buffer.text == text { "    \($0)ba" })
    driver.edit("outdent")
    #expect(driver.document?.buffer.text == text { "\($0)ba" })
    driver.edit("insert_tab")
    #expect(driver.document?.buffer.text == text { "\($0)ba" + String(repeating: " ", count: 4 - "\($0)ba".count % 4) })
    driver.edit("undo")
    driver.edit("duplicate_line")
    #expect(driver.document?.buffer.text == text { "\($0)ba\n\($0)ba" })
  }
}
