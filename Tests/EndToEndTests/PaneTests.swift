import EditorProtocol
import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@testable import EditorClient

/// Several views beside each other, in front of the real core.
@Suite(.serialized, .offThePool) struct PaneTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static let text = (1...5000).map { "line \($0)\n" }.joined()

  private func driven(_ text: String = Self.text, columns: Int = 80, rows: Int = 24) throws -> DrivenEditor {
    try DrivenEditor(home, "driven", text: text, columns: columns, rows: rows)
  }

  private func chord(_ driven: DrivenEditor, _ key: Key) { driven.press(.control("e"), key) }

  /// The text of the rows of a pane, without line numbers and blank rows.
  private func rows(_ driven: DrivenEditor, pane: Int) -> [String] {
    let (screen, area) = (driven.screen, driven.editor.views.shownPanes[pane].area)
    return driven.editor.screen.textRows(of: area).compactMap { row in
      let cells = screen.rows[row].dropFirst(area.columns.lowerBound).prefix(area.columns.count)
      return cells.split(separator: " ", maxSplits: 1).last.map { $0.trimming(" ") }
    }
  }

  /// Each pane stays at its text and its caret, whatever happens to the buffer in the other.
  @Test func twoPlacesInOneBuffer() throws {
    let driven = try driven()
    chord(driven, Key(.character("v")))
    driven.press(Key(.end, .control))
    driven.settle()
    #expect(rows(driven, pane: 0).first == "line 1")
    #expect(rows(driven, pane: 1).suffix(2) == ["line 5000", "5001"])
    chord(driven, Key(.left))
    driven.type("first ")
    for _ in 0..<50 { driven.press(Key(.enter)) }
    driven.settle()
    #expect(rows(driven, pane: 1).suffix(2) == ["line 5000", "5051"])
    chord(driven, Key(.right))
    driven.type("last")
    driven.settle()
    #expect(rows(driven, pane: 1).last == "last")
    chord(driven, Key(.left))
    driven.type("here ")
    driven.settle()
    #expect(driven.screen.rows.contains { $0.contains("51 here line 1 ") })
  }

  @Test func aBufferOfItsOwnInEachPane() throws {
    let driven = try driven()
    chord(driven, Key(.character("s")))
    driven.editor.files.open(path: try home.write("other\n", to: "driven/b.txt"))
    driven.settle()
    #expect(rows(driven, pane: 0).first == "line 1")
    #expect(rows(driven, pane: 1).first == "other")
    driven.press(Key(.function(9)))
    #expect(driven.editor.view?.name == "a.txt")
    // Closing a buffer that the other pane shows leaves one pane with the other buffer.
    driven.press(.control("w"))
    driven.settle()
    #expect(driven.editor.views.shownPanes.count == 1)
    #expect(rows(driven, pane: 0).first == "other")
    #expect(driven.editor.views.all.map(\.name) == ["b.txt"])
  }

  /// A pane goes with a buffer that only it shows, if the others show all that is left.
  @Test func closedPanes() throws {
    let driven = try driven()
    chord(driven, Key(.character("v")))
    chord(driven, Key(.character("s")))
    #expect(driven.editor.views.shownPanes.count == 3)
    chord(driven, Key(.character("x")))
    #expect(driven.editor.views.shownPanes.count == 2)
    chord(driven, Key(.character("o")))
    #expect(driven.editor.views.shownPanes.count == 1)
    chord(driven, Key(.character("x")))
    #expect(driven.editor.notices.message?.text == "This is the only pane; ^W closes the buffer")
  }

  @Test func noRoom() throws {
    let driven = try driven((1...500).map { "line \($0)\n" }.joined(), columns: 60, rows: 12)
    for _ in 0..<8 { chord(driven, Key(.character("v"))) }
    #expect(driven.editor.notices.message?.text == "There is no room for another pane")
    #expect(driven.editor.views.shownPanes.count == 4)
    driven.editor.handle(.resize(columns: 30, rows: 12))
    driven.settle()
    #expect(driven.editor.views.shownPanes.map(\.area.columns) == [0..<30])
    driven.editor.handle(.resize(columns: 60, rows: 12))
    driven.settle()
    #expect(driven.editor.views.shownPanes.count == 4)
    #expect((0..<4).allSatisfy { rows(driven, pane: $0).first == "line 1" })
  }

  /// The rows of one buffer are the same in all its panes: broken for the narrowest.
  @Test func wrapping() throws {
    let driven = try driven(String(repeating: "words and more words ", count: 40) + "\n", columns: 80, rows: 12)
    driven.press(.alt("w"))
    driven.settle()
    chord(driven, Key(.character("v")))
    for _ in 0..<4 { chord(driven, Key(.character("<"))) }
    driven.settle()
    let areas = driven.editor.views.shownPanes.map(\.area.columns.count)
    #expect(areas[1] < areas[0])
    #expect(rows(driven, pane: 0) == rows(driven, pane: 1))
    #expect(rows(driven, pane: 0)[0].count <= areas[1] - 4)
  }

  @Test func theMouse() throws {
    let driven = try driven()
    chord(driven, Key(.character("v")))
    let (left, right) = (driven.editor.views.shownPanes[0], driven.editor.views.shownPanes[1])
    func mouse(_ action: MouseEvent.Action, _ column: Int, _ row: Int) {
      driven.editor.handle(.mouse(MouseEvent(action, column: column, row: row)))
      driven.settle()
    }
    mouse(.wheelDown, 5, 5)
    #expect(rows(driven, pane: 0).first == "line 4")
    #expect(rows(driven, pane: 1).first == "line 1")
    mouse(.press, left.area.columns.lowerBound + 4, 1)
    #expect(driven.editor.views.panes.focused === left.pane)
    driven.type("x")
    driven.settle()
    #expect(rows(driven, pane: 0)[1] == "xline 5")
    mouse(.press, left.area.columns.upperBound, 3)
    mouse(.drag, 20, 3)
    mouse(.release, 20, 3)
    #expect(driven.editor.views.shownPanes.map(\.area.columns) == [0..<20, 21..<80])
    mouse(.press, 30, 2)
    #expect(driven.editor.views.panes.focused === right.pane)
  }

  @Test func keysForSizesAndPlaces() throws {
    let driven = try driven()
    chord(driven, Key(.character("v")))
    chord(driven, Key(.character("s")))
    func areas() -> [ScreenArea] { driven.editor.views.shownPanes.map(\.area) }
    let before = areas()
    chord(driven, Key(.character("<")))
    #expect(areas()[0].columns.count == before[0].columns.count + 4)
    chord(driven, Key(.character(">")))
    #expect(areas() == before)
    chord(driven, Key(.character("-")))
    #expect(areas()[2].rows.count == before[2].rows.count - 1)
    chord(driven, Key(.character("=")))
    #expect(areas() == before)
    let own = driven.editor.views.panes.focused
    chord(driven, Key(.character("r")))
    #expect(driven.editor.views.panes.all.first === own)
    for (key, index) in [(Key.Code.right, 1), (.down, 2), (.up, 1), (.left, 0)] {
      chord(driven, Key(key))
      #expect(driven.editor.views.panes.all[index] === driven.editor.views.panes.focused, "\(key)")
    }
    chord(driven, Key(.left))
    #expect(driven.editor.notices.message?.text == "There is no pane there")
  }

  /// Random keys in random panes: what is drawn over the last frame is what would be drawn anew, no line is missing, and one pane leads in
  /// each buffer.
  @Test(arguments: 0..<6 as Range<UInt64>)
  func randomKeys(seed: UInt64) throws {
    var random = MessageMutator(seed: seed)
    let driven = try driven((1...3000).map { "\($0) words\tand \n" }.joined(), columns: 90, rows: 30)
    let other = try home.write("another text\nwith lines\n", to: "driven/b.txt")
    var keys: [String] = []
    for round in 0..<80 {
      let choice = random.number(below: 26)
      let letters = ["v", "s", "w", "x", "o", "r", "<", ">", "+", "-", "="]
      switch choice {
      case 0..<5:
        let letter = letters[random.number(below: round % 40 == 39 ? letters.count : 3)]
        keys.append("^E \(letter)")
        chord(driven, Key(.character(Character(letter))))
      case 5..<7: chord(driven, Key([.left, .right, .up, .down][random.number(below: 4)]))
      case 7: driven.editor.files.open(path: other)
      case 8: driven.press(Key(.right, .alt))
      case 9: driven.editor.handle(.resize(columns: 20 + random.number(below: 100), rows: 4 + random.number(below: 40)))
      case 10: driven.press(.alt("w"))
      case 11: driven.press(Key(.home, .control))
      case 12: driven.press(Key(.end, .control))
      case 13: driven.press(.control("a"), Key(.left))
      case 14: driven.press(.control("z"))
      case 15: driven.press(.alt("d"))
      case 16: driven.press(.control("k"))
      case 17: driven.press(Key(.pageDown))
      case 18:
        let event = MouseEvent(
          [.press, .drag, .wheelUp, .wheelDown, .release][random.number(below: 5)],
          column: random.number(below: 90), row: random.number(below: 30))
        driven.editor.handle(.mouse(event))
      case 19..<22: driven.press(Key(.enter))
      case 22: driven.press(Key(.backspace))
      default: driven.type("x\(choice)")
      }
      keys.append("\(choice)")
      if random.isOne(in: 2) { driven.settle() }
      if random.isOne(in: 3) { _ = driven.compose() }
      guard random.isOne(in: 3) else { continue }
      driven.settle()
      try check(driven, keys)
    }
  }

  private func check(_ driven: DrivenEditor, _ keys: [String]) throws {
    let editor = driven.editor
    for view in editor.views.all { _ = try #require(view.id) }
    for (pane, area) in editor.views.shownPanes {
      let view = try #require(pane.view)
      let lines = pane.viewport.topLine..<pane.viewport.topLine + editor.screen.textRows(of: area).count
      try #require(!view.cache.hasHole(in: lines), "\(keys)")
      #expect((pane.place == nil) == (view.pane === pane))
    }
    for view in editor.views.all where editor.views.panes.showing(view).isEmpty == false {
      let leader = try #require(view.pane, "\(keys)")
      try #require(editor.views.panes.showing(view).contains { $0 === leader }, "\(keys)")
    }
    #expect(editor.views.panes.all.contains { $0 === editor.views.panes.focused })
    let drawn = driven.screen
    try #require(drawn == driven.freshScreen, "\(keys)")
  }

  /// The next core is told of all panes.
  @Test func aKilledCore() throws {
    try home.write(Self.text, to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 line 1")
    try session.type("\u{5}v")
    try session.wait(toSee: "│    1 line 1")
    try session.type("\u{1B}[1;5F")
    try session.wait(toSee: "line 5000")
    kill(try #require(session.children.first), SIGKILL)
    try session.wait(toSee: "The core ended unexpectedly")
    try session.type("end")
    try session.wait(for: "both panes") { screen in
      screen.line(0).contains("1 line 1") && (0..<24).contains { screen.line($0).contains("5001 end") }
    }
    try session.type("\u{5}wstart ")
    try session.wait(toSee: "1 start line 1")
    try save(session)
    #expect(home.text(of: "a.txt") == "start " + Self.text + "end\n")
    try quit(session)
  }
}

extension Substring {
  fileprivate func trimming(_ character: Character) -> String {
    var rest = self
    while rest.last == character { rest.removeLast() }
    return String(rest)
  }
}
