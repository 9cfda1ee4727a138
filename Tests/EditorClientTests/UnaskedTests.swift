import EditorProtocol
import JSON
import JSONRPC
import TestSupport
import Testing

@testable import EditorClient

/// What comes up by itself, in the middle of what is typed: letters are for what they were typed for, and answer nothing.
@Suite struct UnaskedTests {
  enum Cause: CaseIterable {
    case changedOnDisk, vanished, exists, losesCapabilities, notEncodable, noFolder, recovery, silence, coreLoss

    fileprivate var code: Int? {
      switch self {
      case .changedOnDisk: ErrorCode.changedOnDisk
      case .vanished: ErrorCode.vanished
      case .exists: ErrorCode.fileExists
      case .losesCapabilities: ErrorCode.losesCapabilities
      case .notEncodable: ErrorCode.notEncodable
      case .noFolder: ErrorCode.folderMissing
      case .recovery, .silence, .coreLoss: nil
      }
    }

    fileprivate func come(to bench: Bench) {
      let editor = bench.editor
      if let code { return bench.core.answer(.failure(ResponseError(code: code, message: "no"))) }
      switch self {
      case .recovery:
        editor.handle(.recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: false)))
      case .silence: for _ in 0..<CoreSilence.ticksToDespair { editor.gate.tick() }
      default: editor.coreIsGone(because: "gone")
      }
    }
  }

  private func bench() -> Bench {
    let bench = Bench()
    bench.show(["one"], pristine: false, handledEdits: 2)
    bench.press("{^S}")
    _ = bench.core.takeEdits()
    return bench
  }

  @Test(arguments: Cause.allCases) func lettersAreText(_ cause: Cause) {
    let bench = bench()
    cause.come(to: bench)
    #expect(!bench.editor.notices.offers.isEmpty && bench.editor.mode == nil)
    let requests = bench.core.requests.count
    let choices = bench.editor.notices.offers.map(\.choices.count)
    for key in "yYnNqaxo" { bench.press(String(key)) }
    bench.press("{enter}")
    #expect(bench.core.requests.count == requests)
    #expect(
      bench.core.takeSent() == "yYnNqaxo".map { .edit(Bench.view, .insert(String($0))) } + [
        .edit(Bench.view, .plain(.insertNewline))
      ])
    #expect(bench.editor.notices.offers.map(\.choices.count) == choices && bench.editor.mode == nil)
    #expect(bench.editor.screen.takeEffects() == [])
  }

  @Test(arguments: Cause.allCases) func aPromptKeepsItsKeys(_ cause: Cause) {
    let bench = bench()
    bench.press("{^O}a")
    cause.come(to: bench)
    bench.press("yn{^Y}")
    #expect((bench.editor.mode as? OpenPrompt)?.field.string == "ayn")
    #expect(bench.editor.screen.takeEffects() == [])
    #expect(!bench.core.requests.contains { if case .saveFile(_, _, .always, _) = $0.request { true } else { false } })
    bench.editor.mode = nil
    #expect(bench.editor.shownOffer != nil)
  }

  /// What a key answers stands on the screen.
  @Test func anOfferBehindAMessageIsNotAnswered() {
    for key in ["{^R}", "{^X}", "{esc}"] {
      let bench = Bench()
      Cause.recovery.come(to: bench)
      #expect(bench.bottom.hasPrefix("Unsaved text of f"))
      bench.editor.handle(.fileChanged(Bench.view, isReloaded: true))
      #expect(bench.bottom == "f.txt has changed on disk and was loaded again")
      bench.press(key)
      #expect(!bench.core.takeSent().contains { if case .recover = $0 { true } else { false } }, "\(key)")
      #expect(!(bench.editor.mode is WordPrompt) && bench.editor.notices.offers.count == 1, "\(key)")
      bench.editor.mode = nil
      #expect(bench.bottom.hasPrefix("Unsaved text of f"), "\(key)")
    }
  }

  /// A core restores a text in its view only as long as that is as it was opened.
  @Test(arguments: ["x", "x{^Z}", "loaded again"]) func whatCannotComeBackInItsViewComesBeside(change: String) {
    let bench = Bench()
    Cause.recovery.come(to: bench)
    if change == "loaded again" {
      bench.editor.handle(.fileChanged(Bench.view, isReloaded: true))
      bench.press("{right}")
    } else {
      bench.press(change)
    }
    bench.show(["one"], pristine: true, handledEdits: 1 << 20)
    bench.press("{^R}")
    #expect(bench.core.requests.map(\.request) == [.newView(NewView(recoveryID: "r"))])
    #expect(!bench.core.takeSent().contains { if case .recover = $0 { true } else { false } })
  }

  /// What was typed before the offer was seen is meant for something else, and must not be half taken by it.
  @Test func anOfferThatWasNotSeenIsNotAnswered() {
    let bench = Bench()
    Cause.recovery.come(to: bench)
    for event in Bench.events("{^R}one{enter}X{enter}") { bench.editor.handle(event) }
    #expect(bench.bottom.hasPrefix("Replace by \"X\"?"))
    bench.press("{esc}{left}")
    #expect(bench.bottom.hasPrefix("Unsaved text of f"))
    #expect(!bench.core.takeSent().contains { if case .recover = $0 { true } else { false } })
    bench.press("{^R}")
    #expect(bench.core.takeSent().contains { if case .recover = $0 { true } else { false } })
  }

  /// Held since before the offer came, though by now that has been seen.
  @Test func heldKeysAnswerNoOffer() {
    let bench = Bench(opening: "/f.txt")
    bench.press("{^R}one{enter}X{enter}")
    bench.core.answer(.success("view-id-1"))
    Cause.recovery.come(to: bench)
    _ = bench.screen
    bench.show(["one"], handledEdits: 2)
    #expect(bench.bottom.hasPrefix("Replace by \"X\"?"))
    #expect(!bench.core.takeSent().contains { if case .recover = $0 { true } else { false } })
  }

  /// Behind a chord that has begun, too: the next key is the chord's.
  @Test func anOfferBehindAChordIsNotAnswered() {
    let bench = Bench()
    Cause.recovery.come(to: bench)
    bench.press("{^E}{esc}")
    #expect(bench.editor.notices.offers.count == 1 && bench.bottom.hasPrefix("Unsaved text of f"))
  }

  /// While the core is waited for the bottom line tells of that; the key that starts another core stands there, too.
  @Test func aWaitShowsTheKeyThatStartsACore() {
    let bench = Bench()
    bench.editor.files.open(path: "/g.txt")
    Cause.recovery.come(to: bench)
    for _ in 0..<CoreSilence.ticksToDespair { bench.editor.gate.tick() }
    #expect(bench.editor.gate.holdsInput && bench.bottom.contains("^R restarts it"))
    #expect(!bench.bottom.contains("Unsaved"))
    bench.press("{^R}")
    #expect(bench.editor.screen.takeEffects().contains(.restartCore))
    bench.press("{^R}")
    #expect(!bench.core.takeSent().contains { if case .recover = $0 { true } else { false } })
  }

  /// Where there is no room for a bottom line it takes that of the status, and the only one.
  @Test(arguments: [1, 2]) func whatWaitsForAKeyIsSeenOnAnyScreen(rows: Int) {
    let bench = Bench(rows: rows)
    #expect(bench.screen[0].contains("one") && bench.bottom != "")
    Cause.recovery.come(to: bench)
    #expect(bench.bottom.hasPrefix("Unsaved text of f"))
    bench.press("{esc}")
    let text = bench.screen
    bench.show(["one"], pristine: false, handledEdits: 2)
    for (keys, sight) in [
      ("{^Q}", "Save f.txt before quitting?"), ("{^F}", "Find:"), ("{F2}spl", "Command: spl"), ("{alt t}", "Encoding:"),
      ("{^E}", "^E …"),
    ] {
      bench.press(keys)
      #expect(bench.bottom.hasPrefix(sight), "\(keys)")
      #expect(rows > 1 || !bench.bottom.contains("Shows"), "\(keys): \(bench.bottom)")
      bench.press("{esc}")
      #expect(bench.screen.count == rows && bench.screen[0].contains("one"), "\(keys)")
    }
    #expect(text[0] == bench.screen[0])
  }

  /// What is said by the core at any time takes no keys away from what has them.
  @Test(arguments: 0..<60 as Range<UInt64>) func nothingTakesTheKeys(seed: UInt64) {
    var random = MessageMutator(seed: seed)
    let bench = Bench(["one two", "three"])
    let keys = [
      "a", "y", "n", "{enter}", "{esc}", "{^S}", "{^F}", "{^G}", "{alt s}", "{alt t}", "{^R}", "{^X}", "{^C}", "{^Z}",
      "{alt-right}",
      "{F1}",
    ]
    for _ in 0..<300 {
      if random.isOne(in: 2) {
        bench.press(keys[random.number(below: keys.count)])
        continue
      }
      let (mode, isHeld) = (bench.editor.mode, bench.editor.gate.holdsInput || bench.editor.gate.isClosed)
      Self.event(of: bench, &random)
      if !isHeld { #expect(bench.editor.mode === mode) }
    }
  }

  private static func event(of bench: Bench, _ random: inout MessageMutator) {
    let codes = [
      ErrorCode.inputOutput, ErrorCode.changedOnDisk, ErrorCode.fileExists, ErrorCode.losesCapabilities,
      ErrorCode.notEncodable, ErrorCode.vanished, ErrorCode.cancelled, ErrorCode.folderMissing,
    ]
    switch random.number(below: 8) {
    case 0, 1, 2:
      bench.core.answer(.failure(ResponseError(code: codes[random.number(below: codes.count)], message: "no")))
    case 3: bench.core.answer(.success([:]))
    case 4:
      bench.editor.handle(
        .recoveryFound(RecoveryOffer(view: Bench.view, recoveryID: "r", time: 0, baseChanged: random.isOne(in: 2))))
    case 5: bench.editor.handle(.fileChanged(Bench.view, isReloaded: random.isOne(in: 2)))
    case 6: bench.editor.gate.tick()
    default: bench.show(["more"], pristine: random.isOne(in: 2), handledEdits: 1 << 20)
    }
  }

  /// The save was the answer to a question, and what follows it is the next: not for whoever has gone on typing elsewhere.
  @Test(arguments: ["{alt-right}n", "{^F}n", "{alt-right}{F1}"]) func aQuestionAfterTheLastIsNotAnsweredByTyping(
    keys: String
  ) {
    let bench = Bench()
    bench.press("{^O}/g.txt{enter}")
    bench.core.answer(.success("view-id-2"))
    bench.show(["x"], pristine: false)
    bench.editor.handle(.update(ViewID("view-id-2"), ViewUpdate(ops: [], pristine: false, handledEdits: 2)))
    bench.press("{^Q}{enter}" + keys)
    bench.show(["x"], handledEdits: 1 << 20)
    bench.core.answer(.success([:]))
    #expect(bench.editor.mode is Question && bench.editor.screen.takeEffects() == [])
    #expect(!bench.core.takeSent().contains { if case .closeView = $0 { true } else { false } })
    #expect(bench.editor.views.all.count == 2)
  }

  @Test func aSaveBeforeTheEndIsFollowedByTheNextQuestion() {
    let bench = Bench()
    bench.press("{^O}/g.txt{enter}")
    bench.core.answer(.success("view-id-2"))
    bench.show(["x"], pristine: false)
    bench.editor.handle(.update(ViewID("view-id-2"), ViewUpdate(ops: [], pristine: false, handledEdits: 2)))
    bench.press("{^Q}{enter}")
    bench.show(["x"], handledEdits: 1 << 20)
    bench.core.answer(.success([:]))
    #expect(bench.bottom.contains("Save g.txt before quitting?"))
    bench.press("{^D}")
    #expect(bench.editor.screen.takeEffects() == [.exit(code: 0)])
  }

  /// It was given up as it was then.
  @Test func whatIsTypedIntoADroppedTextStays() {
    let bench = Bench()
    bench.press("{^O}/g.txt{enter}")
    bench.core.answer(.success("view-id-2"))
    bench.show(["x"], pristine: false)
    bench.editor.handle(.update(ViewID("view-id-2"), ViewUpdate(ops: [], pristine: false, handledEdits: 2)))
    bench.press("{^Q}{^D}{enter}{alt-right}more")
    bench.editor.handle(.update(ViewID("view-id-2"), ViewUpdate(ops: [], pristine: true, handledEdits: 2)))
    bench.core.answer(.success([:]))
    #expect(bench.editor.screen.takeEffects() == [] && bench.editor.views.all.count == 2)
  }
}
