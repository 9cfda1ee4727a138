import TextMetrics

/// The row of tabs, where several files are open.
extension Views {
  struct Tab {
    /// Of the view.
    var index: Int
    var columns: Range<Int>
    var label: String
  }

  /// A name is not cut below so many cells; tabs that have no room are left out, and never the one that is shown.
  private static let narrowestName = 8

  /// Those in sight, from left to right.
  var tabs: [Tab] {
    let labels = zip(all, names).map { view, name in (name, isClean(view) ? "" : "*") }
    let metrics = CellMetrics(tabSize: 1)
    let widths = labels.map { metrics.width(of: $0.0) + $0.1.count }
    let limit = nameLimit(for: widths)
    var tabs: [Tab] = []
    var column = 0
    for (index, label) in labels.enumerated() {
      let width = min(widths[index], limit) + 2
      let name = metrics.shortened(label.0, to: limit - label.1.count)
      tabs.append(Tab(index: index, columns: column..<column + width, label: " " + name + label.1 + " "))
      column += width
    }
    return inSight(tabs)
  }

  /// The most cells of a name with which all have room; not fewer than the narrowest.
  private func nameLimit(for widths: [Int]) -> Int {
    let widest = max(widths.max() ?? 0, Self.narrowestName)
    for limit in stride(from: widest, to: Self.narrowestName, by: -1)
    where widths.reduce(0, { $0 + min($1, limit) + 2 }) <= screen.columns {
      return limit
    }
    return min(Self.narrowestName, widest)
  }

  /// Moved to the left as far as the one that is shown needs it.
  private func inSight(_ tabs: [Tab]) -> [Tab] {
    guard tabs.indices.contains(currentIndex) else { return tabs }
    let offset = max(tabs[currentIndex].columns.upperBound - screen.columns, 0)
    // It begins with a whole tab.
    let shownStart = tabs[currentIndex].columns.lowerBound
    let start = min(tabs.first { $0.columns.lowerBound >= offset }?.columns.lowerBound ?? shownStart, shownStart)
    return tabs.compactMap { tab in
      guard tab.columns.lowerBound >= start, tab.columns.lowerBound - start < screen.columns else { return nil }
      var tab = tab
      tab.columns = tab.columns.lowerBound - start..<min(tab.columns.upperBound - start, screen.columns)
      return tab
    }
  }

  func composeTabs(into grid: inout CellGrid) {
    let shown = FrameMemory.Tabs(
      names: all.map(\.path), isClean: all.map(isClean), current: currentIndex, columns: screen.columns)
    guard screen.frame.tabs != shown else { return }
    screen.frame.tabs = shown
    grid.clear(row: 0, style: grid.index(of: .tabs))
    for tab in tabs {
      let style = tab.index == currentIndex ? screen.styles.theme.bar : .tabs
      grid.fill(row: 0, columns: tab.columns, style: grid.index(of: style))
      grid.put(tab.label, row: 0, column: tab.columns.lowerBound, limit: tab.columns.upperBound, style: style)
    }
  }
}

extension CellMetrics {
  /// At most so many cells of a text, its end if it is too long: names differ there.
  func shortened(_ text: String, to width: Int) -> String {
    guard self.width(of: text) > width else { return text }
    var rest = text[...]
    while !rest.isEmpty, self.width(of: String(rest)) + 1 > width { rest.removeFirst() }
    return "…" + rest
  }
}
