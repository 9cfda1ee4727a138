import EditorProtocol
import JSONRPC
import Testing

@testable import EditorClient

/// A core dies, another takes over.
@Suite struct RecoveryTests {
  private let again = ViewID("view-id-1")

  /// Four edits were sent after the two of the start, `handled` of all are acknowledged; then the core dies.
  private func bench(handled: Int, recoveryID: String? = "r") -> Bench {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", recoveryID: recoveryID)))
    bench.press("abcd")
    bench.show(["ab"], pristine: false, handledEdits: handled)
    _ = bench.core.takeSent()
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    return bench
  }

  @Test func asksForTheJournal() {
    let bench = bench(handled: 4)
    #expect(bench.core.requests.last?.request == .newView(NewView(path: "/f.txt", recoveryID: "r")))
  }

  @Test func sendsAgainWhatTheJournalLacks() {
    let bench = bench(handled: 4)
    bench.press("e")
    #expect(bench.core.takeEdits() == [], "nothing before the core says where it stands")
    bench.core.answer(.success("view-id-1"))
    #expect(bench.core.takeEdits() == [])
    bench.editor.handle(.recovered(again, handledEdits: 5, hasSelection: false))
    #expect(
      bench.core.takeEdits() == [
        .resize(width: 56, height: 10), .scroll(first: 0, end: 10), .insert("d"), .insert("e"),
      ], "a and b were acknowledged, c was in the journal; d is missing, e was typed meanwhile")
  }

  @Test func withoutAJournalEverythingIsSentAgain() {
    let bench = bench(handled: 2, recoveryID: nil)
    bench.core.answer(.success("view-id-1"))
    #expect(
      bench.core.takeEdits().filter(\.changesDocument).prefix(5) == [
        .gesture(LineColumn(line: 0, column: 0), .select(.point, multi: false)), .insert("a"), .insert("b"),
        .insert("c"), .insert("d"),
      ])
  }

  /// A journal begins before its file is loaded, and what is in it is not complained of.
  @Test func whatIsKeptDuringALoadIsKept() {
    let bench = Bench()
    bench.editor.handle(.progress(Bench.view, Progress(.load, done: 1, total: 9)))
    bench.press("ab")
    bench.show(["ab"], pristine: false, handledEdits: 4)
    bench.editor.core.isLeaving = true
    #expect(bench.editor.files.unkeptViews.isEmpty && !bench.editor.files.mayLoseText)
  }

  /// What waits for the whole text is in no journal.
  @Test func whatWasTypedDuringALoadIsSentAgain() {
    let bench = Bench()
    func load(_ done: Int) { bench.editor.handle(.progress(Bench.view, Progress(.load, done: done, total: 9))) }
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt")))
    load(1)
    bench.press("ab")
    bench.show(["ab"], pristine: false, handledEdits: 4, keptEdits: 2)
    #expect(!bench.editor.gate.awaitsCore)
    bench.press("c")
    _ = bench.core.takeSent()
    for _ in 0..<2 {
      bench.editor.coreWasReplaced()
      bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
      #expect(!bench.bottom.contains("lost"))
      bench.core.answer(.success("view-id-1"))
      #expect(bench.core.takeEdits().filter(\.changesText).prefix(3) == [.insert("a"), .insert("b"), .insert("c")])
      load(1)
      bench.show(["abc"], pristine: false, handledEdits: 5, keptEdits: 0)
    }
    load(9)
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", recoveryID: "r")))
    let count = bench.editor.view?.log.nextNumber ?? 0
    bench.show(["abc"], pristine: false, handledEdits: count)
    bench.editor.coreWasReplaced()
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: count, hasSelection: true))
    #expect(bench.core.takeEdits() == [.resize(width: 56, height: 10), .scroll(first: 0, end: 10)])
  }

  /// Nobody knows what has ended a core. Only the user says that what was typed shall not be tried again.
  @Test func sendsAgainUntilTheUserDropsIt() {
    let bench = bench(handled: 4)
    for _ in 0..<3 {
      bench.core.answer(.success("view-id-1"))
      bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: false))
      #expect(bench.core.takeEdits().contains(.insert("c")))
      bench.editor.coreWasReplaced()
    }
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: false))
    _ = bench.core.takeEdits()
    bench.editor.coreIsGone(because: "The core keeps ending")
    #expect(bench.bottom.contains("^X drops what was typed last"))
    bench.press("{^X}drop{enter}")
    #expect(bench.editor.screen.takeEffects().contains(.restartCore))
    bench.editor.coreWasReplaced()
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: false))
    #expect(!bench.core.takeEdits().contains(.insert("c")))
  }

  /// It is the key that cuts, and what came behind what was sent again has ended no core.
  @Test(arguments: ["{^X}{esc}{^X}drop{enter}", "{^X}{enter}{^X}drop{enter}"])
  func nothingIsDroppedByOneKey(keys: String) {
    let bench = bench(handled: 4)
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: false))
    bench.editor.coreIsGone(because: "The core keeps ending")
    bench.press("z")
    bench.press("{^X}")
    #expect(bench.editor.screen.takeEffects() == [] && bench.editor.view?.log.hasText == true)
    bench.press("{esc}")
    #expect(bench.bottom.contains("^X drops what was typed last"))
    bench.press(keys)
    #expect(bench.editor.screen.takeEffects() == [.restartCore])
    _ = bench.core.takeSent()
    bench.editor.coreWasReplaced()
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: false))
    #expect(bench.core.takeEdits().filter(\.changesText) == [.insert("z")])
  }

  /// Edits that were in no journal are made where they were made.
  @Test func whatWasNotKeptBeginsAtItsCaret() {
    let bench = Bench()
    bench.press("{down}")
    bench.show(["one", "two"], handledEdits: 3)
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 1, column: 2)))
    bench.press("a")
    for count in 4...5 {
      var update = ViewUpdate(ops: [.copy(count: 2, firstNumber: 1)], pristine: false, handledEdits: count)
      update.keptEdits = 3
      bench.editor.handle(.update(Bench.view, update))
      bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 1, column: count)))
      bench.press("b")
    }
    _ = bench.core.takeSent()
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.core.answer(.success("view-id-1"))
    let sent = bench.core.takeEdits().filter(\.changesDocument)
    #expect(sent.first == .gesture(LineColumn(line: 1, column: 2), .select(.point, multi: false)))
    #expect(sent.dropFirst() == [.insert("a"), .insert("b"), .insert("b")])
  }

  /// A save makes edits survive that were shown before it was done, with others behind them.
  @Test func whatFollowsASaveBeginsAtItsCaret() {
    let bench = Bench()
    bench.press("abc")
    func update(_ handled: Int, kept: Int, column: Int) {
      var update = ViewUpdate(ops: [.copy(count: 2, firstNumber: 1)], pristine: false, handledEdits: handled)
      update.keptEdits = kept
      bench.editor.handle(.update(Bench.view, update))
      bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 1, column: column)))
    }
    for count in 3...5 { update(count, kept: 2, column: count) }
    update(5, kept: 4, column: 5)
    for _ in 0..<2 {
      _ = bench.core.takeSent()
      bench.editor.coreWasReplaced()
      bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
      bench.core.answer(.success("view-id-1"))
      let sent = bench.core.takeEdits().filter(\.changesDocument)
      #expect(sent == [.gesture(LineColumn(line: 1, column: 4), .select(.point, multi: false)), .insert("c")])
    }
  }

  /// What was cut would come back, and what follows stand elsewhere.
  @Test func aCutIsMadeAgain() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", recoveryID: "r")))
    bench.press("a{^X}")
    bench.core.answer(.success("one"))
    bench.press("{^C}")
    bench.core.answer(.success("two"))
    bench.press("b")
    var update = ViewUpdate(ops: [.copy(count: 2, firstNumber: 1)], pristine: false, handledEdits: 6)
    update.keptEdits = 2
    bench.editor.handle(.update(Bench.view, update))
    _ = bench.core.takeSent()
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 2, hasSelection: true))
    #expect(bench.core.takeEdits().filter(\.changesText) == [.insert("a"), .insert("b")])
    let cuts = bench.core.requests.map(\.request).filter { if case .cut = $0 { true } else { false } }
    #expect(cuts.count == 1)
    let log = bench.editor.view?.log
    #expect(log?.nextNumber == 2 + 3 + 2, "with what tells of the screen")
  }

  /// Nobody has what was cut, and what was typed behind it wants it.
  @Test(arguments: [false, true]) func aCutWithoutAnAnswerIsNotForgotten(isInJournal: Bool) {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", recoveryID: "r")))
    bench.editor.clipboard.contents = .text("old")
    bench.press("{^X}{^V}")
    bench.core.answer(.failure(.connectionClosed("gone")))
    #expect(bench.core.takeEdits() == [])
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: isInJournal ? 3 : 2, hasSelection: true))
    if isInJournal {
      #expect(bench.core.requests.isEmpty)
      #expect(bench.bottom.contains("held by the core that ended"))
      #expect(!bench.core.takeEdits().contains(.paste("old")))
    } else {
      #expect(bench.core.requests.map(\.request) == [.cut(again, holdAbove: 1 << 20)])
      bench.core.answer(.success("one"))
      #expect(bench.editor.screen.takeEffects().contains(.copy("one")))
      #expect(bench.core.takeEdits().filter(\.changesText) == [.paste("one")])
    }
  }

  /// After a save that has put one behind the text, a core tells of the text; what is to be saved is settled when the file is opened.
  @Test(arguments: [true, false]) func aNewCoreSavesTheLastLineAsTheFormer(hasFinalNewline: Bool) {
    let bench = Bench()
    for isThere in [hasFinalNewline, !hasFinalNewline] {
      bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", hasFinalNewline: isThere)))
    }
    bench.editor.coreWasReplaced()
    _ = bench.core.takeSent()
    bench.core.answer(.success("view-id-1"))
    let setting = FrontEndNotification.modifyUserConfig(.userOverride(again), changes: ["save_with_newline": false])
    #expect(bench.core.takeSent().contains(setting) == !hasFinalNewline)
  }

  /// What was copied before it is not what is wanted; without a core nothing was to be copied.
  @Test(arguments: [true, false]) func aCopyWithoutAnAnswerIsNotTakenForTheOneBefore(hasCore: Bool) {
    let bench = Bench()
    bench.editor.clipboard.contents = .text("old")
    if !hasCore { bench.editor.coreIsGone(because: "The core keeps ending") }
    bench.press("{^C}{^V}")
    bench.core.answer(.failure(.connectionClosed("gone")))
    #expect(bench.core.takeEdits() == (hasCore ? [] : [.paste("old")]))
  }

  /// Whoever scrolls in an editor without a journal does so without end.
  @Test func whatConcernsTheScreenIsNotKept() {
    let bench = Bench((0..<99).map { "line \($0)" })
    bench.press("x")
    for count in 1...9 {
      bench.editor.handle(.mouse(MouseEvent(.wheelDown, column: 0, row: 0)))
      var update = ViewUpdate(ops: [.copy(count: 99, firstNumber: 1)], pristine: false, handledEdits: 3 + count)
      update.keptEdits = 2
      bench.editor.handle(.update(Bench.view, update))
    }
    #expect(bench.editor.files.unwrittenEditCount == 1)
    #expect(!bench.editor.gate.awaitsCore)
  }

  /// A core may lie.
  @Test func noCountOverflows() {
    let bench = bench(handled: 4)
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: .max, hasSelection: false))
    bench.press("a")
    #expect(bench.core.takeEdits().contains(.insert("a")))
    bench.show(["a"], pristine: false, handledEdits: .max, keptEdits: .min)
    bench.press("b")
    #expect(bench.core.takeEdits().contains(.insert("b")))
  }

  /// It was dropped, and its text is not to come back.
  @Test func aViewThatWasClosedWhileItsCoreWasReplacedIsClosedInTheNew() {
    let bench = Bench()
    bench.press("{^O}/g.txt{enter}")
    bench.core.answer(.success("view-id-2"))
    bench.editor.handle(.update(ViewID("view-id-2"), ViewUpdate(ops: [], pristine: false, handledEdits: 9)))
    bench.press("{^W}")
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.press("{^D}")
    bench.core.answer(.success("view-id-3"))
    bench.core.answer(.success("view-id-4"))
    #expect(bench.editor.views.all.count == 1)
    #expect(bench.core.takeSent().contains(.closeView(ViewID("view-id-4"))))
  }

  /// In rows of another width, or of none, they would be other lines.
  @Test func theSizeIsToldBeforeWhatDependsOnIt() {
    let bench = Bench()
    bench.editor.handle(.configChanged(Bench.view, changes: ["word_wrap": true]))
    let lines = [
      UpdateLine(text: "word ", number: 1), UpdateLine(text: "wrapped\n", number: nil, cursors: [2]),
      UpdateLine(text: "two\n", number: 2),
    ]
    bench.editor.handle(
      .update(Bench.view, ViewUpdate(ops: [.skip(count: 2), .insert(lines)], pristine: true, handledEdits: 9)))
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 1, column: 2)))
    bench.press("{down}")
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    _ = bench.core.takeSent()
    bench.core.answer(.success("view-id-1"))
    #expect(
      bench.core.takeEdits() == [
        .resize(width: 56, height: 10), .scroll(first: 0, end: 10), .gotoPosition(line: 0, character: 7),
        .plain(.moveDown),
      ])
  }

  /// A new core knows nothing of the search, also where that was begun long before.
  @Test(arguments: [true, false]) func whatWasSearchedForIsTold(isKept: Bool) {
    let bench = Bench()
    bench.press("{^F}two{enter}")
    let count = bench.editor.view?.log.nextNumber ?? 0
    bench.show(["one", "two"], handledEdits: count, keptEdits: isKept ? count : 2)
    bench.press("{F3}x")
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    _ = bench.core.takeSent()
    bench.core.answer(.success("view-id-1"))
    let sent = bench.core.takeEdits()
    let query = sent.firstIndex(of: .find(FindQuery("two", caseSensitive: false)))
    let motion = sent.lastIndex(of: .findNext(FindMotion(wrapAround: true)))
    #expect((query ?? .max) < (motion ?? 0))
    #expect(sent.last { if case .highlightFind = $0 { true } else { false } } != .highlightFind(visible: true))
    #expect(sent.filter(\.changesText) == [.insert("x")])
  }

  /// The text went with the core that held it.
  @Test func aPasteThatCannotBeMadeAgainIsTold() {
    let bench = Bench()
    bench.press("{^C}")
    bench.core.answer(.success(HeldCopy(id: 7, byteCount: 280_000_000).json))
    bench.press("{^V}x")
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    _ = bench.core.takeSent()
    bench.core.answer(.success("view-id-1"))
    #expect(bench.core.takeEdits().filter(\.changesText) == [.insert("x")])
    #expect(bench.bottom.contains("not made again"))
  }

  /// In the order in which they are sent, also the clicks that bring back the carets: or, of two deaths in a row, the second would take
  /// what the first has left.
  @Test func whatIsSentAgainIsCountedInItsOrder() {
    let bench = bench(handled: 4)
    bench.core.answer(.success("view-id-1"))
    _ = bench.core.takeSent()
    bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: false))
    let sent = bench.core.takeEdits()
    let first = sent.firstIndex(of: .insert("c")) ?? 0
    // The core has come to what is before the text.
    bench.show(["ab"], pristine: false, handledEdits: 4 + first)
    bench.editor.coreWasReplaced()
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 4 + first, hasSelection: true))
    #expect(bench.core.takeEdits().filter(\.changesText) == [.insert("c"), .insert("d")])
  }

  @Test func whatWasTypedWithoutACoreIsSent() {
    let bench = bench(handled: 4)
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: false))
    bench.editor.coreIsGone(because: "It keeps ending")
    bench.press("z")
    _ = bench.core.takeSent()
    bench.editor.coreWasReplaced()
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: false))
    #expect(bench.core.takeEdits().filter(\.changesText) == [.insert("c"), .insert("d"), .insert("z")])
  }

  @Test func noKeyEndsAnEditorWhoseTextNoCoreHas() {
    let bench = bench(handled: 4)
    bench.editor.coreIsGone(because: "It keeps ending")
    #expect(bench.bottom.contains("^R restarts it"))
    #expect(!bench.bottom.contains("waits"), "nothing comes of it")
    for _ in 0..<CoreSilence.ticksToDespair { bench.editor.gate.tick() }
    #expect(bench.bottom.contains("It keeps ending"))
    // What is typed for a view that its core had not opened yet is held, and answers no question.
    bench.press("n{^Q}")
    #expect(bench.editor.screen.takeEffects() == [])
    #expect(bench.bottom.contains("(Enter tries, ^D drops it"))
    bench.press("{esc}{^Q}{enter}")
    guard case .exit(code: 1, reason: _?)? = bench.editor.screen.takeEffects().first else {
      Issue.record("no end")
      return
    }
    #expect(bench.editor.files.unkeptViews.count == 1)
    bench.press("{^Q}{^D}")
    #expect(bench.editor.screen.takeEffects().count == 1)
    #expect(bench.editor.files.unkeptViews.isEmpty)
  }

  /// Nobody types blind, however often cores have ended before one had the view.
  @Test func whatIsTypedWithoutACoreIsShown() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", recoveryID: "r")))
    bench.press("a")
    bench.editor.coreWasReplaced()
    bench.press("bx{backspace}")
    bench.editor.coreIsGone(because: "The core keeps ending")
    bench.press("cd")
    #expect(bench.screen[0] == "  1 abcdone")
    #expect(bench.editor.files.unkeptViews.count == 1)
    #expect(bench.core.takeEdits().filter(\.changesText) == [.insert("a")])
    bench.editor.coreWasReplaced()
    bench.press("e")
    bench.core.answer(.failure(.connectionClosed("gone")))
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 3, hasSelection: false))
    #expect(
      bench.core.takeEdits().filter(\.changesText) == [
        .insert("b"), .insert("x"), .plain(.deleteBackward), .insert("c"), .insert("d"), .insert("e"),
      ])
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    let count = bench.editor.view?.log.nextNumber ?? 0
    let line = UpdateLine(text: "abcdeone\n", number: 1, cursors: [5])
    bench.editor.handle(.update(again, ViewUpdate(ops: [.insert([line])], pristine: false, handledEdits: count)))
    #expect(bench.screen[0] == "  1 abcdeone")
  }

  /// Nothing is awaited that anybody could see: it is the key that takes a selection away.
  @Test func escapeGivesNothingUpBeforeTheUserWasTold() {
    let bench = bench(handled: 6)
    bench.press("e{esc}f")
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 6, hasSelection: true))
    #expect(
      bench.core.takeEdits().filter(\.changesDocument) == [.insert("e"), .plain(.collapseSelections), .insert("f")])
    let late = self.bench(handled: 6)
    late.press("e")
    for _ in 0..<CoreSilence.ticksToNotice { late.editor.gate.tick() }
    late.press("{esc}f")
    late.core.answer(.success("view-id-1"))
    late.editor.handle(.recovered(again, handledEdits: 6, hasSelection: true))
    #expect(late.core.takeEdits().filter(\.changesDocument) == [.insert("f")], "it was offered to take that back")
  }

  /// What was typed behind a command is for what comes of it, and no key of before answers what is offered now.
  @Test func commandsThatWereHeldStayHeldWithoutACore() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", recoveryID: "r")))
    bench.editor.coreWasReplaced()
    bench.press("a{^S}b{^Q}{^D}{^R}")
    bench.editor.coreIsGone(because: "The core keeps ending")
    bench.press("c")
    #expect(bench.screen[0] == "  1 aone")
    #expect(bench.bottom.hasPrefix("The core keeps ending"))
    #expect(bench.editor.screen.takeEffects() == [])
    bench.editor.coreWasReplaced()
    _ = bench.core.takeSent()
    bench.core.answer(.failure(.connectionClosed("gone")))
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 2, hasSelection: false))
    #expect(bench.core.takeEdits().filter(\.changesText).prefix(2) == [.insert("a"), .insert("b")])
  }

  /// Of the view that is not shown the new core has not said anything yet.
  @Test func theEndWaitsForAViewThatANewCoreHasNotGivenBack() {
    let bench = Bench()
    bench.press("{^O}/g.txt{enter}")
    bench.core.answer(.success("view-id-2"))
    bench.press("x{alt-right}")
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.core.answer(.success("view-id-1"))
    bench.press("{^Q}")
    #expect(bench.editor.screen.takeEffects() == [])
    bench.core.answersBarriers = false
    bench.core.answer(.success("view-id-2"))
    #expect(bench.editor.screen.takeEffects() == [], "it has to take what was typed first")
    bench.editor.handle(.update(ViewID("view-id-2"), ViewUpdate(ops: [], pristine: false, handledEdits: 9)))
    while !bench.core.requests.isEmpty { bench.core.answer(.success([:])) }
    #expect(bench.editor.screen.takeEffects() == [])
    #expect(bench.bottom.contains("Save g.txt before quitting?"))
  }

  /// The file has become something else. What the journal has and what is missing there go on without it.
  @Test func textWhoseFileANewCoreCannotOpenStays() {
    let bench = bench(handled: 4)
    bench.core.answer(.failure(ResponseError(code: ErrorCode.inputOutput, message: "cannot read /f.txt")))
    #expect(bench.core.requests.last?.request == .newView(NewView(path: nil, recoveryID: "r")))
    #expect(bench.bottom.contains("cannot read /f.txt"))
    bench.core.answer(.success("view-id-2"))
    bench.editor.handle(.recovered(ViewID("view-id-2"), handledEdits: 0, hasSelection: false))
    #expect(bench.core.takeEdits().filter(\.changesText) == [.insert("c"), .insert("d")])
    #expect(bench.editor.views.all.map(\.name) == ["f.txt"])
    bench.press("{^S}")
    #expect(bench.bottom.contains("Save as"))
  }

  /// What the journal lacks was typed into the text of before, not into what another program has written.
  @Test func whatWasTypedLastGoesIntoNoOtherText() {
    let bench = bench(handled: 4)
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: false, isLeft: true))
    #expect(bench.core.takeSent().last == .closeView(again))
    #expect(bench.core.requests.last?.request == .newView(NewView(path: nil, recoveryID: "r")))
    #expect(bench.told.contains("another one has taken over"))
    bench.press("e")
    bench.core.answer(.success("view-id-2"))
    bench.editor.handle(.recovered(ViewID("view-id-2"), handledEdits: 4, hasSelection: true))
    #expect(bench.core.takeEdits().filter(\.changesText) == [.insert("c"), .insert("d"), .insert("e")])
    #expect(bench.editor.views.all.map(\.name) == ["f.txt"] && bench.editor.view?.path == nil)
  }

  /// What the journal has is offered.
  @Test func aFileThatHasChangedIsShownWhereNothingIsMissing() {
    let bench = bench(handled: 6)
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 6, hasSelection: false, isLeft: true))
    #expect(bench.editor.view?.path == "/f.txt" && bench.editor.view?.isReady == true)
    bench.editor.handle(.resize(columns: 100, rows: 12))
    let offer = RecoveryOffer(view: again, recoveryID: "r", time: 0, baseChanged: true)
    bench.editor.handle(.recoveryFound(offer))
    #expect(bench.bottom.hasPrefix("The core ended; your text of f.txt"), "no message hides where the text has gone")
    bench.press("{^R}")
    #expect(bench.core.requests.last?.request == .newView(NewView(recoveryID: "r")))
  }

  /// The offer that names the key is behind what is told of another key.
  @Test(arguments: ["{^S}", "{^W}"]) func whatACoreIsNeededForNamesTheKeyThatStartsOne(key: String) {
    let bench = bench(handled: 4)
    bench.editor.coreIsGone(because: "It keeps ending")
    bench.press(key)
    #expect(bench.bottom.contains("there is no core; ^R starts one"))
    bench.press("{^R}")
    #expect(bench.editor.screen.takeEffects().contains(.restartCore))
  }

  @Test func aFileThatANewCoreCannotOpenIsLetGoWithoutText() {
    let bench = Bench()
    bench.editor.coreWasReplaced()
    bench.core.answer(.failure(ResponseError(code: ErrorCode.inputOutput, message: "cannot read /f.txt")))
    #expect(bench.editor.views.all.map(\.name) == ["Unnamed"])
  }

  @Test func acknowledgedAgainMayBeSentAgainLater() {
    let bench = bench(handled: 4)
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: false))
    bench.show(["abcd"], pristine: false, handledEdits: 100)
    bench.press("z")
    _ = bench.core.takeSent()
    bench.editor.coreWasReplaced()
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 9, hasSelection: false))
    #expect(bench.core.takeEdits().contains(.insert("z")))
  }

  @Test func whatTheCoreHasSelectedIsLeftToIt() {
    let bench = bench(handled: 4)
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: 4, hasSelection: true))
    #expect(!bench.core.takeEdits().contains { if case .gesture = $0 { true } else { false } })
  }

  @Test func selectionsInSightAreMadeAgain() {
    let bench = Bench(["abcdef", "ghi"])
    let ranges = [
      LineColumn(line: 0, column: 0)..<LineColumn(line: 0, column: 2),
      LineColumn(line: 0, column: 4)..<LineColumn(line: 1, column: 1),
      LineColumn(line: 1, column: 3)..<LineColumn(line: 1, column: 3),
    ]
    let lines = [
      UpdateLine(text: "abcdef\n", number: 1, cursors: [0]), UpdateLine(text: "ghi\n", number: 2, cursors: [1, 3]),
    ]
    let annotation = Annotation(type: "selection", ranges: ranges)
    bench.editor.handle(
      .update(
        Bench.view, ViewUpdate(ops: [.insert(lines)], pristine: true, annotations: [annotation], handledEdits: 2)))
    bench.editor.coreWasReplaced()
    _ = bench.core.takeSent()
    bench.core.answer(.success("view-id-1"))
    #expect(
      bench.core.takeEdits().filter(\.changesDocument).prefix(5) == [
        .gesture(LineColumn(line: 0, column: 2), .select(.point, multi: false)),
        .gesture(LineColumn(line: 0, column: 0), .selectExtend(.point)),
        .gesture(LineColumn(line: 0, column: 4), .select(.point, multi: true)),
        .gesture(LineColumn(line: 1, column: 1), .selectExtend(.point)),
        .gesture(LineColumn(line: 1, column: 3), .select(.point, multi: true)),
      ])
  }
}
