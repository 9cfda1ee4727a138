import Rope

/// What of a document survives the process.
struct DocumentRecovery {
  var journal: DocumentJournal?
  /// Where it is, or would be.
  var folder: RecoveryFolder?
  var journalHasFailed = false
  /// The journal whose edits were made here, as long as they are not on the disk in the document's own.
  var source: RecoveredJournal?
  /// It is being made sure that they are.
  var isLettingGo = false
  /// The document holds what a save that was cut short would have written; its copy goes when that is journaled.
  var holdsInterruptedSave = false
  /// What the file held when it was opened, as long as an offer to restore text stands.
  var openedContents: FileContents?
  /// The journal that a front end wanted it to begin with, whether that could be done or not.
  var resumedID: String?
  /// Views that the dead core had and that are not open again yet, by their number.
  var absentViews: [Int: AbsentView] = [:]

  struct AbsentView {
    let handledEdits: Int
    var selection: Selection
  }

  mutating func follow(_ delta: Delta) {
    for (number, view) in absentViews {
      absentViews[number] = AbsentView(
        handledEdits: view.handledEdits, selection: view.selection.transformed(by: delta, .behind))
    }
  }
}

/// By which a front end asks a new core for what was in a view: the journal of its document, and its number there.
struct RecoveryID {
  let journal: String
  let view: Int

  init(journal: String, view: Int) { (self.journal, self.view) = (journal, view) }

  init(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let number = parts.count == 2 ? Int(parts[1]) : nil
    // The name of a journal has no slash.
    (journal, view) = number.map { (String(parts[0]), $0) } ?? (text, 0)
  }

  var text: String { view == 0 ? journal : "\(journal)/\(view)" }
}
