import EditorProtocol

/// The lines that are not what they were.
final class Changes {
  private let views: Views
  private let hover: Hover
  /// Of the last question; older answers come too late.
  private var question = 0

  init(in views: Views, _ hover: Hover) { (self.views, self.hover) = (views, hover) }

  /// Marks the lines that are others in the file on the disk, or those that were marked before.
  func compareWithDisk() {
    guard views.core.supports(.changes) else { return views.notices.show("This core cannot compare texts") }
    // What was typed is compared, too.
    if let id = views.current?.id { views.core.send(.compareWithDisk(id)) }
  }

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
    let time =
      switch base {
      case .head: "in the last commit"
      case .saved: "at the last save"
      case .disk: "on the disk"
      }
    func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }
    if earlierCount == 0 { return "\(lines(count)) more than \(time)" }
    let now = count == 0 ? "none here" : count == earlierCount ? "other here" : "\(lines(count)) now"
    return "\(lines(earlierCount)) \(time), \(now):\n\(text.hasSuffix("\n") ? String(text.dropLast()) : text)"
  }
}

extension ChangedLines {
  /// For the status line; empty where all is as it was.
  var counts: String {
    if base == .disk, added + modified + removed == 0 { return "as on the disk" }
    let counts = [("+", added), ("~", modified), ("-", removed)].filter { $0.1 > 0 }.map { "\($0.0)\($0.1)" }
    return (base == .disk ? "from the disk " : "") + counts.joined(separator: " ")
  }

  func kind(ofLine line: Int) -> Kind? {
    // Of two that a line shows the first: what is gone above it.
    runs.first { $0.lines.contains(line) }?.kind
  }
}
