import EditorProtocol
import JSON
import Rope

/// What several views share.
struct SharedState {
  /// What was killed last, region by region.
  var killed: [Rope] = []
  /// The view whose last command was a kill: what another one takes there is put behind.
  var killingView: ViewID?
  /// What was copied last of what is too long to be sent.
  private var held: (id: Int, text: Rope)?

  mutating func hold(_ text: Rope) -> HeldCopy {
    let copy = HeldCopy(id: (held?.id ?? 0) + 1, byteCount: text.byteCount)
    held = (copy.id, text)
    return copy
  }

  func heldText(_ id: Int) -> Rope? { held?.id == id ? held?.text : nil }
}

extension TextView {
  /// Obeys an edit command that concerns this view and its document alone. A command that changes no text ends the running undo step.
  func perform(_ command: EditCommand, _ shared: inout SharedState) {
    let commitCount = document.buffer.commitCount
    if command.endsKilling { shared.killingView = nil }
    if carets.mayStandInside, !command.isTyped, !command.concernsScreenOnly { selectWholeClusters() }
    switch command {
    case .plain(let edit): perform(edit, &shared)
    case .insert(let chars): insert(chars)
    case .paste(let chars): paste(chars)
    case .pasteHeld(let id): if let text = shared.heldText(id) { insertAsStep(text) }
    case .pasteLines(let chars): pasteLines(chars)
    case .insertBytes(let bytes): insertBytes(Rope(bytes.bytes))
    case .completeWord(let typed, let word): completeWord(typed, by: word)
    case .gotoLine(let line): goto(line: line)
    case .gotoPosition(let line, let character): goto(logicalLine: line, character: character)
    case .gesture(let place, let gesture): perform(gesture, at: place)
    case .click(let place, let flags, _): if flags & 2 != 0 { perform(.selectExtend(.point), at: place) }
    case .drag(let place, _): perform(.drag, at: place)
    case .scroll(let first, let end): screen.scroll(first: first, end: end)
    case .requestLines(let first, let end): screen.request(first: first, end: end, of: lineCount)
    case .alsoShown(let ranges): screen.alsoShown = ranges
    case .resize(let width, let height):
      screen.size = (width, height)
      applyWrapping()
    default: find(command)
    }
    if !indentation.blanks.isEmpty { removeBlanksLeftBehind() }
    if document.buffer.commitCount == commitCount, !command.concernsScreenOnly { document.buffer.history.closeStep() }
  }

  private func perform(_ edit: PlainEdit, _ shared: inout SharedState) {
    if let (movement, selecting) = edit.movement { return move(movement, selecting: selecting) }
    switch edit {
    case .insertNewline: insertNewline()
    case .insertTab: insertTab()
    case .deleteForward: delete(.right)
    case .deleteBackward: deleteBackward()
    case .deleteWordForward: delete(.wordRight)
    case .deleteWordBackward: delete(.wordLeft)
    case .deleteToEndOfParagraph: kill(.paragraphEndOrNext, &shared)
    case .deleteToBeginningOfLine: delete(.leftEndOfLine)
    case .yank: yank(shared.killed)
    case .transpose: transpose()
    case .undo: document.undo(from: self)
    case .redo: document.redo(from: self)
    case .uppercase: transformRegions { $0.uppercased() }
    case .lowercase: transformRegions { $0.lowercased() }
    case .capitalize: capitalize()
    case .indent: indent()
    case .outdent: outdent()
    case .duplicateLine: duplicateLines()
    case .increaseNumber: changeNumbers { $0.addingReportingOverflow(1) }
    case .decreaseNumber: changeNumbers { $0.subtractingReportingOverflow(1) }
    case .selectAll: selectAll()
    case .addSelectionAbove: addSelection(.caretAbove)
    case .addSelectionBelow: addSelection(.caretBelow)
    case .columnsUp: extendColumns(.up)
    case .columnsDown: extendColumns(.down)
    case .columnsLeft: extendColumns(.left)
    case .columnsRight: extendColumns(.right)
    case .collapseSelections: select(selection.collapsed)
    case .selectionIntoLines: splitSelectionIntoLines()
    case .replaceNext, .replaceAll, .findAll, .refuseMatch, .selectionForReplace: find(edit)
    case .toggleComments: toggleComments(document.settings.rules ?? .plain(document.settings.language))
    case .moveLinesUp: moveLines(up: true)
    case .moveLinesDown: moveLines(up: false)
    case .joinLines: joinLines()
    case .sortLines: sortLines()
    case .reverseLines: reverseLines()
    case .removeDuplicateLines: removeDuplicateLines()
    case .reflow: reflow()
    case .moveToBracket: moveToBracket()
    case .selectInsideBrackets: selectBrackets(around: false)
    case .selectAroundBrackets: selectBrackets(around: true)
    case .selectNextOccurrence: selectNextOccurrence()
    case .skipOccurrence: selectNextOccurrence(skipping: true)
    case .selectAllOccurrences: selectAllOccurrences()
    case .undoSelection: undoSelection()
    case .expandSelection: expandSelection()
    case .shrinkSelection: shrinkSelection()
    case .nextChange: moveToChange(forward: true)
    case .previousChange: moveToChange(forward: false)
    case .revertChanges: revertChanges()
    case .keepBoth: revertChanges(keepingNew: true)
    case .toggleBookmark: toggleBookmark()
    case .nextBookmark: moveToBookmark(forward: true)
    case .previousBookmark: moveToBookmark(forward: false)
    case .clearBookmarks: clearBookmarks()
    case .beginStep: document.buffer.beginStep()
    case .endStep: document.buffer.endStep()
    case .debugRewrap: applyWrapping()
    default: break
    }
  }
}

extension EditCommand {
  /// It ends no undo step, and is not recorded.
  var concernsScreenOnly: Bool {
    switch self {
    case .resize, .requestLines, .alsoShown, .requestHover: true
    default: false
    }
  }

  /// Whether it goes on where the last one of its kind has ended.
  fileprivate var isTyped: Bool { if case .insert = self { true } else { false } }

  /// Whether what is killed next is kept for itself: not behind what a front end tells of its screen.
  fileprivate var endsKilling: Bool {
    switch self {
    case .plain(.deleteToEndOfParagraph), .scroll, .highlightFind: false
    default: !concernsScreenOnly
    }
  }

  /// Whether the command is about the whole text.
  var needsWholeText: Bool {
    switch self {
    case .gotoLine, .gotoPosition, .find, .multiFind, .findNext, .findPrevious, .selectionForFind: true
    case .plain(let edit):
      [
        .moveToEndOfDocument, .moveToEndOfDocumentSelecting, .selectAll, .findAll, .replaceAll, .replaceNext,
        .selectNextOccurrence, .skipOccurrence, .selectAllOccurrences,
      ].contains(edit)
    default: false
    }
  }

  /// Whether it puts something in the place of matches.
  var replacesMatches: Bool { self == .plain(.replaceAll) || self == .plain(.replaceNext) }

  /// Whether it puts in what lines were.
  var putsLinesBack: Bool { self == .plain(.revertChanges) || self == .plain(.keepBoth) }

  /// Whether it undoes what came last, or does it again: a replacement that waits for its matches, too.
  var goesThroughHistory: Bool { self == .plain(.undo) || self == .plain(.redo) }
}

extension PlainEdit {
  /// The motion that it is, and whether the selection's other end stays.
  fileprivate var movement: (Movement, selecting: Bool)? {
    switch self {
    case .moveUp: (.up, false)
    case .moveUpSelecting: (.up, true)
    case .moveDown: (.down, false)
    case .moveDownSelecting: (.down, true)
    case .moveLeft, .moveBackward: (.left, false)
    case .moveLeftSelecting: (.left, true)
    case .moveRight, .moveForward: (.right, false)
    case .moveRightSelecting: (.right, true)
    case .moveWordLeft: (.wordLeft, false)
    case .moveWordLeftSelecting: (.wordLeft, true)
    case .moveWordRight: (.wordRight, false)
    case .moveWordRightSelecting: (.wordRight, true)
    case .moveToBeginningOfParagraph: (.paragraphStart, false)
    case .moveToBeginningOfParagraphSelecting: (.paragraphStart, true)
    case .moveToEndOfParagraph: (.paragraphEnd, false)
    case .moveToEndOfParagraphSelecting: (.paragraphEnd, true)
    case .moveToLeftEndOfLine: (.leftEndOfLine, false)
    case .moveToLeftEndOfLineSelecting: (.leftEndOfLine, true)
    case .moveToLineStart: (.lineTextStart, false)
    case .moveToLineStartSelecting: (.lineTextStart, true)
    case .moveToRightEndOfLine: (.rightEndOfLine, false)
    case .moveToRightEndOfLineSelecting: (.rightEndOfLine, true)
    case .moveToBeginningOfDocument: (.documentStart, false)
    case .moveToBeginningOfDocumentSelecting: (.documentStart, true)
    case .moveToEndOfDocument: (.documentEnd, false)
    case .moveToEndOfDocumentSelecting: (.documentEnd, true)
    case .pageUp: (.pageUp, false)
    case .pageUpSelecting: (.pageUp, true)
    case .pageDown: (.pageDown, false)
    case .pageDownSelecting: (.pageDown, true)
    default: nil
    }
  }
}
