/// A set of keys that users of another editor know: what it changes in the standard keys, so that all else keeps a key.
package struct KeySet: Sendable {
  package let name: String
  let table: String

  /// The first one is the standard.
  package static let all = [KeySet(name: "default", table: ""), nano, emacs]

  /// With the movements, the files and the searches of GNU nano.
  private static let nano = KeySet(
    name: "nano",
    table: """
      ^G                help
      ^X                quit
      ^O                save_as
      ^S                save
      ^R                open
      ^W                find
      ^Q                find_previous
      Alt-W             find_next
      Alt-Q             find_previous
      ^\\                replace
      Alt-R             replace
      ^K                cut
      ^U                paste
      Alt-6             copy
      Alt-U             undo
      Alt-E             redo
      ^_                goto
      Alt-G             goto
      Alt-\\             move_to_beginning_of_document
      Alt-/             move_to_end_of_document
      ^A                move_to_left_end_of_line
      ^E                move_to_right_end_of_line
      ^B                move_left
      ^F                move_right
      ^P                move_up
      ^N                move_down
      ^Y                scroll_page_up
      ^V                scroll_page_down
      Alt-Space         move_word_left
      Ctrl-Space        move_word_right
      ^]                complete_word
      ^D                delete_forward
      Alt-Backspace     delete_word_backward
      Alt-Delete        delete_word_forward
      Alt-,             previous_buffer
      Alt-.             next_buffer
      Alt-<             previous_buffer
      Alt->             next_buffer
      Alt-}             indent
      Alt-{             outdent
      Alt-N             toggle_line_numbers
      Alt-S             toggle_wrap
      ^T                none
      """)

  /// With the movements, the chords and the cutting of GNU Emacs.
  private static let emacs = KeySet(
    name: "emacs",
    table: """
      ^X ^S             save
      ^X ^W             save_as
      ^X ^F             open
      ^X S              save_all
      ^X B              buffers
      ^X ^B             buffers
      ^X K              close
      ^X ^C             quit
      ^X Right          next_buffer
      ^X Left           previous_buffer
      ^X 2              split_down
      ^X 3              split_right
      ^X O              next_pane
      ^X 0              close_pane
      ^X 1              close_other_panes
      ^X ^              heighten_pane
      ^X }              widen_pane
      ^X {              narrow_pane
      ^X +              even_panes
      ^X =              show_code_point
      ^X H              select_all
      ^X U              undo
      ^_                undo
      ^Z                suspend
      Alt-_             redo
      ^S                find
      ^R                find_previous
      Alt-%             replace
      ^G                escape
      Alt-G G           goto
      Alt-G Alt-G       goto
      Alt-X             palette
      ^A                move_to_left_end_of_line
      ^E                move_to_right_end_of_line
      ^B                move_left
      ^F                move_right
      ^P                move_up
      ^N                move_down
      Alt-B             move_word_left
      Alt-F             move_word_right
      Alt-{             move_to_beginning_of_paragraph
      Alt-}             move_to_end_of_paragraph
      Alt-<             move_to_beginning_of_document
      Alt->             move_to_end_of_document
      Alt-V             scroll_page_up
      ^V                scroll_page_down
      ^D                delete_forward
      Alt-D             delete_word_forward
      ^K                delete_to_end_of_paragraph
      ^Y                yank
      ^W                cut
      Alt-W             copy
      ^T                transpose
      ^J                insert_newline
      ^C                none
      ^O                none
      ^Q                none
      ^U                none
      """)
}

extension KeyMap {
  package init(_ set: KeySet) {
    self = .standard
    if !set.table.isEmpty { bind(Self.lines(of: set.table)) }
  }
}
