import Rope

/// What the lines of a text look like: what an edit must not change.
package struct TextFormat: Sendable, Hashable {
  package enum LineEnding: String, Sendable {
    case lineFeed = "\n"
    case carriageReturnLineFeed = "\r\n"
  }

  /// What most lines end in, and new lines are to; nil if none has an end.
  package var lineEnding: LineEnding?
  /// Whether some lines end in one and some in the other. They stay as they are.
  package var hasMixedLineEndings = false
  package var endsWithNewline = false
  package var isValidUTF8 = true

  package init() {}

  /// O(bytes).
  package init(of text: Rope) {
    let newlines = text.summary.newlines
    let pairs = text.countCarriageReturnLineFeeds()
    lineEnding = newlines == 0 ? nil : pairs * 2 > newlines ? .carriageReturnLineFeed : .lineFeed
    hasMixedLineEndings = pairs > 0 && pairs < newlines
    endsWithNewline = !text.isEmpty && text[text.endOffset - 1] == UInt8(ascii: "\n")
    isValidUTF8 = text.isValidUTF8
  }
}
