/// A prompt each of whose choices does something.
final class Menu: ChoicePrompt {
  struct Entry {
    var choice: ChoiceList.Choice
    var run: (Editor) -> Void

    init(_ title: String, detail: String = "", key: String = "", run: @escaping (Editor) -> Void) {
      choice = ChoiceList.Choice(title: title, detail: detail, key: key)
      self.run = run
    }
  }

  private let entries: [Entry]

  init(_ editor: Editor, _ label: String, _ entries: [Entry]) {
    self.entries = entries
    super.init(editor, label, choices: entries.map(\.choice))
  }

  override func accept(choice index: Int) { entries[index].run(editor) }
}
