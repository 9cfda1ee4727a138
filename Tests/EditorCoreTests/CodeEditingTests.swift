import EditorProtocol
import Foundation
import JSON
import Rope
import Testing

@testable import EditorCore

/// What the cases of `Tests/EditorCases` cannot show.
@Suite struct CodeEditingTests {
  private func driver(_ text: String, language: String = "Swift") -> CoreDriver {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.notify(.setLanguage(driver.view, languageID: language))
    driver.edit("paste", ["chars": .string(text)])
    driver.edit("move_to_beginning_of_document")
    return driver
  }

  @Test func theUserIsToldWhyNothingHappens() {
    let driver = driver("b\na", language: "Plain Text")
    driver.edit("xiedit_toggle_comment")
    #expect(driver.notifications.contains(.alert("Plain Text has no comments")))
    driver.edit("select_all")
    driver.edit("insert", ["chars": "one"])
    driver.edit("xiedit_sort_lines")
    #expect(driver.notifications.contains(.alert("There is only one line")))
  }

  /// Without those that make one step of what comes between.
  private static let edits = PlainEdit.allCases.filter {
    $0.neededExtension == .codeEditing && ![.beginStep, .endStep].contains($0)
  }

  @Test(arguments: Self.edits.filter { EditCommand.plain($0).changesText })
  func nothingIsChangedInAReadOnlyView(_ edit: PlainEdit) throws {
    let driver = driver("b {\n  a\n}\n")
    driver.edit("select_all")
    driver.textView?.isOnlyToBeRead = true
    driver.edit(edit.rawValue)
    #expect(driver.document?.buffer.text == "b {\n  a\n}\n")
  }

  /// In texts of all kinds the commands end, and what they do can be undone.
  @Test func whatIsDoneIsUndone() {
    var random = SystemRandomNumberGenerator()
    let pieces = ["{", "}", "(", ")", "\"", "a", "else", " ", "\t", "\n", "\r\n", "// ", "é", ":", "end"]
    for _ in 0..<150 {
      let text = (0..<Int.random(in: 0..<40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      let driver = driver(
        text.joined(), language: ["Swift", "Python", "HTML", "Ruby", "Plain Text"].randomElement() ?? "C")
      guard let document = driver.document, let view = driver.textView else { return }
      for _ in 0..<8 {
        let (one, two) = (
          Int.random(in: 0...document.buffer.text.byteCount), Int.random(in: 0...document.buffer.text.byteCount)
        )
        var selection = Selection()
        selection.add(SelectionRegion(ByteOffset(one), ByteOffset(two)))
        selection.add(.caret(ByteOffset(Int.random(in: 0...document.buffer.text.byteCount))))
        view.select(selection.wholeClusters(in: document.buffer.text))
        document.buffer.history.closeStep()
        let before = document.buffer.text
        let revision = document.buffer.revision
        if Bool.random() {
          let edits = Self.edits + [.insertNewline, .deleteBackward]
          driver.edit((edits.randomElement() ?? .joinLines).rawValue)
        } else {
          driver.edit("insert", ["chars": .string(["{", "}", "\"", "e", ")"].randomElement() ?? "(")])
        }
        let after = document.buffer.text
        if document.buffer.revision != revision, after != before {
          driver.edit("undo")
          #expect(document.buffer.text == before)
          driver.edit("redo")
          #expect(document.buffer.text == after)
        }
      }
      #expect(driver.cache.problems == [])
    }
  }

  /// Each stays where it is, also where they differ, and a carriage return alone is none.
  @Test(arguments: [
    ("xiedit_sort_lines", "a\r\nb\r\nc\n", "a\r\nb\r\nc\n"), ("xiedit_sort_lines", "b\r\na\nc", "a\r\nb\nc"),
    ("xiedit_reverse_lines", "a\r\nb\nc\r", "c\r\r\nb\na"), ("xiedit_reverse_lines", "a\r\nb\r\n", "b\r\na\r\n"),
    ("xiedit_remove_duplicate_lines", "a\na\r\nb\r\nb", "a\nb"),
  ])
  func linesThatChangePlacesLeaveTheLineEnds(_ method: String, _ text: String, _ expected: String) throws {
    let driver = driver(text)
    driver.edit(method)
    let ordered = try #require(driver.document?.buffer.text)
    #expect(ordered.bytes(in: ordered.fullRange) == Array(expected.utf8))
  }

  // MARK: Trailing blanks

  @Test(arguments: [
    ("a  \nb\t\n", ["  ", "\t"]), ("a \r\n \r\n", [" ", " "]), ("a b", []), ("  ", ["  "]), ("", []), ("a \r b\n", []),
    (" \n\n \n", [" ", " "]), ("a \r", []),
  ])
  func trailingBlanksAreFound(_ text: String, _ expected: [String]) {
    let rope = Rope(text)
    #expect(rope.trailingBlanks().map { rope.string(in: $0) } == expected)
  }

  @Test func blanksGoAtTheSaveIfAsked() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trim-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "a.txt").path
    let driver = driver("a  \n  b \n\t\nend  ")
    driver.notify(
      .modifyUserConfig(
        .userOverride(driver.view),
        changes: ["trim_trailing_whitespace": true, "insert_final_newline": true, "save_with_newline": false]))
    driver.edit("move_down")
    driver.edit("move_down")
    driver.edit("move_to_right_end_of_line")
    driver.save(to: path)
    driver.settle()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "a\n  b\n\t\nend\n", "not before the caret")
    #expect(driver.cache.isPristine)
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "a  \n  b \n\t\nend  ")
  }
}
