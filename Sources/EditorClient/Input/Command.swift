import EditorProtocol

/// What a key does outside of prompts.
package enum Command: Hashable, Sendable {
  /// An edit of the core's, as it is.
  case edit(PlainEdit)
  case save, saveAs, reload, encoding, quit, open, close
  case cut, copy, paste
  case find, findNext, findPrevious, replace, goto
  case nextBuffer, previousBuffer
  case toggleWrap, toggleLineNumbers
  /// What plugins offer.
  case palette, hover
  case help, suspend, redraw
  /// Leaves what is under way: a search's marks, several carets, a message, a long task.
  case escape
}
