import EditorProtocol
import JSON
import Rope
import Testing

@testable import EditorCore

/// Paragraphs whose lines are broken anew.
@Suite struct ReflowTests {
  private let driver = CoreDriver(handshake: true)

  private func open(_ text: String, width: Int = 10, language: String = "Plain Text", line: Int = 0) {
    driver.open()
    driver.notify(.setLanguage(driver.view, languageID: language))
    driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["text_width": JSONValue(width)]))
    driver.edit("paste", ["chars": .string(text)])
    driver.edit("xiedit_goto", ["line": .number(Double(line)), "character": 0])
  }

  private func reflowed(_ text: String, width: Int = 10, language: String = "Plain Text", line: Int = 0) -> String {
    open(text, width: width, language: language, line: line)
    driver.edit("xiedit_reflow")
    return driver.markedText.replacing("‸", with: "")
  }

  @Test func theParagraphAtTheCaret() {
    #expect(reflowed("x\n\none two three\nfour\n\ny\n", line: 3) == "x\n\none two\nthree four\n\ny\n")
    #expect(reflowed("one\ntwo") == "one two")
    #expect(reflowed("one   two  \n  \nthree\n") == "one two\n  \nthree\n")
    #expect(reflowed("a longerthanthat b\n") == "a\nlongerthanthat\nb\n")
    #expect(reflowed("  one two three\n") == "  one two\n  three\n")
    #expect(reflowed("  one two three\nfour five\n") == "  one two\nthree four\nfive\n", "a first line of its own")
  }

  @Test func itIsOneStepAndCaretsStayWithTheirWords() {
    open("one two three four\n")
    driver.edit("xiedit_goto", ["line": 0, "character": 10])
    driver.edit("xiedit_reflow")
    #expect(driver.markedText == "one two\nth‸ree four\n")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "one two three four\n")
  }

  @Test func quotationsAndItems() {
    #expect(reflowed("> one two three\n> four\n\n") == "> one two\n> three\n> four\n\n")
    #expect(reflowed(">> one two\n> three\n") == ">> one two\n> three\n", "two quotations")
    #expect(reflowed("- one two three\n- four\n") == "- one two\n  three\n- four\n")
    #expect(reflowed("- one\n  two\n", line: 1) == "- one two\n")
    #expect(reflowed("12. one two\n") == "12. one\n    two\n")
  }

  /// A mark alone at the end of a line, or at the beginning of the next one, would be another's.
  @Test func marksStayWithTheirWords() {
    #expect(reflowed("- longerthanthat\n- two\n") == "- longerthanthat\n- two\n")
    #expect(reflowed("1. a\n2.\n3. b\n") == "1. a\n2.\n3. b\n")
    #expect(reflowed("one twox - three\n", width: 9) == "one\ntwox -\nthree\n")
    #expect(reflowed("one twox 1. three\n", width: 9) == "one\ntwox 1.\nthree\n")
    #expect(reflowed("> one two >three\n", width: 9) == "> one\n> two >three\n")
    #expect(reflowed("one -1 two\n", width: 5) == "one\n-1\ntwo\n", "no mark")
  }

  /// Whatever stands there: the second time there is nothing to do, and the words are those that were there.
  @Test(arguments: 0..<200) func reflowingAgainChangesNothing(seed: Int) {
    var random = SplitMix64(state: UInt64(seed))
    let words = [
      "-", "*", "1.", "12)", ">", ">a", "one", "longerthanthat", "-x", "/", "two  three", "e\u{301}", "\n",
      "\n", "\n", "\n\n",
    ]
    let text = (0..<30).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ") + "\n"
    open(text)
    driver.edit("select_all")
    driver.edit("xiedit_reflow")
    func content() -> String {
      driver.document.map { String(decoding: $0.buffer.text.bytes(in: $0.buffer.text.fullRange), as: UTF8.self) } ?? ""
    }
    let once = content()
    func letters(_ text: String) -> String { text.filter { !$0.isWhitespace && $0 != ">" } }
    #expect(letters(once) == letters(text))
    driver.edit("select_all")
    driver.edit("xiedit_reflow")
    #expect(content() == once, "\(text)")
  }

  @Test func comments() {
    #expect(reflowed("  /// one two three\n  x\n", width: 14, language: "Swift") == "  /// one two\n  /// three\n  x\n")
    #expect(reflowed("//! one\n//! two\n// x\n", width: 14, language: "Swift") == "//! one two\n// x\n")
    #expect(reflowed("# one two three\n", language: "Python") == "# one two\n# three\n")
    let block = "/**\n * one two three\n */\n"
    #expect(reflowed(block, language: "C", line: 1) == "/**\n * one two\n * three\n */\n")
  }

  @Test func wideCharactersAndMarks() {
    #expect(reflowed("日本 日本 日本\n") == "日本 日本\n日本\n")
    #expect(reflowed("e\u{301}e\u{301}e\u{301} abc def\n") == "e\u{301}e\u{301}e\u{301} abc\ndef\n")
    #expect(reflowed("abcd \u{301}abcd efg\n") == "abcd \u{301}abcd\nefg\n", "a blank with a mark is no blank")
  }

  /// No blank stands where a line may be broken, and none comes where it was; what closes stays with what it follows.
  @Test func scriptsWithoutBlanks() {
    #expect(reflowed("日本語日本語\n") == "日本語日本\n語\n")
    #expect(reflowed("日本\n語日本語\n") == "日本語日本\n語\n")
    #expect(reflowed("日本語日本。語\n") == "日本語日\n本。語\n")
    #expect(reflowed("日本語日「本語\n") == "日本語日\n「本語\n")
    #expect(reflowed("日本 word語 語\n") == "日本 word\n語 語\n")
    #expect(reflowed("日本\nword\n") == "日本 word\n", "beside other scripts")
    #expect(reflowed("> 日本語日本語\n") == "> 日本語日\n> 本語\n")
    #expect(reflowed("한글 한글 한글\n") == "한글 한글\n한글\n")
    #expect(
      reflowed("か\u{3099}か\u{3099}か\u{3099}か\u{3099}か\u{3099}か\u{3099}\n")
        == "か\u{3099}か\u{3099}か\u{3099}か\u{3099}か\u{3099}\nか\u{3099}\n", "marks stay")
  }

  @Test func eachSelectedParagraph() {
    open("one two three\n\nfour five six\nx\n")
    driver.edit("select_all")
    driver.edit("xiedit_reflow")
    #expect(driver.document?.buffer.text == "one two\nthree\n\nfour five\nsix x\n")
    open("one\ntwo\nthree\n")
    driver.edit("move_down_and_modify_selection")
    driver.edit("xiedit_reflow")
    #expect(driver.document?.buffer.text == "one\ntwo\nthree\n", "what is not selected stays")
  }

  @Test func severalCarets() {
    open("one two three\n\nfour five six\n")
    for _ in 0..<2 { driver.edit("add_selection_below") }
    driver.edit("xiedit_reflow")
    #expect(driver.document?.buffer.text == "one two\nthree\n\nfour five\nsix\n")
  }

  @Test func returnsStay() {
    open("one two three\r\n")
    driver.document?.file.format.lineEnding = .carriageReturnLineFeed
    driver.edit("xiedit_reflow")
    #expect(driver.document?.buffer.text == "one two\r\nthree\r\n")
  }

  @Test func whatIsNotDoneIsTold() {
    func alert() -> String? {
      driver.notifications.compactMap { if case .alert(let text) = $0 { text } else { nil } }.last
    }
    open("\none\n")
    driver.edit("xiedit_reflow")
    #expect(alert() == "There is no paragraph here")
    open(String(repeating: "word ", count: TextView.reflowedByteCount / 5 + 1))
    driver.edit("xiedit_reflow")
    #expect(alert() == "The paragraph is too long to be broken anew")
    open("one two three\n")
    let before = driver.document?.buffer.revision
    driver.textView?.isOnlyToBeRead = true
    driver.edit("xiedit_reflow")
    #expect(driver.document?.buffer.revision == before)
  }

  @Test func whatFitsIsNoChange() {
    open("one two\nthree\n")
    let before = driver.document?.buffer.revision
    driver.edit("xiedit_reflow")
    #expect(driver.document?.buffer.revision == before)
  }
}
