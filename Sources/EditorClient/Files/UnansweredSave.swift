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

extension Editor {
  func tell(of save: UnansweredSave, isDone: Bool?, in view: EditorView) {
    let name = save.path.lastPathPart
    switch isDone {
    case true?:
      view.fileHasChanged = false
      notices.withdrawOffer(.save(save.path))
      show("Saved \(name), just before the core ended; another one has taken over")
    case false?: show("Not saved: the core ended before it had written \(name)", isAlarm: true)
    case nil: show("The core ended as it saved \(name): nobody knows whether it was written", isAlarm: true)
    }
  }
}
