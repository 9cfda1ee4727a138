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
    var columns: [Range<Int>] = []
    for width in widths {
      let start = columns.last?.upperBound ?? 0
      columns.append(start..<start + min(width, limit) + 2)
    }
    return inSight(columns).map { index, columns in
      let (name, mark) = labels[index]
      let label = metrics.shortened(name, to: limit - mark.count) + mark
      return Tab(index: index, columns: columns, label: " " + label + " ")
    }
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

  /// The places of the tabs, moved to the left as far as the one that is shown needs it: of those that are seen then.
  private func inSight(_ places: [Range<Int>]) -> [(index: Int, columns: Range<Int>)] {
    guard places.indices.contains(currentIndex) else { return [] }
    let shown = places[currentIndex]
    let offset = max(shown.upperBound - screen.columns, 0)
    // It begins with a whole tab.
    let start = min(places.first { $0.lowerBound >= offset }?.lowerBound ?? shown.lowerBound, shown.lowerBound)
    let end = start + screen.columns
    return places.enumerated().compactMap { index, columns in
      guard columns.lowerBound >= start, columns.lowerBound < end else { return nil }
      return (index, columns.lowerBound - start..<min(columns.upperBound, end) - start)
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
