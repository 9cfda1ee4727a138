import TextMetrics

/// A question that one key answers: no letter does where text would be lost, as who types on has not seen the question. It comes up at a
/// key of the user's, with all input held in between: what comes up by itself is an ``Offer``.
final class Question: Mode {
  private unowned let editor: Editor
  private let text: String
  /// Shown after the text.
  private let choices: String
  private let answers: [Key: () -> Void]
  /// The editor is being left: there is no need to ask for that again.
  let isOfQuitting: Bool
  /// Esc.
  let cancel: () -> Void

  init(
    _ editor: Editor, _ text: String, choices: String, answers: [Key: () -> Void], isOfQuitting: Bool = false,
    cancel: @escaping () -> Void
  ) {
    self.editor = editor
    self.isOfQuitting = isOfQuitting
    self.text = text
    self.choices = "(" + choices + ")"
    self.answers = answers
    self.cancel = cancel
  }

  func handle(_ key: Key) {
    guard let answer = answer(to: key) else { return }
    editor.mode = nil
    answer()
  }

  private func answer(to key: Key) -> (() -> Void)? {
    if editor.keys.leaves(key) { return cancel }
    guard case .character(let character) = key.code, key.modifiers.isSubset(of: .shift) else { return answers[key] }
    return answers[Key(.character(Character(character.lowercased())))]
  }

  func compose(into grid: inout CellGrid) -> CursorPlace? {
    let row = grid.rows - 1
    let metrics = CellMetrics(tabSize: 1)
    // What can be answered is to be seen in any case.
    let room = max(grid.columns - metrics.width(of: choices) - 1, grid.columns / 2)
    let end = grid.put(shortened: text, row: row, column: 0, limit: room, style: .alarm)
    grid.put(choices, row: row, column: end + 1, limit: grid.columns, style: .plain)
    return CursorPlace(row: row, column: min(end + 1, grid.columns - 1))
  }
}

extension Editor {
  /// Puts a question; the present one, if any, is cancelled.
  func ask(
    _ text: String, choices: String, answers: [Key: () -> Void], isOfQuitting: Bool = false,
    cancel: @escaping () -> Void
  ) {
    if let former = mode as? Question {
      mode = nil
      former.cancel()
    }
    mode = Question(self, text, choices: choices, answers: answers, isOfQuitting: isOfQuitting, cancel: cancel)
  }
}
