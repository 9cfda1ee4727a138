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
  /// The first means what it stands for, whichever that is.
  private let hasMeaningfulFirst: Bool

  /// What is there already, and therefore not offered.
  private let present: [Entry]

  init(
    _ editor: Editor, _ label: String, _ entries: [Entry], present: [Entry] = [], hasMeaningfulFirst: Bool = false
  ) {
    self.entries = entries
    self.present = present
    self.hasMeaningfulFirst = hasMeaningfulFirst
    super.init(editor, label, choices: entries.map(\.choice))
  }

  override var choosesByPlace: Bool { hasMeaningfulFirst && choices.selected == 0 && field.string.isEmpty }

  override func take(_ identity: String) {
    guard let entry = present.first(where: { $0.choice.identity == identity }) else { return super.take(identity) }
    editor.mode = nil
    entry.run(editor)
  }

  override func accept(choice index: Int) { entries[index].run(editor) }
}
