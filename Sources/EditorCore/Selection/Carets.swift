import EditorProtocol
import Rope

/// What is selected in a view, and how it came to be selected: what goes on from there, or back.
///
/// Between two commands no region ends inside a cluster, unless ``mayStandInside`` says so.
struct Carets {
  /// A gesture that goes on while the mouse moves.
  struct Drag {
    /// The regions that stay as they are.
    var kept: Selection
    /// What was selected first.
    var first: Range<ByteOffset>
    var granularity: Gesture.Granularity
  }

  private(set) var selection = Selection.caret(0)
  /// A caret may stand inside a cluster, until something else is done than to type: flags and families of emoji come in parts, and each
  /// goes behind the last.
  private(set) var mayStandInside = false
  /// What was added to the selection last, as long as it is a region of it.
  var newest: SelectionRegion?
  var drag: Drag?
  /// As long as it is what is selected.
  var columns: ColumnBlock?
  /// What was selected before, since the text changed.
  private var trail = SelectionTrail()
  /// What has grown into what, since the text changed.
  private var expansions: [(before: Selection, after: Selection)] = []

  /// The region that the screen follows: what was added last, else the last of the text.
  var main: SelectionRegion? {
    guard let newest else { return selection.regions.last }
    let isSelected = selection.regions(touching: newest.lowerBound...newest.upperBound).contains(newest)
    return isSelected ? newest : selection.regions.last
  }

  /// What would stand inside a cluster is moved out of it, whoever wants it there: what a command then puts in or takes out has whole
  /// clusters on both sides.
  mutating func select(_ places: Selection, in text: Rope) {
    let whole = places.wholeClusters(in: text)
    if whole != selection { trail.append(selection, newest: newest) }
    selection = whole
  }

  // MARK: Typing

  /// Selects the very places, also those inside clusters: where what was typed has ended, and what is typed next begins.
  mutating func goOnTyping(at places: Selection) { (selection, mayStandInside) = (places, true) }

  /// - Parameter places: What is selected, with whole clusters: what was put in may have joined what stands on both sides of a caret.
  mutating func endTyping(at places: Selection) { (selection, mayStandInside) = (places, false) }

  // MARK: In one and the same text

  var canGoBack: Bool { !trail.isEmpty }

  /// Selects what was selected before: a caret that was added is no more.
  mutating func goBack(in text: Rope) {
    guard let step = trail.removeLast() else { return }
    (selection, newest) = (step.selection.wholeClusters(in: text), step.newest)
  }

  /// What was selected has grown to what is.
  mutating func noteGrowth(from before: Selection) {
    if expansions.last?.after != before { expansions = [] }
    expansions.append((before, selection))
  }

  /// What was selected before it grew to what is; once.
  mutating func takeGrowth() -> Selection? {
    guard let last = expansions.last, last.after == selection else { return nil }
    expansions.removeLast()
    return last.before
  }

  /// Other places are meant by what was selected before.
  mutating func textChanged() {
    trail.removeAll()
    expansions = []
  }

  /// What has come behind the text may belong to the cluster at a caret.
  mutating func textGrew() { mayStandInside = true }
}
