/// What of a document survives the process.
struct DocumentRecovery {
  var journal: DocumentJournal?
  var journalHasFailed = false
  /// The journal whose edits were made here, as long as they are not on the disk in the document's own.
  var source: RecoveredJournal?
  /// The document holds what a save that was cut short would have written; its copy goes when that is journaled.
  var holdsInterruptedSave = false
  /// What the file held when it was opened, as long as an offer to restore text stands.
  var openedContents: FileContents?
}
