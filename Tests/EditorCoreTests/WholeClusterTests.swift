import EditorProtocol
import JSON
import Rope
import Testing

@testable import EditorCore

/// No command ends a selection within a cluster, or takes one apart: a mark keeps the blank, the bracket or the letter that it stands on.
@Suite struct WholeClusterTests {
  private static let pieces = [
    " ", " ", "\t", "\n", "\r\n", "\u{301}", "\u{301}", "\u{200D}", "\u{600}", "a", "else", "(", ")", "{", "}", "\"",
    "'",
    "// ", "/*", "*/", "# ", "7", "-", "é", "🚀", "🇩🇪", ":",
  ]
  /// A key that deletes takes the last mark of a letter alone, as in xi; what comes back may be what was there. What is replaced is what was
  /// found, and no more: nobody has asked for the rest to go.
  private static let takingApart: Set<PlainEdit> = [.deleteBackward, .undo, .redo, .replaceAll, .replaceNext]

  @Test(arguments: PlainEdit.allCases)
  func commandsLeaveClustersWhole(_ edit: PlainEdit) throws {
    var random = SplitMix64(state: UInt64(edit.rawValue.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xFFFF))
    for _ in 0..<10 {
      let driver = CoreDriver(handshake: true)
      driver.open()
      let language = try #require(["Swift", "Python", "HTML", "Ruby", "Plain Text"].randomElement(using: &random))
      driver.notify(.setLanguage(driver.view, languageID: language))
      let pieces = (0..<Int.random(in: 1..<30, using: &random)).compactMap { _ in
        Self.pieces.randomElement(using: &random)
      }
      driver.edit("paste", ["chars": .string(pieces.joined())])
      if Bool.random(using: &random) {
        driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["wrap_width": 5, "tab_size": 2]))
      }
      driver.edit("find", ["chars": " ", "case_sensitive": true])
      driver.edit("replace", ["chars": "-"])
      for _ in 0..<4 { try check(edit, in: driver, &random) }
    }
  }

  private func check(_ edit: PlainEdit, in driver: CoreDriver, _ random: inout SplitMix64) throws {
    let (document, view) = (try #require(driver.document), try #require(driver.textView))
    func place() -> ByteOffset { ByteOffset(Int.random(in: 0...document.buffer.text.byteCount, using: &random)) }
    var selection = Selection()
    for _ in 0..<Int.random(in: 1..<4, using: &random) {
      selection.add(Bool.random(using: &random) ? .caret(place()) : SelectionRegion(place(), place()))
    }
    view.select(selection.wholeClusters(in: document.buffer.text))
    document.buffer.history.closeStep()
    let (before, revision, carets) = (document.buffer.text, document.buffer.revision, view.selection)
    let started = "\(before.string(in: before.fullRange).debugDescription) at \(carets.regions.map(\.range))"
    driver.edit(edit.rawValue)
    let selected = view.selection
    #expect(selected == selected.wholeClusters(in: document.buffer.text), "\(edit) of \(started): \(selected.regions)")
    guard document.buffer.revision != revision, !Self.takingApart.contains(edit) else { return }
    var (history, origin) = (document.buffer.history, document.file.origin)
    let inverse = try #require(history.undo(document.buffer.text, &origin))
    for range in inverse.edits.map(\.newRange) {
      let isWhole = [range.lowerBound, range.upperBound].allSatisfy { before.graphemeBoundary(atOrBefore: $0) == $0 }
      #expect(isWhole, "\(edit) of \(started) replaces \(range)")
    }
  }
}

extension WholeClusterTests {
  private func driver(_ text: String) -> CoreDriver {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("paste", ["chars": .string(text)])
    driver.edit("move_to_beginning_of_document")
    return driver
  }

  /// Of a flag each half may come by itself, also before another flag; the next command finds no caret between the two.
  @Test func whatIsTypedInPartsStaysTogether() throws {
    let driver = driver("🇫🇷")
    for half in ["\u{1F1E9}", "\u{1F1EA}"] { driver.edit("insert", ["chars": .string(half)]) }
    #expect(driver.document?.buffer.text == "🇩🇪🇫🇷")
    driver.edit("insert", ["chars": "\u{1F1E9}"])
    driver.edit("move_right")
    let view = try #require(driver.textView)
    #expect(view.selection == view.selection.wholeClusters(in: view.text))
  }

  /// Places are counted as they are shown: `^G`, jumps and the results of a search lead there.
  @Test(arguments: [("e\u{301}e\u{301}x", 2, 6), ("🇩🇪👩‍🚀x", 2, 19), ("a\u{301}", 9, 3)])
  func placesAreCountedInCharacters(_ text: String, _ character: Int, _ offset: Int) {
    let driver = driver(text)
    driver.edit("xiedit_goto", ["line": 0, "character": JSONValue(character)])
    #expect(driver.textView?.selection == .caret(ByteOffset(offset)))
  }
}
