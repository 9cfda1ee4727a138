import EventLoop
import Glibc

@testable import EditorClient

/// An editor without a terminal, in front of a core of its own.
final class DrivenEditor {
  let loop = Loop()
  let session: ClientSession
  var editor: Editor { session.editor }
  private var grid = CellGrid(columns: 0, rows: 0)

  init(
    _ home: TemporaryFolder, _ name: String, text: String, predicts: Bool = true, columns: Int = 60, rows: Int = 12
  ) throws {
    mkdir(home.path + "/" + name, 0o700)
    let path = try home.write(text, to: name + "/a.txt")
    let variables = "XDG_STATE_HOME=\(home.path)/\(name) XDG_CONFIG_HOME=\(home.path)/\(name)"
    let command = "cd \(home.path)/\(name); \(variables) exec \(Products.core)"
    session = try ClientSession(.shell(command), on: loop, columns: columns, rows: rows)
    editor.views.edits.predictsKeys = predicts
    editor.files.open(path: path)
    settle()
    // What the core says of lines is seen with its answers only.
    editor.core.send(.modifyUserConfig(.general, changes: ["change_marks": "none"]))
    settle()
  }

  deinit { session.close() }

  func press(_ keys: Key...) { keys.forEach { editor.handle(.key($0)) } }

  func type(_ text: String) { text.forEach { press(Key(.character($0))) } }

  /// Until the core has answered all, and all lists are whole.
  func settle() {
    repeat {
      var isAnswered = false
      while editor.view?.isReady != true { loop.iterate(waiting: true) }
      if let id = editor.view?.id { editor.core.request(.getConfig(id)) { _ in isAnswered = true } }
      while !isAnswered || editor.views.all.contains(where: { !$0.log.isHandled }) { loop.iterate(waiting: true) }
    } while !editor.gate.waits.isEmpty || (editor.mode as? ChoicePrompt)?.isGrowing == true
  }

  /// Where a text has scrolled to depends on which answers came together.
  func settleAtTheTop() {
    settle()
    editor.view?.viewport.topLine = 0
    editor.view?.viewport.leftColumn = 0
    editor.views.announceViewport()
    settle()
  }

  /// Draws what has changed over what was there.
  func compose() -> CursorPlace? { editor.compose(into: &grid) }

  /// The screen as it has become.
  var screen: Screen {
    let cursor = compose()
    return Screen(
      rows: (0..<grid.rows).map(grid.text), styles: grid.cells.map { grid.styles[Int($0.style)] }, cursor: cursor)
  }

  /// The same, drawn from nothing.
  var freshScreen: Screen {
    grid = CellGrid(columns: 0, rows: 0)
    editor.screen.forgetFrame()
    return screen
  }

  struct Screen: Equatable {
    var rows: [String]
    var styles: [TextStyle]
    var cursor: CursorPlace?

    /// Without the status line and the bottom line.
    var text: Screen {
      let count = rows.count - 2
      return Screen(
        rows: Array(rows[..<count]), styles: Array(styles[..<(styles.count / rows.count * count)]), cursor: cursor)
    }
  }
}
