import EditorProtocol
import JSONRPC
import Testing

@testable import EditorClient

/// Several files: tabs, the list, new ones, saving all.
@Suite struct BufferTests {
  private func bench(_ paths: [String], columns: Int = 60, rows: Int = 12) -> Bench {
    let bench = Bench(path: paths[0], columns: columns, rows: rows)
    for (index, path) in paths.dropFirst().enumerated() {
      bench.editor.files.open(path: path)
      bench.core.answer(.success(.string("view-id-\(index + 2)")))
    }
    bench.editor.files.showFirst()
    _ = bench.core.takeSent()
    return bench
  }

  @Test func namesAreToldApartByTheirFolders() {
    let bench = bench(["/p/a/x.swift", "/p/b/x.swift", "/q/b/x.swift", "/q/y"], columns: 60)
    #expect(bench.editor.views.names == ["a/x.swift", "p/b/x.swift", "q/b/x.swift", "y"])
    #expect(bench.screen[0] == " a/x.swift  p/b/x.swift  q/b/x.swift  y")
    #expect(bench.screen[1] == "  1 one" && bench.cursor == CursorPlace(row: 1, column: 4))
    #expect(bench.screen[10].hasPrefix(" x.swift"))
  }

  /// With a cost that grows with each of the others this takes many minutes.
  @Test func manyBuffersHaveNames() {
    let bench = Bench(path: "/a/b/0.c")
    for index in 1..<20_000 {
      bench.editor.views.add(EditorView(path: "/a/\(index % 2 == 0 ? "b" : "c")/\(index / 2).c"), isShown: false)
    }
    let names = bench.editor.views.names
    #expect(names[1] == "c/0.c" && names[19_999] == "c/9999.c" && Set(names).count == 20_000)
  }

  @Test func oneFileHasNoTabs() {
    let bench = bench(["/f.txt"])
    #expect(bench.screen[0] == "  1 one")
    let small = self.bench(["/a", "/b"], rows: 5)
    #expect(small.screen[0] == "  1 one" && small.screen[3].contains("[1/2]"), "no room for them")
  }

  @Test func clicksAndTheWheelSwitch() {
    let bench = bench(["/one", "/two", "/three"])
    bench.editor.handle(.mouse(MouseEvent(.press, column: 8, row: 0)))
    #expect(bench.screen[10].hasPrefix(" two"))
    bench.editor.handle(.mouse(MouseEvent(.wheelDown, column: 0, row: 0)))
    #expect(bench.screen[10].hasPrefix(" three"))
    bench.editor.handle(.mouse(MouseEvent(.press, column: 50, row: 0)))
    #expect(bench.screen[10].hasPrefix(" three"), "beside the tabs")
    bench.editor.handle(.mouse(MouseEvent(.press, column: 1, row: 0)))
    bench.editor.handle(.mouse(MouseEvent(.release, column: 1, row: 0)))
    _ = bench.core.takeEdits()
    bench.editor.handle(.mouse(MouseEvent(.press, column: 5, row: 2)))
    #expect(
      bench.core.takeEdits() == [.gesture(LineColumn(line: 1, column: 1), .select(.point, multi: false))],
      "the second row is the first line")
  }

  @Test(arguments: [40, 20, 10, 3]) func longNamesShrinkAndTheShownTabStays(columns: Int) {
    let bench = bench((0..<6).map { "/a_rather_long_name_\($0)" }, columns: columns)
    for index in 0..<6 {
      bench.editor.views.show(at: index)
      #expect(bench.screen.count == 12 && bench.screen[0].count <= columns)
      let tab = bench.editor.views.tabs.first { $0.index == index }
      #expect(tab?.columns.isEmpty == false && tab?.label.hasSuffix("\(index) ") == true)
    }
  }

  @Test func marksOfChangesStayWhereNamesShrink() {
    let bench = bench(["/a_rather_long_name_0", "/a_rather_long_name_1", "/z"], columns: 40)
    bench.show(["x"], pristine: false)
    #expect(bench.editor.views.tabs[0].label.hasSuffix("0* "))
  }

  @Test func theListGoesBackToTheOneBefore() {
    let bench = bench(["/d/one", "/d/two", "/d/three"])
    bench.editor.views.show(at: 2)
    bench.editor.views.show(at: 1)
    bench.editor.handle(.key(.alt("b")))
    #expect(Array(bench.screen[7...9]) == [" three  /d", " one    /d", " two    /d"])
    bench.press("{enter}")
    #expect(bench.screen[10].hasPrefix(" three"))
    bench.editor.handle(.key(.alt("b")))
    bench.press("on{enter}")
    #expect(bench.screen[10].hasPrefix(" one"))
  }

  @Test func aNewBufferIsEmpty() {
    let bench = bench(["/one"])
    bench.editor.handle(.key(.alt("N")))
    #expect(bench.core.requests.map(\.request) == [.newView(NewView(path: nil))])
    #expect(bench.screen[0] == " one  Unnamed")
    bench.core.answer(.success("view-id-9"))
    bench.editor.handle(.key(.alt("p")))
    #expect(bench.bottom == "This buffer has no file yet; Alt-S gives it one")
  }

  @Test func thePathIsToldWhole() {
    let bench = bench(["/folder/one"])
    bench.editor.handle(.key(.alt("p")))
    #expect(bench.bottom == "/folder/one")
    #expect("a/b".absolutePath.hasPrefix("/") && "a/b".absolutePath.hasSuffix("/a/b"))
  }

  @Test func allThatHaveChangedAreSaved() {
    let bench = bench(["/one", "/two", "/three"])
    bench.editor.handle(.key(.alt("S")))
    #expect(bench.bottom == "Nothing has changed")
    bench.show(["x"], pristine: false)
    bench.editor.handle(
      .update(ViewID("view-id-3"), ViewUpdate(ops: [.insert([UpdateLine(text: "y")])], pristine: false)))
    bench.editor.handle(.key(.alt("S")))
    #expect(
      bench.core.requests.map(\.request) == [
        .saveFile(Bench.view, path: "/one", .ifUnchanged), .saveFile(ViewID("view-id-3"), path: "/three", .ifUnchanged),
      ])
    bench.core.answer(.success([:]))
    bench.core.answer(.success([:]))
    #expect(bench.bottom == "Saved 2 files")
  }

  /// A save that goes well behind one that does not hides nothing.
  @Test(arguments: [0, 1])
  func whatCannotBeSavedIsToldAtLast(_ failing: Int) {
    let bench = bench(["/one", "/two"], columns: 80)
    bench.show(["x"], pristine: false)
    bench.editor.handle(
      .update(ViewID("view-id-2"), ViewUpdate(ops: [.insert([UpdateLine(text: "y")])], pristine: false)))
    bench.editor.handle(.key(.alt("S")))
    for index in 0..<2 {
      bench.core.answer(index == failing ? .failure(.internalError("the disk is full")) : .success([:]))
    }
    #expect(
      bench.bottom == "Saved 1 of 2 files; not saved: \(["one", "two"][failing]): Internal error: the disk is full")
  }

  /// Its keys would answer it unseen.
  @Test func whatWasSavedHidesNoOffer() {
    let bench = bench(["/one", "/two", "/three"], columns: 80)
    bench.show(["x"], pristine: false)
    for id in ["view-id-2", "view-id-3"] {
      bench.editor.handle(
        .update(ViewID(id), ViewUpdate(ops: [.insert([UpdateLine(text: "y")])], pristine: false)))
    }
    bench.editor.handle(.key(.alt("S")))
    bench.core.answer(.failure(ResponseError(code: ErrorCode.changedOnDisk, message: "it was written to")))
    bench.core.answer(.failure(.internalError("the disk is full")))
    bench.core.answer(.success([:]))
    #expect(bench.bottom.hasPrefix("one has changed on disk  ^B overwrites it"))
    bench.press("{esc}")
    bench.press("{esc}")
    #expect(bench.bottom == "Not saved: two: Internal error: the disk is full")
  }

  @Test func theTitleFollows() {
    let bench = bench(["/folder/one\u{7}", "/two"])
    #expect(bench.editor.takeTitle() == "one? (/folder) - xiedit")
    #expect(bench.editor.takeTitle() == nil, "it is the same")
    bench.show(["x"], pristine: false)
    #expect(bench.editor.takeTitle() == "one?* (/folder) - xiedit")
    bench.editor.views.show(at: 1)
    #expect(bench.editor.takeTitle() == "two (/) - xiedit")
    bench.editor.screen.forgetTitle()
    #expect(bench.editor.takeTitle() == "two (/) - xiedit")
  }
}
