import EditorProtocol
import TextMetrics

/// One line at the bottom in which something is typed. Each kind has its own keys, says what its text does, and what Esc does.
class Prompt: Mode {
  unowned let editor: Editor
  let label: String
  /// Prompts of one history remember the same things.
  let history: Memory.List?
  var field: TextField
  /// The place in the history that is shown, counted from the newest; nil for what is being typed.
  private var historyIndex: Int?
  /// The text was put in by the editor: what is typed takes its place, and keys that move in it make it one's own.
  private(set) var isSuggestion = false
  /// What was typed before the history was opened.
  private var draft = TextField()

  init(_ editor: Editor, _ label: String, history: Memory.List? = nil, text: String = "") {
    self.editor = editor
    self.label = label
    self.history = history
    field = TextField(text)
  }

  /// Puts in a text that is probably wanted.
  func suggest(_ text: String) {
    field = TextField(text)
    isSuggestion = true
    changed()
  }

  // MARK: What kinds do in their own way

  /// Enter: the prompt is gone by then.
  func accept(_ text: String) {}

  /// Esc: the prompt is gone by then.
  func cancel() {}

  /// - Returns: Whether the key was one of those that only this kind has.
  func handleOwnKey(_ key: Key) -> Bool { false }

  /// The text has changed.
  func changed() {}

  /// Between the label and the text.
  var options: String { "" }

  /// Beside the text.
  var note: String { "" }

  /// Whether its text may be of several lines.
  var takesLines: Bool { false }

  // MARK: Keys

  func handle(_ key: Key) {
    defer { isSuggestion = false }
    if handleOwnKey(key) { return }
    if editor.keys.leaves(key) {
      editor.mode = nil
      return cancel()
    }
    switch (key.code, key.modifiers) {
    case (.enter, _): finish()
    case (.up, []), (.down, []):
      recall(key.code == .up ? 1 : -1)
      changed()
    default:
      if isSuggestion, key.text != nil || key.code == .backspace || key.code == .delete { field = TextField() }
      guard field.handle(key) || isSuggestion else { return }
      historyIndex = nil
      changed()
    }
  }

  func handle(_ mouse: MouseEvent) {}

  func paste(_ text: String) {
    if isSuggestion { field = TextField() }
    isSuggestion = false
    let lines = text.split(separator: "\n")
    let takesAll = takesLines && lines.count > 1
    field.insert(takesAll ? text : String(lines.first ?? ""))
    changed()
    if lines.count > 1, !takesAll { editor.notices.show("Only the first of the \(lines.count) lines was pasted") }
  }

  /// As Enter does.
  func finish() {
    editor.mode = nil
    accept(field.string)
    remember()
  }

  private func remember() {
    guard let history, !field.string.isEmpty else { return }
    editor.memory.note(field.string, in: history)
  }

  private func recall(_ distance: Int) {
    guard let history else { return }
    let texts = editor.memory[history]
    let index = (historyIndex ?? -1) + distance
    guard index >= -1, index < texts.count else { return }
    if historyIndex == nil { draft = field }
    historyIndex = index < 0 ? nil : index
    field = index < 0 ? draft : TextField(texts[index])
    editor.macros.noteFilled(field.string)
  }

  /// What such a key has put in when a macro was recorded.
  func fill(_ text: String) {
    (field, isSuggestion, historyIndex) = (TextField(text), false, nil)
    changed()
  }

  // MARK: Drawing

  func compose(into grid: inout CellGrid) -> CursorPlace? {
    let row = grid.rows - 1
    let columns = grid.columns
    let report = editor.notices.line?.text ?? note
    let metrics = CellMetrics(tabSize: 1)
    let start = grid.put(label + options + ": ", row: row, column: 0, limit: columns, style: .plain)
    // What is typed comes first up to the middle, and has a blank for the cursor.
    let shown = field.string.withVisibleLineEnds
    let typedEnd = start + metrics.width(of: shown) + 2
    let reportStart = max(columns - metrics.width(of: report), min(typedEnd, (columns + 1) / 2))
    grid.put(report, row: row, column: reportStart, limit: columns, style: .gutter)
    let room = max((report.isEmpty ? columns : reportStart - 1) - start - 1, 1)
    let caretCell = metrics.width(of: String(field.text[..<field.caret]).withVisibleLineEnds)
    let left = max(caretCell - room, 0)
    let painter = LinePainter(
      metrics: metrics, columns: start..<start + room + 1, leftColumn: left, styles: StyleSheet())
    let mark = StyleSpan(start: 0, length: isSuggestion ? shown.utf8.count : 0, style: StyleSpan.selection)
    painter.paint(CachedLine(text: shown, styles: [mark]), row: row, mainCaret: nil, into: &grid)
    return CursorPlace(row: row, column: min(start + caretCell - left, columns - 1))
  }
}

extension TextField {
  /// - Returns: false for a key that means nothing here.
  fileprivate mutating func handle(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.backspace, []), (.backspace, .shift): deleteBackward()
    case (.delete, []): deleteForward()
    case (.backspace, _), (.character("w"), .control), (.character("h"), .control): deleteWordBackward()
    case (.character("u"), .control): deleteToStart()
    case (.left, []): move(by: -1)
    case (.right, []): move(by: 1)
    case (.left, .control): moveWordLeft()
    case (.right, .control): moveWordRight()
    case (.home, _), (.character("a"), .control): moveToStart()
    case (.end, _), (.character("e"), .control): moveToEnd()
    default:
      guard let text = key.text else { return false }
      insert(text)
    }
    return true
  }
}

extension String {
  /// In one line.
  var withVisibleLineEnds: String { utf8.contains(0x0A) ? replacing("\n", with: "↵") : self }
}
