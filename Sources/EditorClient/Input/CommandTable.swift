import EditorProtocol

/// A command as its users see it.
package struct CommandDescription: Sendable {
  package let command: Command
  /// A few words, as in a menu; `…` at the end of those that ask for more.
  package let title: String
  /// What it does, in one line.
  package let summary: String
  /// The heading under which help lists it.
  package let group: String
}

/// Every command that keys and the palette can run. The palette, F1, the man page and the names in `[keys]` come from here.
package enum CommandTable {
  package static let all: [CommandDescription] = {
    var group = ""
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("# ") { group = String(line.dropFirst(2)) }
      return CommandDescription(line: line, group: group)
    }
  }()

  package static func title(of command: Command) -> String {
    all.first { $0.command == command }?.title ?? command.name
  }

  /// A line for each command: its name, its title, and what it does; under the heading of its group.
  package static let text = """
    # Files
    save | Save | Writes the text to its file
    save_as | Save as … | Writes the text to another file, which is the buffer's from then on
    save_all | Save all | Writes every buffer that has changed to its file
    open | Open … | Opens a file in a buffer of its own
    pick_file | Find a file … | Opens a file of the folder and below by some letters of its path
    recent_files | Recent files … | Opens one of the files that were open before
    reopen_closed | Open closed | Opens again the file that was closed last
    reopen_session | Open the last files | Opens what was open in this folder at the end of the last run
    new_buffer | New buffer | Begins a text that has no file yet
    buffers | Buffers … | Lists the open files, those shown last first
    close | Close | Closes the buffer; asks first if it was not saved
    reload | Load again | Takes the text that is on the disk; undo brings back yours
    encoding | Encoding … | Reads the file again in another encoding, or saves it in one
    next_buffer | Next buffer | Shows the next open file
    previous_buffer | Previous buffer | Shows the open file before
    show_path | Show path | Tells the whole path of the file
    suspend | Suspend | Stops the editor until fg in the shell
    quit | Quit | Ends the editor; asks about what was not saved

    # Editing
    undo | Undo | Takes back the last change
    redo | Redo | Makes again what was taken back
    cut | Cut | Takes what is selected to the clipboard
    copy | Copy | Copies what is selected to the clipboard
    paste | Paste | Puts in what is in the clipboard
    paste_earlier | Paste … | Lists what was copied before, to put one of it in
    delete_to_end_of_paragraph | Delete to line end | Keeps it for Put back
    yank | Put back | Puts in what was deleted to the end of lines
    duplicate_line | Duplicate line | Puts a copy of the line below it
    delete_word_backward | Delete word before | Deletes back to the start of a word
    delete_word_forward | Delete word behind | Deletes up to the end of a word
    delete_to_beginning_of_line | Delete to line start | Deletes what is before the caret in its line
    delete_backward | Delete backward | Deletes what is selected, or the character before
    delete_forward | Delete forward | Deletes what is selected, or the character behind
    insert_newline | New line | Breaks the line at the caret
    insert_tab | Tab | Goes to the next tab stop, or indents what is selected
    indent | Indent | Moves the selected lines to the right
    outdent | Outdent | Moves the selected lines to the left
    transpose | Transpose | Exchanges the two characters at the caret
    uppercase | Upper case | Makes what is selected CAPITALS
    lowercase | Lower case | Makes what is selected small letters
    capitalize | Capitalize | Begins each selected word with a capital
    increase_number | Increase number | Counts the number at the caret up
    decrease_number | Decrease number | Counts the number at the caret down
    record_macro | Record a macro | Notes what keys do from now on; again, up to here
    play_macro | Play the macro | Does again what was recorded last, as one undo step
    play_macro_times | Play the macro … | Plays it so many times, or up to a step that cannot be done
    repeat_edit | Repeat the last edit | Makes the last change again, or types the same, at the caret
    filter | Filter … | Puts what is selected, or the line, through a command of the shell
    insert_output | Insert output … | Puts in what a command of the shell writes
    complete_word | Complete word … | Lists words of the open texts that begin as the one before the caret

    # Code and lines
    xiedit_toggle_comment | Comment | Makes the selected lines a comment, or no longer
    xiedit_move_lines_up | Lines up | Moves the selected lines above the line before
    xiedit_move_lines_down | Lines down | Moves the selected lines below the next line
    xiedit_join_lines | Join lines | Makes one line of the selected ones, or of this and the next
    xiedit_sort_lines | Sort lines | Sorts the selected lines, or all
    xiedit_reverse_lines | Reverse lines | Puts the selected lines, or all, in the opposite order
    xiedit_remove_duplicate_lines | Remove duplicates | Leaves one of equal selected lines, or of all
    xiedit_reflow | Reflow | Breaks the lines of the paragraph, or of the selected ones, anew
    xiedit_move_to_bracket | Other bracket | Goes to the bracket that belongs to the one at the caret
    xiedit_select_inside_brackets | Select in brackets | Selects what is between brackets; again, between those around
    xiedit_select_around_brackets | Select brackets | Selects brackets and what is between; again, those around

    # Searching
    find | Find … | Goes to matches while you type
    find_next | Find next | Goes to the next match
    find_previous | Find previous | Goes to the match before
    replace | Replace … | Replaces matches one by one, or all
    search_files | Search in files … | Looks for a text in all files of the folder and below
    replace_files | Replace in files … | Looks for a text in all files of the folder, to replace it
    search_results | Results … | Shows again what the search in files has found
    next_result | Next result | Goes to the next place that the search in files has found
    previous_result | Previous result | Goes to the place before
    go_back | Go back | Goes to where the caret was before it jumped
    go_forward | Go forward | Goes to where it jumped from by Go back
    xiedit_toggle_bookmark | Bookmark | Marks the line of the caret, or no longer
    xiedit_next_bookmark | Next bookmark | Goes to the next marked line
    xiedit_previous_bookmark | Previous bookmark | Goes to the marked line before
    xiedit_clear_bookmarks | Clear bookmarks | Marks no line any more
    goto | Go to a line … | Goes to a line, and a column if one likes

    # Changes
    xiedit_next_change | Next change | Goes to the next line that was changed since the last commit, or save
    xiedit_previous_change | Previous change | Goes to the changed line before
    show_change | Show change | Shows what the changed lines at the caret were
    xiedit_revert_changes | Put lines back | Makes the changed lines at the caret, or selected, what they were
    xiedit_keep_both | Keep both | Puts what changed lines were above them
    compare_disk | Compare with disk | Marks what is otherwise in the file on the disk, or no longer

    # Carets
    add_selection_above | Caret above | Adds a caret in the line above
    add_selection_below | Caret below | Adds a caret in the line below
    find_all | Caret at each match | Selects all matches of the search
    xiedit_select_next_occurrence | Add next occurrence | Selects the word; again, also the next place where it stands
    xiedit_skip_occurrence | Skip occurrence | Takes the next place instead of the one added last
    xiedit_select_all_occurrences | Select each occurrence | Selects all places where the word or what is selected stands
    xiedit_undo_selection | Undo caret | Selects what was selected before the last caret or move
    xiedit_select_columns_up | Columns up | Selects a block of columns, a line further up
    xiedit_select_columns_down | Columns down | Selects a block of columns, a line further down
    xiedit_select_columns_left | Columns left | Moves the edge of a block of columns to the left
    xiedit_select_columns_right | Columns right | Moves the edge of a block of columns to the right
    selection_into_lines | Caret at line ends | Puts a caret at the end of each selected line
    escape | One caret | Goes back to one caret, ends marks of a search and long tasks

    # Screen
    palette | Commands … | Lists every command with its keys; this list
    help | Help | Shows the keys
    show_code_point | Code point | Tells which character, or line end, is at the caret
    messages | Messages … | Shows all that the bottom line has told, whole
    hover | Ask plugins | Shows what plugins know of the place of the caret
    settings | Settings … | Opens the file of settings; a new one lists all there are
    theme | Theme … | Draws the screen in other colours
    toggle_wrap | Wrap lines | Breaks long lines at the edge, or no longer
    toggle_line_numbers | Line numbers | Shows the numbers of lines, or no longer
    toggle_relative_numbers | Relative numbers | Shows how far lines are from the caret's, or their numbers
    toggle_whitespace | Visible blanks | Shows all blanks and tabs, or no more than the settings say
    toggle_indent_guides | Indent guides | Draws lines at the steps of the indentation, or no longer
    redraw | Draw again | Draws the whole screen anew

    # Panes
    split_right | Split beside | Shows the buffer in one more pane to the right
    split_down | Split below | Shows the buffer in one more pane below
    next_pane | Next pane | Goes to the next pane
    pane_left | Pane to the left | Goes to the pane on the left
    pane_right | Pane to the right | Goes to the pane on the right
    pane_up | Pane above | Goes to the pane above
    pane_down | Pane below | Goes to the pane below
    close_pane | Close pane | Closes the pane; its buffer stays open
    close_other_panes | One pane | Closes all panes but this one
    swap_panes | Exchange panes | Exchanges the places of this pane and the next
    widen_pane | Wider pane | Gives the pane more columns
    narrow_pane | Narrower pane | Gives the pane fewer columns
    heighten_pane | Higher pane | Gives the pane more rows
    lower_pane | Lower pane | Gives the pane fewer rows
    even_panes | Equal panes | Gives all panes the same room

    # Moving
    move_left | Left | Goes a character to the left
    move_right | Right | Goes a character to the right
    move_up | Up | Goes a line up
    move_down | Down | Goes a line down
    move_word_left | A word left | Goes to the start of a word
    move_word_right | A word right | Goes to the end of a word
    xiedit_move_to_line_start | Start of the line | Goes behind the blanks at the start of the line, then to its start
    move_to_left_end_of_line | Left edge | Goes to the very start of the line
    move_to_right_end_of_line | End of the line | Goes to the end of the line
    scroll_page_up | Page up | Goes up by nearly a screen
    scroll_page_down | Page down | Goes down by nearly a screen
    move_to_beginning_of_paragraph | Start of paragraph | Goes to the start of the line, then of the one above
    move_to_end_of_paragraph | End of paragraph | Goes to the end of the line, then of the one below
    move_to_beginning_of_document | Start of the text | Goes to the first character
    move_to_end_of_document | End of the text | Goes behind the last character

    # Selecting
    select_all | Select all | Selects the whole text
    xiedit_expand_selection | Expand selection | To the word, quotes, brackets, line, paragraph or text around
    xiedit_shrink_selection | Shrink selection | Back to what was selected before it was expanded
    move_left_and_modify_selection | Select left | Selects a character to the left
    move_right_and_modify_selection | Select right | Selects a character to the right
    move_up_and_modify_selection | Select up | Selects a line up
    move_down_and_modify_selection | Select down | Selects a line down
    move_word_left_and_modify_selection | Select word left | Selects to the start of a word
    move_word_right_and_modify_selection | Select word right | Selects to the end of a word
    xiedit_move_to_line_start_and_modify_selection | Select to line start | Selects to behind the blanks at the start of the line
    move_to_left_end_of_line_and_modify_selection | Select to left edge | Selects to the very start of the line
    move_to_right_end_of_line_and_modify_selection | Select to line end | Selects to the end of the line
    page_up_and_modify_selection | Select page up | Selects up by nearly a screen
    page_down_and_modify_selection | Select page down | Selects down by nearly a screen
    move_to_beginning_of_paragraph_and_modify_selection | Select paragraph up | Selects to the start of the line
    move_to_end_of_paragraph_and_modify_selection | Select paragraph down | Selects to the end of the line
    move_to_beginning_of_document_and_modify_selection | Select to text start | Selects to the first character
    move_to_end_of_document_and_modify_selection | Select to text end | Selects to the last character
    """
}

extension CommandDescription {
  /// nil for a line that is none of a command.
  fileprivate init?(line: Substring, group: String) {
    let parts = line.split(separator: " | ").map(String.init)
    guard parts.count == 3, let command = Command(name: parts[0]) else { return nil }
    self.init(command: command, title: parts[1], summary: parts[2], group: group)
  }
}
