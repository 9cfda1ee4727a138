import EditorProtocol
import JSON
import Rope
import Testing

@testable import EditorCore

/// Words that one which was begun may become.
@Suite struct WordCompletionTests {
  private let driver = CoreDriver(handshake: true)

  /// `|` is where the carets are.
  private func open(_ marked: String) throws {
    driver.open()
    let parts = marked.split(separator: "|", omittingEmptySubsequences: false)
    driver.edit("paste", ["chars": .string(parts.joined())])
    var (selection, place) = (Selection(), 0)
    for part in parts.dropLast() {
      place += part.utf8.count
      selection.add(.caret(ByteOffset(place)))
    }
    try #require(driver.textView).select(selection)
  }

  private func list() throws -> WordList {
    let answer = try driver.request("xiedit_words", ["view_id": .string(driver.view.rawValue)]).get()
    return try #require(WordList(answer))
  }

  private func words(_ marked: String) throws -> [String] {
    try open(marked)
    return try list().words
  }

  @Test(arguments: [
    ("far1\nx\nfar2 fa| far3 y far4\n", ["far2", "far3", "far1", "far4"]), ("one\non|\none\n", ["one"]),
    // Not the one that is being typed, but another like it.
    ("on|ce one\n", ["one"]), ("once\non|ce\n", ["once"]),
  ])
  func theNearestComeFirst(_ text: String, _ expected: [String]) throws { #expect(try words(text) == expected) }

  @Test(arguments: [("Table TABLE tab|\n", ["TABLE", "Table"]), ("Table table Ta|\n", ["Table"])])
  func smallLettersStandForCapitals(_ text: String, _ expected: [String]) throws {
    #expect(try words(text) == expected)
  }

  @Test(
    arguments: [
      ("été ét|", ["été"]), ("日本語。日本|", ["日本語"]), ("a_b1-c a|", ["a_b1"]), ("привет при|", ["привет"]),
      ("e\u{301}te\u{301} e\u{301}t|", ["e\u{301}te\u{301}"]),
      // A mark begins none.
      ("\u{301}a \u{301}|", []),
    ] as [(String, [String])])
  func wordsAreOfLettersDigitsAndMarks(_ text: String, _ expected: [String]) throws {
    #expect(try words(text) == expected)
  }

  @Test(arguments: ["|", "a |", "a\n|b", "(|", String(repeating: "a", count: 300) + "|"])
  func whereNoneIsBegunThereIsNone(_ marked: String) throws {
    try open(marked)
    #expect(try list() == WordList(typed: "", words: []))
  }

  @Test func otherTextsComeBehind() throws {
    let files = TemporaryFolder()
    files.write(Array("wording word2\n".utf8), to: "other")
    driver.open(files.path + "/other")
    try open("wor| world\n")
    #expect(try list().words == ["world", "wording", "word2"])
  }

  /// However long the text, and however many words it has.
  @Test func theSearchIsBounded() throws {
    let filler = String(repeating: " ", count: TextView.wordReach)
    #expect(try words("word1 \(filler)wor| word2 \(filler)word3") == ["word2"])
  }

  @Test func thereAreNotTooManyWords() throws {
    let many = (0..<3000).map { "w\($0) " }.joined()
    #expect(try words(many + "w|").count == TextView.mostWords)
  }

  private func complete(_ marked: String, _ typed: String, _ word: String) throws -> String {
    try open(marked)
    driver.edit("xiedit_complete_word", ["typed": .string(typed), "word": .string(word)])
    return driver.markedText
  }

  @Test func aWordIsPutInAtEachCaret() throws {
    #expect(try complete("fo|\nx fo|\nfoo|\nfo|o\n", "fo", "foobar") == "foobar‸\nx foobar‸\nfoo‸\nfoobar‸o\n")
    #expect(try complete("日本|", "日本", "日本語") == "日本語‸")
    #expect(try complete("ta|", "ta", "Table") == "Table‸")
  }

  /// It is listed there.
  @Test(arguments: [(2, 4), (0, 4)]) func theEndOfASelectionIsACaret(_ start: Int, _ end: Int) throws {
    try open("x al| alpine\n")
    try #require(driver.textView).select(Selection(SelectionRegion(ByteOffset(start), ByteOffset(end))))
    #expect(try list() == WordList(typed: "al", words: ["alpine"]))
    driver.edit("xiedit_complete_word", ["typed": "al", "word": "alpine"])
    #expect(driver.markedText == "x alpine‸ alpine\n")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "x al alpine\n")
  }

  @Test func otherSelectionsStay() throws {
    try open("al fo")
    var selection = Selection(SelectionRegion(ByteOffset(0), ByteOffset(2)))
    selection.add(SelectionRegion(ByteOffset(5), ByteOffset(3)))
    try #require(driver.textView).select(selection)
    driver.edit("xiedit_complete_word", ["typed": "al", "word": "alpine"])
    let regions = try #require(driver.textView).selection.regions
    #expect(regions == [.caret(ByteOffset(6)), SelectionRegion(ByteOffset(9), ByteOffset(7))])
    driver.edit("xiedit_complete_word", ["typed": "no", "word": "none"])
    #expect(try #require(driver.textView).selection.regions == regions)
  }

  @Test func itIsOneStep() throws {
    try open("fo|\nfo|\n")
    driver.edit("insert", ["chars": "o"])
    driver.edit("xiedit_complete_word", ["typed": "foo", "word": "foobar"])
    driver.edit("undo")
    #expect(driver.markedText == "foo‸\nfoo‸\n")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "fo\nfo\n")
  }

  @Test func whatIsNotThereIsNotCompleted() throws {
    #expect(try complete("ba|", "fo", "foobar") == "ba‸")
    #expect(driver.notifications.contains(.alert("What was to be completed is not there")))
    #expect(try complete("", "", "") == "")
  }
}
