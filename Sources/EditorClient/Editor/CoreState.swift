import EditorProtocol

/// What a core knows that no journal has: it ends with the core.
enum CoreState: CaseIterable {
  /// The query, its replacement, and which matches were refused.
  case search
  /// What `deleteToEndOfParagraph` has taken.
  case killedText
  case heldCopy
  case recordings
  /// What was selected before, and before it grew.
  case earlierSelections
  /// What undo takes back and redo makes again: a journal has it, where there is one.
  case undoSteps
  case bookmarks
}

extension EditCommand {
  /// What it leans on of that. A new core has to be given it before the command is sent again, or it would do something else.
  ///
  /// Without a `default`: whoever adds a command has to say.
  var leansOn: CoreState? {
    switch self {
    case .plain(let edit): edit.leansOn
    case .findNext, .findPrevious: .search
    case .pasteHeld: .heldCopy
    case .playRecording: .recordings
    // Text, or a place in it.
    case .insert, .paste, .pasteLines, .insertBytes, .completeWord, .gotoLine, .gotoPosition, .gesture, .click, .drag:
      nil
    // They say all of what they begin.
    case .find, .multiFind, .selectionForFind, .replace, .toggleRecording, .clearRecording: nil
    // About the screen as it is now.
    case .scroll, .requestLines, .alsoShown, .resize, .highlightFind, .requestHover: nil
    }
  }
}

extension PlainEdit {
  fileprivate var leansOn: CoreState? {
    switch self {
    case .replaceNext, .replaceAll, .refuseMatch, .findAll: .search
    case .yank: .killedText
    case .undoSelection, .shrinkSelection, .columnsUp, .columnsDown, .columnsLeft, .columnsRight: .earlierSelections
    case .undo, .redo: .undoSteps
    case .insertNewline, .insertTab, .deleteForward, .deleteBackward, .deleteWordForward, .deleteWordBackward,
      .deleteToEndOfParagraph, .deleteToBeginningOfLine, .transpose, .uppercase, .lowercase, .capitalize, .indent,
      .outdent, .reindent, .toggleComment, .duplicateLine, .increaseNumber, .decreaseNumber, .selectionForReplace,
      .toggleComments, .moveLinesUp, .moveLinesDown, .joinLines, .sortLines, .reverseLines, .removeDuplicateLines,
      .reflow:
      nil
    // What they compare with is in the file, or in git.
    case .nextChange, .previousChange, .revertChanges, .keepBoth: nil
    case .toggleBookmark, .clearBookmarks: nil
    case .nextBookmark, .previousBookmark: .bookmarks
    case .moveToLineStart, .moveToLineStartSelecting, .moveToBracket, .selectInsideBrackets, .selectAroundBrackets,
      .selectNextOccurrence, .skipOccurrence, .selectAllOccurrences, .expandSelection, .selectAll, .addSelectionAbove,
      .addSelectionBelow, .collapseSelections, .selectionIntoLines:
      nil
    case .moveUp, .moveUpSelecting, .moveDown, .moveDownSelecting, .moveLeft, .moveLeftSelecting, .moveRight,
      .moveRightSelecting, .moveBackward, .moveForward, .moveWordLeft, .moveWordLeftSelecting, .moveWordRight,
      .moveWordRightSelecting, .moveToBeginningOfParagraph, .moveToBeginningOfParagraphSelecting,
      .moveToEndOfParagraph, .moveToEndOfParagraphSelecting, .moveToLeftEndOfLine, .moveToLeftEndOfLineSelecting,
      .moveToRightEndOfLine, .moveToRightEndOfLineSelecting, .moveToBeginningOfDocument,
      .moveToBeginningOfDocumentSelecting, .moveToEndOfDocument, .moveToEndOfDocumentSelecting, .pageUp,
      .pageUpSelecting, .pageDown, .pageDownSelecting:
      nil
    // What is typed behind them is the same without.
    case .beginStep, .endStep: nil
    case .debugRewrap, .debugWrapWidth, .debugPrintSpans: nil
    }
  }
}
