import EditorProtocol
import Glibc
import JSON
import JSONRPC
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// Texts that commands of the shell make.
@Suite(.offThePool) struct ShellCommandTests {
  private let driver = CoreDriver(handshake: true)
  private let folder = TemporaryFolder()

  private func open(_ text: String) {
    driver.open()
    driver.edit("paste", ["chars": .string(text)])
    driver.edit("move_to_beginning_of_document")
  }

  private func run(
    _ command: String, _ use: CommandUse = .filter, meanwhile: () -> Void = {}
  ) -> Result<JSONValue, ResponseError> {
    let params: JSONValue = [
      "view_id": .string(driver.view.rawValue), "command": .string(command), "use": .string(use.rawValue),
    ]
    return driver.request("xiedit_run_command", params, meanwhile: meanwhile)
  }

  /// Why the text is as it was.
  private func refusal(
    _ command: String, _ use: CommandUse = .filter, meanwhile: () -> Void = {}
  ) -> String {
    let before = driver.markedText
    guard case .failure(let error) = run(command, use, meanwhile: meanwhile) else { return "it was not refused" }
    #expect(error.code == ErrorCode.commandFailed && driver.markedText == before)
    return error.message
  }

  private func isDone(_ result: Result<JSONValue, ResponseError>) -> Bool { (try? result.get()) != nil }

  @Test func aLineWithoutASelection() {
    open("one\ntwo\nthree\n")
    driver.edit("move_down")
    driver.edit("move_right")
    #expect(isDone(run("tr a-z A-Z")))
    #expect(driver.markedText == "one\nT‸WO\nthree\n")
    driver.edit("undo")
    #expect(driver.markedText.replacing("‸", with: "") == "one\ntwo\nthree\n")
    driver.edit("redo")
    #expect(driver.document?.buffer.text == "one\nTWO\nthree\n")
  }

  @Test(arguments: [
    ("cat", "a\nb‸"), ("cat; echo c", "a\nb‸\nc"), ("printf x", "a\nx‸"), ("true", "a\n‸"), ("cat -A", "a\nb‸$"),
  ])
  func aLastLineWithoutAnEnd(_ command: String, _ expected: String) {
    open("a\nb")
    driver.edit("move_to_end_of_document")
    #expect(isDone(run(command)))
    #expect(driver.markedText == expected)
  }

  @Test(arguments: [
    ("cat; echo c", "‸a\nc\nb\n"), ("printf x", "‸x\nb\n"), ("grep -v a || true", "‸b\n"), ("sed s/a/é/", "‸é\nb\n"),
    ("cat /dev/stdin", "‸a\nb\n"),
  ])
  func aLineWithAnEnd(_ command: String, _ expected: String) {
    open("a\nb\n")
    #expect(isDone(run(command)))
    #expect(driver.markedText == expected)
  }

  @Test func theEmptyLineAtTheEnd() {
    open("a\n")
    driver.edit("move_to_end_of_document")
    #expect(isDone(run("echo x; echo y")))
    #expect(driver.markedText == "a\n‸x\ny")
  }

  @Test func twoCaretsInALineAndOneInAnother() {
    open("ab\ncd\n")
    driver.edit("gesture", ["line": 0, "col": 1, "ty": ["select": ["granularity": "point", "multi": true]]])
    driver.edit("gesture", ["line": 1, "col": 0, "ty": ["select": ["granularity": "point", "multi": true]]])
    #expect(isDone(run("sed s/^/xyz/")))
    #expect(driver.markedText == "‸x‸yzab\n‸xyzcd\n")
  }

  @Test func eachSelectionByItself() {
    open("b a\nd c\n")
    for (line, column, end) in [(0, 0, 3), (1, 2, 3)] {
      let multi: JSONValue = line == 0 ? false : true
      driver.edit(
        "gesture",
        [
          "line": .number(Double(line)), "col": .number(Double(column)),
          "ty": ["select": ["granularity": "point", "multi": multi]],
        ]
      )
      driver.edit(
        "gesture",
        ["line": .number(Double(line)), "col": .number(Double(end)), "ty": ["select_extend": ["granularity": "point"]]])
    }
    #expect(driver.markedText == "⟦b a⟧\nd ⟦c⟧\n")
    // One line end of what it writes is its own.
    #expect(isDone(run("wc -c | tr -d ' '; echo")))
    #expect(driver.markedText == "⟦3\n⟧\nd ⟦1\n⟧\n")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "b a\nd c\n")
  }

  @Test func allThatIsSelected() {
    open("c\na\nb\n")
    driver.edit("select_all")
    #expect(isDone(run("sort")))
    #expect(driver.markedText == "⟦a\nb\nc\n⟧")
    #expect(isDone(run("true")))
    #expect(driver.markedText == "‸")
  }

  /// Neighbours are one change, and two places.
  @Test func selectionsThatTouch() {
    open("abc")
    var selection = Selection(SelectionRegion(1, 0))
    selection.add(SelectionRegion(1, 2))
    driver.textView?.select(selection)
    #expect(isDone(run("sed 's/./&&&/'")))
    #expect(driver.textView?.selection.regions == [SelectionRegion(3, 0), SelectionRegion(3, 6)])
    #expect(driver.document?.buffer.text == "aaabbbc")
  }

  /// Commands know line ends of one kind.
  @Test func returnsAreTheTexts() {
    open("b\r\na\r\n")
    driver.document?.file.format.lineEnding = .carriageReturnLineFeed
    driver.edit("select_all")
    #expect(isDone(run("sort | sed 's/$/;/'")))
    #expect(driver.document?.buffer.text == "a;\r\nb;\r\n")
  }

  @Test func outputAtEachCaret() {
    open("ab\ncd\n")
    driver.edit("add_selection_below")
    let path = folder("out")
    #expect(isDone(run("echo run >>\(path); wc -l <\(path) | tr -d ' '", .insert)))
    #expect(driver.markedText == "1‸ab\n1‸cd\n")
    driver.edit("undo")
    #expect(driver.document?.buffer.text == "ab\ncd\n")
    #expect(isDone(run("cat", .insert)), "it reads nothing")
  }

  @Test func whyNothingChanges() {
    open("a\nb\n")
    #expect(refusal("echo >&2; echo no good >&2; echo more >&2; echo out; exit 3") == "no good (exit code 3)")
    #expect(refusal("exit 4") == "exit code 4")
    #expect(refusal("kill -9 $$") == "exit code 137")
    #expect(refusal("no-such-command-at-all").contains("not found (exit code 127)"))
    #expect(refusal("printf '\\377'") == "what it wrote is no UTF-8")
    #expect(refusal("if true; then").contains("exit code 2"))
    #expect(refusal("exit 5", .insert) == "exit code 5")
  }

  @Test func whatWritesTooMuchIsEnded() {
    let work = ShellWork(
      command: "yes", text: "a\n", pieces: [.init(range: 0..<2, isLine: true)], lineEnding: "\n", outputLimit: 100_000)
    guard case .failure(let failure) = work.run({ _ in }) else {
      Issue.record("it was taken")
      return
    }
    #expect(failure.reason.contains("written too much"))
    let all = ShellWork(
      command: "printf %060000d 0", text: "ab",
      pieces: [.init(range: 0..<1, isLine: false), .init(range: 1..<2, isLine: false)],
      lineEnding: "\n", outputLimit: 100_000)
    if case .success = all.run({ _ in }) { Issue.record("all together is too much") }
  }

  /// The first that fails is the last that is run.
  @Test func oneThatFailsKeepsAll() {
    open("a\nb\nc\n")
    driver.edit("add_selection_below")
    driver.edit("add_selection_below")
    let path = folder("out")
    #expect(refusal("read -r x; echo $x >>\(path); test $x != b") == "exit code 1")
    #expect(folder.contents("out") == "a\nb\n")
  }

  @Test func whatDoesNotEndIsEndedWithAllItStarted() {
    open("a\n")
    let path = folder("out")
    let result = run("sleep 1000 & echo $$ $! >\(path); wait") {
      driver.run { folder.contents("out")?.hasSuffix("\n") == true }
      driver.notify(.cancel(driver.view))
    }
    guard case .failure(let error) = result else {
      Issue.record("it was taken")
      return
    }
    #expect(error.code == ErrorCode.cancelled && driver.document?.buffer.text == "a\n")
    for id in (folder.contents("out") ?? "").split(separator: " ") {
      let process = pid_t(id.filter(\.isNumber)) ?? 0
      driver.run { hasEnded(process) }
      #expect(process > 0 && hasEnded(process))
    }
    #expect(isDone(run("cat")), "the next one can run")
  }

  /// Whoever types goes on, and what was typed is not written over.
  @Test func whatIsTypedMeanwhileStays() {
    open("a\n")
    let path = folder("out")
    let result = run("until test -e \(path); do sleep 0.01; done; echo late") {
      driver.edit("insert", ["chars": "x"])
      #expect(driver.document?.buffer.text == "xa\n")
      close(creat(path, 0o600))
    }
    guard case .failure(let error) = result else {
      Issue.record("it was taken")
      return
    }
    #expect(error.message == "the text has changed meanwhile")
    #expect(driver.markedText == "x‸a\n")
  }

  @Test func oneAtATimeAndNoneForAViewThatIsClosed() {
    open("a\n")
    let result = run("sleep 1000") {
      #expect(refusal("cat") == "another command still runs")
      driver.notify(.closeView(driver.view))
    }
    guard case .failure(let error) = result else {
      Issue.record("it was taken")
      return
    }
    #expect(error.code == ErrorCode.cancelled)
  }

  @Test func aViewThatIsOnlyToBeRead() {
    open("a\n")
    driver.textView?.isOnlyToBeRead = true
    #expect(refusal("cat") == "this view is read-only")
    driver.textView?.isOnlyToBeRead = false
    let result = run("cat") { driver.textView?.isOnlyToBeRead = true }
    #expect(!isDone(result) && driver.document?.buffer.text == "a\n")
  }

  /// The core does not leave a command behind, nor wait for it.
  @Test func theEndOfTheCoreEndsIt() {
    open("a\n")
    let path = folder("out")
    driver.start(
      "xiedit_run_command",
      ["view_id": .string(driver.view.rawValue), "command": .string("echo $$ >\(path); sleep 1000"), "use": "filter"])
    driver.run { folder.contents("out")?.hasSuffix("\n") == true }
    driver.session.finish()
    let process = pid_t((folder.contents("out") ?? "").filter(\.isNumber)) ?? 0
    #expect(process > 0 && hasEnded(process))
  }

  @Test func howFarItIs() {
    open(String(repeating: "a\n", count: 8))
    for _ in 0..<7 { driver.edit("add_selection_below") }
    #expect(isDone(run("sleep 0.1; cat")))
    let reports = driver.notifications.compactMap { notification in
      if case .progress(_, let progress) = notification, progress.task == .command { progress } else { nil }
    }
    #expect(reports.last.map { $0.done == $0.total && $0.total == 8 } == true && reports.count > 1)
  }
}
