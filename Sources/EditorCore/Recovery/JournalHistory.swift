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
}

/// How much of the undo steps a journal keeps: those nearest to the text.
struct JournalHistoryLimit: Sendable {
  var steps = 1000
  /// A step that replaces something in 100 000 places has as many.
  var places = 1 << 16
  var byteCount = 16 << 20

  fileprivate mutating func takes(_ delta: Delta) -> Bool {
    steps -= 1
    places -= delta.edits.count
    byteCount -= delta.textByteCount
    return steps >= 0 && places >= 0 && byteCount >= 0
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
    var limit = limit
    func journaled(_ steps: [UndoHistory.Step]) -> [JournalHistory.Step] {
      let kept = steps.reversed().prefix { limit.takes($0.delta) }
      return kept.reversed().map { step in
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
    if let found = journaled.found { file.format = found.format }
    var group = 0
    // What does not lead on from the text would be of another one.
    func steps(_ journaled: [JournalHistory.Step]) -> [UndoHistory.Step] {
      var (byteCount, steps) = (text.byteCount, [UndoHistory.Step]())
      for step in journaled.reversed() {
        guard step.delta.baseByteCount == byteCount else { break }
        group += 1
        byteCount = step.delta.newByteCount
        steps.append(
          UndoHistory.Step(
            group: group, stateBefore: step.stateBefore, stateAfter: step.stateAfter, delta: step.delta,
            loadedByteCount: history.loadedByteCount, origin: step.origin.map { file.origin($0.origin, $0.format) }))
      }
      return steps.reversed()
    }
    history.restore(
      done: steps(journaled.done), undone: steps(journaled.undone), state: journaled.state,
      openKind: journaled.openKind, openByteCount: journaled.openByteCount)
  }

  /// Makes an edit that a journal has, with what it did to the undo steps.
  func make(_ edit: JournalEdit, as step: JournalEdit.Step) {
    let known = file.origin
    switch step.effect {
    case .undoes: _ = history.undo(text, &file.origin, by: edit.delta)
    case .redoes: _ = history.redo(text, &file.origin, by: edit.delta)
    case .opensStep, .continuesStep, .joinsStep: history.add(edit.delta, base: text, as: step.kind, step.effect)
    }
    if let origin = edit.origin, origin != file.journaledOrigin {
      file.origin = file.origin(origin, TextFormat(of: text.applying(edit.delta)))
      if step.effect == .opensStep { history.noteOriginBefore(known) }
    }
    apply(edit.delta, as: step, from: nil)
  }
}
