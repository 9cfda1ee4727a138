import EditorProtocol
import JSON
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
    #expect(bench.editor.results?.selected == 1)
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
    let edits = bench.core.takeEdits()
    #expect(edits.contains(.replace("pin", preserveCase: false)) && edits.contains(.plain(.replaceAll)))
    #expect(bench.screen[11].contains("not saved yet"))
  }

  @Test func withoutTheExtensionItIsSaid() {
    let bench = Bench(isOurCore: false)
    bench.press("{alt f}")
    #expect(bench.screen[11].contains("does not list files"))
    bench.press("{alt g}")
    #expect(bench.screen[11].contains("does not search in files"))
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
