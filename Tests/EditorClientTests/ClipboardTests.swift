import EditorProtocol
import JSON
import Testing

@testable import EditorClient

/// What was copied before can be put in again.
@Suite struct ClipboardTests {
  private func copy(_ answer: JSONValue, in bench: Bench) {
    bench.press("{^C}")
    bench.core.answer(.success(answer))
  }

  private func bench(_ texts: [String]) -> Bench {
    let bench = Bench(["-"])
    for text in texts { copy(.string(text), in: bench) }
    _ = bench.editor.screen.takeEffects()
    return bench
  }

  @Test func theListHasTheLastFirstAndEachOnce() {
    let bench = bench(["one", "  two\nthree\n", "one", "\n \n"])
    copy(["lines": "whole line\n"], in: bench)
    #expect(bench.editor.clipboard.copies.map(\.text) == ["whole line\n", "\n \n", "one", "  two\nthree\n"])
    bench.press("{alt V}")
    let rows = bench.screen.filter { $0.contains("line") || $0.contains("one") || $0.contains("alone") }
    #expect(rows == [" whole line    1 line", " Blanks alone  2 lines", " one", " two           2 lines"])
  }

  @Test func whatIsChosenIsPutInAndIsTheClipboard() {
    let bench = bench(["one", "two", "three"])
    bench.press("{alt V}{down}{enter}")
    #expect(bench.core.takeEdits() == [.paste("two")])
    #expect(bench.editor.screen.takeEffects() == [.copy("two")])
    #expect(bench.editor.clipboard.copies.map(\.text) == ["two", "three", "one"])
    bench.press("{^V}")
    #expect(bench.core.takeEdits() == [.paste("two")])
    // By letters of it.
    bench.press("{alt V}thr{enter}")
    #expect(bench.core.takeEdits() == [.paste("three")])
    bench.press("{alt V}nothing{enter}")
    #expect(bench.told == "Nothing is called that")
    bench.press("{esc}x")
    #expect(bench.core.takeEdits() == [.insert("x")])
  }

  @Test func linesArePutInAsLines() {
    let bench = bench(["one"])
    copy(["lines": "line\n"], in: bench)
    copy("two", in: bench)
    bench.press("{alt V}{down}{enter}")
    #expect(bench.core.takeEdits() == [.pasteLines("line\n")])
  }

  @Test func withoutAnyThatIsTold() {
    let bench = Bench()
    bench.press("{alt V}")
    #expect(bench.told == "Nothing was copied yet" && bench.editor.mode == nil)
  }

  @Test func itIsBounded() {
    let bench = Bench()
    for number in 0..<100 { bench.editor.clipboard.take(.init(text: "\(number)", isLines: false)) }
    #expect(bench.editor.clipboard.copies.count == Clipboard.mostCopies)
    #expect(bench.editor.clipboard.copies.first?.text == "99")
    let long = String(repeating: "x", count: Clipboard.mostCopiedBytes / 4)
    for number in 0..<8 { bench.editor.clipboard.take(.init(text: "\(number)" + long, isLines: false)) }
    #expect(bench.editor.clipboard.copies.count == 3)
  }

  /// A core's end takes what only it held.
  @Test func anotherCoreLosesNone() {
    let bench = bench(["one", "two"])
    bench.editor.clipboard.coreHasEnded()
    bench.press("{alt V}{down}{enter}")
    #expect(bench.core.takeEdits() == [.paste("one")])
  }
}
