/// Which edge of a pane.
struct PaneEdge {
  let pane: Pane
  let axis: Layout.Axis
}

/// What the user does with panes.
extension Views {
  func split(along axis: Layout.Axis) {
    guard panes.hasRoomToSplit(along: axis, in: paneArea) else {
      return notices.show("There is no room for another pane")
    }
    panes.split(along: axis)
    noteShown()
    panesHaveChanged()
  }

  /// - Parameter hint: Told where it is the only one.
  func closePane(hint: String) {
    guard panes.isSplit else { return notices.show("This is the only pane; \(hint)") }
    putBack(panes.close(panes.focused))
    noteShown()
    panesHaveChanged()
  }

  func closeOtherPanes() {
    guard panes.isSplit else { return notices.show("This is the only pane") }
    for pane in panes.all where pane !== panes.focused { putBack(panes.close(pane)) }
    panesHaveChanged()
  }

  func focus(_ pane: Pane) {
    guard pane !== panes.focused else { return }
    putBack(panes.focus(pane))
    noteShown()
    panesHaveChanged()
  }

  func focusNextPane() {
    guard let next = nextPane else { return notices.show("This is the only pane") }
    focus(next)
  }

  func swapPanes() {
    guard let next = nextPane else { return notices.show("This is the only pane") }
    panes.swap(with: next)
    panesHaveChanged()
  }

  private var nextPane: Pane? {
    let all = panes.all
    guard all.count > 1, let index = all.firstIndex(where: { $0 === panes.focused }) else { return nil }
    return all[(index + 1) % all.count]
  }

  /// Where a pane lies from the one that has the keys.
  enum Direction { case left, right, up, down }

  /// To the nearest pane in a direction, at the height of the caret.
  func focusPane(_ direction: Direction) {
    let own = focusedArea
    let row =
      own.rows.lowerBound + max(min((current?.caret.line ?? 0) - panes.focused.viewport.topLine, own.rows.count - 1), 0)
    let column = own.columns.lowerBound
    let others = shownPanes.filter { pane, area in
      switch direction {
      case .left: area.columns.upperBound <= own.columns.lowerBound && area.rows.contains(row)
      case .right: area.columns.lowerBound >= own.columns.upperBound && area.rows.contains(row)
      case .up: area.rows.upperBound <= own.rows.lowerBound && area.columns.contains(column)
      case .down: area.rows.lowerBound >= own.rows.upperBound && area.columns.contains(column)
      }
    }
    let nearest = others.min { first, second in
      switch direction {
      case .left: first.area.columns.upperBound > second.area.columns.upperBound
      case .right: first.area.columns.lowerBound < second.area.columns.lowerBound
      case .up: first.area.rows.upperBound > second.area.rows.upperBound
      case .down: first.area.rows.lowerBound < second.area.rows.lowerBound
      }
    }
    guard let nearest else { return notices.show("There is no pane there") }
    focus(nearest.pane)
  }

  private static let columnStep = 4

  /// Gives the pane more or less of the room of its neighbour.
  func grow(_ axis: Layout.Axis, by steps: Int) {
    let distance = steps * (axis == .across ? Self.columnStep : 1)
    let area = paneArea
    let isMoved =
      panes.moveEdge(of: panes.focused, atEnd: true, along: axis, by: distance, in: area)
      || panes.moveEdge(of: panes.focused, atEnd: false, along: axis, by: -distance, in: area)
    guard isMoved else { return notices.show("No pane is \(axis == .across ? "beside" : "above or below") this one") }
    panesHaveChanged()
  }

  func makePanesEven() {
    panes.makeEven()
    panesHaveChanged()
  }

  // MARK: With the mouse

  /// The line between panes side by side, or a status line with a pane below it.
  func edge(under mouse: MouseEvent) -> PaneEdge? {
    for (pane, area) in shownPanes {
      if mouse.column == area.columns.upperBound, area.rows.contains(mouse.row) {
        return PaneEdge(pane: pane, axis: .across)
      }
      let isInside = area.rows.upperBound < paneArea.rows.upperBound
      if isInside, mouse.row == area.rows.upperBound - 1, area.columns.contains(mouse.column) {
        return PaneEdge(pane: pane, axis: .down)
      }
    }
    return nil
  }

  func drag(_ edge: PaneEdge, to mouse: MouseEvent) {
    guard let area = shownPanes.first(where: { $0.pane === edge.pane })?.area else { return }
    let distance =
      edge.axis == .across ? mouse.column - area.columns.upperBound : mouse.row - area.rows.upperBound + 1
    guard distance != 0 else { return }
    _ = panes.moveEdge(of: edge.pane, atEnd: true, along: edge.axis, by: distance, in: paneArea)
    panesHaveChanged()
  }

  private func panesHaveChanged() {
    screen.needsDisplay = true
    announceViewport()
  }
}
