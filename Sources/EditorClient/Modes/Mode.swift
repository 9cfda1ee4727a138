/// What takes the keys in place of the text: a prompt, a question, the help. There is one at a time, ``Editor/mode``.
protocol Mode: AnyObject {
  /// Whether nothing of the text is to be seen.
  var coversText: Bool { get }

  /// Whether what is none of its own is for the text: it is closed then. What its keys have led to it tells macros by itself.
  var givesWay: Bool { get }

  /// Of one that gives way, whether the key is its own.
  func takes(_ key: Key) -> Bool

  func handle(_ key: Key)

  /// Text of the terminal's, with `\n` between its lines.
  func paste(_ text: String)

  /// - Parameter mouse: Anywhere on the screen.
  func handle(_ mouse: MouseEvent)

  /// Draws itself over what is there: the bottom line, which is blank, and more if it needs more.
  /// - Returns: Where the cursor is.
  func compose(into grid: inout CellGrid) -> CursorPlace?
}

extension Mode {
  var coversText: Bool { false }

  var givesWay: Bool { false }

  func takes(_ key: Key) -> Bool { true }

  func paste(_ text: String) {}

  func handle(_ mouse: MouseEvent) {}
}

extension Editor {
  /// Nothing that has the keys in place of the text keeps the user from leaving: it is cancelled as by Esc, and so is what that goes back to.
  func leaveModes() {
    closeModes()
    quit()
  }

  /// Each is cancelled as by Esc.
  func closeModes() {
    while let left = mode {
      left.handle(Key(.escape))
      if mode === left { mode = nil }
    }
  }
}
