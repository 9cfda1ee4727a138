import EditorProtocol

/// Tells single, double and triple clicks apart.
struct ClickCounter {
  private static let interval: Int64 = 400_000_000

  private var last: MouseEvent?
  private var count = 0

  /// How often the same cell was pressed in quick succession: 1, 2 or 3.
  mutating func count(_ press: MouseEvent) -> Int {
    if let last, last.column == press.column, last.row == press.row, press.time - last.time < Self.interval {
      count = count % 3 + 1
    } else {
      count = 1
    }
    last = press
    return count
  }
}

/// What the mouse does outside of prompts.
final class Pointer {
  private static let wheelLines = 3

  private var clicks = ClickCounter()
  /// What a drag goes on with is a block of columns.
  private var dragsColumns = false
  /// The edge between panes that it holds.
  private var draggedEdge: PaneEdge?
  private let views: Views

  init(in views: Views) { self.views = views }

  func handle(_ mouse: MouseEvent) {
    switch mouse.action {
    case .wheelUp where isOnTabs(mouse): views.showNext(by: -1)
    case .wheelDown where isOnTabs(mouse): views.showNext(by: 1)
    case .wheelUp: views.scroll(pane(under: mouse), by: -Self.wheelLines)
    case .wheelDown: views.scroll(pane(under: mouse), by: Self.wheelLines)
    case .press where isOnTabs(mouse):
      if let tab = views.tabs.first(where: { $0.columns.contains(mouse.column) }) { views.show(at: tab.index) }
    case .press:
      draggedEdge = views.edge(under: mouse)
      guard draggedEdge == nil else { return }
      views.focus(pane(under: mouse))
      guard let place = place(of: mouse) else { return }
      let count = clicks.count(mouse)
      dragsColumns = mouse.modifiers.contains(.alt) && views.core.supports(.codeEditing)
      put(place, dragsColumns ? columns(to: mouse, extends: mouse.modifiers.contains(.shift)) : gesture(mouse, count))
    case .drag:
      if let draggedEdge { return views.drag(draggedEdge, to: mouse) }
      guard clicks.isOpen else { return }
      scrollAtEdge(mouse)
      guard let place = place(of: mouse) else { return }
      put(place, dragsColumns ? columns(to: mouse, extends: true) : .drag)
    case .release: draggedEdge = nil
    }
  }

  private func put(_ place: LineColumn, _ gesture: Gesture) {
    views.edit(.gesture(place, gesture))
    views.current?.keepsRows = true
  }

  /// Whether another pane, or another buffer, has the keys after it.
  func leaves(_ mouse: MouseEvent) -> Bool {
    isOnTabs(mouse) || mouse.action == .press && pane(under: mouse) !== views.panes.focused
  }

  func isOnTabs(_ mouse: MouseEvent) -> Bool { mouse.row < views.textTop }

  private func pane(under mouse: MouseEvent) -> Pane {
    views.shownPanes.first { $0.area.contains(row: mouse.row, column: mouse.column) }?.pane ?? views.panes.focused
  }

  /// Goes on selecting above and below the pane, faster the further the pointer is below it; above the screen there is no row.
  private func scrollAtEdge(_ drag: MouseEvent) {
    let rows = views.screen.textRows(of: views.focusedArea)
    if drag.row >= rows.upperBound, let view = views.current, view.viewport.lines.upperBound < view.cache.count {
      views.scroll(views.panes.focused, by: drag.row - rows.upperBound + 1)
    } else if drag.row <= rows.lowerBound, clicks.row != rows.lowerBound {
      views.scroll(views.panes.focused, by: -1)
    }
  }

  private func columns(to mouse: MouseEvent, extends: Bool) -> Gesture {
    .selectColumns(cell: cell(under: mouse), extends: extends)
  }

  private func gesture(_ press: MouseEvent, _ count: Int) -> Gesture {
    let granularities: [Gesture.Granularity] = [.point, .word, .line]
    let granularity = granularities[count - 1]
    if press.modifiers.contains(.shift) { return .selectExtend(granularity) }
    return .select(granularity, multi: press.modifiers.contains(.control))
  }

  /// The place in the text under the pointer; the nearest one while dragging outside of the text.
  private func place(of mouse: MouseEvent) -> LineColumn? {
    let area = views.focusedArea
    let rows = views.screen.textRows(of: area)
    guard let view = views.current, rows.contains(mouse.row) || mouse.action == .drag else { return nil }
    let row = min(max(mouse.row - rows.lowerBound, 0), rows.count - 1)
    let line = min(view.viewport.topLine + row, max(view.cache.count - 1, 0))
    guard let cached = view.cache[line]?.line else { return LineColumn(line: line, column: 0) }
    return LineColumn(line: line, column: view.metrics.column(ofCell: cell(under: mouse), in: cached))
  }

  private func cell(under mouse: MouseEvent) -> Int {
    let area = views.focusedArea
    guard let view = views.current else { return 0 }
    let start = area.columns.lowerBound + views.screen.gutterWidth(of: view, columns: area.columns.count)
    return max(min(mouse.column, area.columns.upperBound) - start, 0) + view.viewport.leftColumn
  }
}

extension ClickCounter {
  /// Whether a press came before.
  var isOpen: Bool { last != nil }
  /// Where it was.
  var row: Int? { last?.row }
}
