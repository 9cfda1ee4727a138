import JSON
import Rope
import Testing

@testable import EditorCore

/// What kills in a row take is put back as one.
@Suite struct KillTests {
  private func driver(_ text: String, handshake: Bool = true) -> CoreDriver {
    let driver = CoreDriver(handshake: handshake)
    driver.open()
    driver.edit("insert", ["chars": .string(text)])
    driver.edit("move_to_beginning_of_document")
    return driver
  }

  private func kill(_ driver: CoreDriver, _ count: Int) {
    for _ in 0..<count { driver.edit("delete_to_end_of_paragraph") }
  }

  private func text(_ driver: CoreDriver) -> String {
    let text = driver.document?.buffer.text ?? "none"
    return text.string(in: text.fullRange)
  }

  @Test(arguments: [true, false]) func killsInARowAddUp(handshake: Bool) {
    let driver = driver("one\ntwo\nthree\n", handshake: handshake)
    kill(driver, 2)
    // A front end tells of its screen as the text shrinks.
    driver.edit("scroll", [0, 5])
    driver.edit("resize", ["width": 80, "height": 5])
    kill(driver, 2)
    driver.edit("move_to_end_of_document")
    driver.edit("yank")
    #expect(text(driver) == (handshake ? "three\none\ntwo\n" : "three\n\n"), "xi keeps the last alone")
  }

  @Test(arguments: ["move_right", "insert", "undo", "collapse_selections", "yank"])
  func anyOtherCommandEndsTheRow(method: String) {
    let driver = driver("one\ntwo\n")
    kill(driver, 2)
    driver.edit(method, method == "insert" ? ["chars": "x"] : [])
    driver.edit("move_to_end_of_document")
    driver.edit("insert", ["chars": "last"])
    driver.edit("move_to_left_end_of_line")
    kill(driver, 1)
    driver.edit("select_all")
    driver.edit("yank")
    #expect(text(driver) == "last")
  }

  @Test func aCopyEndsTheRow() {
    let driver = driver("one\ntwo\n")
    kill(driver, 2)
    _ = driver.request("edit", ["view_id": .string(driver.view.rawValue), "method": "copy", "params": []])
    kill(driver, 1)
    driver.edit("select_all")
    driver.edit("yank")
    #expect(text(driver) == "two")
  }

  @Test func eachCaretGetsItsOwnBack() {
    let driver = driver("a1\nb1\n--\na2\nb2\n--\n")
    for line in [0, 3] {
      driver.edit(
        "gesture",
        ["line": JSONValue(line), "col": 0, "ty": ["select": ["granularity": "point", "multi": .bool(line > 0)]]])
    }
    kill(driver, 4)
    #expect(text(driver) == "--\n--\n")
    driver.edit("yank")
    #expect(text(driver) == "a1\nb1\n--\na2\nb2\n--\n")
  }

  /// Where carets have met, all of it is one text.
  @Test func nothingIsLostWhereCaretsMeet() {
    let driver = driver("a\nb\nc\n")
    driver.edit("add_selection_below")
    kill(driver, 4)
    driver.edit("select_all")
    driver.edit("yank")
    for part in ["a", "b", "c"] { #expect(text(driver).contains(part)) }
  }

  @Test func whereNothingIsTakenNothingIsForgotten() {
    let driver = driver("one\n")
    kill(driver, 5)
    driver.edit("move_to_end_of_document")
    kill(driver, 1)
    driver.edit("yank")
    #expect(text(driver) == "one\n")
  }
}
