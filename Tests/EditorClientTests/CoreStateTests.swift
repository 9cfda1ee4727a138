import EditorProtocol
import JSONRPC
import Testing

@testable import EditorClient

/// What a core alone knows, matches and what was cut among it: it ends with the core, and what leans on it is told of.
@Suite struct CoreStateTests {
  private let again = ViewID("view-id-1")

  /// Another core takes over that has made all edits before `count`.
  private func replaceCore(of bench: Bench, count: Int) {
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    _ = bench.core.takeSent()
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(again, handledEdits: count, hasSelection: true))
  }

  private func count(_ bench: Bench) -> Int { bench.editor.view?.log.nextNumber ?? 0 }

  /// The core has counted the edit and replaces for a while yet.
  @Test func quittingWaitsForAReplacement() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.editor.views.edit(.plain(.replaceAll))
    bench.show(["one", "two"], handledEdits: count(bench))
    bench.press("{^Q}")
    #expect(bench.editor.screen.takeEffects() == [] && bench.core.requests.last?.request == .getConfig(Bench.view))
    bench.show(["1", "two"], pristine: false, handledEdits: count(bench))
    bench.core.answer(.success([:]))
    #expect(bench.bottom.contains("Save f.txt before quitting?"))
  }

  @Test func aReplacementThatEndsWithItsCoreIsTold() {
    let bench = Bench()
    bench.press("{^R}t{enter}x{enter}a")
    bench.editor.handle(.progress(Bench.view, Progress(.replace, done: 10, total: 40)))
    bench.show(["one", "two"], handledEdits: count(bench))
    replaceCore(of: bench, count: count(bench))
    bench.press("{left}")
    #expect(bench.bottom.contains("f.txt: nothing was replaced, as the core ended meanwhile"))
  }

  /// Neither the question nor what is typed as its answers outlives the core that knows the matches.
  @Test(arguments: [true, false]) func theQuestionGoesWithItsCore(isReplaced: Bool) {
    let bench = Bench()
    bench.press("{^R}one{enter}1{enter}")
    #expect(bench.bottom.hasPrefix("Replace by"))
    if isReplaced {
      bench.editor.coreWasReplaced()
      bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
      bench.core.answer(.success("view-id-1"))
      bench.editor.handle(.recovered(Bench.view, handledEdits: 2, hasSelection: true))
    } else {
      bench.editor.coreIsGone(because: "The core keeps ending")
    }
    _ = bench.core.takeSent()
    #expect(!bench.bottom.hasPrefix("Replace by"))
    let number = bench.editor.view?.log.nextNumber
    bench.press("yn{^D}a")
    #expect(bench.core.takeEdits() == [] && bench.editor.view?.log.nextNumber == number)
    bench.press("{enter}x")
    #expect(bench.editor.mode == nil)
    if isReplaced { #expect(bench.core.takeEdits() == [.plain(.collapseSelections), .insert("x")]) }
  }

  @Test func aReplacementIsAskedForWithItsQuery() {
    let bench = Bench()
    bench.press("{^R}one{enter}1")
    replaceCore(of: bench, count: count(bench))
    _ = bench.core.takeEdits()
    bench.press("{enter}")
    let query = FindQuery("one", caseSensitive: false)
    #expect(
      bench.core.takeEdits().prefix(3) == [
        .find(query), .highlightFind(visible: true), .replace("1", preserveCase: false),
      ])
  }

  /// Which matches were refused was known to the core that ended: replacing all would take them, too.
  @Test(arguments: [true, false]) func allAreNotReplacedWhereSomeWereRefused(isRefused: Bool) {
    let bench = Bench()
    bench.press("{^R}one{enter}1{enter}")
    let match = LineColumn(line: 0, column: 0)..<LineColumn(line: 0, column: 3)
    bench.show(["one"], handledEdits: count(bench), selecting: match)
    if isRefused { bench.press("n") }
    let kept = count(bench)
    bench.show(["one"], pristine: false, handledEdits: kept, selecting: match)
    bench.press("a")
    replaceCore(of: bench, count: kept)
    let edits = bench.core.takeEdits()
    #expect(edits.contains(.plain(.replaceAll)) != isRefused)
    bench.press("{left}")
    #expect(bench.bottom.contains("nothing more was replaced") == isRefused)
  }

  @Test func whatWasKilledIsLostWithItsCore() {
    let bench = Bench()
    bench.press("{^K}")
    bench.show(["", "two"], pristine: true, handledEdits: count(bench))
    replaceCore(of: bench, count: count(bench))
    _ = bench.core.takeEdits()
    bench.press("{^U}")
    #expect(bench.core.takeEdits() == [] && bench.bottom.contains("held by the core that ended"))
    bench.press("{^K}{^U}")
    #expect(bench.core.takeEdits() == [.plain(.deleteToEndOfParagraph), .plain(.yank)])
  }

  /// Nothing typed into a text that refuses it is kept anywhere, nor has it to be.
  @Test func whatIsOnlyReadHoldsNothingUnkept() {
    let bench = Bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", isReadOnly: true)))
    bench.press("abc")
    bench.editor.core.isLeaving = true
    #expect(bench.editor.files.unkeptViews.isEmpty)
  }
}
