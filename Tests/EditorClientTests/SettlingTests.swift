import EditorProtocol
import JSON
import JSONRPC
import Testing

@testable import EditorClient

/// What is typed faster than the core answers.
@Suite struct SettlingTests {
  @Test func quitWaitsForWhatWasTyped() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^Q}{^D}")
    #expect(bench.editor.screen.takeEffects() == [])
    bench.show(["xone"], pristine: false, handledEdits: 3)
    #expect(bench.editor.screen.takeEffects() == [])
    bench.core.answer(.success([:]))
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)], "the n was the answer, not text")
    #expect(!bench.core.takeEdits().contains(.insert("n")))
  }

  /// Nobody has been told that it waits: Esc is a key of what was typed, and takes nothing of it back.
  @Test func escapeBehindWhatWaitsUnseenLosesNothing() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^F}")
    bench.press("one{enter}{end}TYPED{esc}")
    #expect(!bench.core.takeEdits().contains(.insert("TYPED")))
    bench.show(["xone"], pristine: false, handledEdits: 3)
    bench.core.answer(.success([:]))
    // The match, too, has to be there first.
    #expect(!bench.core.takeEdits().contains { $0 == .insert("TYPED") || $0 == .insert("T") })
    bench.core.answer(.success([:]))
    #expect(bench.core.takeEdits().contains { $0 == .insert("TYPED") || $0 == .insert("T") })
    #expect(!bench.told.contains("taken back"))
  }

  /// Who has been told, and ends the wait, is told what that costs.
  @Test func escapeTellsWhatItTakesBack() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^F}one{enter}TYPED")
    for _ in 0..<CoreSilence.ticksToNotice { bench.editor.gate.tick() }
    bench.press("{esc}")
    #expect(bench.told.hasPrefix("No longer waiting for the core to take what was typed; "))
    #expect(bench.told.hasSuffix("what was typed meanwhile was taken back"))
    bench.show(["xone"], pristine: false, handledEdits: 3)
    bench.core.answer(.success([:]))
    #expect(!bench.core.takeEdits().contains(.insert("T")))
  }

  @Test func aReloadTakesTheQuestionOfTheSaveAway() {
    let bench = Bench()
    bench.show(["x"], pristine: false, handledEdits: 2)
    bench.press("{^S}")
    bench.core.answer(.failure(ResponseError(code: ErrorCode.changedOnDisk, message: "changed")))
    #expect(bench.bottom.contains("^B overwrites it"))
    bench.editor.handle(.fileChanged(Bench.view, isReloaded: true))
    bench.press("{down}")
    #expect(!bench.bottom.contains("overwrites") && bench.editor.notices.offers.isEmpty)
  }

  @Test func quitWaitsForARunningSave() {
    let bench = Bench()
    bench.show(["x"], pristine: false, handledEdits: 2)
    bench.press("{^S}{^Q}")
    #expect(bench.editor.screen.takeEffects() == [])
    bench.show(["x"], pristine: true, handledEdits: 2)
    bench.core.answer(.success([:]))
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  @Test func aPasteWaitsForTheCopyBeforeIt() {
    let bench = Bench()
    bench.press("{^C}{^V}")
    #expect(bench.core.takeEdits() == [])
    bench.core.answer(.success("new"))
    #expect(bench.core.takeEdits() == [.paste("new")])
  }

  /// The core's disk is asked: it may be that of another machine.
  @Test func pathsAreCompletedAndResolvedByTheCore() {
    let bench = Bench()
    func asked() -> String? {
      if case .completePath(let path) = bench.core.requests.first?.request { path } else { nil }
    }
    bench.press("{^O}~/a{tab}")
    #expect(asked() == "~/a")
    bench.core.answer(.success(PathCompletion(path: "/home/there/a", names: ["abc", "abd/"]).json))
    #expect(bench.bottom.contains("abc  abd/"))
    bench.press("{tab}")
    #expect(asked() == "~/ab")
    bench.core.answer(.success(PathCompletion(path: "/home/there/ab", names: ["abc"]).json))
    bench.press("{enter}")
    #expect(asked() == "~/abc")
    bench.core.answer(.success(PathCompletion(path: "/home/there/abc", names: []).json))
    guard case .newView(let wanted)? = bench.core.requests.first?.request else {
      Issue.record("nothing is opened")
      return
    }
    #expect(wanted.path == "/home/there/abc")
  }

  @Test(arguments: ["{^O}", "{alt s}"]) func aPathThatIsNotWaitedForIsNotTaken(keys: String) {
    let bench = Bench(path: nil)
    bench.press(keys + "~/a{enter}{esc}")
    bench.core.answer(.success(PathCompletion(path: "/home/there/a", names: []).json))
    #expect(bench.core.requests.isEmpty && bench.editor.views.all.count == 1)
  }

  @Test func whatIsTypedDuringACompletionComesBehindIt() {
    let bench = Bench()
    bench.press("{^O}a{tab}x{enter}")
    bench.core.answer(.success(PathCompletion(path: "a", names: ["abc"]).json))
    guard case .newView(let wanted)? = bench.core.requests.first?.request else {
      Issue.record("nothing is opened")
      return
    }
    #expect(wanted.path == "abcx")
  }

  @Test func aCompletionThatWasLeftIsDropped() {
    let bench = Bench()
    bench.press("{^O}a{tab}{esc}{esc}{^O}b")
    bench.core.answer(.success(PathCompletion(path: "a", names: ["abc"]).json))
    #expect(bench.bottom.contains("b") && !bench.bottom.contains("abc"))
    bench.press("{tab}")
    bench.core.answer(.failure(.internalError("no")))
    #expect(bench.bottom.contains("No file starts like that"))
  }

  @Test func aSearchStartsWhereTheCaretIsByThen() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^F}t")
    bench.show(["xone"], handledEdits: 3)
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 1)))
    _ = bench.core.takeEdits()
    bench.core.answer(.success([:]))
    #expect(
      bench.core.takeEdits().first
        == .gesture(LineColumn(line: 0, column: 1), .select(.point, multi: false)))
  }

  @Test func aSilentCoreHoldsNothingForEver() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^Q}")
    #expect(bench.editor.gate.awaitsCore)
    for _ in 0..<CoreSilence.ticksToDespair { bench.editor.gate.tick() }
    #expect(bench.bottom.contains("^Q quits without it"))
    bench.press("{^R}")
    #expect(bench.editor.screen.takeEffects() == [.restartCore])
  }
}
