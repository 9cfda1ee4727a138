import JSON
import Rope

/// The undo steps of a text as it was at a save, so that a new core can take them back, and make them again.
struct JournalHistory: Sendable, Equatable {
  struct Step: Sendable, Equatable {
    let stateBefore: Int
    let stateAfter: Int
    /// See ``UndoHistory/Step``.
    let delta: Delta
    var origin: Origin?
  }

  /// What a text was on the other side of a step that has made another of it.
  struct Origin: Sendable, Equatable {
    let origin: JournalOrigin
    let format: TextFormat
  }

  /// Of the text.
  var revision: UInt64
  /// The last one is the next to be taken back.
  var done: [Step] = []
  /// The last one is the next to be made again.
  var undone: [Step] = []
  var state = 0
  var openKind: EditKind?
  var openByteCount = 0
  /// Nil in journals of versions that did not tell.
  var found: Found?

  /// What was found in the file when it was opened: it says how one types on, whatever was typed since.
  struct Found: Sendable, Equatable {
    var format: TextFormat
    /// See ``TextStyleDetection``.
    var indentation = JSONObject()
  }

  var isEmpty: Bool { done.isEmpty && undone.isEmpty }
  private var steps: some Sequence<Step> { [done, undone].lazy.joined() }

  var textByteCount: Int { steps.reduce(0) { $0 + $1.delta.textByteCount } }

  func limited(to limit: JournalHistoryLimit) -> JournalHistory {
    var (limited, limit) = (self, limit)
    limited.done = limit.nearest(done, \.delta)
    limited.undone = limit.nearest(undone, \.delta)
    return limited
  }
}

/// How much of the undo steps a journal keeps: those nearest to the text.
struct JournalHistoryLimit: Sendable {
  var steps = 1000
  /// A step that replaces something in 100 000 places has as many.
  var places = 1 << 16
  var byteCount = 16 << 20

  private mutating func takes(_ delta: Delta) -> Bool {
    steps -= 1
    places -= delta.edits.count
    byteCount -= delta.textByteCount
    return steps >= 0 && places >= 0 && byteCount >= 0
  }

  /// Those that are nearest to the text, the last ones: behind one that is too large there is none.
  fileprivate mutating func nearest<Step>(_ steps: [Step], _ delta: (Step) -> Delta) -> [Step] {
    var kept: [Step] = []
    for step in steps.reversed() {
      guard takes(delta(step)) else { break }
      kept.append(step)
    }
    return kept.reversed()
  }
}

extension Delta {
  var textByteCount: Int { edits.reduce(0) { $0 + $1.replacement.byteCount } }
}

extension Document {
  /// The steps for the journal, of the text as it is.
  ///
  /// - Parameter indentation: See ``JournalHistory/Found``.
  func journaledHistory(revision: UInt64, _ indentation: JSONObject, _ limit: JournalHistoryLimit) -> JournalHistory {
    recallUndo()
    let history = buffer.history
    var limit = limit
    func journaled(_ steps: [UndoHistory.Step]) -> [JournalHistory.Step] {
      limit.nearest(steps, \.delta).map { step in
        JournalHistory.Step(
          stateBefore: step.stateBefore, stateAfter: step.stateAfter, delta: history.upToDate(step),
          origin: step.origin.map {
            .init(
              origin: JournalOrigin(encoding: $0.encoding, isOutdated: file.isOutdated($0.edition)), format: $0.format)
          })
      }
    }
    return JournalHistory(
      revision: revision, done: journaled(history.done), undone: journaled(history.undone), state: history.state,
      openKind: history.openKind, openByteCount: history.openByteCount,
      found: .init(format: file.format, indentation: indentation))
  }

  /// The text is the saved one that a journal has these steps of.
  func restore(_ journaled: JournalHistory) {
    recovery.earlierUndo = nil
    recovery.keptUndoRevision = nil
    if let found = journaled.found { file.format = found.format }
    var group = 0
    func steps(_ journaled: [JournalHistory.Step]) -> [UndoHistory.Step] {
      self.steps(journaled, of: buffer.text.byteCount, file.fileEdition) {
        group += 1
        return group
      }
    }
    buffer.history.restore(
      done: steps(journaled.done), undone: steps(journaled.undone), state: journaled.state,
      openKind: journaled.openKind, openByteCount: journaled.openByteCount)
  }

  /// Those that lead on from a text of that length, the last of them first: what does not would be of another one.
  ///
  /// - Parameter edition: Of the file that the text is of.
  func steps(
    _ journaled: [JournalHistory.Step], of byteCount: Int, _ edition: Int, group: () -> Int = { 0 }
  ) -> [UndoHistory.Step] {
    var (byteCount, steps) = (byteCount, [UndoHistory.Step]())
    for step in journaled.reversed() {
      guard step.delta.baseByteCount == byteCount else { break }
      byteCount = step.delta.newByteCount
      steps.append(
        UndoHistory.Step(
          group: group(), stateBefore: step.stateBefore, stateAfter: step.stateAfter, delta: step.delta,
          loadedByteCount: buffer.history.loadedByteCount, origin: step.origin.map { $0.origin.of(edition, $0.format) })
      )
    }
    return steps.reversed()
  }

  /// Makes an edit that a journal has, with what it did to the undo steps.
  func make(_ edit: JournalEdit, as step: JournalEdit.Step) {
    let known = file.origin
    switch step.effect {
    case .undoes: _ = buffer.history.undo(buffer.text, &file.origin, by: edit.delta)
    case .redoes: _ = buffer.history.redo(buffer.text, &file.origin, by: edit.delta)
    case .opensStep, .continuesStep, .joinsStep:
      buffer.history.add(edit.delta, base: buffer.text, as: step.kind, step.effect)
    }
    if let origin = edit.origin, origin != file.journaledOrigin {
      file.origin = file.origin(origin, TextFormat(of: buffer.text.applying(edit.delta)))
      if step.effect == .opensStep { buffer.history.noteOriginBefore(known) }
    }
    tell(of: buffer.apply(edit.delta, as: step), from: nil)
  }
}
