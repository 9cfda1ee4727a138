import EditorProtocol
import JSON
import JSONRPC
import Testing

@testable import EditorClient

/// The file picker, and what was found in files.
@Suite struct FolderTests {
  private let bench = Bench(path: "shown.txt")

  private func answer(_ paths: [String] = [], _ lines: [FoundLine] = [], isLast: Bool = true, problem: String? = nil) {
    var piece = FolderPiece()
    (piece.paths, piece.lines, piece.isLast, piece.problem) = (paths, lines, isLast, problem)
    bench.core.answer(.success(piece.json))
  }

  private func line(_ path: String, _ number: Int) -> FoundLine {
    FoundLine(path: path, line: number, character: 2, text: "a\tneedle", marks: [2..<8])
  }

  private var wanted: [FrontEndRequest] { bench.core.requests.map(\.request) }

  @Test func filesComeInPieces() {
    bench.press("{alt f}")
    #expect(wanted == [.folder(1, .list)])
    answer(["src/main.c", "src/other.c"], isLast: false)
    #expect(wanted == [.folder(1, .list)], "asks for more")
    bench.press("mn")
    #expect(bench.screen[9] == " src/main.c" && bench.screen[11].hasPrefix("File: mn"))
    answer(["main"])
    #expect(wanted.isEmpty)
    #expect(bench.screen[8] == " main" || bench.screen[9] == " main")
    bench.press("{up}{enter}")
    guard case .newView(let view)? = wanted.first else { return #expect(Bool(false), "\(wanted)") }
    #expect(view.path == "main" || view.path == "src/main.c")
  }

  @Test(arguments: [(1, "2 files; 1 name is not UTF-8"), (7, "2 files; 7 names are not UTF-8")])
  func whatHasNoNameIsTold(_ count: Int, _ note: String) {
    bench.press("{alt f}")
    var piece = FolderPiece()
    (piece.paths, piece.isLast, piece.namelessCount) = (["a", "b"], true, count)
    bench.core.answer(.success(piece.json))
    #expect(bench.screen[11].contains(note), "\(bench.screen)")
    bench.press("{esc}{alt g}x{enter}")
    piece.paths = []
    bench.core.answer(.success(piece.json))
    #expect(bench.screen.joined().contains(note.replacing("2 files", with: "0 lines")), "\(bench.screen)")
  }

  /// Nobody has seen what there is to choose from.
  @Test(arguments: [("b{enter}", "b.txt"), ("{down}{enter}", "b.txt"), ("{enter}", "a.txt")])
  func aChoiceThatIsTypedAheadWaitsForTheList(_ keys: String, _ path: String) {
    bench.press("{alt f}" + keys + "TEXT")
    answer([], isLast: false)
    #expect(wanted == [.folder(1, .list)])
    answer(["a.txt", "b.txt"])
    #expect(wanted == [.newView(NewView(path: path, reusesView: true, mustExist: true))])
    bench.core.answer(.success("view-id-2"))
    #expect(bench.core.takeEdits().contains(.insert("T")))
  }

  /// What is seen is taken at once, however long the rest of the list takes.
  @Test func aChoiceThatWasSeenWaitsForNothing() {
    bench.press("{alt f}")
    answer(["a.txt", "b.txt"], isLast: false)
    bench.press("b")
    #expect(bench.screen[9] == " b.txt")
    bench.press("{enter}")
    #expect(wanted.contains(.newView(NewView(path: "b.txt", reusesView: true, mustExist: true))))
  }

  @Test func aResultThatIsTypedAheadWaitsForTheSearch() {
    bench.press("{alt g}needle{enter}{down}{enter}")
    answer([], [line("a.c", 4)], isLast: false)
    answer([], [line("b.c", 9)])
    #expect(wanted == [.newView(NewView(path: "b.c", reusesView: true, mustExist: true))])
  }

  @Test func aReplacementThatIsTypedAheadWaitsForTheSearch() {
    bench.press("{alt g}needle{enter}{^R}pin{enter}")
    answer([], [line("shown.txt", 0)])
    #expect(bench.screen[11].contains("Replace \"needle\" by \"pin\" in 1 file"))
  }

  @Test func escEndsTheList() {
    bench.press("{alt f}")
    answer(["a"], isLast: false)
    bench.press("{esc}")
    #expect(bench.core.takeSent().contains(.endTask(1)))
    answer(["b"], isLast: false)
    #expect(wanted.isEmpty, "nobody asks for more")
  }

  @Test func aCoreThatFailsIsTold() {
    bench.press("{alt f}")
    bench.core.answer(.failure(.internalError("broken")))
    #expect(bench.screen[11].contains("broken"))
  }

  @Test func resultsAreListedAndGoneTo() {
    bench.press("{alt g}needle{enter}")
    #expect(wanted == [.folder(1, .search(FindQuery("needle", caseSensitive: false)))])
    answer([], [line("a.c", 4), line("b.c", 9)])
    #expect(bench.screen[8] == " a.c:5: a needle" && bench.screen[9] == " b.c:10: a needle")
    bench.press("{down}{enter}")
    guard case .newView(let view)? = wanted.first else { return #expect(Bool(false), "\(wanted)") }
    #expect(view.path == "b.c")
    bench.core.answer(.success("view-id-2"))
    #expect(bench.core.takeEdits().contains(.gotoPosition(line: 9, character: 2)))
    #expect(bench.editor.folder.results?.selected == 1)
  }

  /// Nobody means a new file by what was there: the pane goes on with what it showed.
  @Test(arguments: [false, true]) func aFileThatHasGoneIsTold(isSplit: Bool) {
    if isSplit { bench.press("{^E}v") }
    bench.press("{alt g}needle{enter}")
    answer([], [line("a.c", 4)])
    bench.press("{enter}")
    #expect(wanted == [.newView(NewView(path: "a.c", reusesView: true, mustExist: true))])
    bench.core.answer(.failure(ResponseError(code: ErrorCode.vanished, message: "cannot open a.c: it is gone")))
    #expect(bench.bottom == "a.c: cannot open a.c: it is gone")
    #expect(bench.editor.views.all.map(\.name) == ["shown.txt"])
    let shown = bench.editor.views.panes.all.map { $0.view?.name }
    #expect(shown == (isSplit ? ["shown.txt", "shown.txt"] : ["shown.txt"]))
  }

  @Test func whatIsChosenAmongFilesIsNoNewOne() {
    bench.press("{alt f}")
    answer(["main.c"])
    bench.press("main{enter}")
    #expect(wanted == [.newView(NewView(path: "main.c", reusesView: true, mustExist: true))])
    bench.core.answer(.success("view-id-2"))
    bench.press("{^W}")
    bench.editor.perform(.action(.reopenClosed))
    #expect(wanted == [.newView(NewView(path: "main.c", reusesView: true, mustExist: true))])
    bench.core.answer(.failure(ResponseError(code: ErrorCode.vanished, message: "it is gone")))
    bench.editor.memory.note(["/old.c"], in: .file)
    bench.editor.perform(.action(.recentFiles))
    bench.press("old{enter}")
    #expect(wanted == [.newView(NewView(path: "/old.c", reusesView: true, mustExist: true))])
  }

  @Test func nothingFoundIsTold() {
    bench.press("{alt g}needle{enter}")
    answer(problem: "no good pattern")
    #expect(bench.screen[11].contains("no good pattern"))
    bench.press("{enter}")
    #expect(bench.screen[11].contains("no good pattern"))
  }

  @Test func allAreReplacedAndNoneIsSaved() {
    bench.press("{alt g}needle{enter}")
    answer([], [line("shown.txt", 0)])
    bench.press("{^R}pin{enter}")
    #expect(bench.screen[11].contains("Replace \"needle\" by \"pin\" in 1 file"))
    _ = bench.core.takeSent()
    bench.press("y")
    #expect(bench.core.takeEdits() == [.find(FindQuery("needle", caseSensitive: false))])
    found(3, in: Bench.view)
    let edits = bench.core.takeEdits()
    #expect(edits.contains(.replace("pin", preserveCase: false)) && edits.contains(.plain(.replaceAll)))
    #expect(bench.screen[11].contains("Replaced 3 in 1 file, not saved yet"))
  }

  private func found(_ count: Int, in view: ViewID) {
    bench.editor.handle(.findStatus(view, [FindStatus(id: 1, chars: nil, matches: count)]))
    bench.editor.gate.coreWasHeard()
  }

  /// What cannot be opened, has nothing any more, or is another name of what is open, keeps nobody waiting, and is told.
  @Test func whatIsNotReplacedIsTold() {
    bench.press("{alt g}needle{enter}")
    answer([], ["shown.txt", "link.txt", "gone.txt", "broken.txt"].map { line($0, 0) })
    bench.press("{^R}pin{enter}y")
    bench.core.answer(.success(.string(Bench.view.rawValue)))
    bench.core.answer(.success("view-id-3"))
    bench.core.answer(.failure(ResponseError(code: 4, message: "too many open files")))
    #expect(bench.editor.views.all.count == 2 && bench.editor.view?.path == "shown.txt")
    found(2, in: Bench.view)
    found(0, in: ViewID("view-id-3"))
    #expect(bench.told.contains("Replaced 2 in 1 file (1 file could not be opened, 1 file had"))
    #expect(bench.core.takeSent().contains(.closeView(ViewID("view-id-3"))) && bench.editor.views.all.count == 1)
  }

  /// The next core has no matches to replace.
  @Test func aCoreThatEndsAmidTheSearchReplacesNothing() {
    bench.press("{alt g}needle{enter}")
    answer([], [line("shown.txt", 0)])
    bench.press("{^R}pin{enter}y")
    _ = bench.core.takeSent()
    bench.editor.coreWasReplaced()
    bench.editor.gate.advance()
    #expect(!bench.core.takeEdits().contains(.plain(.replaceAll)))
    #expect(bench.editor.notices.waiting.map(\.text) == ["Nothing was replaced in files, as the core ended meanwhile"])
  }

  @Test func theListTellsHowToReplace() {
    bench.press("{F2}replace_files{enter}")
    #expect(bench.bottom.hasPrefix("Replace in files:"))
    bench.press("needle{enter}")
    answer([], [line("a.c", 4)], isLast: false)
    #expect(!bench.bottom.contains("replaces"))
    answer()
    #expect(bench.bottom.contains("1 line, ^R replaces all"))
  }

  @Test func withoutTheExtensionItIsSaid() {
    let bench = Bench(isOurCore: false)
    bench.press("{alt f}")
    #expect(bench.screen[11].contains("does not list files"))
    bench.press("{alt g}")
    #expect(bench.screen[11].contains("does not search in files"))
  }

  /// The file that was closed last comes back with its caret; one that was opened since does not count.
  @Test func closedFilesAreOpenedAgainWhereTheyWere() {
    let next = Bench(["one", "two"], path: "shown.txt")
    next.editor.files.open(path: "b.txt")
    next.core.answer(.success("view-id-2"))
    next.editor.views.showNext(by: 1)
    next.editor.handle(.scrollTo(Bench.view, LineColumn(line: 1, column: 2)))
    next.press("{^W}")
    _ = next.core.takeSent()
    next.editor.perform(.action(.reopenClosed))
    next.core.answer(.success("view-id-3"))
    #expect(next.core.takeEdits().contains(.gotoPosition(line: 1, character: 2)))
    next.press("{^W}")
    next.editor.files.open(path: "shown.txt")
    next.core.answer(.success("view-id-4"))
    next.editor.perform(.action(.reopenClosed))
    #expect(next.bottom.contains("No file was closed"))
  }

  /// Not to where an earlier jump began in the same line.
  @Test func aJumpGoesBackToWhereItBegan() {
    bench.editor.views.noteJump()
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 2)))
    bench.editor.views.noteJump()
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 1, column: 0)))
    bench.press("{alt ,}")
    #expect(bench.core.takeEdits() == [.gotoPosition(line: 0, character: 2)])
  }

  @Test func jumpsGoBackAndForward() {
    bench.press("{^G}2{enter}")
    _ = bench.core.takeSent()
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 1, column: 0)))
    bench.press("{alt ,}")
    #expect(bench.core.takeEdits() == [.gotoPosition(line: 0, character: 0)])
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 0, column: 0)))
    bench.press("{alt .}")
    #expect(bench.core.takeEdits() == [.gotoPosition(line: 1, character: 0)])
    bench.editor.handle(.scrollTo(Bench.view, LineColumn(line: 1, column: 0)))
    bench.press("{alt .}")
    #expect(bench.screen[11].contains("no place to go forward"))
  }
}
