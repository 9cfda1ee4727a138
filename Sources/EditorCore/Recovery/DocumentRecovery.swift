import EditorProtocol
import Rope

/// What of a document survives the process.
struct DocumentRecovery {
  var journal: DocumentJournal?
  /// Where it is, or would be.
  var folder: RecoveryFolder?
  var journalHasFailed = false
  /// What is typed would not survive this process.
  var isInMemoryOnly: Bool { journal == nil || journalHasFailed }
  /// The journal whose edits were made here, as long as they are not on the disk in the document's own. What is opened beside a file
  /// that has changed may be no more than what was typed.
  var source: (RecoveredJournal, isWhole: Bool)?
  /// It is being made sure that they are.
  var isLettingGo = false
  /// The copy of what a save that was cut short would have written, and the document holds; it goes when that is journaled.
  var interruptedSave: String?
  /// What the file held when it was opened, as long as an offer to restore text stands.
  var openedContents: FileContents?
  /// The journal that a front end wanted it to begin with, whether that could be done or not.
  var resumedID: String?
  /// It was left, as the file has changed.
  var leavesResumed = false
  /// Where steps of earlier runs may be had, as long as nobody has looked there.
  var earlierUndo: EarlierUndo?
  /// That of which the steps are kept for later runs, if any are; nil where they were to be, by a core that was killed.
  var keptUndoRevision: Int? = 0
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
    let number = parts.count == 2 ? UInt16(parts[1]).map(Int.init) : nil
    // The name of a journal has no slash.
    (journal, view) = number.map { (String(parts[0]), $0) } ?? (text, 0)
  }

  var text: String { view == 0 ? journal : "\(journal)/\(view)" }
}

extension TextView {
  /// - Parameter history: The steps before these edits.
  /// - Returns: Whether all is selected that was.
  @discardableResult
  func make(_ edits: [JournalEdit], of journal: RecoveredJournal, behind history: JournalHistory? = nil) -> Bool {
    if let history { document.restore(history) } else { document.recallUndo() }
    var group: UInt64?
    for edit in edits {
      // It was chosen, and is not taken back with the edit.
      if let origin = edit.originBefore, origin != document.file.journaledOrigin {
        document.file.origin = document.file.origin(origin, document.file.format)
      }
      if let step = edit.step {
        document.make(edit, as: step)
      } else {
        // Of an earlier version, which told no more of the steps.
        if edit.undoGroup != group { document.buffer.history.closeStep() }
        group = edit.undoGroup
        if let origin = edit.origin {
          let text = document.buffer.text.applying(edit.delta)
          document.commit(edit.delta, of: document.file.origin(origin, TextFormat(of: text)))
        } else {
          document.commit(edit.delta, as: .insert)
        }
      }
      if edit.isStepClosed { document.buffer.history.closeStep() }
    }
    if edits.last.map({ $0.step == nil }) ?? (history == nil) { document.buffer.history.closeStep() }
    document.buffer.history.continueStep(at: document.buffer.now())
    if let origin = journal.origin { document.file.origin = document.file.origin(origin, document.file.format) }
    document.views.needUpdate()
    if selectAgain(journal.selections[number]) { return true }
    // What follows belongs behind what was typed last, if that was here.
    if let last = edits.last, last.view == number, let end = last.delta.edits.last?.newRange.upperBound {
      select(Selection.caret(text.graphemeBoundary(atOrBefore: end)))
    }
    return false
  }

  /// - Returns: Whether it is a selection of this text.
  func selectAgain(_ known: JournalSelection?) -> Bool {
    guard let selection = known.map({ Selection($0, in: text) }), !selection.isEmpty else { return false }
    goOnTyping(at: selection)
    return true
  }
}

extension Document {
  var journaledState: DocumentJournal.State {
    .init(
      text: buffer.text, revision: buffer.revision, origin: file.journaledOrigin,
      views: views.all.map {
        .init(view: $0.number, selection: $0.selection, handledEdits: performedEdits(in: $0))
      }, isStepOpen: buffer.history.isStepOpen)
  }

  func keepAbsentViews(of journal: RecoveredJournal, but view: TextView) {
    for (number, known) in journal.selections where number != view.number {
      recovery.absentViews[number] = .init(
        handledEdits: known.handledEdits, selection: Selection(known, in: buffer.text))
    }
  }
}

extension Selection {
  /// Empty when it is none of this text.
  fileprivate init(_ known: JournalSelection, in text: Rope) {
    self.init()
    for region in known.regions {
      guard max(region.anchor, region.active) <= text.endOffset else {
        self = Selection()
        return
      }
      add(SelectionRegion(text.caretPlace(region.anchor), text.caretPlace(region.active)))
    }
  }
}

extension Rope {
  /// Where a caret was. What is typed before a combining mark leaves it within their cluster, and the next letter belongs there, too.
  fileprivate func caretPlace(_ offset: ByteOffset) -> ByteOffset {
    let isWithinCharacter = offset < endOffset && UTF8Sequence.isContinuation(self[offset])
    return isWithinCharacter ? graphemeBoundary(atOrBefore: offset) : offset
  }
}

extension JournalOrigin {
  func of(_ edition: Int, _ format: TextFormat) -> TextOrigin {
    TextOrigin(encoding: encoding, edition: isOutdated ? edition - 1 : edition, format: format)
  }
}

extension DocumentFile {
  var journaledOrigin: JournalOrigin {
    JournalOrigin(encoding: image.encoding, isOutdated: isOutdated(textEdition))
  }

  func origin(_ journaled: JournalOrigin, _ format: TextFormat) -> TextOrigin {
    journaled.of(fileEdition, format)
  }

  /// Of a text that was made of the file as it is.
  func origin(of text: Rope, in encoding: TextEncoding) -> TextOrigin {
    origin(JournalOrigin(encoding: encoding), TextFormat(of: text))
  }
}
