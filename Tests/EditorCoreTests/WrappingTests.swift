import EditorProtocol
import Rope
import TextMetrics
import Testing

@testable import EditorCore

/// Lines of long texts are broken bit by bit: in the end they are broken as if at once.
@Suite struct WrappingTests {
  private static let words = [
    "a", "few ", "words", " and ", "日本語", "-dash", "\n", ", ", "sometimes\n", "\u{301}é ", "\r\n",
  ]

  private func text(byteCount: Int, seed: UInt64, words: [String] = Self.words) -> String {
    var state = seed
    var text = ""
    while text.utf8.count < byteCount {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += words[Int(state >> 33) % words.count]
    }
    return text
  }

  /// The lines as they should be broken.
  private func breaks(of text: Rope, _ mode: WrapMode) -> [Int] {
    let breaker = LineBreaker(mode: mode, metrics: CellMetrics(tabSize: 4))
    var breaks: [Int] = []
    var line: ByteOffset = 0
    while line < text.endOffset {
      let end = text.nextLineStart(after: line) ?? text.endOffset
      breaks += breaker.breaks(of: line..<end, in: text).map(\.value)
      line = end
    }
    return breaks
  }

  private func rows(of view: TextView) -> [Int] {
    (0..<view.lines.breaks.count).map { view.lines.breaks[$0].value }
  }

  private func finish(_ view: TextView, byteCount: Int = 500) {
    while !view.lines.unbroken.isEmpty {
      view.wrapMore(byteCount: byteCount)
      #expect(view.shadow.lineCount == view.lineCount)
    }
  }

  @Test(arguments: [WrapMode.cells(20), .bytes(15)], [0, 15_000, 30_000])
  func aLongTextIsBrokenAroundTheCaretFirst(_ mode: WrapMode, _ caret: Int) {
    let view = TextView(id: ViewID("v"), of: Document(Rope(text(byteCount: 31_000, seed: 7))))
    view.setSelection(.caret(view.text.graphemeBoundary(atOrBefore: ByteOffset(caret))))
    view.lines.immediateByteCount = 4 << 10
    view.wrap(mode, tabSize: 4)
    #expect(!view.lines.unbroken.isEmpty)
    let shown = view.selection.regions[0].active
    #expect(!view.lines.unbroken.contains { $0.contains(shown) })
    #expect(view.window.contains(view.line(of: shown)))
    let top = view.lines.start(ofLine: view.window.lowerBound, in: view.text)
    finish(view)
    #expect(view.lines.start(ofLine: view.window.lowerBound, in: view.text) == top, "what is shown stays where it is")
    #expect(rows(of: view) == breaks(of: view.text, mode))
  }

  @Test func editsMeanwhileAreFollowed() {
    let document = Document(Rope(text(byteCount: 30_000, seed: 3)))
    let view = TextView(id: ViewID("v"), of: document)
    view.lines.immediateByteCount = 4 << 10
    view.wrap(.cells(30), tabSize: 4)
    var state: UInt64 = 99
    for _ in 0..<100 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let start = document.buffer.text.graphemeBoundary(
        atOrBefore: ByteOffset(Int(state >> 20) % document.buffer.text.byteCount))
      let end = document.buffer.text.graphemeBoundary(
        atOrBefore: min(start + Int(state >> 50) % 300, document.buffer.text.endOffset))
      let delta = Delta(
        baseByteCount: document.buffer.text.byteCount, replacing: start..<max(start, end),
        with: Rope(text(byteCount: Int(state >> 40) % 100, seed: state)))
      document.commit(delta, as: .insert)
      view.wrapMore(byteCount: 100)
      #expect(view.shadow.lineCount == view.lineCount)
    }
    finish(view)
    #expect(rows(of: view) == breaks(of: view.text, .cells(30)))
  }

  /// A change in a line of megabytes breaks a few rows anew, and all rows are right.
  @Test(arguments: [WrapMode.cells(40), .bytes(50)])
  func aLongLineIsBrokenOnlyWhereItChanged(_ mode: WrapMode) {
    let words = ["a", "few ", "words", " and ", "日本語", "-dash", ", ", "sometimes"]
    let document = Document(Rope("first\n" + text(byteCount: 40_000, seed: 5, words: words) + "\nlast"))
    let view = TextView(id: ViewID("v"), of: document)
    view.lines.immediateByteCount = 4 << 10
    view.wrap(mode, tabSize: 4)
    finish(view, byteCount: 300)
    #expect(rows(of: view) == breaks(of: view.text, mode))
    for (place, text) in [(6, "x"), (20_000, "word "), (20_000, ""), (39_990, "a b c"), (15_000, "\n"), (9, "")] {
      let start = document.buffer.text.graphemeBoundary(atOrBefore: ByteOffset(place))
      let delta = Delta(
        baseByteCount: document.buffer.text.byteCount, replacing: start..<(start + (text.isEmpty ? 12 : 0)),
        with: Rope(text))
      document.commit(delta, as: .insert)
      #expect(rows(of: view) == breaks(of: view.text, mode), "\(text) at \(place)")
      #expect(view.shadow.lineCount == view.lineCount)
    }
  }

  /// Many edits at once, near each other and far, in lines with blanks and without.
  @Test(arguments: [WrapMode.cells(40), .bytes(50), .bytes(600)], [0, 1, 2])
  func manyEditsAreFollowedAtOnce(_ mode: WrapMode, _ kind: Int) {
    var random = SplitMix64(state: UInt64(kind + 5))
    let kinds = [["a", "few ", "words", " and ", "日本語", "-dash", ", ", "\n"], ["abc", "défg"], ["abcdefgh"]]
    func part(_ byteCount: Int) -> String { text(byteCount: byteCount, seed: random.next(), words: kinds[kind]) }
    let document = Document(Rope("first\n" + part(30_000) + "\nlast"))
    let view = TextView(id: ViewID("v"), of: document)
    view.lines.immediateByteCount = 4 << 10
    view.wrap(mode, tabSize: 4)
    finish(view, byteCount: 300)
    for round in 0..<40 {
      var builder = Delta.Builder(baseByteCount: document.buffer.text.byteCount)
      var place = 0
      let farthest = [10, 100, 3000].randomElement(using: &random) ?? 0
      while true {
        let start = document.buffer.text.graphemeBoundary(
          atOrBefore: ByteOffset(place + Int.random(in: 0...farthest, using: &random)))
        let end = document.buffer.text.graphemeBoundary(
          atOrBefore: min(start + Int.random(in: 0...40, using: &random), document.buffer.text.endOffset))
        guard end < document.buffer.text.endOffset, start >= ByteOffset(place) else { break }
        let inserted =
          Int.random(in: 0..<4, using: &random) == 0 ? " x\n" : part(Int.random(in: 0...30, using: &random))
        builder.replace(start..<end, with: Rope(Bool.random(using: &random) ? inserted : ""))
        place = end.value + 1
      }
      document.commit(builder.build(), as: .insert)
      if rows(of: view) != breaks(of: view.text, mode) {
        Issue.record("round \(round)")
        return
      }
    }
  }

  /// Each of the edits by itself would break 32 KB, or all that follows, anew: gigabytes.
  @Test(arguments: [WrapMode.cells(80), .bytes(80)], ["minified;", "some words; "])
  func aLineOfManyEditsIsBrokenOnce(_ mode: WrapMode, _ word: String) {
    let document = Document(Rope(String(repeating: word, count: 300_000)))
    let view = TextView(id: ViewID("v"), of: document)
    view.wrap(mode, tabSize: 4)
    while !view.lines.unbroken.isEmpty { view.wrapMore(byteCount: 1 << 20) }
    for distance in [3, 300] {
      var builder = Delta.Builder(baseByteCount: document.buffer.text.byteCount)
      for index in stride(from: 0, to: 300_000, by: distance) {
        let start = ByteOffset(index * word.utf8.count)
        builder.replace(start..<(start + 1), with: Rope(index % 2 == 0 ? "MM" : ""))
      }
      document.commit(builder.build(), as: .insert)
      #expect(rows(of: view) == breaks(of: view.text, mode))
    }
  }

  /// Where a row ends in a word without an end is known from before.
  @Test func aWordOfMegabytesIsNotReadThroughForEachKey() {
    let document = Document(Rope("some words " + String(repeating: "abcdefgh", count: 500_000) + " more words"))
    let view = TextView(id: ViewID("v"), of: document)
    view.wrap(.bytes(80), tabSize: 4)
    while !view.lines.unbroken.isEmpty { view.wrapMore(byteCount: 1 << 20) }
    for key in 0..<2000 {
      let place = ByteOffset(2000 + key * 500)
      document.commit(
        Delta(
          baseByteCount: document.buffer.text.byteCount, replacing: place..<place, with: Rope(key % 50 == 0 ? " " : "x")
        ),
        as: .insert)
    }
    #expect(rows(of: view) == breaks(of: view.text, .bytes(80)))
  }

  @Test func theFrontEndSeesAllRowsInTheEnd() {
    let driver = CoreDriver()
    driver.open()
    driver.edit("resize", ["width": 20, "height": 10])
    driver.edit("scroll", [0, 10])
    driver.edit("paste", ["chars": .string(String(repeating: "some words to be broken here\n", count: 20_000))])
    driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["word_wrap": true]))
    #expect(driver.cache.lines.count < 40_001, "not all at once")
    driver.run { driver.cache.lines.count == 40_001 }
    #expect(driver.cache.lines.count == 40_001)
    #expect(driver.cache.problems == [])
    driver.edit("move_to_beginning_of_document")
    #expect(
      driver.cache.lines.prefix(3).map { $0?.text } == ["some words to be ", "broken here\n", "some words to be "])
  }
}

@Suite struct PartialLineTests {
  private static let length = 1 << 18

  private func open(handshake: Bool) -> CoreDriver {
    let driver = CoreDriver(handshake: handshake)
    driver.open()
    driver.edit(
      "insert", ["chars": .string(String(repeating: "0123456789abcde ", count: Self.length / 16) + "\nshort\n")])
    return driver
  }

  @Test func aForeignFrontEndGetsLinesWhole() {
    let driver = open(handshake: false)
    driver.edit("move_to_beginning_of_document")
    #expect(driver.cache.lines[0]?.text?.utf8.count == Self.length + 1)
    #expect(driver.cache.lines[0]?.window == nil)
  }

  @Test func whatIsSentFollowsTheCaret() throws {
    let driver = open(handshake: true)
    driver.edit("move_to_beginning_of_document")
    var line = try #require(driver.cache.lines[0])
    #expect(line.window == UpdateLine.Window(start: 0, lineLength: Self.length + 1))
    #expect(line.text?.utf8.count == 16 << 10)
    #expect(line.cursors == [0])
    #expect(driver.cache.lines[1]?.window == nil)
    driver.edit("gesture", ["line": 0, "col": 15_999, "ty": "point_select"])
    line = try #require(driver.cache.lines[0])
    let window = try #require(line.window)
    let caret = try #require(line.cursors.first)
    #expect(caret == 15_999)
    #expect(window.start + 2000 <= caret && caret < window.start + (14 << 10))
    let text = Array(try #require(line.text).utf8)
    #expect(text[caret - window.start - 1] == UInt8(ascii: "e"), "the text is the part that it says")
    driver.edit("insert", ["chars": "X"])
    line = try #require(driver.cache.lines[0])
    #expect(line.window?.lineLength == Self.length + 2)
    driver.edit("move_to_right_end_of_line")
    #expect(driver.cache.lines[0]?.text?.utf8.last == 0x0A)
    driver.edit("move_down")
    driver.edit("move_to_beginning_of_document")
    #expect(driver.cache.lines[0]?.window?.start == 0)
    #expect(driver.cache.problems == [])
  }

  @Test func carriesOnlyTheSpansOfThePart() throws {
    let driver = open(handshake: true)
    driver.edit("move_to_beginning_of_document")
    driver.edit("find", ["chars": "abc", "case_sensitive": true])
    driver.edit("highlight_find", ["visible": true])
    let line = try #require(driver.cache.lines[0])
    #expect(line.styles?.count == 1024)
  }

  @Test func aPartOfWideCharactersBeginsAtOne() throws {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("insert", ["chars": .string(String(repeating: "日本語", count: 30_000))])
    for _ in 0..<50 { driver.edit("move_left") }
    let line = try #require(driver.cache.lines[0])
    #expect(line.text?.contains("\u{FFFD}") == false)
    #expect(line.window.map { $0.start % 3 } == 0)
    #expect(line.cursors == [270_000 - 150])
  }

  @Test func bytesThatAreNoTextAreCountedAsSent() throws {
    let driver = CoreDriver(handshake: true)
    driver.open()
    let bytes = Rope([UInt8](repeating: 0xFF, count: 100_000))
    driver.document?.commit(Delta(baseByteCount: 0, replacing: 0..<0, with: bytes), as: .other)
    driver.edit("move_left")
    let line = try #require(driver.cache.lines[0])
    #expect(line.cursors == [3 * 99_999])
    let window = try #require(line.window)
    #expect(window.lineLength == 300_000)
    let end = window.start + (line.text ?? "").utf8.count
    #expect(window.start <= 3 * 99_999 && 3 * 99_999 < end)
  }
}

/// Rows as a slow model makes them: piece by piece from the start of each row.
@Suite struct LineBreakerTests {
  private static let pieces = [
    "a", "bb", "ccc", "long-er", "x", " ", "  ", "\t", "\t", "日", "本", "e\u{301}", "👩‍👩‍👧", "🇩🇪", "é", "\u{1}",
  ]

  private func isBlank(_ cluster: String) -> Bool { cluster == " " || cluster == "\t" }

  private func mayBreak(_ previous: String, _ next: String) -> Bool {
    if isBlank(next) { return false }
    if isBlank(previous) { return true }
    if previous == "-" { return next.first?.isLetter == true }
    if previous == "🇩🇪", next == "🇩🇪" { return true }
    return ["日", "本", "👩‍👩‍👧"].contains(previous) || ["日", "本", "👩‍👩‍👧"].contains(next)
  }

  private func width(of cluster: String, at column: Int, _ metrics: CellMetrics) -> Int {
    metrics.width(of: cluster, startingAtColumn: column)
  }

  /// The rows of one line.
  private func rows(of line: String, width: Int, _ metrics: CellMetrics) -> [String] {
    var rest = line.map(String.init)
    var rows: [String] = []
    while true {
      var (column, end, lastBreak) = (0, 0, 0)
      while end < rest.count {
        if end > 0, mayBreak(rest[end - 1], rest[end]) { lastBreak = end }
        let cells = self.width(of: rest[end], at: column, metrics)
        if column + cells > width { break }
        column += cells
        end += 1
      }
      guard end < rest.count else { return rows + [rest.joined()] }
      let cut = lastBreak > 0 ? lastBreak : max(end, 1)
      rows.append(rest[..<cut].joined())
      rest.removeFirst(cut)
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func rowsAreThoseOfTheModel(seed: UInt64) {
    var random = SplitMix64(state: seed)
    for _ in 0..<40 {
      let metrics = CellMetrics(tabSize: [1, 2, 4, 8].randomElement(using: &random) ?? 8)
      let width = Int.random(in: 9...24, using: &random)
      let isASCII = Bool.random(using: &random)
      let pieces = isASCII ? Self.pieces.filter { $0.utf8.allSatisfy { $0 < 0x7F && $0 > 1 } } : Self.pieces
      let line = (0..<Int.random(in: 0..<60, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      let text = Rope(line + "\n")
      let breaks = LineBreaker(mode: .cells(width), metrics: metrics).breaks(of: text.fullRange, in: text)
      let bounds = [0] + breaks.map(\.value) + [line.utf8.count]
      let bytes = Array(line.utf8)
      let found = zip(bounds, bounds.dropFirst()).map { String(decoding: bytes[$0..<$1], as: UTF8.self) }
      #expect(found == rows(of: line, width: width, metrics), "\(width) \(metrics.tabSize)")
      for row in found {
        var shown = row[...]
        while let last = shown.last, isBlank(String(last)) { shown.removeLast() }
        #expect(metrics.width(of: String(shown)) <= width, "nothing beyond the right edge")
      }
    }
  }

  /// With a letter that is none of ASCII a line is taken character by character, and broken as with one that is.
  @Test(arguments: 0..<200 as Range<UInt64>) func plainLinesAreBrokenLikeOthers(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let letters = Array("aaaaab--  \t(\r~")
    let line = String(
      (0..<Int.random(in: 0..<120, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    for (mode, end) in [(WrapMode.bytes(7), "ab"), (.bytes(20), "ab"), (.cells(7), "a"), (.cells(20), "a")] {
      func breaks(_ line: String) -> [ByteOffset] {
        let text = Rope(line)
        return LineBreaker(mode: mode, metrics: CellMetrics(tabSize: 4)).breaks(of: text.fullRange, in: text)
      }
      #expect(breaks(line + " " + end) == breaks(line + " é"), "\(mode) \(line.debugDescription)")
    }
  }

  /// As xi-core counts widths, scalar by scalar.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func noEmojiIsBrokenWhereBytesCount(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let line = (0..<40).map { _ in ["🇩🇪", "🇫🇷", "👩‍👩‍👧", "👍🏽", "a", "日"].randomElement(using: &random) ?? "" }.joined()
    let text = Rope(line + "\n")
    let breaks = LineBreaker(mode: .bytes(30), metrics: CellMetrics(tabSize: 4)).breaks(of: text.fullRange, in: text)
    #expect(!breaks.isEmpty)
    for offset in breaks {
      let index = line.utf8.index(line.startIndex, offsetBy: offset.value)
      #expect(line.indices.contains(index), "byte \(offset.value) of \(line)")
    }
  }

  /// Bytes that are no text take a cell each.
  @Test func invalidBytesAreBrokenToo() {
    let text = Rope([UInt8](repeating: 0xFF, count: 25) + Array(" é".utf8) + [0xFE, 0x0A])
    let breaks = LineBreaker(mode: .cells(10), metrics: CellMetrics(tabSize: 4)).breaks(of: text.fullRange, in: text)
    #expect(breaks.map(\.value) == [10, 20])
  }
}
