/// A text of some lines that somebody types, and the place of the cursor in it. What keys do is in `LineEditor+Keys.swift`.
struct LineEditor {
  private(set) var text: [Character] = []
  /// From 0 to the count of characters.
  private(set) var cursor = 0
  /// What was killed last, to be yanked.
  var killed: [Character] = []
  private var undone: [(text: [Character], cursor: Int)] = []
  private static let mostUndone = 200

  init(_ text: String = "") {
    self.text = Array(text)
    cursor = self.text.count
  }

  var string: String { String(text) }
  var beforeCursor: String { String(text[..<cursor]) }
  var isEmpty: Bool { text.isEmpty }

  // MARK: Places

  /// Where the line starts that holds a place.
  func lineStart(of place: Int) -> Int { text[..<place].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }
  func lineEnd(of place: Int) -> Int { text[place...].firstIndex(of: "\n") ?? text.count }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  var wordStart: Int {
    var place = cursor
    while place > 0, !Self.isWord(text[place - 1]) { place -= 1 }
    while place > 0, Self.isWord(text[place - 1]) { place -= 1 }
    return place
  }

  var wordEnd: Int {
    var place = cursor
    while place < text.count, !Self.isWord(text[place]) { place += 1 }
    while place < text.count, Self.isWord(text[place]) { place += 1 }
    return place
  }

  /// Back over what has no spaces in it, as shells do.
  var bigWordStart: Int {
    var place = cursor
    while place > 0, text[place - 1].isWhitespace { place -= 1 }
    while place > 0, !text[place - 1].isWhitespace { place -= 1 }
    return place
  }

  mutating func move(to place: Int) { cursor = min(max(place, 0), text.count) }

  /// - Returns: false if there is no line above or below.
  mutating func moveLine(_ step: Int) -> Bool {
    let start = lineStart(of: cursor), column = cursor - start
    let target: Int
    if step < 0 {
      guard start > 0 else { return false }
      target = lineStart(of: start - 1)
    } else {
      let end = lineEnd(of: cursor)
      guard end < text.count else { return false }
      target = end + 1
    }
    cursor = min(target + column, lineEnd(of: target))
    return true
  }

  // MARK: Changes

  private mutating func remember() {
    undone.append((text, cursor))
    if undone.count > Self.mostUndone { undone.removeFirst() }
  }

  mutating func insert(_ new: some Sequence<Character>) {
    remember()
    let new = Array(new)
    text.insert(contentsOf: new, at: cursor)
    cursor += new.count
  }

  mutating func remove(_ range: Range<Int>, keeps: Bool = false) {
    let range = range.clamped(to: 0..<text.count)
    guard !range.isEmpty else { return }
    remember()
    if keeps { killed = Array(text[range]) }
    text.removeSubrange(range)
    cursor = range.lowerBound
  }

  mutating func replaceAll(_ new: String) {
    remember()
    text = Array(new)
    cursor = text.count
  }

  /// Exchanges the characters around the cursor.
  mutating func transpose() {
    let place = cursor == text.count ? cursor - 1 : cursor
    guard place >= 1, place < text.count else { return }
    remember()
    text.swapAt(place - 1, place)
    cursor = place + 1
  }

  mutating func undo() {
    guard let last = undone.popLast() else { return }
    (text, cursor) = last
  }
}
