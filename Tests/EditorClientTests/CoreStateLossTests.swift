import EditorProtocol
import Testing

@testable import EditorClient

/// What commands lean on that ends with a core.
@Suite struct CoreStateLossTests {
  private let place = LineColumn(line: 0, column: 0)

  private var all: [EditCommand] {
    PlainEdit.allCases.map(EditCommand.plain) + [
      .insert("a"), .paste("a"), .pasteHeld(1), .pasteLines("a\n"), .insertBytes(RawBytes([1])),
      .completeWord(typed: "a", word: "ab"), .gotoLine(0),
      .gesture(place, .drag),
      .click(place, flags: 0, count: 1), .drag(place, flags: 0), .scroll(first: 0, end: 1),
      .requestLines(first: 0, end: 1), .alsoShown([0..<1]), .resize(width: 1, height: 1), .highlightFind(visible: true),
      .find(FindQuery("a", caseSensitive: false)), .multiFind([]), .findNext(FindMotion()),
      .findPrevious(FindMotion()), .selectionForFind(caseSensitive: false), .replace("a", preserveCase: false),
      .toggleRecording(name: "r"), .playRecording(name: "r"), .clearRecording(name: "r"),
      .requestHover(requestID: 1, at: nil), .gotoPosition(line: 0, character: 0),
    ]
  }

  /// The core dies before it has handled the commands.
  ///
  /// - Parameter hasJournal: The next one finds what the journal had.
  private func sentAgain(
    _ commands: [EditCommand], behind kept: [EditCommand] = [], hasJournal: Bool = true
  ) -> (Bench, [EditCommand]) {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", recoveryID: "r")))
    for command in kept { bench.editor.views.edit(command) }
    bench.show(["one", "two"], handledEdits: 2 + kept.count)
    for command in commands { bench.editor.views.edit(command) }
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    _ = bench.core.takeSent()
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(
      .recovered(Bench.view, handledEdits: hasJournal ? 2 + kept.count : 0, hasSelection: true))
    return (bench, bench.core.takeEdits())
  }

  /// One that leans on nothing is sent again as it was, one that does is told of, or what it leans on is told before it.
  @Test func everyCommandIsMadeAgainOrTold() {
    let kill = EditCommand.plain(.deleteToEndOfParagraph)
    for command in all where command.changesDocument {
      let search: [EditCommand] = [.find(FindQuery("o", caseSensitive: false))]
      let (bench, sent) = sentAgain([command], behind: search + [kill])
      let isSent = sent.contains(command)
      switch command.leansOn {
      case nil, .undoSteps: #expect(isSent && !bench.bottom.contains("core that ended"), "\(command)")
      case .search:
        let (query, again) = (sent.firstIndex(of: search[0]), sent.lastIndex(of: command))
        #expect((query ?? .max) < (again ?? 0), "\(command)")
      case .killedText, .heldCopy, .recordings, .earlierSelections, .bookmarks:
        #expect(!isSent && bench.told.contains("core that ended"), "\(command): \(bench.bottom)")
      }
    }
    let states = Set(all.compactMap(\.leansOn))
    #expect(states == Set(CoreState.allCases), "none that nobody leans on")
  }

  /// The new core knows of no smaller selection.
  @Test func whatIsTypedReplacesNothingThatWasNotSelected() {
    let expand = EditCommand.plain(.expandSelection)
    let shrink = EditCommand.plain(.shrinkSelection)
    let (bench, sent) = sentAgain([shrink, .insert("x")], behind: [expand, expand])
    #expect(sent.suffix(2) == [.plain(.collapseSelections), .insert("x")])
    #expect(bench.bottom.contains("one caret is left"))
    let (_, whole) = sentAgain([expand, shrink, .insert("x")])
    #expect(whole.suffix(3) == [expand, shrink, .insert("x")], "it is made to grow again")
  }

  /// The journal is gone, or could not be written; the file has what was typed, and nobody what takes it back.
  @Test func anUndoThatCannotBeMadeAgainIsTold() {
    let (undo, x) = (EditCommand.plain(.undo), EditCommand.insert("x"))
    let (bench, sent) = sentAgain([undo, undo], behind: [x], hasJournal: false)
    #expect(!sent.contains(undo) && bench.bottom.contains("what was undone is back"))
    #expect(sentAgain([x, undo], behind: [x], hasJournal: false).1.suffix(2) == [x, undo])
    #expect(sentAgain([undo], hasJournal: false).1.last == undo, "nothing was typed")
  }

  /// They were one text, of which the new core has the rest alone.
  @Test func aRowOfKillsThatIsCutIsTold() {
    let (kill, cut) = (EditCommand.plain(.deleteToEndOfParagraph), "What ^K took before the core ended")
    /// What is told behind the end of the core.
    func told(_ commands: [EditCommand]) -> String {
      let (bench, _) = sentAgain(commands, behind: [kill])
      bench.press("{left}")
      return bench.bottom
    }
    #expect(told([kill]).contains(cut))
    #expect(!told([.insert("x"), kill]).contains(cut))
    let (bench, _) = sentAgain([], behind: [kill])
    bench.press("{^K}")
    #expect(bench.bottom.contains(cut))
    bench.press("{^K}")
    #expect(!bench.bottom.contains(cut))
  }
}
