/// What comes from the terminal.
package enum InputEvent: Equatable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// A bracketed paste, as bytes: terminals pass on what is in the clipboard.
  case paste([UInt8])
  /// The end of a paste, whose text so far was told, has not come for a while; or the user has ended it without.
  case openPaste(isLeft: Bool)
  case resize(columns: Int, rows: Int)
  /// A sequence that no key is known for.
  case unknown
}

package struct MouseEvent: Equatable, Sendable {
  package enum Action: Equatable, Sendable {
    case press, drag, release, wheelUp, wheelDown
  }

  package var action: Action
  /// Cells from the upper left corner, from 0.
  package var column: Int
  package var row: Int
  package var modifiers: Key.Modifiers
  /// When, in nanoseconds of any clock: two presses close together are a double click.
  package var time: Int64

  package init(_ action: Action, column: Int, row: Int, modifiers: Key.Modifiers = [], time: Int64 = 0) {
    self.action = action
    self.column = column
    self.row = row
    self.modifiers = modifiers
    self.time = time
  }
}
