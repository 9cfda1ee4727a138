import EditorProtocol
import JSONRPC
import Testing

@testable import EditorClient

@Suite struct SearchTests {
  private let origin = LineColumn(line: 0, column: 0)
  private let next = EditCommand.findNext(FindMotion(wrapAround: true, allowSame: true))

  private func find(_ text: String) -> EditCommand { .find(FindQuery(text, caseSensitive: false)) }
  private var goBack: EditCommand { .gesture(origin, .select(.point, multi: false)) }

  @Test func searchesWhileTyping() {
    let bench = Bench()
    bench.press("{^F}tw")
    #expect(
      bench.core.takeEdits() == [goBack, find("t"), .highlightFind(visible: true), next, goBack, find("tw"), next])
    bench.editor.handle(.findStatus(Bench.view, [FindStatus(id: 1, chars: "tw", matches: 3)]))
    #expect(bench.bottom.hasPrefix("Find: tw"))
    #expect(bench.bottom.hasSuffix("3 matches"))
    bench.press("{enter}")
    #expect(bench.core.takeEdits() == [])
    #expect(bench.bottom == "3 matches")
  }

  @Test func aQueryThatMakesNoSenseIsToldUntilItIsAnother() {
    let bench = Bench(columns: 80)
    bench.press("{^F}{alt r}a(")
    let problem = "Not a regular expression: missing closing parenthesis at 2"
    let told = CoreNotification.findStatus(Bench.view, [FindStatus(id: 1, chars: "a(", matches: 0, problem: problem)])
    bench.editor.handle(told)
    #expect(bench.bottom == "Find [regex]: a(" + String(repeating: " ", count: 64 - problem.count) + problem)
    bench.press("{enter}")
    #expect(bench.bottom == problem)
    bench.editor.handle(told)
    bench.press("{left}")
    #expect(bench.bottom != problem, "it is no news")
    bench.press("{^F}a(")
    bench.editor.handle(told)
    bench.press("b)")
    bench.editor.handle(told)
    bench.editor.handle(.findStatus(Bench.view, [FindStatus(id: 2, chars: "a(b)", matches: 2)]))
    #expect(bench.bottom.hasSuffix(" 2 matches"), "an answer to what was typed before is late")
  }

  /// Where nothing shows the query any more.
  @Test func aSearchThatIsGivenUpBehindItsPromptIsTold() {
    let bench = Bench()
    bench.press("{^F}a{enter}{left}")
    bench.editor.handle(
      .findStatus(Bench.view, [FindStatus(id: 1, chars: "a", matches: 0, problem: "The search was given up")]))
    #expect(bench.bottom == "The search was given up")
  }

  private func status(_ current: Int?, of count: Int, wrapped: Bool = false) -> CoreNotification {
    .findStatus(Bench.view, [FindStatus(id: 1, chars: nil, matches: count, current: current, hasWrapped: wrapped)])
  }

  @Test func thePlaceOfAMatchIsToldAfterTheKeyThatWentThere() {
    let bench = Bench()
    bench.press("{^F}tw")
    bench.editor.handle(status(1, of: 10))
    #expect(bench.bottom.hasSuffix(" 1 of 10"))
    bench.press("{enter}{F3}")
    bench.editor.handle(status(2, of: 10))
    #expect(bench.bottom == "2 of 10")
    bench.press("{left}")
    bench.editor.handle(status(2, of: 11))
    #expect(bench.bottom.contains("^S Save"), "nobody asked")
    bench.press("{F3}")
    bench.editor.handle(status(1, of: 11, wrapped: true))
    #expect(bench.bottom == "1 of 11, wrapped")
    bench.press("{F3}{F3}")
    bench.editor.handle(status(2, of: 11))
    bench.editor.handle(status(3, of: 11))
    #expect(bench.bottom == "3 of 11", "each of two keys is told about")
    bench.press("{F3}")
    bench.editor.handle(status(nil, of: 0))
    #expect(bench.bottom == "0 matches")
  }

  @Test func theSelectionIsTakenAndTypedOver() {
    let bench = Bench(["a.b x"])
    let selected = LineColumn(line: 0, column: 0)..<LineColumn(line: 0, column: 3)
    bench.show(["a.b x"], selecting: selected)
    _ = bench.core.takeEdits()
    bench.press("{^F}")
    #expect(bench.bottom.hasPrefix("Find: a.b"))
    #expect(bench.core.takeEdits() == [goBack, find("a.b"), .highlightFind(visible: true), next])
    bench.press("{enter}")
    #expect(bench.core.takeEdits() == [.findNext(FindMotion(wrapAround: true))], "the next one")
    bench.press("{^F}z")
    #expect(bench.bottom.hasPrefix("Find: z"))
    _ = bench.core.takeEdits()
    bench.press("{esc}")
    #expect(
      bench.core.takeEdits().prefix(2) == [goBack, .gesture(selected.upperBound, .selectExtend(.point))],
      "what was selected is selected again")
    bench.press("{^F}{right}q")
    #expect(bench.bottom.hasPrefix("Find: a.bq"), "a key that moves makes it one's own")
    bench.press("{esc}{^F}{alt r}{esc}{^F}")
    #expect(bench.bottom.hasPrefix("Find [regex]: a\\.b"))
  }

  @Test func whatIsSelectedOverLinesIsNotTaken() {
    let bench = Bench()
    bench.show(["one", "two"], selecting: LineColumn(line: 0, column: 0)..<LineColumn(line: 1, column: 1))
    bench.press("{^F}")
    #expect(bench.bottom == "Find:")
  }

  @Test func escapeGoesBack() {
    let bench = Bench()
    bench.press("{^F}t")
    _ = bench.core.takeEdits()
    bench.press("{esc}")
    #expect(bench.core.takeEdits() == [goBack, find(""), .highlightFind(visible: false)])
  }

  @Test func nextAndPrevious() {
    let bench = Bench()
    bench.press("{^F}t{enter}")
    _ = bench.core.takeEdits()
    bench.press("{F3}{shift F3}")
    #expect(
      bench.core.takeEdits() == [
        .findNext(FindMotion(wrapAround: true)), .findPrevious(FindMotion(wrapAround: true)),
      ])
  }

  @Test func enterOnNothingRepeatsTheLastSearch() {
    let bench = Bench()
    bench.press("{^F}t{enter}{esc}")
    _ = bench.core.takeEdits()
    bench.press("{^F}{enter}")
    #expect(bench.core.takeEdits().contains(find("t")))
  }

  @Test func togglesSearchAnew() {
    let bench = Bench()
    bench.press("{^F}t{alt c}{alt w}{alt r}")
    #expect(
      bench.core.takeEdits().contains(
        .find(FindQuery("t", caseSensitive: true, regex: true, wholeWords: true))))
    #expect(bench.bottom.hasPrefix("Find [case, words, regex]: t"))
  }

  @Test func historyIsRecalled() {
    let bench = Bench()
    bench.press("{^F}first{enter}{^F}second{enter}{^F}dr{up}")
    #expect(bench.bottom.hasPrefix("Find: second"))
    bench.press("{up}{up}")
    #expect(bench.bottom.hasPrefix("Find: first"))
    bench.press("{down}{down}{down}")
    #expect(bench.bottom.hasPrefix("Find: dr"))
  }

  @Test func replacesOneByOne() {
    let bench = Bench()
    bench.press("{^R}one{enter}")
    #expect(bench.bottom == "Replace with:")
    _ = bench.core.takeEdits()
    bench.press("1{enter}")
    #expect(bench.core.takeEdits() == [.replace("1", preserveCase: false), goBack, next])
    #expect(bench.bottom.hasPrefix("Replace by \"1\"?"))
    bench.press("{enter}")
    #expect(bench.core.takeEdits() == [], "no match is selected yet")
    let match = LineColumn(line: 0, column: 4)..<LineColumn(line: 0, column: 7)
    bench.show(["two one"], selecting: match)
    bench.press("{enter}n")
    #expect(
      bench.core.takeEdits() == [
        .plain(.refuseMatch), .gesture(match.lowerBound, .select(.point, multi: false)), .plain(.replaceNext),
        .findNext(FindMotion(wrapAround: true)), .plain(.refuseMatch), .findNext(FindMotion(wrapAround: true)),
      ])
    bench.editor.handle(.findStatus(Bench.view, [FindStatus(id: 1, chars: "one", matches: 0)]))
    bench.show(["two 1"])
    bench.press("{enter}")
    #expect(bench.bottom == "No match is left to replace")
    #expect(bench.core.takeEdits().last == .plain(.collapseSelections))
  }

  @Test func nothingIsAskedWithoutAMatch() {
    let bench = Bench()
    bench.press("{^R}none{enter}x")
    bench.editor.handle(.findStatus(Bench.view, [FindStatus(id: 1, chars: "none", matches: 0)]))
    bench.press("{enter}")
    #expect(bench.bottom == "No match is left to replace")
    #expect(bench.core.takeEdits().last == .plain(.collapseSelections))
  }

  @Test func replacesAll() {
    let bench = Bench()
    bench.press("{^R}one{enter}1{enter}a")
    #expect(bench.core.takeEdits().contains(.plain(.replaceAll)))
    #expect(bench.bottom == "Replaced all")
  }

  @Test func escapeEndsALongSearch() {
    let bench = Bench()
    bench.press("{^F}t{enter}")
    bench.editor.handle(.progress(Bench.view, Progress(.find, done: 10, total: 40)))
    #expect(bench.screen[10].contains("find 25 %"))
    _ = bench.core.takeSent()
    bench.press("{esc}")
    #expect(bench.core.takeSent() == [.cancel(Bench.view)])
  }

  @Test(arguments: [("", "Replaced all"), ("{esc}", "Nothing was replaced")])
  func aLongReplacementTellsItsEnd(_ keys: String, _ message: String) {
    let bench = Bench()
    bench.press("{^R}t{enter}x{enter}a")
    bench.editor.handle(.progress(Bench.view, Progress(.replace, done: 10, total: 40)))
    #expect(bench.bottom == "Replacing all; Esc ends it")
    #expect(bench.screen[10].contains("replace 25 %"))
    bench.press(keys)
    bench.editor.handle(.progress(Bench.view, Progress(.replace, done: 40, total: 40)))
    #expect(bench.bottom == message)
  }

  /// Nothing is replaced before the text is there, or has been searched.
  @Test(arguments: [Progress.Task.load, .find], [true, false])
  func aReplacementThatWaitsTellsItsEnd(_ task: Progress.Task, isCancelled: Bool) {
    let bench = Bench()
    bench.editor.handle(.progress(Bench.view, Progress(task, done: 10, total: 40)))
    bench.press("{^R}t{enter}x{enter}")
    bench.core.answersBarriers = false
    bench.press("a")
    #expect(bench.bottom == "Replacing all; Esc ends it")
    _ = bench.core.takeSent()
    if isCancelled { bench.press("{esc}") }
    #expect(bench.core.takeSent().contains(.cancel(Bench.view)) == isCancelled)
    bench.core.answer(.success([:]))
    #expect((bench.bottom == "Replaced all") == !isCancelled)
  }

  @Test func gotoCountsLogicalLinesWhereTheCoreCan() {
    let bench = Bench()
    bench.press("{^G}12:3{enter}")
    #expect(bench.core.takeEdits() == [.gotoPosition(line: 11, character: 2)])
    bench.press("{^G} 7 {enter}")
    #expect(bench.core.takeEdits() == [.gotoPosition(line: 6, character: 0)], "as it is pasted")
    let foreign = Bench(isOurCore: false)
    foreign.press("{^G}12{enter}")
    #expect(foreign.core.takeEdits() == [.gotoLine(11)])
    foreign.press("{^G}x{enter}")
    #expect(foreign.bottom == "x is no line number")
  }

  @Test func thePromptScrollsSideways() {
    let bench = Bench()
    bench.press("{^O}" + String(repeating: "x", count: 100) + "END")
    #expect(bench.bottom.hasSuffix("END"))
    #expect(bench.cursor?.row == 11)
    bench.press("{home}")
    #expect(bench.bottom.hasPrefix("Open: xxx"))
  }

  /// The load itself goes on.
  @Test func escapeStopsWaitingForTheTextToBeLoaded() {
    let bench = Bench()
    bench.editor.handle(.progress(Bench.view, Progress(.load, done: 10, total: 40)))
    bench.press("{esc}")
    #expect(bench.core.takeSent().first == .cancel(Bench.view))
    bench.press("{^F}tw")
    _ = bench.core.takeSent()
    bench.press("{esc}")
    #expect(bench.core.takeSent().first == .cancel(Bench.view), "before it goes back")
    bench.editor.handle(.progress(Bench.view, Progress(.load, done: 40, total: 40)))
    bench.press("{esc}")
    #expect(!bench.core.takeSent().contains(.cancel(Bench.view)))
  }

  @Test func escapeEndsTheWaitForASave() {
    let bench = Bench()
    bench.show(["one"], pristine: false)
    bench.editor.handle(.progress(Bench.view, Progress(.load, done: 10, total: 40)))
    _ = bench.core.takeSent()
    bench.press("{^S}{^Q}{^D}")
    #expect(bench.core.takeSent() == [])
    bench.press("{esc}")
    #expect(bench.core.takeSent() == [.cancel(Bench.view)])
    bench.core.answer(.failure(ResponseError(code: ErrorCode.cancelled, message: "cancelled")))
    #expect(bench.bottom.contains("Save f.txt before quitting?"), "the answer that was typed before is forgotten")
    #expect(bench.editor.screen.takeEffects() == [])
  }

  /// Of several lines; a line with its end is that line.
  @Test func aTextOfSeveralLinesIsLookedFor() {
    let bench = Bench(["a", "b"])
    bench.press("{^F}")
    bench.editor.handle(.paste(Array("a\rb\r".utf8)))
    #expect(bench.core.takeEdits().contains(.find(FindQuery("a\nb\n", caseSensitive: false))))
    #expect(bench.bottom.hasPrefix("Find: a↵b↵"))
    bench.press("{^U}")
    bench.editor.handle(.paste(Array("b\r".utf8)))
    #expect(bench.bottom.hasPrefix("Find: b") && !bench.bottom.contains("↵"))
  }

  /// What has one line takes the first, and says so.
  @Test(arguments: ["{^O}", "{^G}", "{F2}", "{alt g}"])
  func otherPromptsTakeTheFirstLine(_ key: String) {
    let bench = Bench(["a", "b"])
    bench.press(key)
    bench.editor.handle(.paste(Array("12\r3\r".utf8)))
    #expect((bench.editor.mode as? Prompt)?.field.string == "12")
    #expect(bench.told == "Only the first of the 2 lines was pasted")
  }
}
