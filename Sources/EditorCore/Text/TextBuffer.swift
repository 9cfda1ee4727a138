import Rope

/// A text with its revisions and its undo steps.
///
/// It is changed here alone, and each change is handed back as it happened, so that whoever shows the text, or keeps it, is told once.
/// Not thread-safe; a text that was taken out of it stays as it is.
final class TextBuffer {
  /// One change as it happened.
  struct Change {
    let delta: Delta
    /// The text before it, and after.
    let base: Rope
    let text: Rope
    /// Counts the changes since the text was loaded.
    let revision: Int
    /// The undo step that the change belongs to.
    let undoGroup: Int
    /// What it did to the steps.
    let step: JournalEdit.Step
    var kind: EditKind { step.kind }
  }

  private(set) var text: Rope
  /// Grows by one with each change.
  private(set) var revision = 0
  /// Grows with each edit, not with undo and redo.
  private(set) var commitCount = 0
  var history = UndoHistory()
  /// Tests set the time.
  var now: () -> ContinuousClock.Instant = { .now }
  /// Called before each change: tests see every text, also one that no update shows.
  var willChange: () -> Void = {}

  init(_ text: Rope = Rope()) {
    self.text = text
    history.markSaved(saveMark)
  }

  /// The text as it is, for ``UndoHistory/markSaved(_:)`` when it has been written.
  var saveMark: UndoHistory.SaveMark { history.saveMark(byteCount: text.byteCount) }

  /// Makes a change as one undo step, or as part of the running one when `kind` continues it, or of the step `group` when that is the
  /// last.
  ///
  /// - Returns: Nil where the same text would be put in its own place, which is no change.
  func commit(_ delta: Delta, as kind: EditKind, inGroup group: Int? = nil) -> Change? {
    guard takes(delta.changes, as: kind) else { return nil }
    let effect = history.record(delta, base: text, as: kind, inGroup: group, at: now())
    return apply(delta, as: .init(effect, kind))
  }

  /// Makes a change that was worked out elsewhere, of this very text, as one undo step.
  func commit(_ replacement: Replacement.Outcome) -> Change? {
    guard takes({ _ in replacement.hasEffect }, as: .other) else { return nil }
    let effect = history.record(
      replacement.delta, inverse: replacement.inverse, base: text, as: .other, at: now())
    return apply(replacement.delta, as: .init(effect, .other), making: replacement.text)
  }

  /// Whether an edit is a step. It counts in any case.
  private func takes(_ hasEffect: (Rope) -> Bool, as kind: EditKind) -> Bool {
    commitCount += 1
    if history.isOfXi || hasEffect(text) { return true }
    history.recordNothing(as: kind)
    return false
  }

  /// Makes a change that the undo steps know of already.
  ///
  /// - Parameter result: The text after it, where that is known.
  func apply(_ delta: Delta, as step: JournalEdit.Step, making result: Rope? = nil) -> Change {
    willChange()
    let base = text
    if let result { text = result } else { text.apply(delta) }
    defer { if !delta.isIdentity { revision += 1 } }
    return Change(
      delta: delta, base: base, text: text, revision: revision, undoGroup: history.currentGroup, step: step)
  }

  /// Puts more of the file behind the text: no edit, and nothing to undo.
  func appendLoaded(_ piece: Rope) {
    text.append(piece)
    history.grow(by: piece.byteCount)
  }

  // MARK: Several edits as one step

  /// From here to ``endStep()`` all edits are one step, whoever makes them.
  func beginStep() { if !history.isJoint { history.beginJointStep() } }

  /// Its journal may have the first of its edits: it stays a step, also where they cancel each other out.
  func endStep() { if history.isJoint { history.endJointStep() } }

  /// The edits that `body` makes are one undo step.
  ///
  /// - Returns: Its group when they have cancelled each other out: then they are none.
  func asOneStep(_ body: () -> Void) -> Int? {
    history.beginJointStep()
    body()
    return history.endJointStep(text)
  }
}
