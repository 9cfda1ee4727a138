/// Asks for a word before text is dropped that no key of the editor brings back: one key, meant for something else, must not do that.
final class WordPrompt: Prompt {
  private let word: String
  private let confirmed: () -> Void
  private let refused: () -> Void

  /// - Parameters:
  ///   - purpose: Completes "Type the word and Enter to …".
  ///   - refused: Another word was typed, or none.
  init(
    _ editor: Editor, _ word: String, _ purpose: String, confirmed: @escaping () -> Void, refused: @escaping () -> Void
  ) {
    self.word = word
    self.confirmed = confirmed
    self.refused = refused
    super.init(editor, "Type \(word) and Enter to \(purpose)")
  }

  override func accept(_ text: String) {
    if text == word { return confirmed() }
    editor.notices.show("Nothing was done")
    refused()
  }

  override func cancel() { refused() }
}
