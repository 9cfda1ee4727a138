import TerminalInput
import Trestle

/// Reads entries from a terminal: lines, the history, completion and search.
struct ReplReader {
  let terminal: ReplTerminal
  var history: ReplHistory
  /// Whether more has to follow, nil if Ctrl-C has ended that; what may stand at a text's end.
  let isIncomplete: @Sendable (String) async -> Bool?
  let complete: @Sendable (String) async -> Completion

  struct Completion: Sendable {
    /// In UTF-16 units: from there on the names stand in place of what is there.
    var start: Int
    var names: [String]
  }

  enum Entry { case text(String), end }

  /// What was typed while the last one ran, and not yet looked at.
  private var pending: [InputEvent] = []
  /// Where in the history the editor is; what was typed last is behind it.
  private var place = 0
  private var draft = ""

  init(
    terminal: ReplTerminal, history: ReplHistory, isIncomplete: @escaping @Sendable (String) async -> Bool?,
    complete: @escaping @Sendable (String) async -> Completion
  ) {
    (self.terminal, self.history, self.isIncomplete, self.complete) = (terminal, history, isIncomplete, complete)
  }

  mutating func next() async -> Entry {
    var editor = LineEditor()
    (place, draft) = (history.entries.count, "")
    terminal.beginEditing()
    terminal.show(editor)
    while let event = await nextEvent() {
      switch editor.handle(event) {
      case .none: break
      case .submit:
        switch await isComplete(editor) {
        case true?: return submit(&editor)
        case false?: editor.insert("\n")
        case nil:
          breakOff(&editor)
          terminal.write("interrupted\n")
        }
      case .complete:
        terminal.show(editor)
        await complete(&editor)
      case .history(let step): walk(step, &editor)
      case .search: if await search(&editor) { return submit(&editor) }
      case .interrupt:
        // The keys that follow are for the next one.
        breakOff(&editor)
      case .end:
        terminal.endEditing()
        return .end
      case .clearScreen: terminal.clearScreen()
      case .suspend: terminal.suspend()
      }
      // What was pasted without saying so is shown once.
      if pending.isEmpty { terminal.show(editor) }
    }
    terminal.endEditing()
    return .end
  }

  private mutating func breakOff(_ editor: inout LineEditor) {
    terminal.show(editor)
    terminal.breakOff()
    (editor, place, draft) = (LineEditor(), history.entries.count, "")
  }

  private mutating func submit(_ editor: inout LineEditor) -> Entry {
    terminal.show(editor)
    terminal.endEditing()
    history.add(editor.string)
    return .text(editor.string)
  }

  private mutating func nextEvent() async -> InputEvent? {
    if pending.isEmpty { pending = await terminal.next() ?? [] }
    return pending.isEmpty ? nil : pending.removeFirst()
  }

  /// In the middle of a text Enter breaks the line.
  private func isComplete(_ editor: LineEditor) async -> Bool? {
    let text = editor.string
    if text.hasPrefix(".") || text.allSatisfy(\.isWhitespace) { return true }
    return await terminal.interruptibly { await isIncomplete(text) }.map { !$0 }
  }

  // MARK: History

  private mutating func walk(_ step: Int, _ editor: inout LineEditor) {
    let next = place + step
    guard (0...history.entries.count).contains(next) else { return }
    if place == history.entries.count { draft = editor.string }
    place = next
    editor.replaceAll(place == history.entries.count ? draft : history.entries[place])
  }

  /// Ctrl-R: the newest entry that holds what is typed; again, the one before.
  ///
  /// - Returns: whether it is to be run.
  private mutating func search(_ editor: inout LineEditor) async -> Bool {
    let before = editor
    var query = ""
    var found = history.entries.count
    func find(from start: Int) -> Int? {
      guard !query.isEmpty else { return nil }
      return history.entries[..<min(start, history.entries.count)].lastIndex { $0.contains(query) }
    }
    while true {
      terminal.show(editor, prompt: "(search) '\(query)': ")
      guard let event = await nextEvent() else { return false }
      guard case .key(let key) = event else { continue }
      if let text = key.text {
        query += text
        found = find(from: history.entries.count) ?? found
      } else if key == .control("r") {
        found = find(from: found) ?? found
      } else if key.code == .backspace {
        query = String(query.dropLast())
        found = find(from: history.entries.count) ?? history.entries.count
      } else if key == .control("c") || key == .control("g") || key.code == .escape {
        editor = before
        return false
      } else {
        // Any other key goes on with what was found.
        if key.code == .enter { return !editor.isEmpty }
        pending.insert(event, at: 0)
        return false
      }
      if found < history.entries.count { editor.replaceAll(history.entries[found]) }
    }
  }

  // MARK: Completion

  private mutating func complete(_ editor: inout LineEditor) async {
    let before = editor.beforeCursor
    // At the start of a line a tab indents.
    if before.split(separator: "\n", omittingEmptySubsequences: false).last?.allSatisfy(\.isWhitespace) != false {
      return editor.insert("  ")
    }
    let completion = await terminal.interruptibly { await self.complete(before) }
    guard let first = completion.names.first else { return }
    let typed = String(decoding: Array(before.utf16.dropFirst(completion.start)), as: UTF16.self)
    let common = completion.names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    if common.count > typed.count {
      editor.insert(common.dropFirst(typed.count))
    } else if completion.names.count > 1 {
      terminal.write(Self.columns(completion.names) + "\n")
    }
  }

  private static let mostShown = 120

  /// Names beside each other.
  private static func columns(_ names: [String]) -> String {
    let shown = names.prefix(mostShown)
    let width = (shown.map(\.count).max() ?? 0) + 2, count = max(1, 78 / width)
    var lines: [String] = []
    for (index, name) in shown.enumerated() {
      if index % count == 0 { lines.append("") }
      lines[lines.count - 1] += name + String(repeating: " ", count: width - name.count)
    }
    let more = names.count - shown.count
    return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
      + (more > 0 ? "\n… and \(more) more" : "")
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
