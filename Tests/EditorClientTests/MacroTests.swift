import EditorProtocol
import Foundation
import JSON
import JSONRPC
import Testing

@testable import EditorClient

@Suite struct MacroTests {
  private func record(_ keys: String, in bench: Bench) {
    bench.press("{alt K}\(keys){alt K}")
    _ = bench.core.takeEdits()
  }

  /// What was sent, without what makes it one step.
  private func edits(of bench: Bench) -> [EditCommand] {
    bench.core.takeEdits().filter { $0 != .plain(.beginStep) && $0 != .plain(.endStep) }
  }

  private func answerAll(of bench: Bench) { while !bench.core.requests.isEmpty { bench.core.answer(.success([:])) } }

  @Test func whatWasRecordedIsDoneAgainAsOneStep() {
    let bench = Bench()
    bench.press("{alt K}ab")
    #expect(bench.screen[10].contains("[recording]"))
    bench.press("{right}{enter}{alt K}")
    #expect(!bench.screen[10].contains("[recording]") && bench.bottom == "Recorded: 4 steps")
    let typed = edits(of: bench)
    bench.press("{alt E}")
    #expect(bench.core.takeEdits() == [.plain(.beginStep)] + typed + [.plain(.endStep)])
    #expect(bench.editor.gate.waits.isEmpty)
  }

  @Test func itIsPlayedManyTimes() {
    let bench = Bench()
    record("a{right}", in: bench)
    bench.editor.perform(.action(.playMacroTimes))
    bench.press("3{enter}")
    #expect(edits(of: bench) == Array(repeating: [.insert("a"), .plain(.moveRight)], count: 3).flatMap(\.self))
    #expect(bench.bottom == "Played 3 times")
    for nonsense in ["0", "-1", "x", "99999999999999999999", "20001"] {
      bench.editor.perform(.action(.playMacroTimes))
      bench.press("\(nonsense){enter}")
      #expect(bench.told.contains("is no number from 1"), "\(nonsense)")
      #expect(edits(of: bench) == [])
    }
    bench.editor.perform(.action(.playMacroTimes))
    bench.press("10001{enter}")
    #expect(bench.told == "A play has 20000 steps at most: 10000 times the 2 of the macro")
    #expect(edits(of: bench) == [], "it does not end half way")
    bench.editor.perform(.action(.playMacroTimes))
    bench.press("10000{enter}")
    #expect(edits(of: bench).count == Macros.mostPlayedSteps)
    #expect(bench.told == "Played 10000 times")
  }

  /// The core's answers come when they come; a key behind the play is behind it.
  @Test func whatIsTypedMeanwhileComesBehind() {
    let bench = Bench()
    record("ab", in: bench)
    bench.core.answersBarriers = false
    bench.press("{alt E}x")
    bench.core.answer(.success([:]))
    #expect(edits(of: bench) == [.insert("a")], "the second waits for the core")
    bench.core.answer(.success([:]))
    #expect(edits(of: bench) == [.insert("b")])
    bench.core.answer(.success([:]))
    #expect(bench.core.takeEdits() == [.plain(.endStep), .insert("x")])
  }

  @Test(arguments: ["{esc}", "{^C}"]) func aKeyEndsItBetweenSteps(_ key: String) {
    let bench = Bench()
    record("ab", in: bench)
    bench.core.answersBarriers = false
    bench.press("{alt E}xy")
    bench.core.answer(.success([:]))
    bench.press("z\(key)")
    let typed: [EditCommand] = [.insert("x"), .insert("y"), .insert("z")]
    #expect(bench.core.takeEdits() == [.plain(.beginStep), .insert("a"), .plain(.endStep)] + typed)
    #expect(bench.editor.gate.waits.isEmpty)
    bench.press("w")
    #expect(bench.core.takeEdits() == [.insert("w")])
    answerAll(of: bench)
    #expect(bench.core.takeEdits() == [], "the answer comes too late to go on")
  }

  /// The end of the editor is none that the macro comes to before.
  @Test func theEndOfTheEditorEndsIt() {
    let bench = Bench()
    record("ab", in: bench)
    bench.core.answersBarriers = false
    bench.press("{alt E}x")
    bench.core.answer(.success([:]))
    #expect(bench.editor.gate.endCommands())
    #expect(bench.core.takeEdits() == [.plain(.beginStep), .insert("a"), .plain(.endStep), .insert("x")])
    #expect(!bench.editor.gate.endCommands())
  }

  /// The text before it is not taken back either, nor that of the plays before.
  @Test func whatItUndoesIsWhatItUndidWhenRecorded() {
    let bench = Bench()
    let closed: [EditCommand] = [.plain(.beginStep), .plain(.endStep)]
    bench.press("x{alt K}a{down}b{^Z}{alt K}")
    let typed: [EditCommand] = [.insert("a"), .plain(.moveDown), .insert("b"), .plain(.undo)]
    #expect(bench.core.takeEdits() == [.insert("x")] + closed + typed)
    bench.editor.perform(.action(.playMacroTimes))
    bench.press("2{enter}")
    #expect(bench.core.takeEdits() == closed + typed + closed + typed)
  }

  @Test func whatIsNoPartOfItIsNotNorWhatThatAsks() {
    let bench = Bench()
    bench.core.answersBarriers = false
    bench.press("{alt K}a{^Q}")
    answerAll(of: bench)
    #expect(bench.editor.mode is Question)
    bench.press("{esc}b{F2}play macro times{enter}3{esc}{alt K}")
    #expect(Macro(serialized: bench.editor.memory[.macro][0])?.steps == [.text("a"), .text("b")])
  }

  @Test func itCanEndInAPrompt() {
    let bench = Bench()
    bench.press("{alt K}{^G}1{alt K}")
    #expect(!bench.editor.screen.isRecording && bench.editor.mode != nil)
    let steps = Macro(serialized: bench.editor.memory[.macro][0])?.steps
    #expect(steps == [.command(.action(.goto)), .key(Key(.character("1")))])
  }

  /// What is typed behind it is not for a prompt that it has left open.
  @Test func aPromptThatItFailsInIsClosed() {
    let bench = Bench()
    bench.editor.memory.set(.macro, to: [#"["goto",{"typed":"b"}]"#])
    bench.press("{alt E}")
    #expect(bench.editor.mode == nil)
    bench.press("c")
    #expect(edits(of: bench) == [.insert("c")])
  }

  @Test func aStepThatIsRefusedEndsIt() {
    let bench = Bench()
    record("ab", in: bench)
    bench.core.answersBarriers = false
    bench.press("{alt E}")
    bench.core.answer(.success([:]))
    bench.editor.handle(.alert("This view is read-only"))
    answerAll(of: bench)
    #expect(bench.core.takeEdits() == [.plain(.beginStep), .insert("a"), .plain(.endStep)])
    #expect(bench.told == "This view is read-only; the macro ended at its step 1")
  }

  /// What is told behind its begin may be of a key before.
  @Test func whatIsToldOfKeysBeforeDoesNotEndIt() {
    let bench = Bench()
    bench.press("ab{right}")
    _ = bench.core.takeEdits()
    bench.core.answersBarriers = false
    bench.press("{alt '}")
    bench.editor.handle(.alert("Nothing is selected"))
    #expect(bench.core.takeEdits() == [])
    answerAll(of: bench)
    #expect(edits(of: bench) == [.insert("a"), .insert("b")])
  }

  /// Nor does it where it is played.
  @Test func aKeyThatHadNothingToDoWhenItWasRecordedEndsNothing() {
    let bench = Bench()
    record("a{^V}b", in: bench)
    bench.press("{alt E}")
    #expect(edits(of: bench) == [.insert("a"), .insert("b")])
    bench.editor.memory.set(.macro, to: [#"[{"typed":"a"},"paste",{"typed":"b"}]"#])
    bench.press("{alt E}")
    #expect(edits(of: bench) == [.insert("a")], "another one does")
  }

  @Test func itIsNoPartOfItself() {
    let bench = Bench()
    record("a", in: bench)
    bench.press("{alt K}b{alt E}")
    #expect(bench.told == "A macro that is being recorded cannot play a macro")
    bench.press("{alt K}")
    _ = bench.core.takeEdits()
    bench.press("{alt E}")
    #expect(edits(of: bench) == [.insert("b")], "the play was not recorded")
    bench.editor.memory.set(.macro, to: [#"[{"typed":"a"},"play_macro",{"typed":"b"}]"#])
    bench.press("{alt E}")
    #expect(edits(of: bench) == [.insert("a")])
    #expect(bench.told == "A macro cannot play a macro; the macro ended at its step 2")
  }

  @Test(arguments: [#"["no_such_command"]"#, "[]", "7", "", #"[{"key":"Hyper-X"}]"#, #"[{"typed":7}]"#])
  func whatIsNoMacroIsTold(_ text: String) {
    let bench = Bench()
    bench.editor.memory.set(.macro, to: [text])
    bench.press("{alt E}")
    #expect(bench.told.contains("step that is not known"))
    #expect(bench.core.takeEdits() == [])
  }

  @Test func withoutAnyItIsTold() {
    let bench = Bench()
    bench.press("{alt E}")
    #expect(bench.told == "No macro was recorded; Alt-Shift-K records one")
    record("a", in: bench)
    bench.press("{alt K}{alt K}")
    #expect(bench.told.contains("the macro before stays"))
    bench.press("{alt E}")
    #expect(edits(of: bench) == [.insert("a")])
  }

  @Test func aCommandOfTheListIsRecordedAsItself() {
    let bench = Bench()
    record("{F2}sort lines{enter}a", in: bench)
    #expect(Macro(serialized: bench.editor.memory[.macro][0])?.steps == [.command(.edit(.sortLines)), .text("a")])
  }

  @Test func aPromptThatDoesNotComeEndsIt() {
    let bench = Bench()
    bench.editor.memory.set(.macro, to: [#"[{"answered":"y"},{"typed":"b"}]"#])
    bench.press("{alt E}")
    #expect(edits(of: bench) == [] && bench.told.contains("Nothing asks for Y; the macro ended"))
    bench.editor.memory.set(.macro, to: [#"["goto",{"typed":"b"}]"#])
    bench.press("{alt E}")
    #expect(edits(of: bench) == [] && bench.told.contains("Something is asked for"))
  }

  @Test func stepsAreKeptAsText() {
    let steps: [MacroStep] = [
      .command(.edit(.moveDown)), .command(.action(.find)), .key(Key(.character("ä"))), .key(Key(.character("B"))),
      .key(Key(.enter)), .key(.alt("c")), .text("e"), .text("\u{301}"), .text("\u{1F1E9}"), .text("\u{1F1EA}"),
      .text("a whole burst"), .paste("x\ny\t\"\\"), .text(" "),
      .searchOptions([]), .searchOptions(["case"]), .completion(typed: "al", word: "alpine"),
      .choice("b.txt · /folder"), .filled("x\ny"), .shell(.insert, "date"),
    ]
    let macro = Macro(steps, refusals: ["No", "Not done"])
    #expect(Macro(serialized: macro.serialized) == macro)
    #expect(Macro(serialized: Macro(steps).serialized) == Macro(steps))
  }

  @Test func theLastOneSurvivesTheRun() {
    let folder = NSTemporaryDirectory() + "macro-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = MemoryFile(path: folder + "/memory.json")
    let (first, second) = (Bench(), Bench())
    first.editor.memory.file = file
    record("ab", in: first)
    second.editor.memory.set(.macro, to: Memory(file: file)[.macro])
    second.press("{alt E}")
    #expect(edits(of: second) == [.insert("a"), .insert("b")])
    record(String(repeating: "{right}", count: 600), in: second)
    #expect(second.told == "Recorded: 600 steps; for this run alone")
  }

  @Test func thereIsAnEndToRecording() {
    let bench = Bench()
    bench.press("{alt K}" + String(repeating: "a", count: Macros.mostSteps + 5))
    #expect(!bench.editor.screen.isRecording)
    #expect(Macro(serialized: bench.editor.memory[.macro][0])?.steps.count == Macros.mostSteps)
  }

  @Test func whatWasTypedLastIsTypedAgain() {
    let bench = Bench()
    bench.press("{alt '}")
    #expect(bench.told == "Nothing was edited yet")
    bench.press("ab{enter}{right}")
    _ = bench.core.takeEdits()
    let typed: [EditCommand] = [.insert("a"), .insert("b"), .plain(.insertNewline)]
    bench.press("{alt '}")
    #expect(edits(of: bench) == typed)
    bench.press("{alt '}{^Z}{alt '}")
    #expect(edits(of: bench) == typed + [.plain(.undo)] + typed)
    bench.press("x{alt u}{right}")
    _ = bench.core.takeEdits()
    bench.press("{alt '}")
    #expect(edits(of: bench) == [.plain(.uppercase)])
  }

  @Test func aRepetitionIsRecordedAsWhatItDoes() {
    let bench = Bench()
    bench.press("ab{right}")
    record("{alt '}", in: bench)
    bench.press("c{alt E}")
    #expect(edits(of: bench) == [.insert("c"), .insert("a"), .insert("b")])
  }

  /// Another core is told of the end of the step whose begin it may be told of again.
  @Test func theEndOfTheCoreEndsIt() {
    let bench = Bench()
    record("ab", in: bench)
    bench.show(["one"], handledEdits: 6)
    bench.core.answersBarriers = false
    bench.press("{alt E}")
    bench.core.answer(.success([:]))
    bench.editor.coreWasReplaced()
    bench.core.answer(.failure(.connectionClosed("gone")))
    #expect(bench.told.contains("The core ended; the macro ended"))
    let log = bench.editor.view?.log.pending.map(\.entry)
    #expect(log == [.edit(.plain(.beginStep)), .edit(.insert("a")), .edit(.plain(.endStep))])
  }

  @Test func aClickIsNotRecorded() {
    let bench = Bench()
    bench.press("{alt K}a")
    bench.editor.handle(.mouse(MouseEvent(.press, column: 5, row: 1)))
    #expect(bench.told.contains("not this click"))
    bench.press("{alt K}")
    #expect(Macro(serialized: bench.editor.memory[.macro][0])?.steps == [.text("a")])
  }
}
