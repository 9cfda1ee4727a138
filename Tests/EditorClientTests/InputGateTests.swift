import EditorProtocol
import JSONRPC
import Testing

@testable import EditorClient

/// A core that takes its time, or never answers, never takes the keyboard with it.
@Suite struct InputGateTests {
  private func wait(_ bench: Bench, ticks: Int = CoreSilence.ticksToNotice) {
    for _ in 0..<ticks { bench.editor.gate.tick() }
  }

  @Test func aCopyThatIsNotAnsweredIsToldAndCanBeLeft() {
    let bench = Bench()
    bench.press("{^C}x")
    #expect(bench.core.takeEdits() == [])
    #expect(!bench.bottom.contains("Waiting"))
    wait(bench)
    #expect(bench.bottom == "Waiting for the cor…  Esc ends the wait  ^Q quits without it")
    bench.press("{esc}y")
    #expect(bench.core.takeEdits() == [.insert("y")], "what was typed before Esc is taken back")
    // The answer comes after all.
    bench.core.answer(.success("late"))
    bench.press("{^V}")
    #expect(bench.core.takeEdits() == [.paste("late")])
  }

  @Test func controlQLeavesACoreThatDoesNotAnswer() {
    let bench = Bench()
    bench.press("{^C}{^Q}")
    #expect(bench.editor.screen.takeEffects() == [], "it may still answer")
    wait(bench)
    bench.press("{^Q}")
    let effects = bench.editor.screen.takeEffects()
    #expect(effects.count == 1)
    guard case .exit(code: 1, reason: _?)? = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(!bench.core.takeSent().contains(.closeView(Bench.view)), "its journal is kept")
  }

  /// It has not taken them, whether it was given them or they wait here.
  @Test(arguments: ["x{^Q}", "{^C}x"]) func lettersThatASilentCoreWasTypedAreAskedAbout(_ keys: String) {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press(keys)
    wait(bench)
    bench.press("{^Q}")
    #expect(bench.editor.screen.takeEffects() == [.giveUpCore])
  }

  /// The `n` is an answer, typed before the question.
  @Test func noTextIsMissedWithoutAny() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("{right}{^Q}{^D}")
    wait(bench)
    bench.press("{^Q}")
    let effects = bench.editor.screen.takeEffects()
    guard effects.count == 1, case .exit(code: 1, reason: _?)? = effects.first else {
      Issue.record("\(effects)")
      return
    }
  }

  @Test func aSaveThatTakesItsTimeIsToldAndHoldsNothing() {
    let bench = Bench()
    bench.press("{^S}")
    wait(bench)
    #expect(bench.bottom.contains("Waiting for the core to save f.txt"))
    bench.press("a")
    #expect(bench.core.takeEdits() == [.insert("a")])
    bench.press("{esc}")
    #expect(!bench.bottom.contains("Esc ends the wait"))
    bench.core.answer(.success([:]))
    #expect(bench.bottom == "Saved f.txt")
  }

  @Test func aRefusedAnswerEndsItsWait() {
    let bench = Bench()
    bench.press("{^C}x")
    bench.core.answer(.failure(ResponseError(code: -32600, message: "too long")))
    #expect(bench.core.takeEdits() == [.insert("x")])
    #expect(!bench.editor.gate.awaitsCore || bench.editor.gate.holdsInput == false)
  }

  /// An answer that was typed ahead to a question that never came is no text.
  @Test func whatWasTypedForAQuestionIsDroppedWithIt() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("x{^Q}{^D}")
    bench.core.answer(.failure(.connectionClosed("gone")))
    #expect(bench.core.takeEdits() == [.insert("x")])
    #expect(bench.editor.screen.takeEffects() == [])
  }

  /// What was typed before it is not.
  @Test func onlyWhatWasTypedForAQuestionIsDroppedWithIt() {
    let bench = Bench()
    var (copy, question) = (Wait.State.waiting, Wait.State.waiting)
    bench.editor.gate.wait(to: "copy", .isHeld, until: { copy })
    bench.press("xy")
    bench.editor.gate.wait(to: "ask", .isAnswer, until: { question })
    bench.press("n")
    question = .failed
    bench.editor.gate.advance()
    #expect(bench.told.contains("taken back"))
    copy = .over
    bench.editor.gate.advance()
    #expect(bench.core.takeEdits().filter { $0 != .insert("xy") } == [.insert("x"), .insert("y")])
  }

  @Test func unansweredTypingIsTold() {
    let bench = Bench()
    bench.press("x")
    wait(bench)
    #expect(bench.bottom.hasPrefix("The core does not answer"))
    bench.show(["xone"], handledEdits: 3)
    bench.editor.gate.coreWasHeard()
    #expect(!bench.bottom.contains("does not answer"))
    #expect(!bench.editor.gate.awaitsCore)
  }

  @Test func aCoreThatIsHeardAgainNeedsNoOther() {
    let bench = Bench()
    bench.press("x")
    wait(bench, ticks: CoreSilence.ticksToDespair)
    #expect(bench.bottom.contains("^R restarts it"))
    #expect(!bench.editor.gate.silence.isPatient)
    bench.editor.gate.coreWasHeard()
    #expect(!bench.bottom.contains("^R restarts it"))
  }

  /// Honest work is not silence: a minute of it passes before another core is offered.
  @Test func aCoreThatIsAtWorkIsNotGivenUp() {
    let bench = Bench()
    bench.press("x")
    for _ in 0..<CoreSilence.ticksToDespair * 2 { bench.editor.gate.tick(isCoreAtWork: true) }
    #expect(bench.bottom.hasPrefix("The core is at work; what you type will follow"))
    #expect(bench.editor.gate.silence.isPatient)
    for _ in 0..<CoreSilence.ticksOfWork { bench.editor.gate.tick(isCoreAtWork: true) }
    #expect(bench.bottom.contains("^R restarts it"))
    #expect(!bench.editor.gate.silence.isPatient)
    bench.editor.gate.coreWasHeard()
    #expect(!bench.bottom.contains("^R restarts it"))
  }

  /// Each part has a line of the protocol that the core takes.
  @Test func aLongTextGoesInParts() {
    let bench = Bench()
    bench.editor.views.edits.longestText = 8
    let text = "one\ntwo\nthree\nééééééé\n" + String(repeating: "日", count: 20)
    bench.editor.views.edit(.paste(text))
    let parts = bench.core.takeEdits().compactMap { if case .paste(let part) = $0 { part } else { nil } }
    #expect(parts.joined() == text)
    #expect(parts.allSatisfy { (1...8).contains($0.utf8.count) })
    #expect(parts.first == "one\ntwo\n")
    #expect(bench.editor.view?.log.pendingCount == parts.count)
  }

  /// What is typed for a view whose name is not known yet waits for it, and goes to no other.
  @Test func typingWaitsForItsView() {
    let bench = Bench()
    bench.press("{^O}/g.txt{enter}")
    bench.press("new")
    #expect(bench.core.takeEdits() == [])
    bench.core.answer(.success("view-id-3"))
    let sent = bench.core.takeSent().filter { if case .edit(_, .insert) = $0 { true } else { false } }
    #expect(sent == "new".map { .edit(ViewID("view-id-3"), .insert(String($0))) })
  }

  /// At the end that is waited for as long as it gets on.
  @Test func textThatIsNoLongerHeldHasGotOn() {
    let bench = Bench()
    bench.press("{^C}a{left}b")
    let before = bench.editor.files.unkeptAmount
    bench.core.answer(.success("one"))
    #expect(bench.core.takeEdits().count == 3)
    let sent = bench.editor.files.unkeptAmount
    #expect(sent < before)
    bench.show(["aone"], handledEdits: 4)
    #expect(bench.editor.files.unkeptAmount < sent)
  }

  @Test func longCopiesStayWithTheCore() {
    let bench = Bench()
    bench.press("{^C}")
    #expect(bench.core.requests.map(\.request) == [.copy(Bench.view, holdAbove: 1 << 20)])
    bench.core.answer(.success(HeldCopy(id: 7, byteCount: 280_000_000).json))
    #expect(bench.bottom.contains("280000000 bytes"))
    bench.press("{^V}")
    #expect(bench.core.takeEdits() == [.pasteHeld(7)])
    bench.editor.coreWasReplaced()
    bench.core.answer(.success("view-id-1"))
    _ = bench.core.takeSent()
    bench.press("{^V}")
    #expect(bench.core.takeEdits() == [])
    #expect(bench.bottom.contains("ended"))
  }
}

/// Words that a core does not find stand in the way of nothing.
@Suite struct AwaitedWordsTests {
  private func silentBench(_ keys: String, ticks: Int = 0) -> Bench {
    let bench = Bench(["al"])
    bench.core.answersBarriers = false
    bench.press("{alt /}" + keys)
    #expect(bench.core.takeEdits() == [], "it may still answer")
    for _ in 0..<ticks { bench.editor.gate.tick() }
    return bench
  }

  private func inserted(_ bench: Bench) -> String {
    bench.core.takeEdits().map { if case .insert(let text) = $0 { text } else { "?" } }.joined()
  }

  @Test(arguments: ["", "xyz"], [0, CoreSilence.ticksToNotice, CoreSilence.ticksToNotice * 2])
  func escapeLeavesWhatWasTyped(_ typed: String, ticks: Int) {
    let bench = silentBench(typed, ticks: ticks)
    bench.press("{esc}")
    #expect(inserted(bench) == typed)
    #expect(bench.told == "No longer waiting for the core to look for words")
    #expect(!bench.editor.gate.holdsInput)
    // The answer comes after all.
    bench.core.answer(.success(WordList(typed: "al", words: ["alphabet"]).json))
    #expect(bench.editor.mode == nil)
  }

  /// What chooses is for the list, as far as that would have been there.
  @Test(arguments: [
    ("{tab}x{tab}y", "xy"), ("x{down}{up}{backspace}y", "x?y"), ("{tab}{enter}x{tab}y", "x?y"), ("x {tab}", "x ?"),
    ("{enter}{enter}", "?"), ("{left}{tab}", "??"),
  ])
  func escapeTakesTheKeysForTheListAlone(_ keys: String, _ expected: String) {
    let bench = silentBench(keys)
    bench.press("{esc}")
    #expect(inserted(bench) == expected)
  }

  @Test func whoLeavesWaitsForNoWords() {
    let bench = silentBench("")
    bench.press("{^Q}")
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  @Test func whoLeavesIsAskedAboutWhatWasTyped() {
    let bench = silentBench("xyz")
    bench.press("{^Q}")
    #expect(inserted(bench) == "xyz" && bench.editor.screen.takeEffects() == [])
    bench.core.answer(.success([:]))
    bench.show(["alxyz"], pristine: false, handledEdits: 100)
    while !bench.core.requests.isEmpty { bench.core.answer(.success([:])) }
    #expect(bench.bottom.contains("Save f.txt before quitting?"))
  }

  /// As behind anything that is typed to a core which does not answer.
  @Test func whoLeavesASilentCoreDoesSo() {
    for ticks in [0, CoreSilence.ticksToNotice] {
      let bench = silentBench("xyz", ticks: ticks)
      bench.press("{^Q}")
      if ticks == 0 {
        for _ in 0..<CoreSilence.ticksToNotice { bench.editor.gate.tick() }
        #expect(bench.bottom.contains("^Q quits without it"))
        bench.press("{^Q}")
      }
      #expect(bench.editor.screen.takeEffects() == [.giveUpCore])
    }
  }
}
