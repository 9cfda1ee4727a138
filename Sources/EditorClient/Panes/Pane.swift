import EditorProtocol

/// A part of the text area that shows a view.
///
/// Several panes can show one view. The one among them that had the keys last leads: its place is the view's own, in
/// ``EditorView/viewport`` and its carets. Each of the others keeps its place until it has the keys again.
final class Pane {
  /// Where a pane stands in a view in which another one leads.
  struct Place {
    var viewport: Viewport
    var carets: EditorView.Carets

    /// Stays at its text when lines come or go above it.
    mutating func follow(_ update: ViewUpdate, lineCount: Int) {
      let last = max(lineCount - 1, 0)
      viewport.topLine = min(update.nearestIndex(ofLine: viewport.topLine), last)
      carets.ranges = carets.ranges.map { range in
        func moved(_ place: LineColumn) -> LineColumn {
          LineColumn(line: min(update.nearestIndex(ofLine: place.line), last), column: place.column)
        }
        let (start, end) = (moved(range.lowerBound), moved(range.upperBound))
        return min(start, end)..<max(start, end)
      }
      carets.position = nil
    }
  }

  fileprivate(set) var view: EditorView?
  /// Only while another pane leads in its view.
  fileprivate(set) var place: Place?

  /// What part of its view is in sight.
  var viewport: Viewport { place?.viewport ?? view?.viewport ?? Viewport() }

  func scroll(by lines: Int) {
    guard let view else { return }
    guard place == nil else { return place?.viewport.scroll(by: lines, of: view.cache.count) ?? () }
    view.viewport.scroll(by: lines, of: view.cache.count)
  }

  func fit(rows: Int, columns: Int) {
    place?.viewport.height = rows
    place?.viewport.width = columns
    if view?.wraps == true { place?.viewport.leftColumn = 0 }
  }

  func follow(_ update: ViewUpdate) {
    guard let view else { return }
    place?.follow(update, lineCount: view.cache.count)
  }
}

/// All panes, and the one that has the keys.
struct Panes {
  private(set) var layout: Layout
  private(set) var focused: Pane

  init() {
    focused = Pane()
    layout = .pane(focused)
  }

  var all: [Pane] { layout.panes }
  var isSplit: Bool { if case .split = layout { true } else { false } }

  func showing(_ view: EditorView) -> [Pane] { all.filter { $0.view === view } }

  func hasRoomToSplit(along axis: Layout.Axis, in area: ScreenArea) -> Bool {
    var wanted = layout
    wanted.insert(Pane(), behind: focused, along: axis)
    return wanted.areas(in: area) != nil
  }

  /// A second pane with the same view, which has the keys from now on.
  mutating func split(along axis: Layout.Axis) {
    let pane = Pane()
    layout.insert(pane, behind: focused, along: axis)
    let view = focused.view
    focused = pane
    // It has no place of its own yet.
    _ = show(view)
  }

  /// Puts panes that show nothing yet in the place of the one there is, which shows nothing any more; the first has the keys.
  mutating func arrange(as layout: Layout) {
    self.layout = layout
    if let first = layout.panes.first { focused = first }
  }

  mutating func swap(with other: Pane) { layout.swap(focused, other) }

  mutating func makeEven() { layout.makeEven() }

  mutating func moveEdge(of pane: Pane, atEnd: Bool, along axis: Layout.Axis, by distance: Int, in area: ScreenArea)
    -> Bool
  {
    layout.moveEdge(of: pane, atEnd: atEnd, along: axis, by: distance, in: area)
  }

  /// Carets that stood elsewhere in a pane that leads in its view from now on: they are to be put back.
  typealias Returned = [(carets: EditorView.Carets, view: EditorView)]

  /// Gives a pane the keys.
  mutating func focus(_ pane: Pane) -> Returned {
    guard pane !== focused else { return [] }
    focused = pane
    return pane.view.map { lead($0) } ?? []
  }

  /// Shows another view in the pane that has the keys.
  mutating func show(_ view: EditorView?) -> Returned {
    let old = focused.view
    guard old !== view else { return [] }
    focused.view = view
    focused.place = nil
    return (old.map { hand($0, from: focused) } ?? []) + (view.map { lead($0) } ?? [])
  }

  /// Closes a pane; the one beside it has the keys if this one had.
  mutating func close(_ pane: Pane) -> Returned {
    let before = all
    guard before.count > 1, let index = before.firstIndex(where: { $0 === pane }) else { return [] }
    layout.remove(pane)
    let view = pane.view
    pane.view = nil
    let returned = pane === focused ? focus(before[index == 0 ? 1 : index - 1]) : []
    return returned + (view.map { hand($0, from: pane) } ?? [])
  }

  /// The pane with the keys leads in its view; the one that did keeps its place.
  private func lead(_ view: EditorView) -> Returned {
    let place = focused.place
    if let leader = view.pane, leader !== focused, leader.view === view {
      leader.place = Pane.Place(viewport: view.viewport, carets: view.knownCarets)
    }
    view.pane = focused
    focused.place = nil
    return place.map { take($0, in: view) } ?? []
  }

  /// A pane has stopped to show a view: another one that does leads from now on.
  private func hand(_ view: EditorView, from pane: Pane) -> Returned {
    guard view.pane === pane else { return [] }
    view.pane = showing(view).first
    guard let heir = view.pane, let place = heir.place else { return [] }
    heir.place = nil
    return take(place, in: view)
  }

  private func take(_ place: Pane.Place, in view: EditorView) -> Returned {
    view.viewport = place.viewport
    guard place.carets.ranges != view.knownCarets.ranges else { return [] }
    return [(place.carets, view)]
  }
}

extension ViewUpdate {
  /// Where a line of the old cache is in the new one; for one that was not taken over, as far behind the last one that was, and not
  /// behind the next.
  fileprivate func nearestIndex(ofLine line: Int) -> Int {
    var (old, new) = (0, 0)
    // Behind the last line that was taken over, in both.
    var known = (old: 0, new: 0)
    for op in ops {
      switch op {
      case .copy, .update:
        let count = op.keptCount
        if line < old { return min(known.new + line - known.old, new) }
        if line - old < count { return new + line - old }
        (old, new) = (old &+ count, new &+ count)
        known = (old, new)
      case .skip(let count): old = old &+ count
      case .invalidate(let count): new = new &+ count
      case .insert(let lines): new = new &+ lines.count
      }
    }
    return max(min(known.new + line - known.old, new - 1), 0)
  }
}

extension EditorView {
  /// All carets; the main one alone where the core has told only of those in sight.
  fileprivate var knownCarets: Carets {
    let all = carets
    if let regionCounts, regionCounts.all != all.ranges.count { return Carets(ranges: [caret..<caret]) }
    return all
  }
}

extension UpdateOp {
  /// Old lines that are taken over.
  fileprivate var keptCount: Int {
    switch self {
    case .copy(let count, _): count
    case .update(let lines, _): lines.count
    case .skip, .invalidate, .insert: 0
    }
  }
}
