import Rope
import Testing

@testable import EditorCore

@Suite struct MovingLinesTests {
  /// Each caret goes with its line, which is not looked for among all that move.
  @Test func manyLinesMoveTogether() throws {
    let driver = CoreDriver()
    driver.open()
    let count = 20_000
    let text = Rope(String(repeating: "a\nb\n", count: count))
    driver.document?.commit(Delta(baseByteCount: 0, replacing: 0..<0, with: text), as: .other)
    let view = try #require(driver.textView)
    var carets = Selection()
    for index in 0..<count { carets.add(.caret(ByteOffset(4 * index + 2))) }
    view.select(carets)
    view.moveLines(up: true)
    #expect(view.text == Rope(String(repeating: "b\na\n", count: count)))
    #expect(view.selection.regions.map(\.active.value) == (0..<count).map { 4 * $0 })
  }
}
