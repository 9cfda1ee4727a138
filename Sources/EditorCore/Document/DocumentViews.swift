import Rope

/// The views of a document. The session owns them: one that is gone is none of them.
final class DocumentViews {
  private struct Place { weak var view: TextView? }

  private var places: [Place] = []
  private var nextNumber = 0
  private weak var lastUsed: TextView?

  /// In the order in which they were opened.
  var all: [TextView] { places.compactMap(\.view) }
  var isEmpty: Bool { all.isEmpty }

  /// In which the user did something last.
  var used: TextView? {
    get { all.first { $0 === lastUsed } ?? all.first }
    set { lastUsed = newValue }
  }

  /// - Returns: The number of the view.
  func add(_ view: TextView) -> Int {
    places.append(Place(view: view))
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// A view has the number that it had under a core that died, if no other has it.
  func number(_ view: TextView, _ number: Int) {
    guard !all.contains(where: { $0.number == number }) else { return }
    view.number = number
    nextNumber = max(nextNumber, number + 1)
  }

  func remove(_ view: TextView) { places.removeAll { $0.view === view } }

  /// Something happened since the last update.
  func needUpdate() { for view in all { view.needsUpdate = true } }

  /// All follow a change of the text. In the view that it comes from the screen follows the carets; in the others what is there stays,
  /// whatever becomes of them.
  func follow(_ change: TextBuffer.Change, from author: TextView?) {
    guard let author else {
      for view in all { view.follow(change) }
      return
    }
    if places.count == 1 {
      author.screen.stay(over: change.delta)
    } else {
      withoutScrolling(over: change.delta) {
        for other in all where other !== author {
          other.follow(change)
          other.selectWholeClusters()
        }
      }
    }
    author.follow(change)
  }

  /// Keeps on the screens what is there, whatever becomes of the carets while `body` makes the change `delta`.
  func withoutScrolling(over delta: Delta, _ body: () -> Void) {
    let screens = all.map(\.screen)
    body()
    for (view, screen) in zip(all, screens) {
      view.screen = screen
      view.screen.stay(over: delta)
    }
  }

  func appendLoaded(_ text: Rope) { for view in all { view.appendLoaded(text) } }
}
