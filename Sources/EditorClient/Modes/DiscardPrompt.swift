import EditorProtocol

/// Asks for a word before the text of a journal is deleted: what is gone then is gone for good.
final class DiscardPrompt: Prompt {
  private static let word = "delete"

  private let found: RecoveryOffer

  init(_ editor: Editor, _ found: RecoveryOffer) {
    self.found = found
    super.init(editor, "Type \(Self.word) and Enter to delete the unsaved text for good")
  }

  override func accept(_ text: String) {
    if text == Self.word {
      editor.channel.send(.recover(found.view, recoveryID: found.recoveryID, .discard))
      editor.show("The unsaved text was deleted")
    } else {
      editor.show("Nothing was deleted")
      editor.offerRecovery(found)
    }
  }

  override func cancel() { editor.offerRecovery(found) }
}
