/// F1: which key does what.
package final class Help: Mode {
  private unowned let editor: Editor
  /// The line in the first row.
  private var first = 0

  init(_ editor: Editor) { self.editor = editor }

  var coversText: Bool { true }

  func handle(_ key: Key) {
    let page = editor.rows - 2
    switch key.code {
    case .down: scroll(by: 1)
    case .up: scroll(by: -1)
    case .pageDown: scroll(by: page)
    case .pageUp: scroll(by: -page)
    default: editor.mode = nil
    }
  }

  private func scroll(by distance: Int) {
    let last = Help.lines(columns: editor.columns - 1).count - (editor.rows - 1)
    first = min(max(first + distance, 0), max(last, 0))
  }

  func compose(into grid: inout CellGrid) -> CursorPlace? {
    let lines = Help.lines(columns: grid.columns - 1)
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

extension Help {
  package static let lines: [String] = """
    xiedit: the keys                                   (any other key goes back)

    Files       ^S save            Alt-S save as       ^O open            ^W close
                ^Q quit            Alt-←/→ other buffer                   Alt-Z suspend
                Alt-R load again what is on the disk    Alt-T encoding
    Moving      arrows, Home, End, Page Up, Page Down; with Ctrl by words, paragraphs
                and to the ends of the text            ^G go to line[:column]
    Selecting   Shift with any of these                ^A all             mouse
    Editing     ^X cut             ^C copy             ^V paste           ^Z undo   ^Y redo
                ^K delete to the end of the line       ^U put it back     ^D duplicate line
                Tab, Shift-Tab indent and outdent      Ctrl-Delete, Ctrl-Backspace a word
                ^T transpose       Alt-U upper case    Alt-L lower case   Alt-C capitals
                Alt-= and Alt-- count a number up and down
    Lines       ^X and ^C without a selection take the line           Alt-J join
                Alt-Shift-↑/↓ move     F6 sort   F7 reverse   F8 remove duplicates
    Code        ^/ or Alt-; comment    ^] to the other bracket
                Alt-B select inside of brackets, Alt-V with them; again: those around
    Searching   ^F find, as you type; Enter stays, Esc goes back; F3 next, Shift-F3 previous
                Alt-C case         Alt-W whole words   Alt-R regular expression
                ^R replace: Enter this one, n next, a all
                $1 there is a regular expression's first group, \\n a new line
    Carets      Alt-↑/↓ one above or below             Ctrl-click one more
                Alt-A one at each match                Alt-E one at each line end
                Esc back to one
    Plugins     F2 what they offer: type a part of a name, ↑↓ choose, Enter runs it
                Alt-H what they know of the place of the caret
    Screen      Alt-W wrap lines   Alt-N line numbers  ^L draw again

    A control character is shown as ^X, an invisible one by its code: <200b>.
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

  /// The lines for a screen of so many columns: what is too long goes on below, behind the first column.
  package static func lines(columns: Int) -> [String] { lines.flatMap { wrapped($0, columns: max(columns, 30)) } }

  private static func wrapped(_ line: String, columns: Int) -> [String] {
    let indentation = 12
    var rows: [String] = []
    var rest = Array(line)
    while rest.count > columns {
      let blanks = (indentation + 1...columns).filter { rest[$0] == " " }
      // Between two keys before within the words for one.
      guard let end = blanks.last(where: { rest[$0 - 1] == " " }) ?? blanks.last else { break }
      rows.append(String(rest[..<end]))
      rest = Array(repeating: " ", count: indentation) + rest[end...].drop { $0 == " " }
    }
    return rows + [String(rest)]
  }
}
