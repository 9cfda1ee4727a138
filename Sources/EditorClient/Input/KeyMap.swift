/// Which key does what.
package struct KeyMap: Sendable {
  private var commands: [Key: Command] = [:]

  package subscript(key: Key) -> Command? { commands[key] }

  /// Reads lines of a key, blanks, and the name of a command. What is none is left out.
  package init(_ table: String) {
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let key = Key(label: String(words[0])), let command = Command(name: String(words[1]))
      else { continue }
      commands[key] = command
    }
  }

  /// The keys of most graphical editors.
  package static let standard = KeyMap(standardTable)

  package static let standardTable = """
    ^S                save
    Alt-S             save_as
    ^Q                quit
    ^O                open
    ^W                close
    ^X                cut
    ^C                copy
    ^V                paste
    Shift-Delete      cut
    Ctrl-Insert       copy
    Shift-Insert      paste
    ^F                find
    F3                find_next
    Shift-F3          find_previous
    ^N                find_next
    ^P                find_previous
    ^R                replace
    ^G                goto
    Alt-Right         next_buffer
    Alt-Left          previous_buffer
    Alt-W             toggle_wrap
    Alt-N             toggle_line_numbers
    Alt-R             reload
    Alt-T             encoding
    F1                help
    F2                palette
    Alt-H             hover
    Alt-Z             suspend
    ^L                redraw
    Esc               escape

    Left              move_left
    Shift-Left        move_left_and_modify_selection
    Right             move_right
    Shift-Right       move_right_and_modify_selection
    Up                move_up
    Shift-Up          move_up_and_modify_selection
    Down              move_down
    Shift-Down        move_down_and_modify_selection
    Home              xiedit_move_to_line_start
    Shift-Home        xiedit_move_to_line_start_and_modify_selection
    End               move_to_right_end_of_line
    Shift-End         move_to_right_end_of_line_and_modify_selection
    PageUp            scroll_page_up
    Shift-PageUp      page_up_and_modify_selection
    PageDown          scroll_page_down
    Shift-PageDown    page_down_and_modify_selection
    Ctrl-Left         move_word_left
    Ctrl-Shift-Left   move_word_left_and_modify_selection
    Ctrl-Right        move_word_right
    Ctrl-Shift-Right  move_word_right_and_modify_selection
    Ctrl-Home         move_to_beginning_of_document
    Ctrl-Shift-Home   move_to_beginning_of_document_and_modify_selection
    Ctrl-End          move_to_end_of_document
    Ctrl-Shift-End    move_to_end_of_document_and_modify_selection
    Ctrl-Up           move_to_beginning_of_paragraph
    Ctrl-Shift-Up     move_to_beginning_of_paragraph_and_modify_selection
    Ctrl-Down         move_to_end_of_paragraph
    Ctrl-Shift-Down   move_to_end_of_paragraph_and_modify_selection

    Enter             insert_newline
    Tab               insert_tab
    Shift-Tab         outdent
    Backspace         delete_backward
    Shift-Backspace   delete_backward
    Delete            delete_forward
    Ctrl-Backspace    delete_word_backward
    Alt-Backspace     delete_word_backward
    Ctrl-Delete       delete_word_forward
    ^H                delete_word_backward
    ^Z                undo
    ^Y                redo
    Ctrl-Shift-Z      redo
    ^A                select_all
    ^K                delete_to_end_of_paragraph
    ^U                yank
    ^T                transpose
    ^D                duplicate_line
    Alt-U             uppercase
    Alt-L             lowercase
    Alt-C             capitalize
    Alt-=             increase_number
    Alt--             decrease_number
    Alt-I             indent
    Alt-O             outdent
    Alt-A             find_all
    Alt-E             selection_into_lines
    Alt-Up            add_selection_above
    Alt-Down          add_selection_below
    ^_                xiedit_toggle_comment
    Alt-;             xiedit_toggle_comment
    Alt-Shift-Up      xiedit_move_lines_up
    Alt-Shift-Down    xiedit_move_lines_down
    Alt-J             xiedit_join_lines
    F6                xiedit_sort_lines
    F7                xiedit_reverse_lines
    F8                xiedit_remove_duplicate_lines
    ^]                xiedit_move_to_bracket
    Alt-B             xiedit_select_inside_brackets
    Alt-V             xiedit_select_around_brackets
    """
}
