import EditorProtocol
import TestSupport
import Testing

@testable import EditorClient

/// How the text area is divided among panes.
struct LayoutTests {
  private static let area = ScreenArea(rows: 1..<41, columns: 0..<120)

  @Test func twoBesideEachOtherHaveOneColumnBetweenThem() throws {
    let (first, second) = (Pane(), Pane())
    var layout = Layout.pane(first)
    layout.insert(second, behind: first, along: .across)
    let areas = try #require(layout.areas(in: ScreenArea(rows: 0..<10, columns: 0..<41)))
    #expect(areas.map(\.area.columns) == [0..<20, 21..<41])
    #expect(areas.map(\.area.rows) == [0..<10, 0..<10])
  }

  /// Half of the pane's own room, not an equal part of all.
  @Test func aPaneGivesHalfOfItsRoom() throws {
    let panes = (0..<3).map { _ in Pane() }
    var layout = Layout.pane(panes[0])
    layout.insert(panes[1], behind: panes[0], along: .down)
    layout.insert(panes[2], behind: panes[1], along: .down)
    let areas = try #require(layout.areas(in: ScreenArea(rows: 0..<40, columns: 0..<80)))
    #expect(areas.map(\.area.rows) == [0..<20, 20..<30, 30..<40])
    layout.makeEven()
    #expect(
      layout.areas(in: ScreenArea(rows: 0..<30, columns: 0..<80))?.map(\.area.rows) == [0..<10, 10..<20, 20..<30])
  }

  /// Whatever was split meanwhile, and however often.
  @Test(arguments: [Layout.Axis.across, .down]) func aClosedPaneGivesItsRoomBack(axis: Layout.Axis) throws {
    let panes = (0..<4).map { _ in Pane() }
    let other: Layout.Axis = axis == .across ? .down : .across
    var layout = Layout.pane(panes[0])
    layout.insert(panes[1], behind: panes[0], along: axis)
    let before = try #require(layout.areas(in: Self.area)).map(\.area)
    for _ in 0..<200 {
      layout.insert(panes[2], behind: panes[0], along: axis)
      layout.remove(panes[2])
      layout.insert(panes[2], behind: panes[1], along: other)
      layout.insert(panes[3], behind: panes[1], along: axis)
      layout.remove(panes[2])
      layout.remove(panes[3])
      try #expect(#require(layout.areas(in: Self.area)).map(\.area) == before)
    }
  }

  @Test func thereIsNoRoom() {
    let (first, second) = (Pane(), Pane())
    var layout = Layout.pane(first)
    layout.insert(second, behind: first, along: .across)
    #expect(layout.areas(in: ScreenArea(rows: 0..<2, columns: 0..<25)) != nil)
    #expect(layout.areas(in: ScreenArea(rows: 0..<2, columns: 0..<24)) == nil)
    #expect(layout.areas(in: ScreenArea(rows: 0..<1, columns: 0..<25)) == nil)
  }

  /// Whatever is done, each cell belongs to one pane or to one line between two, and none is smaller than is of use.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func noCellIsLeftOut(seed: UInt64) throws {
    var random = MessageMutator(seed: seed)
    var layout = Layout.pane(Pane())
    for _ in 0..<200 {
      let panes = layout.panes
      let pane = panes[random.number(below: panes.count)]
      let axis: Layout.Axis = random.isOne(in: 2) ? .across : .down
      switch random.number(below: 6) {
      case 0, 1:
        var wanted = layout
        wanted.insert(Pane(), behind: pane, along: axis)
        if wanted.areas(in: Self.area) != nil { layout = wanted }
        #expect(layout.panes.count - panes.count <= 1)
      case 2:
        layout.remove(pane)
        #expect(layout.panes.count == max(panes.count - 1, 1))
      case 3: layout.swap(pane, panes[random.number(below: panes.count)])
      case 4:
        let distance = random.number(below: 40) - 20
        _ = layout.moveEdge(of: pane, atEnd: random.isOne(in: 2), along: axis, by: distance, in: Self.area)
      default: if random.isOne(in: 4) { layout.makeEven() }
      }
      try check(layout)
    }
  }

  private func check(_ layout: Layout) throws {
    let areas = try #require(layout.areas(in: Self.area))
    var counts = Array(repeating: 0, count: 41 * 120)
    for (_, area) in areas {
      #expect(area.rows.count >= 2 && area.columns.count >= 12)
      // The line at its right.
      let columns = area.columns.lowerBound..<min(area.columns.upperBound + 1, 120)
      for row in area.rows { for column in columns { counts[row * 120 + column] += 1 } }
    }
    #expect(counts[..<120].allSatisfy { $0 == 0 })
    #expect(counts[120...].allSatisfy { $0 == 1 })
  }

  @Test func anEdgeStopsWhereANeighbourHasNoMoreToGive() throws {
    let (first, second) = (Pane(), Pane())
    var layout = Layout.pane(first)
    layout.insert(second, behind: first, along: .across)
    let area = ScreenArea(rows: 0..<10, columns: 0..<61)
    let isMoved = layout.moveEdge(of: first, atEnd: true, along: .across, by: 100, in: area)
    #expect(isMoved)
    #expect(layout.areas(in: area)?.map(\.area.columns.count) == [48, 12])
    let hasLeftEdge = layout.moveEdge(of: first, atEnd: false, along: .across, by: 1, in: area)
    let hasLowerEdge = layout.moveEdge(of: first, atEnd: true, along: .down, by: 1, in: area)
    #expect(!hasLeftEdge && !hasLowerEdge)
  }

  /// Whatever is done to panes, on screens of any size: each shows what is open, one leads in each buffer, and what is drawn over the last
  /// frame is what is drawn on an empty one.
  @Test(arguments: 0..<20 as Range<UInt64>) func panesFitTogether(seed: UInt64) {
    var random = MessageMutator(seed: seed)
    let bench = Bench((0..<30).map { "line \($0) of \u{6F22}\u{5B57}\ttext" })
    let editor = bench.editor
    let keys = [
      "{^E}v", "{^E}s", "{^E}v", "{^E}s", "{^E}w", "{^E}x", "{^E}o", "{^E}r", "{^E}>", "{^E}<", "{^E}+", "{^E}-",
      "{^E}=",
      "{^E}{left}", "{^E}{right}", "{^E}{up}", "{^E}{down}", "{^E}", "{F2}sp", "{alt t}", "{^G}3", "{^W}", "{esc}",
      "{esc}", "{esc}{esc}x",
      "{alt-right}", "{F1}", "{enter}", "{^F}line",
    ]
    var grid = CellGrid(columns: 0, rows: 0)
    for step in 0..<50 {
      switch random.number(below: 8) {
      case 0:
        let size = random.isOne(in: 3) ? (1...4, 1...4) : (1...120, 1...40)
        editor.handle(.resize(columns: .random(in: size.0, using: &random), rows: .random(in: size.1, using: &random)))
      case 1, 2:
        let actions: [MouseEvent.Action] = [.press, .drag, .drag, .release, .wheelUp, .wheelDown]
        editor.handle(
          .mouse(
            MouseEvent(
              actions[random.number(below: 6)], column: random.number(below: 121), row: random.number(below: 41))))
      case 3 where editor.views.all.count < 4:
        editor.mode = nil
        editor.files.open(path: "/\(step).txt")
        bench.core.answer(
          random.isOne(in: 3) ? .failure(.internalError("no")) : .success(.string("view-id-\(step + 10)")))
      case 4: bench.show((0..<random.number(below: 60)).map { "other \($0)" }, handledEdits: 1 << 20)
      default: bench.press(keys[random.number(below: keys.count)])
      }
      guard !editor.views.all.isEmpty else { return }
      let panes = editor.views.panes.all
      #expect(panes.contains { $0 === editor.views.panes.focused })
      #expect(panes.allSatisfy { pane in editor.views.all.contains { $0 === pane.view } })
      for view in editor.views.all {
        let showing = editor.views.panes.showing(view)
        #expect(showing.isEmpty || showing.count { $0.place == nil } == 1 && showing.contains { $0 === view.pane })
        #expect(showing.allSatisfy { ($0.place == nil) == ($0 === view.pane) })
      }
      let cursor = editor.compose(into: &grid)
      let memory = editor.screen.frame
      var fresh = CellGrid(columns: 0, rows: 0)
      editor.screen.frame = FrameMemory()
      #expect(editor.compose(into: &fresh) == cursor)
      editor.screen.frame = memory
      let rows = (0..<grid.rows).map { grid.text(row: $0) }
      #expect(rows == (0..<fresh.rows).map { fresh.text(row: $0) }, "step \(step)")
    }
  }
}
