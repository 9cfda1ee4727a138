import EditorProtocol

/// A save whose core has ended before it could say what became of it.
struct UnansweredSave {
  let path: String
  /// How many edits were sent before it.
  let editCount: Int

  /// Whether the file of the view has all that was to be saved; nil if nobody can tell.
  ///
  /// - Parameters:
  ///   - handledEdits: How many edits the journal has.
  ///   - savedEdits: How many of them the file has; nil where no journal tells.
  func isDone(in view: EditorView, handledEdits: Int, savedEdits: Int?) -> Bool? {
    guard view.path?.isSamePath(as: path) == true, let savedEdits else { return nil }
    if view.log.hasText(from: handledEdits, before: editCount) { return false }
    // What moves the carets is in no file.
    return savedEdits >= min(handledEdits, editCount)
  }
}
