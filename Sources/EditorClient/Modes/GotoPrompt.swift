import EditorProtocol

/// Asks for a line, and a column if one likes.
final class GotoPrompt: Prompt {
  init(_ editor: Editor) { super.init(editor, "Go to line[:column]", history: .goto) }

  override func accept(_ text: String) {
    guard let view = editor.view, !text.isEmpty else { return }
    guard let position = FilePosition(text.filter { !$0.isWhitespace }) else {
      return editor.notices.refuse("\(text) is no line number")
    }
    editor.gate.whenCaretsAreKnown { [views = editor.views] in
      views.noteJump()
      views.goto(position, in: view)
    }
  }
}
