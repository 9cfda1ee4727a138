import EditorProtocol
import JSON
import JSONRPC
import Testing

@testable import EditorClient

/// What `repeat_edit` makes again, and what macros have of prompts and lists, whatever command it is.
@Suite struct RepeatedEditTests {
  /// What is typed into the prompts and lists of a command, so that it does something.
  private static let answers: [String: String] = [
    "filter": "sort{enter}", "insert_output": "date{enter}", "complete_word": "{enter}", "goto": "1{enter}",
    "replace": "o{enter}n{enter}{enter}a", "replace_files": "o{enter}{^R}n{enter}y", "search_files": "o{enter}{enter}",
    "play_macro_times": "2{enter}", "pick_file": "{enter}", "find": "o{enter}", "recent_files": "{enter}",
    "buffers": "{enter}", "save_as": "{enter}", "paste_earlier": "{enter}",
  ]
  /// They end the editor, or its buffer; and those that go through the edits there were, which are none.
  private static let others = ["quit", "close", "suspend", "palette", "repeat_edit", "undo", "redo"]

  private func bench() -> Bench {
    let bench = Bench()
    bench.editor.core.handshake?.extensions = Extension.allCases
    bench.editor.clipboard.take(.init(text: "pasted", isLines: false))
    bench.editor.memory.set(.macro, to: [#"[{"typed":"M"}]"#])
    bench.editor.memory.set(.file, to: ["/recent.txt"])
    bench.editor.handle(.availableThemes(["terminal", "dark"]))
    return bench
  }

  /// Answers all that is asked of the core; what of it changes the text.
  private func settle(_ bench: Bench) -> [String] {
    var changes: [String] = []
    while let request = bench.core.requests.first?.request {
      changes += takeChanges(bench)
      switch request {
      case .cut, .copy:
        if case .cut = request { changes.append("cut") }
        bench.core.answer(.success("o"))
      case .runCommand(_, let command, _):
        changes.append("run \(command)")
        bench.core.answer(.success([:]))
      case .words: bench.core.answer(.success(WordList(typed: "o", words: ["one", "only"]).json))
      case .folder:
        var piece = FolderPiece()
        piece.isLast = true
        (piece.paths, piece.lines) = (
          ["a.c"], [FoundLine(path: "/f.txt", line: 0, character: 0, text: "o", marks: [0..<1])]
        )
        bench.core.answer(.success(piece.json))
      case .newView: bench.core.answer(.success("view-id-2"))
      default: bench.core.answer(.success([:]))
      }
      bench.editor.gate.advance()
    }
    return changes + takeChanges(bench)
  }

  private func takeChanges(_ bench: Bench) -> [String] {
    bench.core.takeEdits().filter(\.changesText).map { "\($0)" }
  }

  private func press(_ keys: String, in bench: Bench) -> [String] {
    Bench.events(keys).flatMap { event -> [String] in
      bench.editor.handle(event)
      if bench.editor.search.isVisible
        || bench.editor.gate.waits.contains(where: { $0.task == "look through the files" })
      {
        bench.show(
          ["one"], handledEdits: 1000, selecting: LineColumn(line: 0, column: 0)..<LineColumn(line: 0, column: 1))
        bench.editor.handle(.findStatus(Bench.view, [FindStatus(id: 1, chars: "o", matches: 1)]))
        bench.editor.gate.advance()
      }
      return settle(bench)
    }
  }

  @Test(arguments: CommandTable.all.map(\.command.name).filter { !others.contains($0) })
  func nothingOlderThanTheLastChangeIsMadeAgain(_ name: String) throws {
    let bench = bench()
    let older = press("XY", in: bench)
    _ = press("{right}", in: bench)
    let command = try #require(Command(name: name))
    bench.editor.macros.note(.command(command))
    bench.editor.perform(command)
    let changes = settle(bench) + press(Self.answers[name] ?? "", in: bench)
    bench.editor.closeModes()
    _ = settle(bench)
    let refusals = bench.editor.notices.refusals
    let repeated = press("{alt '}", in: bench)
    if changes.isEmpty { return #expect(repeated == older) }
    #expect(!repeated.isEmpty || bench.editor.notices.refusals > refusals, "nothing, and not a word")
    #expect(Array(changes.suffix(repeated.count)) == repeated, "\(changes)")
  }

  /// The walk above has met them.
  @Test(arguments: [
    ("filter", ["run sort"]), ("cut", ["cut"]), ("replace", []), ("replace_files", []), ("xiedit_reflow", ["plain"]),
    ("complete_word", ["completeWord"]), ("paste", ["paste"]), ("paste_earlier", ["paste"]),
    ("insert_output", ["run date"]),
  ])
  func whatIsMadeAgain(_ name: String, _ expected: [String]) throws {
    let bench = bench()
    let command = try #require(Command(name: name))
    bench.editor.macros.note(.command(command))
    bench.editor.perform(command)
    let changes = settle(bench) + press(Self.answers[name] ?? "", in: bench)
    #expect(!changes.isEmpty)
    let repeated = press("{alt '}", in: bench)
    #expect(repeated.count == expected.count && zip(repeated, expected).allSatisfy { $0.contains($1) }, "\(repeated)")
    if expected.isEmpty { #expect(bench.told.contains("The last change was a replacement: ^R makes another")) }
  }

  @Test(arguments: [Clipboard.Contents.lines("l\n"), .held(HeldCopy(id: 3, byteCount: 9))])
  func whatIsHeldIsPastedAgain(_ contents: Clipboard.Contents) {
    let bench = bench()
    bench.editor.clipboard.contents = contents
    let pasted = press("{^V}", in: bench)
    #expect(pasted.count == 1 && press("{right}{alt '}", in: bench) == pasted)
  }

  /// It went into a prompt.
  @Test func whatWasPastedElsewhereIsNotPastedAgain() {
    let bench = bench()
    let typed = press("X", in: bench)
    _ = press("{^F}", in: bench)
    bench.editor.handle(.paste(Array("sought".utf8)))
    _ = press("{esc}", in: bench)
    #expect(press("{alt '}", in: bench) == typed)
  }

  /// As in vi: what it has changed last, where it has changed anything.
  @Test func theLastChangeMayBeOneOfAMacro() {
    let bench = bench()
    _ = press("XY{alt E}", in: bench)
    #expect(press("{alt '}", in: bench) == ["\(EditCommand.insert("M"))"])
    bench.editor.memory.set(.macro, to: [#"["move_down"]"#])
    _ = press("{alt E}", in: bench)
    #expect(press("{alt '}", in: bench) == ["\(EditCommand.insert("M"))"])
  }

  // MARK: Words

  private func complete(_ bench: Bench, typed: String, _ words: [String], _ keys: String) {
    bench.press("{alt /}")
    bench.core.answer(.success(WordList(typed: typed, words: words).json))
    bench.editor.gate.advance()
    bench.press(keys)
  }

  private func edits(of bench: Bench) -> [EditCommand] {
    bench.core.takeEdits().filter { $0 != .plain(.beginStep) && $0 != .plain(.endStep) }
  }

  private func recorded(_ bench: Bench) -> [MacroStep]? {
    bench.editor.memory[.macro].first.flatMap { Macro(serialized: $0) }?.steps
  }

  /// What stood there is completed where the same stands.
  @Test func aWordIsCompletedAgain() {
    let bench = Bench(["al"])
    complete(bench, typed: "al", ["alphabet", "alpine"], "{tab}{enter}")
    bench.press("{right}")
    _ = bench.core.takeEdits()
    bench.press("{alt '}")
    #expect(edits(of: bench) == [.completeWord(typed: "al", word: "alpine")])
    bench.editor.handle(.alert("What was to be completed is not there"))
    #expect(bench.told == "What was to be completed is not there")
  }

  /// All of it was typed: it is typed again, wherever that is.
  @Test func aWordThatWasTypedAndCompletedIsTypedAgain() {
    let bench = Bench()
    bench.press("(al")
    complete(bench, typed: "al", ["alphabet", "alpine"], "p{down}{up}i{enter}!")
    bench.press("{right}")
    _ = bench.core.takeEdits()
    bench.press("{alt '}")
    #expect(edits(of: bench) == [.insert("("), .insert("alpine"), .insert("!")])
  }

  @Test func aPartThatWasTypedIsTypedAgain() {
    let bench = Bench()
    bench.press("x{backspace}")
    complete(bench, typed: "al", ["alphabet"], "p{backspace}p{enter}")
    bench.press("{right}")
    _ = bench.core.takeEdits()
    bench.press("{alt '}")
    let back = EditCommand.plain(.deleteBackward)
    #expect(
      edits(of: bench) == [
        .insert("x"), back, .insert("p"), back, .insert("p"), .completeWord(typed: "alp", word: "alphabet"),
      ])
  }

  @Test func aMacroHasTheWordAndNotTheKeys() {
    let bench = Bench()
    bench.press("{alt K}{right}")
    complete(bench, typed: "al", ["alphabet", "alpine"], "{tab}{enter}")
    bench.press("{down}")
    complete(bench, typed: "al", ["alphabet", "alpine"], "{down}{esc}")
    bench.press("{alt K}")
    let steps: [MacroStep] = [
      .command(.edit(.moveRight)), .completion(typed: "al", word: "alpine"), .command(.edit(.moveDown)),
    ]
    #expect(recorded(bench) == steps)
    _ = bench.core.takeEdits()
    bench.press("{alt E}{alt E}")
    let once: [EditCommand] = [.plain(.moveRight), .completeWord(typed: "al", word: "alpine"), .plain(.moveDown)]
    #expect(edits(of: bench) == once + once && bench.core.requests.isEmpty, "no list is asked for")
  }

  @Test func aMacroHasTheWordOfTheCommandListAndOfAClick() throws {
    let bench = Bench(["al"])
    bench.press("{alt K}{F2}complete_word{enter}")
    bench.core.answer(.success(WordList(typed: "al", words: ["alphabet", "alpine"]).json))
    bench.editor.gate.advance()
    let row = try #require(bench.screen.firstIndex { $0.contains("alpine") })
    let column = try #require(
      bench.screen[row].range(of: "alpine").map {
        bench.screen[row].distance(from: bench.screen[row].startIndex, to: $0.lowerBound)
      })
    bench.editor.handle(.mouse(MouseEvent(.press, column: column, row: row)))
    bench.press("{alt K}")
    #expect(recorded(bench) == [.completion(typed: "al", word: "alpine")])
  }

  @Test func keysForAListOfWordsAreRefused() {
    let bench = Bench()
    bench.editor.memory.set(.macro, to: [#"["complete_word",{"key":"Tab"},{"key":"Enter"}]"#])
    bench.press("{alt E}")
    #expect(bench.told.contains("record it again") && bench.core.requests.isEmpty && bench.editor.mode == nil)
    let foreign = Bench(isOurCore: false)
    foreign.editor.memory.set(.macro, to: [#"[{"completed":"al","word":"alpine"}]"#])
    foreign.press("{alt E}")
    #expect(foreign.told.contains("This core completes no words") && edits(of: foreign) == [])
  }

  // MARK: Lists

  private func run(_ name: String, in bench: Bench) {
    guard let command = Command(name: name) else {
      Issue.record("\(name)")
      return
    }
    bench.editor.macros.note(.command(command))
    bench.editor.perform(command)
    _ = settle(bench)
  }

  /// Whatever stands second by the next time.
  @Test(arguments: ["palette", "recent_files", "buffers", "theme", "encoding", "pick_file"])
  func aMacroHasWhatWasChosenFromAList(_ name: String) throws {
    let bench = bench()
    bench.editor.memory.set(.file, to: ["/recent.txt", "/other.txt"])
    bench.editor.handle(.availablePlugins(Bench.view, [PluginState(name: "tidy", isRunning: true)]))
    if name == "buffers" { run("new_buffer", in: bench) }
    bench.editor.macros.toggleRecording(hint: "")
    run(name, in: bench)
    #expect(bench.editor.mode is ChoicePrompt)
    _ = press(name == "palette" ? "tidy{up}{enter}" : "{down}{up}{down}{enter}", in: bench)
    bench.editor.closeModes()
    bench.press("{alt K}")
    let steps = try #require(recorded(bench))
    #expect(steps.first == Command(name: name).map(MacroStep.command) && steps.count == 2)
    #expect(steps.contains { if case .choice = $0 { true } else { false } }, "\(steps)")
    #expect(Macro(serialized: Macro(steps).serialized)?.steps == steps)
    bench.press("{alt E}")
    _ = settle(bench)
    #expect(!bench.told.contains("ended at its step"), "\(bench.told)")
  }

  /// They mean the buffer shown before, and the result behind the last one.
  @Test func placesThatMeanSomethingStayKeys() {
    let bench = bench()
    run("new_buffer", in: bench)
    _ = press("{alt K}", in: bench)
    run("buffers", in: bench)
    _ = press("{enter}{alt K}", in: bench)
    #expect(recorded(bench) == [.command(.action(.buffers)), .key(Key(.enter))])
    run("search_files", in: bench)
    _ = press("o{enter}{esc}{alt K}", in: bench)
    run("search_results", in: bench)
    _ = press("{enter}{alt K}", in: bench)
    #expect(recorded(bench) == [.command(.action(.searchResults)), .key(Key(.enter))])
  }

  @Test func whatIsNotInTheListEndsAMacro() {
    let bench = bench()
    for (macro, reason) in [
      (#"["recent_files",{"chosen":"gone"},{"typed":"x"}]"#, "gone is not in this list"),
      (#"[{"chosen":"gone"},{"typed":"x"}]"#, "No list has gone"), (#"[{"filled":"x"}]"#, "Nothing asks for x"),
    ] {
      bench.editor.memory.set(.macro, to: [macro])
      bench.press("{alt E}")
      _ = settle(bench)
      #expect(bench.told.hasPrefix(reason), "\(bench.told)")
      #expect(edits(of: bench) == [] && bench.editor.mode == nil)
    }
  }

  /// The play itself may make another one the last.
  @Test func aMacroHasWhatAPromptHadBefore() {
    let bench = bench()
    bench.editor.memory.set(.goto, to: ["1", "2", "3"])
    bench.press("{alt K}{^G}{up}{up}{enter}{alt K}")
    let steps: [MacroStep] = [.command(.action(.goto)), .filled("2"), .key(Key(.enter))]
    #expect(recorded(bench) == steps)
    for _ in 0..<3 {
      _ = bench.core.takeEdits()
      bench.press("{alt E}")
      #expect(edits(of: bench) == [.gotoPosition(line: 1, character: 0)])
    }
  }

  /// A key turns them the other way round, which is another way by the next play.
  @Test(arguments: ["find", "replace", "search_files"]) func aMacroHasTheOptionsOfASearch(_ name: String) {
    let bench = bench()
    _ = press("{alt K}", in: bench)
    run(name, in: bench)
    bench.press("{alt c}{alt w}{alt c}{alt c}o{esc}{alt K}")
    #expect(recorded(bench)?[1] == .searchOptions(["case", "words"]) && recorded(bench)?.count == 4)
    for _ in 0..<3 {
      _ = press("{alt E}", in: bench)
      #expect(bench.editor.search.options.names == ["case", "words"])
      #expect(bench.editor.memory[.searchOption] == ["case", "words"])
    }
    bench.editor.memory.set(.macro, to: [#"["goto",{"search":["case"]}]"#])
    bench.press("{alt E}")
    #expect(bench.told.hasPrefix("Nothing asks what to find"))
  }

  /// What a prompt asks that is no part of a macro takes nothing out of it.
  @Test func aPromptBesideTheMacroLeavesItAlone() {
    let bench = bench()
    bench.press("{alt K}{^G}{up}1{enter}")
    bench.editor.macros.note(.command(.action(.playMacroTimes)))
    bench.editor.perform(.action(.playMacroTimes))
    bench.press("{up}{esc}{alt K}")
    #expect(
      recorded(bench) == [
        .command(.action(.goto)), .key(Key(.up)), .key(Key(.character("1"))), .key(Key(.enter)),
      ])
  }
}
