/// Lines to read, in place of the text.
package final class Pager: Mode {
  private unowned let editor: Editor
  /// For a screen of so many columns.
  private let lines: (_ columns: Int) -> [String]
  /// The line in the first row.
  private var first = 0

  init(_ editor: Editor, lines: @escaping (_ columns: Int) -> [String]) { (self.editor, self.lines) = (editor, lines) }

  var coversText: Bool { true }

  func handle(_ key: Key) {
    let page = editor.screen.rows - 2
    switch key.code {
    case .down: scroll(by: 1)
    case .up: scroll(by: -1)
    case .pageDown: scroll(by: page)
    case .pageUp: scroll(by: -page)
    default: editor.mode = nil
    }
  }

  func handle(_ mouse: MouseEvent) {
    if mouse.action == .wheelUp { scroll(by: -3) }
    if mouse.action == .wheelDown { scroll(by: 3) }
  }

  private func scroll(by distance: Int) {
    let last = lines(editor.screen.columns - 1).count - (editor.screen.rows - 1)
    first = min(max(first + distance, 0), max(last, 0))
  }

  func compose(into grid: inout CellGrid) -> CursorPlace? {
    let lines = lines(grid.columns - 1)
    for row in 0..<grid.rows {
      grid.clear(row: row)
      let line = first + row
      if row < grid.rows - 1, lines.indices.contains(line) {
        grid.put(lines[line], row: row, column: 1, limit: grid.columns, style: .plain)
      }
    }
    let hint = first + grid.rows - 1 < lines.count ? "↑↓ scroll, any other key goes back" : "Any key goes back"
    grid.put(hint, row: grid.rows - 1, column: 0, limit: grid.columns, style: .key)
    return nil
  }
}
