import Testing

@testable import EditorClient

/// What does not fit in the bottom line, and what was told before, can be read.
@Suite struct NoticesTests {
  private static let long = "/a/folder/with/a/long/name/settings.toml, line 12: the setting tab_size cannot be 0"

  @Test func aMessageThatIsTooLongCanBeReadWhole() {
    let bench = Bench(columns: 50)
    bench.editor.handle(.alert(Self.long))
    #expect(bench.bottom.hasPrefix("/a/folder/with/a/long"))
    #expect(bench.bottom.hasSuffix("…  Alt-Shift-M all"))
    bench.press("{alt M}")
    #expect(bench.screen[0] == " What was told, the last first")
    #expect(bench.screen.joined().replacing(" ", with: "").contains(Self.long.replacing(" ", with: "")))
    bench.press("{esc}")
    #expect(bench.bottom.contains("^S Save"))
  }

  @Test func oneThatFitsNamesNoKey() {
    let bench = Bench(columns: 50)
    bench.editor.handle(.alert(String(repeating: "x", count: 50)))
    #expect(bench.bottom == String(repeating: "x", count: 50))
  }

  @Test func ofSeveralLinesTheFirstIsShownAndAllCanBeRead() {
    let bench = Bench()
    bench.editor.handle(.alert("first\nsecond\nthird"))
    #expect(bench.bottom.hasPrefix("first (and 2 more)") && bench.bottom.hasSuffix("Alt-Shift-M all"))
    bench.press("{alt M}")
    #expect(Array(bench.screen[0..<5]) == [" What was told, the last first", "", " first", " second", " third"])
  }

  /// Also those for which there was no room.
  @Test func allThatWasToldIsListed() {
    let bench = Bench(rows: 60)
    bench.press("{alt M}")
    #expect(bench.screen[0] == " Nothing was told yet")
    bench.press("{esc}")
    for number in 0..<20 { bench.editor.handle(.alert("alarm \(number)")) }
    #expect(bench.bottom == "alarm 0  (8 more)")
    for _ in 0..<9 { bench.press("x") }
    #expect(bench.bottom.contains("^S Save"))
    bench.press("{alt M}")
    #expect(bench.screen.compactMap { $0.hasPrefix(" alarm") ? $0 : nil } == (0..<20).reversed().map { " alarm \($0)" })
  }

  /// About the text, and not about what is being looked for.
  @Test func anAlarmDuringASearchIsNotMissed() {
    let bench = Bench()
    bench.press("{^F}o")
    bench.editor.handle(.alert("What you type is in memory only"))
    #expect(bench.screen.last?.contains("What you type") == true)
    bench.press("n{esc}")
    #expect(bench.editor.notices.lines(columns: 80).contains("What you type is in memory only"))
  }

  @Test func noMoreAreKeptThanAnyoneReads() {
    let bench = Bench()
    for number in 0..<1000 {
      bench.editor.notices.show("message \(number)")
      bench.editor.notices.show("message \(number)")
    }
    let lines = bench.editor.notices.lines(columns: 80)
    #expect(lines.count == 1 + 2 * 200 && lines[2] == "message 999" && lines.last == "message 800")
  }

  @Test func whereTheCommandHasNoKeyTheTextIsCut() {
    let bench = Bench(columns: 20)
    bench.editor.handle(.keySettings(.init(path: "/s", entries: [.init(keys: "Alt-Shift-M", command: "none")])))
    bench.editor.handle(.alert(Self.long))
    #expect(bench.bottom == "/a/folder/with/a/lo…")
  }
}
