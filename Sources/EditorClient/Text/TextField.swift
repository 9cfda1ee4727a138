/// One line of text that is being typed, in a prompt.
package struct TextField: Equatable, Sendable {
  package private(set) var text: [Character] = []
  /// How many characters stand before the caret.
  package private(set) var caret = 0

  package init(_ text: String = "") {
    self.text = Array(text)
    caret = self.text.count
  }

  package var string: String { String(text) }

  package mutating func insert(_ added: String) {
    text.insert(contentsOf: added, at: caret)
    caret += added.count
    // A mark that was typed joins the character before it.
    let joined = String(text)
    if joined.count != text.count {
      caret = String(text[..<caret]).count
      text = Array(joined)
    }
  }

  package mutating func deleteBackward() {
    guard caret > 0 else { return }
    caret -= 1
    text.remove(at: caret)
  }

  package mutating func deleteForward() {
    guard caret < text.count else { return }
    text.remove(at: caret)
  }

  package mutating func deleteWordBackward() {
    let start = startOfWord
    text.removeSubrange(start..<caret)
    caret = start
  }

  package mutating func deleteToStart() {
    text.removeSubrange(..<caret)
    caret = 0
  }

  package mutating func move(by distance: Int) { caret = min(max(caret + distance, 0), text.count) }
  package mutating func moveToStart() { caret = 0 }
  package mutating func moveToEnd() { caret = text.count }
  package mutating func moveWordLeft() { caret = startOfWord }

  package mutating func moveWordRight() {
    while caret < text.count, text[caret].isWhitespace { caret += 1 }
    while caret < text.count, !text[caret].isWhitespace { caret += 1 }
  }

  private var startOfWord: Int {
    var start = caret
    while start > 0, text[start - 1].isWhitespace { start -= 1 }
    while start > 0, !text[start - 1].isWhitespace { start -= 1 }
    return start
  }
}
