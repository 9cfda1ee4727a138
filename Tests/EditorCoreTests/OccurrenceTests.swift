import EditorProtocol
import JSON
import Rope
import Testing

@testable import EditorCore

/// What the cases of `Tests/EditorCases/occurrences` and `expanding` cannot show.
@Suite struct OccurrenceTests {
  private func driver(_ text: String) -> CoreDriver {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("paste", ["chars": .string(text)])
    driver.edit("move_to_beginning_of_document")
    return driver
  }

  @Test func theUserIsToldWhyNothingHappens() {
    let driver = driver("a  b")
    driver.edit("xiedit_shrink_selection")
    #expect(driver.notifications.contains(.alert("The selection was not expanded")))
    driver.edit("xiedit_select_next_occurrence")
    driver.edit("xiedit_select_next_occurrence")
    #expect(driver.notifications.contains(.alert("It stands nowhere else")))
    driver.edit("move_right")
    driver.edit("move_right")
    driver.edit("xiedit_select_all_occurrences")
    #expect(driver.notifications.contains(.alert("There is no word at the caret")))
  }

  /// A letter without its mark is no place to type at: the mark would go, too.
  @Test func partsOfCharactersAreNotSelected() {
    let ranges: (CoreDriver) -> [Range<Int>] = { driver in
      driver.textView?.selection.regions.map { $0.range.lowerBound.value..<$0.range.upperBound.value } ?? []
    }
    let driver = driver("e e\u{301} e")
    driver.edit("move_right_and_modify_selection")
    driver.edit("xiedit_select_all_occurrences")
    #expect(ranges(driver) == [0..<1, 6..<7])
    #expect(driver.notifications.contains(.alert("1 found within characters is not selected")))
    driver.edit("insert", ["chars": "x"])
    #expect(driver.document?.buffer.text == "x e\u{301} x")

    let next = self.driver("e e\u{301} e")
    next.edit("move_right_and_modify_selection")
    for _ in 0..<3 { next.edit("xiedit_select_next_occurrence") }
    #expect(ranges(next) == [0..<1, 6..<7])
    #expect(next.notifications.contains(.alert("It stands nowhere else")))

    let all = self.driver("e\u{301}x")
    all.edit("find", ["chars": "e", "case_sensitive": true])
    all.edit("find_all")
    #expect(all.textView?.selection == .caret(0))
  }

  /// What was selected before lay in another text.
  @Test func aChangeEndsTheWayBack() {
    let driver = driver("a b")
    driver.edit("xiedit_select_next_occurrence")
    driver.edit("insert", ["chars": "longer"])
    driver.edit("xiedit_undo_selection")
    #expect(driver.notifications.contains(.alert("Nothing else was selected since the text changed")))
    #expect(driver.textView?.selection == .caret(6))
  }

  @Test func theScreenFollowsThePlaceAddedLast() {
    let driver = driver("b\n" + String(repeating: "\n", count: 100) + "b b")
    driver.edit("move_to_end_of_document")
    for _ in 0..<2 { driver.edit("xiedit_select_next_occurrence") }
    #expect(driver.textView?.selection.regions.count == 2)
    #expect(driver.textView?.carets.main?.lowerBound == 0)
    #expect(driver.textView?.window.contains(0) == true)
  }

  /// A front end takes no message of more than so many values, and starts another core after some of them.
  @Test func anUpdateWithManyCaretsIsStillTaken() throws {
    let driver = driver(String(repeating: "a", count: 250_000))
    let view = try #require(driver.textView)
    var selection = Selection()
    for offset in 0..<250_000 { selection.add(.caret(ByteOffset(offset))) }
    view.partialLines.areTaken = false
    view.select(selection)
    let update = view.makeUpdate(isPristine: true, handledEdits: nil).update
    let lines = update.ops.flatMap { op -> [UpdateLine] in
      switch op {
      case .insert(let lines), .update(let lines, _): return lines
      case .copy, .skip, .invalidate: return []
      }
    }
    let marks = lines.map { $0.cursors.count + ($0.styles?.count ?? 0) } + update.annotations.map(\.ranges.count)
    #expect((LineRenderer.mostMarks...LineRenderer.mostMarks + 1).contains(marks.reduce(0, +)))
    #expect(lines.contains { $0.cursors.contains(249_999) }, "the caret that the screen follows is told")
  }

  @Test(arguments: [
    ("a \"b c\" d", [2..<7]), ("it's 'x'", [5..<8]), (#""a\"b" 'c"#, [0..<6]), ("\"", []), ("", []),
    ("`a``b`", [0..<3, 3..<6]),
    (#""\"#, []),
  ])
  func quotationsAreFound(_ line: String, _ expected: [Range<Int>]) {
    #expect(Array(line.utf8).withUnsafeBytes(Quotations.find) == expected)
  }

  /// In a long line, and with many carets, the commands end: none of them is quadratic.
  @Test func manyCaretsAreNoTrouble() throws {
    let driver = driver(String(repeating: "(a) 'b' ", count: 50_000))
    driver.edit("xiedit_expand_selection")
    driver.edit("xiedit_expand_selection")
    let view = try #require(driver.textView)
    var carets = Selection()
    for index in 0..<100_000 { carets.add(.caret(ByteOffset(index * 4 + 1))) }
    view.select(carets)
    for _ in 0..<3 { driver.edit("xiedit_expand_selection") }
    for _ in 0..<3 { driver.edit("xiedit_shrink_selection") }
    #expect(view.selection == carets)
    driver.edit("xiedit_undo_selection")
    #expect(!view.selection.isEmpty)
  }
}
