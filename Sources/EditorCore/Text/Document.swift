import Rope

/// A text with its history.
///
/// Every change of the text, whether typed, undone or made by a plugin, goes through ``apply(_:)`` and is told to
/// ``onChange``: what must know of all changes (a journal) listens there, before any update is sent.
final class Document {
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
    let kind: EditKind
  }

  private(set) var text: Rope
  /// Grows by one with each change.
  private(set) var revision = 0
  private(set) var history = UndoHistory()
  private var changes: [Change] = []
  var onChange: ((Change) -> Void)?

  init(_ text: Rope = Rope()) { self.text = text }

  /// Whether the text is that of the last save.
  var isPristine: Bool { history.isAtSavedState }

  /// The text as it is, for ``markSaved(_:)`` when it has been written.
  var saveMark: UndoHistory.SaveMark { history.saveMark(byteCount: text.byteCount) }

  func markSaved(_ mark: UndoHistory.SaveMark) { history.markSaved(mark) }

  /// Grows with each edit, not with undo and redo.
  private(set) var commitCount = 0
  /// Tests set the time.
  var now: () -> ContinuousClock.Instant = { .now }
  /// Undo steps are xi-core's, for front ends that know no other.
  var hasUndoStepsOfXi: Bool {
    get { history.isOfXi }
    set { history.isOfXi = newValue }
  }

  /// Makes a change as one undo step, or as part of the running one when `kind` continues it, or of the step `group` when
  /// that is the last.
  func commit(_ delta: Delta, as kind: EditKind, inGroup group: Int? = nil) {
    commitCount += 1
    if delta.isIdentity, !hasUndoStepsOfXi {
      history.recordNothing(as: kind)
    } else {
      history.record(delta, base: text, as: kind, inGroup: group, at: now())
    }
    apply(delta, as: kind)
  }

  /// Makes a change that was worked out elsewhere, of this very text, as one undo step.
  func commit(_ replacement: Replacement.Outcome) {
    commitCount += 1
    guard !replacement.delta.isIdentity || hasUndoStepsOfXi else { return }
    history.record(replacement.delta, inverse: replacement.inverse, base: text, as: .other, at: now())
    apply(replacement.delta, as: .other, making: replacement.text)
  }

  /// The edits that `body` makes are one undo step.
  func asOneStep(_ body: () -> Void) {
    history.beginJointStep()
    body()
    history.endJointStep()
  }

  /// - Returns: False when there is nothing to undo.
  func undo() -> Bool {
    guard let delta = history.undo(text) else { return false }
    apply(delta, as: .undo)
    return true
  }

  func redo() -> Bool {
    guard let delta = history.redo(text) else { return false }
    apply(delta, as: .redo)
    return true
  }

  /// Puts more of the file behind the text.
  func appendLoaded(_ piece: Rope) {
    text.append(piece)
    history.grow(by: piece.byteCount)
  }

  /// The next edit opens an undo step of its own.
  func closeUndoStep() { history.closeStep() }

  /// The changes since the last call, in order.
  func takeChanges() -> [Change] {
    defer { changes = [] }
    return changes
  }

  private func apply(_ delta: Delta, as kind: EditKind, making result: Rope? = nil) {
    let base = text
    if let result { text = result } else { text.apply(delta) }
    let change = Change(
      delta: delta, base: base, text: text, revision: revision, undoGroup: history.currentGroup,
      kind: kind)
    if !delta.isIdentity {
      revision += 1
      onChange?(change)
    }
    changes.append(change)
  }
}
