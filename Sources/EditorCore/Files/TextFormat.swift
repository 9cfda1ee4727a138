import Rope

/// How a text is laid down in its file: what an edit must not change.
package struct TextFormat: Sendable, Hashable {
  package enum LineEnding: String, Sendable {
    case lineFeed = "\n"
    case carriageReturnLineFeed = "\r\n"
  }

  /// The three bytes that may stand before UTF-8. They are no part of the text: the rope is without them.
  package var hasByteOrderMark = false
  /// What most lines end in; what new lines should end in.
  package var lineEnding = LineEnding.lineFeed
  /// Whether some lines end in one and some in the other. They stay as they are.
  package var hasMixedLineEndings = false
  package var endsWithNewline = false
  package var isValidUTF8 = true

  package static let byteOrderMark: Rope = "\u{FEFF}"

  package init() {}

  /// The format of what a file holds, and its text. O(bytes).
  package static func split(_ contents: Rope) -> (format: TextFormat, text: Rope) {
    var format = TextFormat()
    var text = contents
    let mark = TextFormat.byteOrderMark
    if contents.byteCount >= 3, contents.slice(0..<3) == mark {
      format.hasByteOrderMark = true
      text.remove(0..<3)
    }
    let newlines = text.summary.newlines
    let pairs = text.countCarriageReturnLineFeeds()
    format.lineEnding = pairs * 2 > newlines ? .carriageReturnLineFeed : .lineFeed
    format.hasMixedLineEndings = pairs > 0 && pairs < newlines
    format.endsWithNewline = !text.isEmpty && text[text.endOffset - 1] == UInt8(ascii: "\n")
    format.isValidUTF8 = text.isValidUTF8
    return (format, text)
  }

  /// What the file shall hold.
  package func contents(of text: Rope) -> Rope {
    guard hasByteOrderMark else { return text }
    var contents = text
    contents.insert(TextFormat.byteOrderMark, at: 0)
    return contents
  }
}
