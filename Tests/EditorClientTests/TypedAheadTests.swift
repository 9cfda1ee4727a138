import EditorProtocol
import JSONRPC
import Testing

@testable import EditorClient

/// What is typed ahead of the core does what it does when the core answers between the keys.
@Suite struct TypedAheadTests {
  private func takeInserted(_ bench: Bench) -> String {
    bench.core.takeEdits().map { if case .insert(let text) = $0 { text } else { "" } }.joined()
  }

  private func handleAll(_ bench: Bench, _ text: [String], caret: LineColumn) {
    bench.show(text, pristine: false, handledEdits: 100)
    bench.editor.handle(.scrollTo(Bench.view, caret))
    while !bench.core.requests.isEmpty { bench.core.answer(.success([:])) }
  }

  /// Where it is opened at: the core alone knows the place.
  @Test(arguments: [
    (FilePosition.end, EditCommand.plain(.moveToEndOfDocument)),
    (FilePosition(line: 3), .gotoPosition(line: 2, character: 0)),
  ])
  func whatIsTypedBeforeAFileIsThereGoesToItsPlace(_ position: FilePosition, _ motion: EditCommand) {
    let bench = Bench(opening: nil)
    bench.editor.files.open(path: "/g.txt", at: position)
    bench.press("QQ")
    #expect(bench.core.takeEdits().allSatisfy { !$0.changesText })
    while !bench.core.requests.isEmpty {
      bench.core.answer(.success(.string("view-id-\(3 - bench.core.requests.count)")))
    }
    bench.editor.gate.advance()
    let edits = bench.core.takeEdits().filter { $0 == motion || $0.changesText }
    #expect(edits == [motion, .insert("Q"), .insert("Q")], "\(edits)")
  }

  @Test func theFirstFileHasItsPlaceBeforeItsKeys() {
    let core = ScriptedCore()
    let editor = Editor(channel: core, columns: 60, rows: 12)
    editor.core.start()
    editor.files.open(path: "/f.txt", at: .end)
    editor.handle(Bench.events("QQ"))
    #expect(core.takeEdits().allSatisfy { !$0.changesText })
    editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    core.answer(.success("view-id-1"))
    let end = EditCommand.plain(.moveToEndOfDocument)
    let edits = core.takeEdits().filter { $0 == end || $0.changesText }
    #expect(edits == [end, .insert("Q"), .insert("Q")])
  }

  /// A core refuses a larger number, and would go nowhere.
  @Test(arguments: ["9223372036854775807", "9007199254740993:9223372036854775807"])
  func aPlaceBeyondAllIsWithinWhatTheCoreTakes(_ typed: String) throws {
    let position = try #require(FilePosition(typed))
    #expect(position.line <= 1 << 53 && position.column <= 1 << 53)
  }

  /// Nobody means the file that the buffer had before.
  @Test(arguments: ["{^S}", "{alt S}"]) func aSaveBehindSaveAsGoesToTheNewFile(save: String) {
    let bench = Bench()
    bench.press("{alt s}{^U}/z.txt{enter}TEXT" + save)
    #expect(bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/z.txt", .ifNew)])
    bench.core.answer(.success([:]))
    #expect(takeInserted(bench) == "TEXT")
    #expect(bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/z.txt", .ifUnchanged)])
  }

  /// The buffer is not that file's by then.
  @Test func theFormerFileIsOpenedBehindSaveAs() {
    let bench = Bench()
    bench.press("{alt s}{^U}/z.txt{enter}{^O}/f.txt{enter}TEXT")
    bench.core.answer(.success([:]))
    guard case .newView(let wanted)? = bench.core.requests.first?.request else {
      Issue.record("nothing is opened")
      return
    }
    #expect(wanted.path == "/f.txt" && takeInserted(bench) == "")
  }

  /// Where the wait was ended, too, and the core is still at it.
  @Test(arguments: ["{^S}", "{alt S}"]) func aSaveBehindOneThatIsNotWaitedForKnowsTheFile(save: String) {
    let bench = Bench()
    bench.press("{alt s}{^U}/z.txt{enter}")
    for _ in 0..<CoreSilence.ticksToNotice { bench.editor.gate.tick() }
    bench.press("{esc}")
    bench.press("TEXT" + save)
    #expect(bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/z.txt", .ifNew)])
    bench.core.answer(.success([:]))
    #expect(bench.core.requests.map(\.request) == [.saveFile(Bench.view, path: "/z.txt", .ifUnchanged)])
  }

  /// One that was answered does not stand for the next.
  @Test func theLastOfSeveralSavesIsWaitedFor() {
    let bench = Bench()
    bench.show(["x"], pristine: false, handledEdits: 2)
    bench.press("{^S}{^S}{^Q}")
    bench.core.answer(.success([:]))
    #expect(bench.editor.screen.takeEffects() == [] && bench.editor.mode == nil)
    bench.show(["x"], pristine: true, handledEdits: 2)
    bench.core.answer(.success([:]))
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  /// Each pane keeps the caret that its keys have led to.
  @Test func panesKeepTheirCarets() {
    let bench = Bench(columns: 80)
    bench.core.answersBarriers = false
    bench.press("{^E}v{down}X{^E}wY")
    #expect(takeInserted(bench) == "X")
    handleAll(bench, ["one", "Xtwo"], caret: LineColumn(line: 1, column: 1))
    let edits = bench.core.takeEdits()
    let back = edits.firstIndex(of: .gesture(LineColumn(line: 0, column: 0), .select(.point, multi: false)))
    #expect(back != nil && edits.last == .insert("Y"))
  }

  @Test func aClickInAnotherPaneWaitsForTheCaret() {
    let bench = Bench(columns: 80)
    bench.core.answersBarriers = false
    bench.press("{^E}v{down}X")
    bench.editor.handle(.mouse(MouseEvent(.press, column: 5, row: 0)))
    bench.press("Y")
    #expect(takeInserted(bench) == "X")
    handleAll(bench, ["one", "Xtwo"], caret: LineColumn(line: 1, column: 1))
    #expect(takeInserted(bench) == "Y" && bench.editor.views.panes.all.first === bench.editor.views.panes.focused)
    #expect(bench.editor.views.panes.all.last?.place?.carets.ranges.first?.lowerBound == LineColumn(line: 1, column: 1))
  }

  @Test func goingBackStartsFromWhereTheKeysBeforeHaveLed() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("{^G}2{enter}{alt ,}Y")
    #expect(takeInserted(bench) == "")
    handleAll(bench, ["one", "two"], caret: LineColumn(line: 1, column: 0))
    #expect(bench.core.takeEdits().suffix(2) == [.gotoPosition(line: 0, character: 0), .insert("Y")])
  }

  /// The place to come back to is where the keys before have led.
  @Test func aJumpBeginsWhereTheKeysBeforeHaveLed() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("{alt c}{alt N}")
    handleAll(bench, ["one", "two"], caret: LineColumn(line: 1, column: 2))
    #expect(bench.editor.views.takeJump(forward: false)?.position == FilePosition(line: 2, column: 3))
  }

  /// It has not said yet what it understands.
  @Test(arguments: [("{alt f}", "File:"), ("{alt g}", "Search in files"), ("{alt t}", "Encoding")])
  func aCommandBeforeTheCoreIsKnownWaits(_ key: String, _ prompt: String) {
    let bench = Bench(opening: "/f.txt", isOurCore: false)
    bench.press(key + "abc")
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.core.answer(.success("view-id-1"))
    #expect(bench.bottom.hasPrefix(prompt) && bench.bottom.contains("abc"), "\(bench.bottom)")
    #expect(takeInserted(bench) == "")
  }

  @Test func wrappingTwiceIsNoWrapping() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("{alt w}{alt w}")
    bench.editor.handle(.configChanged(Bench.view, changes: ["word_wrap": true]))
    bench.core.answer(.success([:]))
    let changes = bench.core.takeSent().compactMap {
      if case .modifyUserConfig(_, let changes) = $0 { changes } else { nil }
    }
    #expect(changes == [["word_wrap": true], ["word_wrap": false]])
  }

  /// It takes nothing back of what nobody has seen waiting.
  @Test func escapeBehindAJumpIsAKey() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("{alt c}{^G}2{enter}{esc}Y")
    handleAll(bench, ["one", "two"], caret: LineColumn(line: 0, column: 3))
    let edits = bench.core.takeEdits()
    #expect(edits.suffix(3) == [.gotoPosition(line: 1, character: 0), .plain(.collapseSelections), .insert("Y")])
  }
}
