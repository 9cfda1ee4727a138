/// Which key does what, and which keys begin a chord.
package struct KeyMap: Sendable {
  package struct Binding: Equatable, Sendable {
    /// One key, or those of a chord in their order.
    package var keys: [Key]
    package var command: Command

    /// Whether it is no more when keys are given another meaning, or none.
    func ends(by keys: [Key], _ command: Command?) -> Bool {
      self.keys.starts(with: keys) || command != nil && keys.starts(with: self.keys)
    }
  }

  /// Each sequence of keys once; of the keys of one command those come first that are to be shown first.
  package private(set) var bindings: [Binding] = []
  private var commands: [Key: Command] = [:]
  private var chords: [[Key]: Command] = [:]
  private var prefixes: Set<[Key]> = []

  /// What the key does by itself.
  package subscript(key: Key) -> Command? { commands[key.canonical] }

  /// What keys do that are pressed after each other.
  package enum Meaning: Equatable {
    case command(Command)
    /// More are to come.
    case prefix
    case nothing
  }

  package func meaning(of keys: [Key]) -> Meaning {
    let keys = keys.map(\.canonical)
    if prefixes.contains(keys) { return .prefix }
    let command = keys.count == 1 ? commands[keys[0]] : chords[keys]
    return command.map(Meaning.command) ?? .nothing
  }

  package func beginsChord(_ key: Key) -> Bool { !prefixes.isEmpty && prefixes.contains([key.canonical]) }

  /// The keys of a command as they are shown, those to be shown first in front.
  package func labels(of command: Command) -> [String] {
    bindings.filter { $0.command == command }.map(\.keys.label)
  }

  /// What can follow the keys of a chord that has begun.
  package func continuations(of prefix: [Key]) -> [Binding] {
    let prefix = prefix.map(\.canonical)
    return bindings.filter { $0.keys.count > prefix.count && $0.keys.starts(with: prefix) }
  }

  /// Reads lines of keys, blanks, and the name of a command. What is none is left out.
  package init(_ table: String) {
    bindings = Self.lines(of: table).compactMap { line in
      line.command.map { Binding(keys: line.keys, command: $0) }
    }
    index()
  }

  /// The lines of a table; those with `none` have no command.
  static func lines(of table: String) -> [(keys: [Key], command: Command?)] {
    // Byte by byte: the first screen waits for it.
    table.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let words = line.split(separator: UInt8(ascii: " ")).map { Substring($0) }
      guard let name = words.last, let keys = [Key](labels: words.dropLast()) else { return nil }
      let command = Command(name: String(name))
      return command == nil && name != "none" ? nil : (keys.map(\.canonical), command)
    }
  }

  /// Gives keys another meaning, or none. Chords that begin with them are dropped, and so is what the beginning of a chord has meant alone.
  mutating func bind(_ changes: [(keys: [Key], command: Command?)]) {
    for change in changes { bindings.removeAll { $0.ends(by: change.keys, change.command) } }
    bindings =
      changes.compactMap { change in change.command.map { Binding(keys: change.keys, command: $0) } } + bindings
    index()
  }

  private mutating func index() {
    (commands, chords, prefixes) = ([:], [:], [])
    for binding in bindings {
      guard binding.keys.count > 1 else {
        commands[binding.keys[0]] = binding.command
        continue
      }
      chords[binding.keys] = binding.command
      for count in 1..<binding.keys.count { prefixes.insert(Array(binding.keys.prefix(count))) }
    }
  }

  /// The keys of most graphical editors.
  package static let standard = KeyMap(standardTable)

  package static let standardTable = """
    ^S                save
    Alt-S             save_as
    Alt-Shift-S       save_all
    ^Q                quit
    ^O                open
    Alt-F             pick_file
    Alt-Shift-R       recent_files
    Alt-Shift-T       reopen_closed
    Alt-Shift-O       reopen_session
    Alt-Shift-N       new_buffer
    Alt-B             buffers
    Alt-P             show_path
    ^W                close
    ^X                cut
    ^C                copy
    ^V                paste
    Shift-Delete      cut
    Ctrl-Insert       copy
    Shift-Insert      paste
    Alt-Shift-V       paste_earlier
    ^F                find
    F3                find_next
    Shift-F3          find_previous
    ^N                find_next
    ^P                find_previous
    ^R                replace
    Alt-G             search_files
    Ctrl-Shift-F      search_files
    Alt-Shift-G       search_results
    F4                next_result
    Shift-F4          previous_result
    F5                xiedit_next_change
    Shift-F5          xiedit_previous_change
    Alt-Shift-H       show_change
    Alt-Shift-U       xiedit_revert_changes
    Alt-Shift-B       xiedit_keep_both
    Alt-Shift-C       compare_disk
    Alt-Insert        xiedit_toggle_bookmark
    Alt-PageDown      xiedit_next_bookmark
    Alt-PageUp        xiedit_previous_bookmark
    Alt-,             go_back
    Alt-.             go_forward
    ^G                goto
    Alt-Right         next_buffer
    Alt-Left          previous_buffer
    F9                next_pane
    ^E V              split_right
    ^E S              split_down
    ^E W              next_pane
    ^E Left           pane_left
    ^E Right          pane_right
    ^E Up             pane_up
    ^E Down           pane_down
    ^E X              close_pane
    ^E O              close_other_panes
    ^E R              swap_panes
    ^E >              widen_pane
    ^E <              narrow_pane
    ^E +              heighten_pane
    ^E -              lower_pane
    ^E =              even_panes
    Alt-Shift-E       play_macro
    Alt-Shift-K       record_macro
    Alt-'             repeat_edit
    Alt-W             toggle_wrap
    Alt-N             toggle_line_numbers
    Alt-Shift-W       toggle_whitespace
    Alt-R             reload
    Alt-T             encoding
    F1                help
    Alt-Shift-M       messages
    F2                palette
    Ctrl-Shift-P      palette
    Alt-X             palette
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
    Alt-|             filter
    Alt-!             insert_output
    Ctrl-Space        complete_word
    Alt-/             complete_word
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
    Alt-Q             xiedit_reflow
    ^]                xiedit_move_to_bracket
    Alt-M             xiedit_select_inside_brackets
    Alt-V             xiedit_select_around_brackets
    Alt-D             xiedit_select_next_occurrence
    Alt-Shift-D       xiedit_select_all_occurrences
    Ctrl-Alt-Shift-Up     xiedit_select_columns_up
    Ctrl-Alt-Shift-Down   xiedit_select_columns_down
    Ctrl-Alt-Shift-Left   xiedit_select_columns_left
    Ctrl-Alt-Shift-Right  xiedit_select_columns_right
    Alt-K             xiedit_skip_occurrence
    Alt-Y             xiedit_undo_selection
    Alt-Shift-Right   xiedit_expand_selection
    Alt-Shift-Left    xiedit_shrink_selection
    """
}
