import EditorProtocol

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

extension Editor {
  /// Reading a file again, and saving it, in another encoding.
  func openEncodings() {
    guard let view else { return }
    guard core.supports(.encodings) else { return notices.show("This core knows UTF-8 alone", isAlarm: true) }
    let known = TextEncoding.allCases
    let reading = known.filter { $0 == $0.withoutMark }.map { encoding in
      Menu.Entry("Read the file again as \(encoding.rawValue)") {
        $0.files.setEncoding(encoding, of: view, readsAgain: true)
      }
    }
    let saving = known.map { encoding in
      Menu.Entry("Save from now on as \(encoding.rawValue)") {
        $0.files.setEncoding(encoding, of: view, readsAgain: false)
      }
    }
    let hasFile = view.path != nil && view.file?.isNew != true
    mode = Menu(self, "Encoding", (hasFile ? reading : []) + saving)
  }
}
