import EditorProtocol
import Rope
import Testing

@testable import EditorCore

/// A command that leaves the text as it is is no undo step, whichever it is and wherever the carets are.
@Suite struct NoEffectTests {
  /// All that may change a text; `plain` ones are those of the protocol's table.
  private static let commands: [EditCommand] =
    PlainEdit.allCases.map { .plain($0) }.filter { $0.changesText && $0.isOwnEdit }
    + [.insert("aa"), .insert(""), .paste("Abc"), .paste("Abc\nAbc\n"), .paste(""), .pasteHeld(1)]

  private static let texts = [
    "", "aa", "Abc", "Abc Abc", "AB\nab\n", "12", "    x", "    ", "\tx", "\n", "a\r\na\r\n", "Abc\nAbc\n", "ß",
    "\u{301}", "{aa}\n\n",
  ]

  private enum Place: CaseIterable {
    case start, end, middle, all, everyLine, words

    func select(in view: TextView, _ shared: inout SharedState) {
      switch self {
      case .start: view.setSelection(.caret(0))
      case .end: view.setSelection(.caret(view.text.endOffset))
      case .middle:
        view.setSelection(.caret(view.text.graphemeBoundary(atOrBefore: ByteOffset(view.text.byteCount / 2))))
      case .all: view.perform(.plain(.selectAll), &shared)
      case .everyLine:
        view.perform(.plain(.selectAll), &shared)
        view.perform(.plain(.selectionIntoLines), &shared)
      case .words:
        view.setSelection(.caret(0))
        view.perform(.plain(.moveWordRightSelecting), &shared)
      }
    }
  }

  @Test(arguments: commands)
  func whatLeavesTheTextEndsNoRedo(_ command: EditCommand) {
    var shared = SharedState()
    _ = shared.hold("Abc")
    var hadNone = false
    for text in Self.texts {
      for place in Place.allCases {
        let document = Document(Rope(text))
        document.buffer.history.isOfXi = false
        let view = TextView(id: ViewID("view"), of: document)
        view.perform(.find(FindQuery("a", caseSensitive: false)), &shared)
        view.perform(.replace("a", preserveCase: true), &shared)
        view.setSelection(.caret(view.text.endOffset))
        view.perform(.insert("more"), &shared)
        let redone = document.buffer.text
        view.perform(.plain(.undo), &shared)
        place.select(in: view, &shared)
        let revision = document.buffer.revision
        view.perform(command, &shared)
        #expect(view.text == document.buffer.text)
        guard document.buffer.text == Rope(text) else { continue }
        hadNone = true
        #expect(
          document.buffer.history.isAtSavedState && document.buffer.revision == revision,
          "\(command) in \(text) at \(place)")
        view.perform(.plain(.redo), &shared)
        #expect(document.buffer.text == redone, "\(command) in \(text) at \(place)")
      }
    }
    let alwaysChange: [EditCommand] = [
      .plain(.indent), .plain(.increaseNumber), .plain(.decreaseNumber), .plain(.duplicateLine),
    ]
    #expect(hadNone || alwaysChange.contains { "\($0)" == "\(command)" })
  }

  /// It ends the step that was open, and carets go where they would have gone.
  @Test func caretsGoBehindTheSameText() {
    let document = Document("one two one")
    document.buffer.history.isOfXi = false
    let view = TextView(id: ViewID("view"), of: document)
    var shared = SharedState()
    view.perform(.plain(.moveWordRightSelecting), &shared)
    view.perform(.insert("one"), &shared)
    #expect(view.selection == .caret(3) && document.buffer.history.isAtSavedState)
    view.perform(.find(FindQuery("one", caseSensitive: true)), &shared)
    view.perform(.replace("one", preserveCase: false), &shared)
    view.perform(.plain(.replaceAll), &shared)
    #expect(view.selection.regions.map(\.range) == [3..<3, 11..<11] && document.buffer.history.isAtSavedState)
  }

  /// Regions may pass round what makes the same text, though each of them has changed.
  @Test func aTextThatMovesIntoItselfIsTheSame() {
    let base: Rope = "aXaXa"
    let delta = Delta(baseByteCount: 5, elements: [.copy(2..<5), .insert("Xa")])
    #expect(delta.map { base.applying($0) } == base && delta?.changes(base) == false)
    let other = Delta(baseByteCount: 5, elements: [.copy(2..<5), .insert("aX")])
    #expect(other?.changes(base) == true)
  }

  @Test func manyMatchesThatAreReplacedByTheSame() {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.edit("paste", ["chars": .string(String(repeating: "fox\n", count: 2000))])
    driver.edit("undo")
    driver.edit("redo")
    let revision = driver.document?.buffer.revision
    driver.edit("paste", ["chars": "!"])
    driver.edit("undo")
    driver.edit("find", ["chars": "fox", "case_sensitive": true])
    driver.edit("replace", ["chars": "fox"])
    driver.textView?.search.replacementsAtOnce = 1000
    driver.edit("replace_all")
    #expect(driver.textView?.selection.regions.count == 2000)
    #expect(driver.document?.buffer.revision == revision.map { $0 + 2 })
    driver.edit("redo")
    #expect(driver.document?.buffer.text.byteCount == 8001)
  }
}

extension EditCommand {
  /// Neither of the history nor of a plugin.
  fileprivate var isOwnEdit: Bool {
    guard case .plain(let edit) = self else { return true }
    return ![.undo, .redo, .reindent, .toggleComment].contains(edit)
  }
}
