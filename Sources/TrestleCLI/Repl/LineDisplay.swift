import TextMetrics

/// Shows a line editor on a terminal, below what has been written there: as many rows as it takes, of what is too much those around the
/// cursor.
struct LineDisplay {
  var prompt = "> "
  var continuation = "… "
  let hasColor: Bool
  /// The row of the cursor, from the first that is shown.
  private var cursorRow = 0
  private static let metrics = CellMetrics(tabSize: 1)

  init(hasColor: Bool) { self.hasColor = hasColor }

  /// What takes away what was shown.
  mutating func erasure() -> String {
    defer { cursorRow = 0 }
    return "\r" + (cursorRow > 0 ? "\u{1B}[\(cursorRow)A" : "") + "\u{1B}[J"
  }

  /// What shows the editor in place of what was shown.
  mutating func drawing(_ editor: LineEditor, columns: Int, rows: Int) -> String {
    let layout = layout(editor, columns: max(columns, 8))
    let most = max(rows, 1)
    let first = max(0, min(layout.cursorRow - most / 2, layout.rows.count - most))
    let shown = layout.rows[first..<min(first + most, layout.rows.count)]
    var text = erasure() + shown.joined(separator: "\r\n")
    cursorRow = layout.cursorRow - first
    let below = shown.count - 1 - cursorRow
    text +=
      "\r" + (below > 0 ? "\u{1B}[\(below)A" : "") + (layout.cursorColumn > 0 ? "\u{1B}[\(layout.cursorColumn)C" : "")
    return text
  }

  private struct Layout {
    var rows: [String] = [""]
    var cursorRow = 0
    var cursorColumn = 0
  }

  private func layout(_ editor: LineEditor, columns: Int) -> Layout {
    var layout = Layout()
    var column = 0
    layout.rows[0] = ScriptColors.applied(.faint, to: prompt, hasColor: hasColor)
    column = Self.metrics.width(of: prompt)
    let styles = hasColor ? ScriptColors.styles(of: editor.text) : []
    for (index, character) in editor.text.enumerated() {
      let width = character == "\n" ? 0 : Self.metrics.width(of: String(character))
      if column + width > columns {
        layout.rows.append("")
        column = 0
      }
      if index == editor.cursor { (layout.cursorRow, layout.cursorColumn) = (layout.rows.count - 1, column) }
      if character == "\n" {
        layout.rows.append(ScriptColors.applied(.faint, to: continuation, hasColor: hasColor))
        column = Self.metrics.width(of: continuation)
        continue
      }
      layout.rows[layout.rows.count - 1] +=
        hasColor ? ScriptColors.applied(styles[index], to: String(character), hasColor: true) : String(character)
      column += width
    }
    if editor.cursor == editor.text.count {
      if column >= columns {
        layout.rows.append("")
        column = 0
      }
      (layout.cursorRow, layout.cursorColumn) = (layout.rows.count - 1, column)
    }
    return layout
  }
}
