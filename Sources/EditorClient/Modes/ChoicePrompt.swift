import TextMetrics

/// A prompt over what there is to choose from; typing narrows it.
class ChoicePrompt: Prompt {
  private static let mostChoices = 10

  private var choices: ChoiceList

  init(_ editor: Editor, _ label: String, choices: [ChoiceList.Choice]) {
    self.choices = ChoiceList(choices)
    super.init(editor, label)
  }

  /// - Parameter index: Of the choice among all that were given.
  func accept(choice index: Int) {}

  /// What is told when there is none of what was typed.
  var refusal: String { "Nothing is called that" }

  override func accept(_ text: String) {
    if let chosen = choices.chosen { return accept(choice: chosen) }
    editor.mode = self
    editor.show(refusal)
  }

  override func handleOwnKey(_ key: Key) -> Bool {
    guard key.modifiers.isEmpty, key.code == .up || key.code == .down else { return false }
    choices.move(by: key.code == .up ? -1 : 1)
    return true
  }

  override func changed() { choices.narrow(to: field.string) }

  override func compose(into grid: inout CellGrid) -> CursorPlace? {
    let textRows = editor.textRows
    let window = choices.window(of: min(Self.mostChoices, textRows))
    let metrics = CellMetrics(tabSize: 1)
    let titleWidth = window.map { metrics.width(of: choices.all[choices.shown[$0]].title) }.max() ?? 0
    let detailStart = min(titleWidth, grid.columns / 2) + 3
    for (offset, index) in window.enumerated() {
      let choice = choices.all[choices.shown[index]]
      let style = index == choices.selected ? TextStyle.key : .plain
      let row = textRows - window.count + offset
      editor.cover(row: row, columns: 0..<grid.columns, style: style, into: &grid)
      grid.put(choice.title, row: row, column: 1, limit: detailStart - 1, style: style)
      grid.put(choice.detail, row: row, column: detailStart, limit: grid.columns, style: style)
    }
    return super.compose(into: &grid)
  }
}

/// What a prompt offers to choose from.
struct ChoiceList {
  struct Choice {
    var title: String
    var detail = ""
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
