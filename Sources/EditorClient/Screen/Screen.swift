/// The terminal as the editor knows it: its cells, how text looks there, what the last frame has shown, and what else is wanted of it.
package final class Screen {
  package internal(set) var columns: Int
  package internal(set) var rows: Int
  /// Whether what a frame would show may have changed.
  package var needsDisplay = true
  var styles = StyleSheet()
  var themes = Themes()
  /// The last run in this folder has ended with files to go on with, and nothing was opened yet.
  var offersSession = false { didSet { if offersSession != oldValue { frame.showsHints = false } } }
  /// A macro is being recorded.
  var isRecording = false { didSet { needsDisplay = true } }
  /// To be changed by ``use(_:)-(LineNumbers)``.
  var lineNumbers = LineNumbers.absolute
  /// Those that were shown last.
  var numbersBefore = LineNumbers.absolute
  var frame = FrameMemory()
  private var titled: NamedView?
  private var effects: [EditorEffect] = []

  init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

  func want(_ effect: EditorEffect) { effects.append(effect) }

  package func takeEffects() -> [EditorEffect] {
    defer { effects = [] }
    return effects
  }

  func use(_ theme: Theme) {
    styles.removeAll()
    guard theme != styles.theme else { return }
    styles.theme = theme
    want(.useColours(foreground: theme.foreground, background: theme.background))
  }

  /// Everything is drawn again next time, also in a grid that is as it was.
  package func forgetFrame() {
    frame = FrameMemory()
    needsDisplay = true
  }

  // MARK: What the window is called

  /// Without anything that a terminal obeys. Nil when that is as it was the last time, which costs little.
  func takeTitle(of view: EditorView, isClean: Bool) -> String? {
    let named = NamedView(path: view.path, name: view.name, isClean: isClean)
    guard named != titled else { return nil }
    titled = named
    return named.title
  }

  /// Whatever the window was called, it is to be told again.
  package func forgetTitle() { titled = nil }
}
