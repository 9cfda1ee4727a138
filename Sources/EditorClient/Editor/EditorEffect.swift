/// What the editor wants of the terminal besides its frame.
package enum EditorEffect: Equatable, Sendable {
  /// To the clipboard of the terminal (OSC 52).
  case copy(String)
  /// Stop the process, as Ctrl-Z does elsewhere.
  case suspend
  /// Draw everything again, whatever was there.
  case redraw
  /// Draw everything again, plain text in these colours.
  case useColours(foreground: TextStyle.Colour, background: TextStyle.Colour)
  /// The reason is told when the screen is given back.
  case exit(code: Int32, reason: String? = nil)
  /// The core has to be started again.
  case restartCore
  /// The core is not waited for any more, and no other is started.
  case giveUpCore
}
