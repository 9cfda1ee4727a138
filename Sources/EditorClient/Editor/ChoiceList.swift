/// What a prompt offers to choose from; typing narrows it.
package struct ChoiceList: Equatable, Sendable {
  package struct Choice: Equatable, Sendable {
    package var title: String
    package var detail = ""
  }

  let all: [Choice]
  /// Indices into `all`.
  private(set) var shown: [Int]
  /// An index into `shown`.
  private(set) var selected = 0

  init(_ choices: [Choice]) {
    all = choices
    shown = Array(choices.indices)
  }

  /// The index in `all` of what Enter takes.
  var chosen: Int? { shown.indices.contains(selected) ? shown[selected] : nil }

  /// Shows what has each of the typed words in its title or its detail.
  mutating func narrow(to typed: String) {
    let words = typed.lowercased().split(separator: " ")
    shown = all.indices.filter { index in
      let text = (all[index].title + " " + all[index].detail).lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    selected = 0
  }

  mutating func move(by distance: Int) {
    selected = min(max(selected + distance, 0), max(shown.count - 1, 0))
  }

  /// At most `count` of what is shown, the selected one among them.
  func window(of count: Int) -> Range<Int> {
    let start = min(max(selected - count + 1, 0), max(shown.count - count, 0))
    return start..<min(start + count, shown.count)
  }
}
