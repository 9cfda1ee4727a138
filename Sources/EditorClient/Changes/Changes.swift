import EditorProtocol

/// The lines that are not what they were.
final class Changes {
  private let views: Views
  private let hover: Hover
  /// Of the last question; older answers come too late.
  private var question = 0

  init(in views: Views, _ hover: Hover) { (self.views, self.hover) = (views, hover) }

  /// Shows what stood in the place of the changed lines at the caret.
  func showEarlierLines() {
    guard let view = views.current, let id = view.id else { return }
    guard views.core.supports(.changes) else { return views.notices.show("This core cannot compare texts") }
    question += 1
    views.core.request(.change(id)) { [weak self, weak view, question] result in
      guard let self, question == self.question, let view, view === views.current,
        case .success(let answer) = result
      else { return }
      if let lines = EarlierLines(answer) {
        hover.show(lines.words)
      } else {
        let isCompared = view.changes != nil
        views.notices.show(isCompared ? "No line has changed here" : "There is nothing to compare the text with")
      }
    }
  }
}

extension EarlierLines {
  /// For the user.
  fileprivate var words: String {
    let time = base == .head ? "in the last commit" : "at the last save"
    func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }
    if earlierCount == 0 { return "\(lines(count)) more than \(time)" }
    let now = count == 0 ? "gone since" : count == earlierCount ? "changed since" : "\(lines(count)) now"
    return "\(lines(earlierCount)) \(time), \(now):\n\(text.hasSuffix("\n") ? String(text.dropLast()) : text)"
  }
}

extension ChangedLines {
  /// For the status line; empty where all is as it was.
  var counts: String {
    [("+", added), ("~", modified), ("-", removed)].filter { $0.1 > 0 }.map { "\($0.0)\($0.1)" }
      .joined(separator: " ")
  }

  func kind(ofLine line: Int) -> Kind? {
    // Of two that a line shows the first: what is gone above it.
    runs.first { $0.lines.contains(line) }?.kind
  }
}
