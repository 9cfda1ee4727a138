import TextMetrics

/// F1: which key does what.
package enum Help {
  /// Keys that are no commands: those of prompts, and the mouse.
  private static let notes = """
    While you search
      Enter stays, Esc goes back. Alt-C case, Alt-W whole words, Alt-R regular expression. F3 next, Shift-F3 previous.
      In what replaces a regular expression $1 is its first group, \\n a new line.
    In prompts and lists
      Tab completes a path. ↑↓ choose, or go through what was typed before. Enter takes it, Esc or ^C leaves.
    What a save asks
      Where the file has changed or exists, a key that is shown then saves all the same: ^B, unless a command has it.
    Mouse
      Click, double and triple click, drag; Ctrl-click adds a caret, the wheel scrolls.
    Signs
      A control character is shown as ^X, an invisible one by its code: <200b>.
    """

  private typealias Entry = (keys: String, title: String)
  private static let (keyWidth, titleStart, entryWidth) = (16, 19, 39)

  /// The lines for a screen of so many columns: as many commands beside each other as there is room for.
  package static func lines(of keyMap: KeyMap, columns: Int) -> [String] {
    let all = keyMap.labels(of: .action(.palette)).first.map { "\($0) lists all commands, also those without a key." }
    var lines = ["xiedit: the keys"]
    if let all { lines += CellMetrics(tabSize: 1).lines(of: all, width: max(columns, 20), limit: .max) }
    for (group, entries) in entries(of: keyMap) {
      lines += ["", group] + arranged(entries, columns: columns)
    }
    lines.append("")
    for note in notes.split(separator: "\n") {
      let text = note.drop { $0 == " " }
      let indentation = String(repeating: " ", count: note.count - text.count)
      let width = max(columns - indentation.count, 20)
      lines += CellMetrics(tabSize: 1).lines(of: String(text), width: width, limit: .max).map { indentation + $0 }
    }
    return lines
  }

  /// The commands that have keys, under the heading of their group.
  private static func entries(of keyMap: KeyMap) -> [(group: String, entries: [Entry])] {
    var groups: [(group: String, entries: [Entry])] = []
    for description in CommandTable.all {
      let labels = keyMap.labels(of: description.command)
      guard !labels.isEmpty else { continue }
      if groups.last?.group != description.group { groups.append((description.group, [])) }
      groups[groups.count - 1].entries.append((keys(labels), description.title))
    }
    return groups
  }

  /// The first key, and others as far as there is room.
  private static func keys(_ labels: [String]) -> String {
    labels.dropFirst().reduce(labels[0]) { text, label in
      text.count + 2 + label.count <= keyWidth ? text + ", " + label : text
    }
  }

  /// As many beside each other as there is room for; a title that has not even room alone goes on below.
  private static func arranged(_ entries: [Entry], columns: Int) -> [String] {
    let lines = entries.map { padded("  " + $0.keys, to: titleStart) + $0.title }
    let width = max((lines.map(\.count).max() ?? 0) + 1, entryWidth)
    let count = max(columns / width, 1)
    if count == 1 { return entries.flatMap { wrapped($0, columns: columns) } }
    let rows = (lines.count + count - 1) / count
    return (0..<rows).map { row in
      let line = stride(from: row, to: lines.count, by: rows).map { padded(lines[$0], to: width) }.joined()
      return String(line.trimmingSuffix(" "))
    }
  }

  private static func wrapped(_ entry: Entry, columns: Int) -> [String] {
    let titles = CellMetrics(tabSize: 1).lines(of: entry.title, width: max(columns - titleStart, 10), limit: .max)
    return titles.enumerated().map { padded($0.offset == 0 ? "  " + entry.keys : "", to: titleStart) + $0.element }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - CellMetrics(tabSize: 1).width(of: text), 1))
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    guard let last = lastIndex(where: { $0 != character }) else { return "" }
    return self[...last]
  }
}
