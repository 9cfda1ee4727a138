/// What the editor wants of the terminal besides its frame.
package enum EditorEffect: Equatable, Sendable {
  /// To the clipboard of the terminal (OSC 52).
  case copy(String)
  /// Stop the process, as Ctrl-Z does elsewhere.
  case suspend
  /// Draw everything again, whatever was there.
  case redraw
  case exit(code: Int32)
  /// The core has to be started again.
  case restartCore
}
