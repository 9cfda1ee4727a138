import TextMetrics

/// A prompt over what there is to choose from; typing narrows it.
class ChoicePrompt: Prompt {
  fileprivate(set) var choices: ChoiceList
  /// The choices on the screen, and the row of the first.
  private var window = 0..<0
  private var firstRow = 0
  /// Choices by what is typed have been in sight.
  private var wasSeen = false
  /// How many steps a macro had that was being recorded when it came up.
  private let recordedCount: Int?

  init(_ editor: Editor, _ label: String, choices: [ChoiceList.Choice]) {
    self.choices = ChoiceList(choices)
    recordedCount = editor.macros.recordedCount
    super.init(editor, label)
  }

  /// - Parameter index: Of the choice among all that were given.
  func accept(choice index: Int) {}

  /// More may come, and what is chosen unseen would be another then.
  var isGrowing: Bool { false }

  /// How many are shown at once.
  var mostChoices: Int { 10 }

  /// What is told when there is none of what was typed.
  var refusal: String { "Nothing is called that" }

  /// Whether a macro has the keys that have chosen it: they mean its place in the list, as the list is then.
  var choosesByPlace: Bool { false }

  override func accept(_ text: String) {
    guard let chosen = choices.chosen else {
      editor.mode = self
      return editor.notices.refuse(refusal)
    }
    if !choosesByPlace { editor.macros.noteChoice(choices.identity(of: chosen), since: recordedCount) }
    accept(choice: chosen)
  }

  /// Takes what was chosen when a macro was recorded, wherever it stands.
  func take(_ identity: String) {
    if let index = choices.index(of: identity) {
      editor.mode = nil
      accept(choice: index)
    } else if isGrowing {
      whenWhole { $0.take(identity) }
    } else {
      editor.notices.refuse("\(identity) is not in this list")
    }
  }

  /// More to choose from, behind the others.
  func add(_ more: [ChoiceList.Choice]) {
    choices.add(more)
    editor.screen.needsDisplay = true
  }

  func select(_ index: Int) { choices.select(index) }

  /// Whether the key, other than one that changes what is typed, depends on what there is to choose from.
  func chooses(_ key: Key) -> Bool {
    [.enter, .up, .down, .pageUp, .pageDown].contains(key.code) || key == .control("p") || key == .control("n")
  }

  override func handle(_ key: Key) {
    if isGrowing, !wasSeen, chooses(key) { whenWhole { $0.handle(key) } } else { super.handle(key) }
  }

  private func whenWhole(_ body: @escaping (ChoicePrompt) -> Void) {
    let isOver = { [weak self] in self.map { !$0.isGrowing || $0.editor.mode !== $0 } ?? true }
    editor.gate.wait(to: "list what there is", .isHeld, until: { isOver() ? .over : .waiting }) { [weak self] in
      if let self, editor.mode === self { body(self) }
    }
  }

  override func handleOwnKey(_ key: Key) -> Bool {
    let page = max(window.count, 1)
    switch (key.code, key.modifiers) {
    case (.up, []), (.character("p"), .control): choices.move(by: -1)
    case (.down, []), (.character("n"), .control): choices.move(by: 1)
    case (.pageUp, []): choices.move(by: -page)
    case (.pageDown, []): choices.move(by: page)
    default: return false
    }
    return true
  }

  /// A click takes what it is on, the wheel goes on in the list.
  override func handle(_ mouse: MouseEvent) {
    switch mouse.action {
    case .wheelUp: choices.move(by: -1)
    case .wheelDown: choices.move(by: 1)
    case .press:
      let index = window.lowerBound + mouse.row - firstRow
      guard mouse.row >= firstRow, window.contains(index) else { return }
      choices.select(index)
      finish()
    case .drag, .release: break
    }
  }

  override func changed() {
    choices.narrow(to: field.string)
    wasSeen = false
  }

  // MARK: Drawing

  override func compose(into grid: inout CellGrid) -> CursorPlace? {
    // The only row of a screen is the prompt's.
    window = choices.window(of: min(mostChoices, editor.views.textRows, editor.screen.rows - 1))
    firstRow = editor.views.statusRow - window.count
    wasSeen = !window.isEmpty
    let metrics = CellMetrics(tabSize: 1)
    let titleWidth = window.map { metrics.width(of: choices[$0].title) }.max() ?? 0
    let keyWidth = window.map { metrics.width(of: choices[$0].key) }.max() ?? 0
    let detailStart = min(titleWidth, max(grid.columns / 2, grid.columns - keyWidth - 5)) + 3
    for (offset, index) in window.enumerated() {
      draw(index, row: firstRow + offset, detailStart, metrics, into: &grid)
    }
    return super.compose(into: &grid)
  }

  private func draw(
    _ index: Int, row: Int, _ detailStart: Int, _ metrics: CellMetrics, into grid: inout CellGrid
  ) {
    let choice = choices[index]
    let style = index == choices.selected ? TextStyle.key : .plain
    editor.screen.cover(row: row, columns: 0..<grid.columns, style: style, into: &grid)
    let keyStart = choice.key.isEmpty ? grid.columns : grid.columns - metrics.width(of: choice.key) - 1
    grid.put(shortened: choice.title, row: row, column: 1, limit: min(detailStart - 1, keyStart - 1), style: style)
    if detailStart < keyStart - 6 {
      grid.put(shortened: choice.detail, row: row, column: detailStart, limit: keyStart - 1, style: style)
    }
    grid.put(choice.key, row: row, column: keyStart, limit: grid.columns, style: style)
    let found = Set(choices.matches(in: index))
    guard !found.isEmpty else { return }
    metrics.forEachCluster(in: choice.title.utf8Span) { cluster in
      let column = 1 + cluster.column
      guard column + cluster.width < min(detailStart, keyStart) else { return false }
      if found.contains(cluster.byteOffset) {
        grid.overlay(.found, row: row, columns: column..<column + cluster.width)
      }
      return true
    }
  }
}

/// What a prompt offers to choose from.
struct ChoiceList {
  struct Choice {
    /// Searched letter by letter.
    var title: String
    /// Searched by whole words; what is found there alone stands behind the rest.
    var detail = ""
    /// At the right edge.
    var key = ""
    /// Not shown; searched as the detail is, and found first by all of it.
    var name = ""
    /// Bytes of the title that are marked as long as nothing is typed.
    var marks: [Range<Int>] = []
    /// What tells it from the others, wherever it stands.
    var identity: String { [title, detail].filter { !$0.isEmpty }.joined(separator: " · ") }
  }

  private var all: [Choice] = []
  private var titles = FuzzyIndex()
  private var hasDetails = false
  private var query = FuzzyQuery("")
  private var typed = ""
  /// Indices into `all`.
  private var shown: [Int] = []
  /// An index into what is shown.
  private(set) var selected = 0
  /// How many there are of what was typed; more than are shown, where they are very many.
  private(set) var count = 0

  init(_ choices: [Choice] = []) { add(choices) }

  /// One that is shown.
  subscript(index: Int) -> Choice { all[shown[index]] }

  /// The index, among all, of what Enter takes.
  var chosen: Int? { shown.indices.contains(selected) ? shown[selected] : nil }

  func identity(of index: Int) -> String { all[index].identity }

  func index(of identity: String) -> Int? { all.firstIndex { $0.identity == identity } }

  mutating func add(_ choices: [Choice]) {
    all += choices
    for choice in choices { titles.append(choice.title) }
    hasDetails = hasDetails || choices.contains { !$0.detail.isEmpty || !$0.name.isEmpty }
    let chosen = selected
    narrow(to: typed)
    select(chosen)
  }

  mutating func narrow(to typed: String) {
    self.typed = typed
    query = FuzzyQuery(typed)
    let found = titles.search(query)
    shown = found.hits.map(\.index)
    (selected, count) = (0, found.count)
    guard !query.isEmpty, count < FuzzyIndex.mostHits else { return }
    addThoseByDetail(of: typed)
  }

  /// Those whose title and detail have each of the words.
  private mutating func addThoseByDetail(of typed: String) {
    let words = typed.lowercased().split(separator: " ")
    guard hasDetails else { return }
    let others = Set(shown)
    let more = all.indices.filter { index in
      let choice = all[index]
      guard !choice.detail.isEmpty || !choice.name.isEmpty, !others.contains(index) else { return false }
      let text = "\(choice.title) \(choice.detail) \(choice.name)".lowercased()
      // What was pasted may be longer than all of it, and takes its time to be looked for.
      return words.allSatisfy { $0.utf8.count <= text.utf8.count && text.contains($0) }
    }
    let named = more.first { all[$0].name == typed }
    shown += [named].compactMap(\.self) + more.filter { $0 != named }
    count = shown.count
  }

  /// The offsets into the title's UTF-8 of the letters that were typed.
  func matches(in index: Int) -> [Int] {
    query.isEmpty ? self[index].marks.flatMap(Array.init) : query.match(self[index].title)?.offsets ?? []
  }

  mutating func move(by distance: Int) { select(selected + distance) }

  mutating func select(_ index: Int) { selected = min(max(index, 0), max(shown.count - 1, 0)) }

  /// At most `count` of what is shown, the selected one among them.
  func window(of count: Int) -> Range<Int> {
    let start = min(max(selected - count + 1, 0), max(shown.count - count, 0))
    return start..<min(start + count, shown.count)
  }
}
