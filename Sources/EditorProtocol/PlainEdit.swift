/// The `edit` methods without parameters, each named as on the wire.
package enum PlainEdit: String, CaseIterable, Sendable {
  // Text
  case insertNewline = "insert_newline"
  case insertTab = "insert_tab"
  case deleteForward = "delete_forward"
  case deleteBackward = "delete_backward"
  case deleteWordForward = "delete_word_forward"
  case deleteWordBackward = "delete_word_backward"
  /// Kills: the text goes to the kill ring.
  case deleteToEndOfParagraph = "delete_to_end_of_paragraph"
  case deleteToBeginningOfLine = "delete_to_beginning_of_line"
  case yank, transpose, undo, redo, uppercase, lowercase, capitalize, indent, outdent, reindent
  case toggleComment = "debug_toggle_comment"
  case duplicateLine = "duplicate_line"
  case increaseNumber = "increase_number"
  case decreaseNumber = "decrease_number"
  case replaceNext = "replace_next"
  case replaceAll = "replace_all"
  case selectionForReplace = "selection_for_replace"
  /// Extension: what is selected is left out when all is replaced.
  case refuseMatch = "xiedit_refuse_match"

  // Extension `code_editing`: text
  case toggleComments = "xiedit_toggle_comment"
  case moveLinesUp = "xiedit_move_lines_up"
  case moveLinesDown = "xiedit_move_lines_down"
  case joinLines = "xiedit_join_lines"
  case sortLines = "xiedit_sort_lines"
  case reverseLines = "xiedit_reverse_lines"
  case removeDuplicateLines = "xiedit_remove_duplicate_lines"
  case reflow = "xiedit_reflow"

  // Extension `code_editing`: what comes between is one undo step
  case beginStep = "xiedit_begin_step"
  case endStep = "xiedit_end_step"

  // Extension `code_editing`: motion and selection
  case moveToLineStart = "xiedit_move_to_line_start"
  case moveToLineStartSelecting = "xiedit_move_to_line_start_and_modify_selection"
  case moveToBracket = "xiedit_move_to_bracket"
  case selectInsideBrackets = "xiedit_select_inside_brackets"
  case selectAroundBrackets = "xiedit_select_around_brackets"
  case selectNextOccurrence = "xiedit_select_next_occurrence"
  case skipOccurrence = "xiedit_skip_occurrence"
  case selectAllOccurrences = "xiedit_select_all_occurrences"
  case undoSelection = "xiedit_undo_selection"
  case expandSelection = "xiedit_expand_selection"
  case shrinkSelection = "xiedit_shrink_selection"

  // Extension `changes`
  case nextChange = "xiedit_next_change"
  case previousChange = "xiedit_previous_change"
  case revertChanges = "xiedit_revert_changes"
  case keepBoth = "xiedit_keep_both"

  // Extension `bookmarks`
  case toggleBookmark = "xiedit_toggle_bookmark"
  case nextBookmark = "xiedit_next_bookmark"
  case previousBookmark = "xiedit_previous_bookmark"
  case clearBookmarks = "xiedit_clear_bookmarks"

  // Motion
  case moveUp = "move_up"
  case moveUpSelecting = "move_up_and_modify_selection"
  case moveDown = "move_down"
  case moveDownSelecting = "move_down_and_modify_selection"
  case moveLeft = "move_left"
  case moveLeftSelecting = "move_left_and_modify_selection"
  case moveRight = "move_right"
  case moveRightSelecting = "move_right_and_modify_selection"
  case moveBackward = "move_backward"
  case moveForward = "move_forward"
  case moveWordLeft = "move_word_left"
  case moveWordLeftSelecting = "move_word_left_and_modify_selection"
  case moveWordRight = "move_word_right"
  case moveWordRightSelecting = "move_word_right_and_modify_selection"
  case moveToBeginningOfParagraph = "move_to_beginning_of_paragraph"
  case moveToBeginningOfParagraphSelecting = "move_to_beginning_of_paragraph_and_modify_selection"
  case moveToEndOfParagraph = "move_to_end_of_paragraph"
  case moveToEndOfParagraphSelecting = "move_to_end_of_paragraph_and_modify_selection"
  case moveToLeftEndOfLine = "move_to_left_end_of_line"
  case moveToLeftEndOfLineSelecting = "move_to_left_end_of_line_and_modify_selection"
  case moveToRightEndOfLine = "move_to_right_end_of_line"
  case moveToRightEndOfLineSelecting = "move_to_right_end_of_line_and_modify_selection"
  case moveToBeginningOfDocument = "move_to_beginning_of_document"
  case moveToBeginningOfDocumentSelecting = "move_to_beginning_of_document_and_modify_selection"
  case moveToEndOfDocument = "move_to_end_of_document"
  case moveToEndOfDocumentSelecting = "move_to_end_of_document_and_modify_selection"
  /// Moves the caret by a page, despite its name.
  case pageUp = "scroll_page_up"
  case pageUpSelecting = "page_up_and_modify_selection"
  case pageDown = "scroll_page_down"
  case pageDownSelecting = "page_down_and_modify_selection"

  // Selection
  case selectAll = "select_all"
  case addSelectionAbove = "add_selection_above"
  case addSelectionBelow = "add_selection_below"
  case collapseSelections = "collapse_selections"
  case selectionIntoLines = "selection_into_lines"
  case columnsUp = "xiedit_select_columns_up"
  case columnsDown = "xiedit_select_columns_down"
  case columnsLeft = "xiedit_select_columns_left"
  case columnsRight = "xiedit_select_columns_right"

  // Find, macros, the core's own diagnosis
  case findAll = "find_all"
  case debugRewrap = "debug_rewrap"
  case debugWrapWidth = "debug_wrap_width"
  case debugPrintSpans = "debug_print_spans"

  var changesText: Bool {
    switch self {
    case .insertNewline, .insertTab, .deleteForward, .deleteBackward, .deleteWordForward, .deleteWordBackward,
      .deleteToEndOfParagraph, .deleteToBeginningOfLine, .yank, .transpose, .undo, .redo, .uppercase, .lowercase,
      .capitalize, .indent, .outdent, .reindent, .toggleComment, .duplicateLine, .increaseNumber, .decreaseNumber,
      .replaceNext, .replaceAll, .toggleComments, .moveLinesUp, .moveLinesDown, .joinLines, .sortLines, .reverseLines,
      .removeDuplicateLines, .reflow, .revertChanges, .keepBoth:
      true
    default: false
    }
  }

  /// What a core must have for it; nil where any has.
  package var neededExtension: Extension? {
    switch self {
    case .nextChange, .previousChange, .revertChanges, .keepBoth: .changes
    case .toggleBookmark, .nextBookmark, .previousBookmark, .clearBookmarks: .bookmarks
    case .toggleComments, .moveLinesUp, .moveLinesDown, .joinLines, .sortLines, .reverseLines, .removeDuplicateLines,
      .reflow, .moveToLineStart, .moveToLineStartSelecting, .moveToBracket, .selectInsideBrackets,
      .selectAroundBrackets,
      .selectNextOccurrence, .skipOccurrence, .selectAllOccurrences, .undoSelection, .expandSelection,
      .shrinkSelection, .columnsUp, .columnsDown, .columnsLeft, .columnsRight, .beginStep, .endStep:
      .codeEditing
    default: nil
    }
  }

  /// What comes nearest to it with a core that has not that extension.
  package var substitute: PlainEdit? {
    switch self {
    case .toggleComments: .toggleComment
    case .moveToLineStart: .moveToLeftEndOfLine
    case .moveToLineStartSelecting: .moveToLeftEndOfLineSelecting
    default: nil
    }
  }
}
