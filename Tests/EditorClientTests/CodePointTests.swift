import EditorProtocol
import Testing

@testable import EditorClient

/// What is at the caret.
@Suite struct CodePointTests {
  private func told(_ text: String, column: Int) -> String {
    let bench = Bench(["x"])
    let line = UpdateLine(text: text, number: 1, cursors: [column], styles: [])
    let last = UpdateLine(text: "", number: 2, cursors: [], styles: [])
    var update = ViewUpdate(ops: [.insert([line, last])], pristine: true)
    update.handledEdits = 2
    bench.editor.handle(.update(Bench.view, update))
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: column)))
    bench.press("{F2}show_code_point{enter}")
    return bench.told
  }

  @Test func charactersAndLineEnds() {
    #expect(told("aé\n", column: 0) == "U+0061, decimal 97, UTF-8 61")
    #expect(told("aé\n", column: 1) == "U+00E9, decimal 233, UTF-8 C3 A9")
    #expect(told("e\u{301}x\n", column: 0) == "U+0065 U+0301, decimal 101 769, UTF-8 65 CC 81")
    #expect(told("👍🏽\n", column: 0) == "U+1F44D U+1F3FD, decimal 128077 127997, UTF-8 F0 9F 91 8D F0 9F 8F BD")
    #expect(told("\t\u{0}\n", column: 1) == "U+0000, decimal 0, UTF-8 00")
    #expect(told("a\n", column: 1) == "Line end LF: U+000A, decimal 10, UTF-8 0A")
    #expect(told("a\r\n", column: 1) == "Line end CRLF: U+000D U+000A, decimal 13 10, UTF-8 0D 0A")
    #expect(told("\n", column: 0).hasPrefix("Line end LF"))
  }

  @Test func aClusterOfThousands() {
    let words = told("e" + String(repeating: "\u{301}", count: 999) + "\n", column: 0)
    #expect(words.hasSuffix(", and 984 more code points") && words.utf8.count < 500)
  }

  @Test func theEndOfTheText() {
    let bench = Bench(["x"])
    let line = UpdateLine(text: "a", number: 1, cursors: [1], styles: [])
    bench.editor.handle(.update(Bench.view, ViewUpdate(ops: [.insert([line])], pristine: true)))
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 1)))
    bench.press("{F2}show_code_point{enter}")
    #expect(bench.told == "The end of the text")
  }

  /// The caret may stand at the end of a row of a line that is broken there.
  @Test func theNextRowOfAWrappedLine() {
    let bench = Bench(["x"])
    let lines = [
      UpdateLine(text: "ab ", number: 1, cursors: [3], styles: []),
      UpdateLine(text: "éd\n", number: nil, cursors: [], styles: []),
    ]
    bench.editor.handle(.update(Bench.view, ViewUpdate(ops: [.insert(lines)], pristine: true)))
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 3)))
    bench.press("{F2}show_code_point{enter}")
    #expect(bench.told.hasPrefix("U+00E9"))
  }
}
