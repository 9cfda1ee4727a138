import Rope
import Testing

@testable import EditorCore

@Suite struct BracketTests {
  /// What is looked for by trying each bracket for itself.
  private func bracketsAround(_ range: Range<Int>, in text: [UInt8]) -> Range<Int>? {
    func end(of closing: UInt8, _ opening: UInt8) -> Int? {
      var depth = 0
      for index in range.upperBound..<text.count where text[index] == closing || text[index] == opening {
        if text[index] == opening { depth += 1 } else if depth == 0 { return index + 1 } else { depth -= 1 }
      }
      return nil
    }
    for start in (0..<range.lowerBound).reversed() {
      guard let closing = Brackets.closing(text[start]) else { continue }
      var depth = 0
      for index in ((start + 1)..<range.lowerBound).reversed() {
        if text[index] == closing { depth += 1 } else if text[index] == text[start] { depth = max(depth - 1, 0) }
      }
      if depth == 0, let end = end(of: closing, text[start]) { return start..<end }
    }
    return nil
  }

  @Test func theInnermostPairIsFound() {
    var random = SplitMix64(state: 77)
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 1..<24, using: &random)).map { _ in
        Array("()[]{}a".utf8).randomElement(using: &random) ?? 0
      }
      let start = Int.random(in: 0...text.count, using: &random)
      let end = Int.random(in: start...text.count, using: &random)
      var budget = Budget(1000)
      let found = Rope(text).brackets(around: ByteOffset(start)..<ByteOffset(end), &budget)
      let expected = bracketsAround(start..<end, in: text).map { ByteOffset($0.lowerBound)..<ByteOffset($0.upperBound) }
      #expect(found == expected, "\(String(decoding: text, as: UTF8.self)) \(start)..<\(end)")
    }
  }

  /// Each of these begins what looks like an expression in brackets. Looked for one by one, their partners would take a day.
  @Test(arguments: [
    "xiedit_move_to_bracket", "xiedit_select_around_brackets", "xiedit_select_inside_brackets",
    "xiedit_expand_selection",
  ])
  func openBracketsWithoutPartnersAreLookedForTogether(command: String) throws {
    let driver = CoreDriver(handshake: true)
    driver.open()
    let text = Rope(String(repeating: "\u{1B}[31m error \u{1B}[0m\n", count: 60_000))
    driver.document?.commit(Delta(baseByteCount: 0, replacing: 0..<0, with: text), as: .other)
    let view = try #require(driver.textView)
    var carets = Selection()
    for caret in stride(from: text.byteCount / 2, to: text.byteCount, by: text.byteCount / 8) {
      carets.add(.caret(text.graphemeBoundary(atOrBefore: ByteOffset(caret))))
    }
    view.select(carets)
    driver.edit(command)
    if command != "xiedit_expand_selection" { #expect(view.selection == carets) }
  }

  @Test func scansWithinScansTakeFromOneBudget() {
    let text = Rope(String(repeating: "[({", count: 1000))
    var budget = Budget(5000)
    #expect(text.brackets(around: 1500..<1500, &budget) == nil)
    #expect(budget.steps == 5000 - 3000)
    budget = Budget(100)
    #expect(text.brackets(around: 1500..<1500, &budget) == nil)
    #expect(budget.steps == 0)
  }
}
