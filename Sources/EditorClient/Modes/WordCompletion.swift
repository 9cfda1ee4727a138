import EditorProtocol
import JSONRPC
import TextMetrics

/// The words that the one before the caret may become, in a list beside it. What is typed goes into the text and narrows the list; whatever
/// else is pressed is for the text, and closes it.
final class WordCompletion: Mode {
  private static let mostRows = 8
  private static let widest = 40

  private unowned let editor: Editor
  private let view: EditorView
  private let all: WordList
  private var shown: WordList
  private var selected = 0
  /// Where the list is on the screen, for the mouse.
  private var rows = 0..<0
  private var columns = 0..<0
  private var first = 0

  init(_ editor: Editor, _ view: EditorView, _ words: WordList) {
    (self.editor, self.view, all, shown) = (editor, view, words, words)
  }

  var givesWay: Bool { true }

  func takes(_ key: Key) -> Bool {
    guard editor.view === view, editor.core.loss == nil else { return false }
    if Self.chooses(key) || editor.keys.leaves(key) { return true }
    if key == Key(.backspace) { return !narrowed(to: String(shown.typed.dropLast())).words.isEmpty }
    return key.text.map { !narrowed(to: shown.typed + $0).words.isEmpty } ?? false
  }

  func handle(_ key: Key) {
    switch (key.code, key.modifiers) {
    case (.tab, []), (.down, []), (.character("n"), .control): move(by: 1)
    case (.tab, _), (.up, []), (.character("p"), .control): move(by: -1)
    case (.pageDown, _): select(min(selected + Self.mostRows, shown.words.count - 1))
    case (.pageUp, _): select(max(selected - Self.mostRows, 0))
    case (.enter, _): take()
    case (.backspace, _):
      editor.macros.note(.command(.edit(.deleteBackward)))
      editor.views.edit(.plain(.deleteBackward))
      narrow(to: String(shown.typed.dropLast()))
    default:
      guard !editor.keys.leaves(key), let text = key.text else { return editor.mode = nil }
      editor.macros.note(.text(text))
      editor.views.edit(.insert(text))
      narrow(to: shown.typed + text)
    }
  }

  /// What is text of keys that were typed for a list which does not come up: not those that choose from it, as far as it would have been
  /// there.
  static func text(of events: ArraySlice<InputEvent>) -> ArraySlice<InputEvent> {
    var text: [InputEvent] = []
    var rest = events
    while case .key(let key)? = rest.first {
      let isOfWord = key.text?.unicodeScalars.allSatisfy(WordList.mayHave) ?? (key == Key(.backspace))
      guard isOfWord || chooses(key) else { break }
      if isOfWord { text.append(.key(key)) }
      rest.removeFirst()
      if key.code == .enter { break }
    }
    return text + rest
  }

  private static func chooses(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.tab, []), (.tab, .shift), (.up, []), (.down, []), (.enter, []), (.pageUp, []), (.pageDown, []): true
    case (.character("n"), .control), (.character("p"), .control): true
    default: false
    }
  }

  func paste(_ text: String) {
    editor.mode = nil
    editor.paste(text)
  }

  func handle(_ mouse: MouseEvent) {
    switch mouse.action {
    case .wheelUp: select(max(selected - 1, 0))
    case .wheelDown: select(min(selected + 1, shown.words.count - 1))
    case .press where rows.contains(mouse.row) && columns.contains(mouse.column):
      select(first + mouse.row - rows.lowerBound)
      take()
    case .press:
      editor.mode = nil
      editor.handle(.mouse(mouse))
    case .drag, .release: break
    }
  }

  /// Around at the ends.
  private func move(by distance: Int) { select((selected + distance + shown.words.count) % max(shown.words.count, 1)) }

  private func select(_ index: Int) {
    selected = index
    editor.screen.needsDisplay = true
  }

  private func narrowed(to typed: String) -> WordList {
    // What was typed before the list came up is all that the core has looked for.
    typed.hasPrefix(all.typed) ? all.narrowed(to: typed) : WordList(typed: typed, words: [])
  }

  private func narrow(to typed: String) {
    let word = shown.words.indices.contains(selected) ? shown.words[selected] : nil
    shown = narrowed(to: typed)
    // One that was chosen stays so.
    select(selected == 0 ? 0 : word.flatMap(shown.words.firstIndex) ?? 0)
    if shown.words.isEmpty { editor.mode = nil }
  }

  private func take() {
    editor.mode = nil
    guard shown.words.indices.contains(selected) else { return }
    let (typed, word) = (shown.typed, shown.words[selected])
    editor.macros.note(.completion(typed: typed, word: word))
    editor.views.edit(.completeWord(typed: typed, word: word))
  }

  // MARK: Drawing

  func compose(into grid: inout CellGrid) -> CursorPlace? {
    let caret = editor.views.caretPlace
    composeList(beside: caret, into: &grid)
    let place = "\(selected + 1) of \(shown.words.count)"
    grid.put(
      shortened: "Word \(place): Tab next, Enter takes, Esc leaves", row: grid.rows - 1, column: 0, limit: grid.columns,
      style: .plain)
    return nil
  }

  private func composeList(beside caret: CursorPlace?, into grid: inout CellGrid) {
    let text = editor.views.textTop..<editor.views.statusRow
    let caret = caret ?? CursorPlace(row: text.lowerBound, column: 0)
    let (above, below) = (caret.row - text.lowerBound, text.upperBound - caret.row - 1)
    let wanted = min(shown.words.count, Self.mostRows)
    let isBelow = wanted <= below || below >= above
    let count = min(wanted, max(isBelow ? below : above, 0))
    first = min(max(selected - count + 1, 0), max(first, selected - count + 1, 0), selected)
    let firstRow = isBelow ? caret.row + 1 : caret.row - count
    let metrics = CellMetrics(tabSize: 1)
    let words = shown.words[first..<min(first + count, shown.words.count)]
    let width = min((words.map { metrics.width(of: $0) }.max() ?? 0) + 2, Self.widest, grid.columns)
    // Words stand below what is typed of them.
    let start = caret.column - metrics.width(of: shown.typed) - 1
    columns = max(min(start, grid.columns - width), 0)..<max(min(start, grid.columns - width), 0) + width
    rows = firstRow..<firstRow + words.count
    let bar = editor.screen.styles.theme.bar
    for (row, word) in zip(rows, words) {
      let isSelected = row - firstRow + first == selected
      let style = isSelected ? editor.screen.styles.theme.selection : bar
      editor.screen.cover(row: row, columns: columns, style: style, into: &grid)
      // Seen without colours, too.
      if isSelected { grid.put(">", row: row, column: columns.lowerBound, limit: columns.upperBound, style: style) }
      grid.put(
        shortened: word, row: row, column: columns.lowerBound + 1, limit: columns.upperBound, style: style)
    }
  }
}

extension Views {
  /// The cell of the caret that has the keys, where it is in sight.
  fileprivate var caretPlace: CursorPlace? {
    guard let pane = shownPanes.first(where: { $0.pane === panes.focused }), let view = current else { return nil }
    return screen.textCursor(of: view, in: pane.area)
  }
}

extension Editor {
  func completeWord() {
    whenCoreIsKnown { editor in
      guard editor.core.loss == nil else { return editor.notices.tellOfMissingCore("Not done") }
      guard editor.core.supports(.wordCompletion) else { return editor.notices.refuse("This core completes no words") }
      guard let view = editor.view, let id = view.id else { return }
      if view.isReadOnly { return editor.notices.refuse("\(view.name) is read-only") }
      var state = Wait.State.waiting
      var isAwaited = true
      editor.gate.wait(
        to: "look for words", .isText, until: { state },
        givenUp: { [weak editor] in
          isAwaited = false
          editor?.gate.reduceHeld(by: WordCompletion.text)
        })
      editor.core.request(.words(id)) { [weak editor] result in
        state = .over
        guard let editor, isAwaited, editor.view === view, editor.mode == nil else { return }
        switch result {
        case .success(let answer): editor.offer(WordList(answer) ?? WordList(typed: "", words: []), in: view)
        case .failure(let error): if !error.isOfClosedConnection { editor.notices.refuse(error.explanation) }
        }
      }
    }
  }

  private func offer(_ words: WordList, in view: EditorView) {
    if words.typed.isEmpty { return notices.refuse("There is no word before the caret") }
    if words.words.isEmpty { return notices.refuse("No other word begins with \(words.typed)") }
    mode = WordCompletion(self, view, words)
  }
}
