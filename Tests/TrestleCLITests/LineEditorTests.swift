import TerminalInput
import Testing

@testable import TrestleCLI

/// What keys do to the text of an entry, and how it is shown.
@Suite struct LineEditorTests {
  private func typed(_ keys: String, into text: String = "") -> LineEditor {
    var editor = LineEditor(text)
    var decoder = InputDecoder()
    for event in decoder.decode(Array(keys.utf8)) + decoder.flush() { _ = editor.handle(event) }
    return editor
  }

  @Test(arguments: [
    ("ab\u{02}c", "acb", 2), ("ab\u{01}c\u{05}d", "cabd", 4), ("a b c\u{17}", "a b ", 4),
    ("foo.bar\u{1B}\u{7F}", "foo.", 4),
    ("ab\u{15}", "", 0), ("abc\u{01}\u{0B}x\u{19}", "xabc", 4), ("ab\u{14}", "ba", 2), ("ab\u{1B}bc", "cab", 1),
    ("ab cd\u{1B}b\u{1B}b\u{1B}d", " cd", 0), ("ab\u{1F}", "a", 1), ("a\u{1B}\r b", "a\n b", 4),
    ("\u{1B}[200~a\r\n\tb\u{1B}[201~", "a\n  b", 5),
    ("日本\u{7F}", "日", 1), ("\u{7F}\u{1B}[3~\u{1B}[D", "", 0), ("ab\u{01}\u{1B}[3~", "b", 0),
    ("a b\u{1B}[1;5Dx", "a xb", 3),
  ]) func keys(_ keys: String, _ text: String, _ cursor: Int) {
    let editor = typed(keys)
    #expect(editor.string == text && editor.cursor == cursor, "\(editor.string) \(editor.cursor)")
  }

  @Test func lines() {
    var editor = LineEditor("ab\ncdef\ng")
    var hasMoved = editor.moveLine(-1)
    #expect(hasMoved && editor.cursor == 4)
    hasMoved = editor.moveLine(-1)
    #expect(hasMoved && editor.cursor == 1)
    hasMoved = editor.moveLine(-1)
    #expect(!hasMoved && editor.cursor == 1)
    editor.move(to: 7)
    hasMoved = editor.moveLine(1)
    #expect(hasMoved && editor.cursor == 9)
    hasMoved = editor.moveLine(1)
    #expect(!hasMoved)
  }

  @Test func requests() {
    var editor = LineEditor()
    let keys: [(Key, LineRequest)] = [
      (Key(.enter), .submit), (Key(.tab), .complete), (Key(.up), .history(-1)), (Key(.down), .history(1)),
      (.control("r"), .search), (.control("c"), .interrupt), (.control("d"), .end), (.control("l"), .clearScreen),
      (.control("z"), .suspend), (Key(.function(5)), .none),
    ]
    for (key, request) in keys {
      let asked = editor.handle(.key(key))
      #expect(asked == request, "\(key)")
    }
    editor.insert("x")
    let asked = editor.handle(.key(.control("d")))
    #expect(asked == .none)
  }

  /// The text goes on in the next row where it is too long, and of too many rows those around the cursor are shown.
  @Test func rows() {
    var display = LineDisplay(hasColor: false)
    let shown1 = display.drawing(LineEditor("abc"), columns: 8, rows: 5)
    #expect(shown1 == "\r\u{1B}[J> abc\r\u{1B}[5C")
    let shown2 = display.drawing(LineEditor("日本語日"), columns: 8, rows: 5)
    #expect(shown2 == "\r\u{1B}[J> 日本語\r\n日\r\u{1B}[2C")
    let shown3 = display.erasure()
    #expect(shown3 == "\r\u{1B}[1A\u{1B}[J")
    let long = LineEditor((1...9).map(String.init).joined(separator: "\n"))
    let shown4 = display.drawing(long, columns: 8, rows: 3)
    #expect(shown4 == "\r\u{1B}[J… 7\r\n… 8\r\n… 9\r\u{1B}[3C")
    let shown5 = display.erasure()
    #expect(shown5 == "\r\u{1B}[2A\u{1B}[J")
  }

  @Test func colours() {
    #expect(ScriptColors.value("{ a: 'x' }", hasColor: true) == "{ a: \u{1B}[32m'x'\u{1B}[0m }")
    #expect(ScriptColors.value("[Function: f]", hasColor: true) == "\u{1B}[36m[Function: f]\u{1B}[0m")
    #expect(ScriptColors.value("'x'", hasColor: false) == "'x'")
    for text in ["'open", "`a\nb", "/* open", "// c", "\\", "[Function", "1e5", "'\\"] {
      #expect(ScriptColors.styles(of: Array(text)).count == text.count)
    }
  }
}
