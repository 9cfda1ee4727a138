import Rope

/// What a journal says of the carets in the views of its document.
struct JournaledSelections {
  /// As long as it is nothing, the caret is at the start.
  private var known: [Int: [JournalSelection.Region]] = [:]
  /// See ``JournalEdit/handledEdits``.
  private var handledEdits: [Int: Int] = [:]
  /// A view that the journal says nothing of may have any.
  private var isUnknown = false
  /// More carets without an edit are not written down.
  private static let largestSelection = 1000

  /// Of a journal that is to be begun.
  init() {}

  /// Of one that goes on, or, without it, one that is written anew, where nothing is said.
  init(of journal: RecoveredJournal?) {
    known = journal?.selections.mapValues(\.regions) ?? [:]
    handledEdits = journal?.selections.mapValues(\.handledEdits) ?? [:]
    isUnknown = true
  }

  /// A view of the document, as it is to be after recovery.
  struct View {
    let view: Int
    let selection: Selection
    let handledEdits: Int

    fileprivate var journaled: JournalSelection {
      JournalSelection(
        view: view, handledEdits: handledEdits,
        regions: selection.regions.map { JournalSelection.Region(anchor: $0.anchor, active: $0.active) })
    }
  }

  /// What is selected, to be written down in any case.
  mutating func written(_ state: View) -> JournalSelection {
    let selection = state.journaled
    note(selection)
    return selection
  }

  private mutating func note(_ selection: JournalSelection) {
    known[selection.view] = selection.regions
    handledEdits[selection.view] = selection.handledEdits
  }

  /// What is selected, if the journal does not say so. A front end knows where one caret is without a journal, which is not begun
  /// for it.
  /// - Parameter isPassed: Another view's edit is written down behind what this one has handled: an undo that had nothing to undo is not to
  ///   be sent again, and to undo that.
  mutating func moved(in state: View, isBegun: Bool, isPassed: Bool = false) -> JournalSelection? {
    let regions = state.selection.regions
    guard isBegun || regions.count > 1 || regions.first?.isCaret == false else { return nil }
    var selection = JournalSelection(view: state.view, handledEdits: state.handledEdits, regions: [])
    if regions.count <= Self.largestSelection { selection = state.journaled }
    let written = known[state.view] ?? (isUnknown ? nil : [.init(anchor: 0, active: 0)])
    let isBehind = isPassed && handledEdits[state.view] ?? 0 != state.handledEdits
    guard selection.regions != written || isBehind else { return nil }
    note(selection)
    return selection
  }
}
