import EditorProtocol

/// What part of the text is on the screen, and what the core knows of it.
extension Editor {
  /// The rows above the text: the tabs, if there are several and room for them.
  var textTop: Int { views.count > 1 && rows > Self.fewestRowsWithTabs ? 1 : 0 }
  private static let fewestRowsWithTabs = 5

  /// The rows of text; below them are the status line and the bottom line.
  var textRows: Int { max(rows - 2 - textTop, 1) }

  /// The row below the text.
  var statusRow: Int { textTop + textRows }

  /// The cells of the line numbers, with one blank after them.
  func gutterWidth(of view: EditorView) -> Int {
    let width = view.numberDigits + 1
    return showsLineNumbers && width < columns / 2 ? width : 0
  }

  /// Makes room for the numbers of lines. Those of a wrapped text are fewer than its rows: there the width follows the numbers in sight,
  /// and never shrinks, as another width makes other rows.
  private func fitGutter(of view: EditorView) {
    let rows = view.viewport.topLine..<view.viewport.topLine + view.viewport.height
    let number = view.wraps ? rows.reversed().lazy.compactMap { view.cache[$0]?.number }.first : view.cache.count
    let digits = max(3, String(number ?? 0).count)
    view.numberDigits = view.wraps ? max(view.numberDigits, digits) : digits
  }

  /// Fits the viewport to the screen and tells the core, if that is news.
  func announceViewport() {
    if let view { announceViewport(of: view) }
  }

  func announceViewport(of view: EditorView) {
    view.viewport.height = textRows
    fitGutter(of: view)
    view.viewport.width = max(columns - gutterWidth(of: view), 1)
    revealCaret(of: view)
    guard view.takesEdits else { return }
    let size = (width: view.viewport.width, height: view.viewport.height)
    if view.announcedSize.map({ $0 != size }) ?? true {
      view.announcedSize = size
      edit(view, .resize(width: Double(size.width), height: Double(size.height)))
    }
    let lines = view.viewport.lines
    if view.announcedLines != lines {
      view.announcedLines = lines
      edit(view, .scroll(first: lines.lowerBound, end: lines.upperBound))
    }
  }

  private func revealCaret(of view: EditorView) {
    guard view.revealsCaret else { return }
    view.viewport.reveal(line: view.caret.line)
    guard let cell = view.caretCell else { return }
    if view.wraps { view.viewport.leftColumn = 0 } else { view.viewport.reveal(cell: cell) }
    view.revealsCaret = false
  }

  /// Scrolls without moving the caret.
  func scroll(by lines: Int) {
    guard let view else { return }
    view.revealsCaret = false
    view.viewport.scroll(by: lines, of: view.cache.count)
    needsDisplay = true
    announceViewport()
  }
}
