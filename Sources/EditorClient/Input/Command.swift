import EditorProtocol

/// What a key does outside of prompts.
package enum Command: Hashable, Sendable {
  /// An edit of the core's, as it is.
  case edit(PlainEdit)
  case action(Action)

  /// What the editor itself does.
  package enum Action: String, CaseIterable, Sendable {
    case save, reload, encoding, quit, open, close, buffers, cut, copy, paste, find, replace, goto, help, messages,
      suspend, redraw
    case saveAs = "save_as"
    case saveAll = "save_all"
    case newBuffer = "new_buffer"
    case showPath = "show_path"
    case pasteEarlier = "paste_earlier"
    case showCodePoint = "show_code_point"
    case pickFile = "pick_file"
    case recentFiles = "recent_files"
    case reopenClosed = "reopen_closed"
    case reopenSession = "reopen_session"
    case searchFiles = "search_files"
    case replaceFiles = "replace_files"
    case searchResults = "search_results"
    case nextResult = "next_result"
    case previousResult = "previous_result"
    case showChange = "show_change"
    case compareDisk = "compare_disk"
    case goBack = "go_back"
    case goForward = "go_forward"
    case findNext = "find_next"
    case findPrevious = "find_previous"
    case nextBuffer = "next_buffer"
    case previousBuffer = "previous_buffer"
    case splitRight = "split_right"
    case splitDown = "split_down"
    case closePane = "close_pane"
    case closeOtherPanes = "close_other_panes"
    case nextPane = "next_pane"
    case paneLeft = "pane_left"
    case paneRight = "pane_right"
    case paneUp = "pane_up"
    case paneDown = "pane_down"
    case swapPanes = "swap_panes"
    case widenPane = "widen_pane"
    case narrowPane = "narrow_pane"
    case heightenPane = "heighten_pane"
    case lowerPane = "lower_pane"
    case evenPanes = "even_panes"
    case theme, settings
    case recordMacro = "record_macro"
    case playMacro = "play_macro"
    case playMacroTimes = "play_macro_times"
    case repeatEdit = "repeat_edit"
    case filter
    case insertOutput = "insert_output"
    case completeWord = "complete_word"
    case toggleWrap = "toggle_wrap"
    case toggleLineNumbers = "toggle_line_numbers"
    case toggleRelativeNumbers = "toggle_relative_numbers"
    case toggleWhitespace = "toggle_whitespace"
    case toggleIndentGuides = "toggle_indent_guides"
    /// What plugins offer.
    case palette, hover
    /// Leaves what is under way: a search's marks, several carets, a message, a long task.
    case escape
  }

  var isEdit: Bool { if case .edit = self { true } else { false } }

  package init?(name: String) {
    if let action = Action(rawValue: name) {
      self = .action(action)
    } else if let edit = PlainEdit(rawValue: name) {
      self = .edit(edit)
    } else {
      return nil
    }
  }

  package var name: String {
    switch self {
    case .edit(let edit): edit.rawValue
    case .action(let action): action.rawValue
    }
  }
}
