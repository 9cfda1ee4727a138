import JSON

/// What an `edit` notification asks for (XI front-end protocol, `edit`).
package enum EditCommand: Equatable, Sendable {
  case plain(PlainEdit)
  case insert(String)
  /// One undo step; a paste of as many lines as there are regions goes one line to each.
  case paste(String)
  /// Extension: what the core holds of a copy, by its number; the same to each region.
  case pasteHeld(Int)
  /// Extension: whole lines go above the lines of the carets.
  case pasteLines(String)
  /// Extension: bytes that may be a text in any encoding, as those of a file are read.
  case insertBytes(RawBytes)
  /// Extension: a word in the place of what is typed of it, at each caret behind that.
  case completeWord(typed: String, word: String)
  /// A visual line, from 0.
  case gotoLine(Int)
  case gesture(LineColumn, Gesture)
  /// Deprecated; xi-core obeys flag 2 (shift) alone.
  case click(LineColumn, flags: Int, count: Int)
  case drag(LineColumn, flags: Int)
  /// The visual lines on screen, `first..<end`.
  case scroll(first: Int, end: Int)
  case requestLines(first: Int, end: Int)
  /// Extension: what else of the view is on screen, in place of what was told of that before.
  case alsoShown([Range<Int>])
  /// In the units in which widths are measured: cells, in a terminal.
  case resize(width: Double, height: Double)
  case highlightFind(visible: Bool)
  case find(FindQuery)
  case multiFind([FindQuery])
  case findNext(FindMotion)
  case findPrevious(FindMotion)
  case selectionForFind(caseSensitive: Bool)
  case replace(String, preserveCase: Bool)
  case toggleRecording(name: String?)
  case playRecording(name: String)
  case clearRecording(name: String)
  case requestHover(requestID: Int, at: LineColumn?)
  /// Extension: a logical line from 0 and a count of characters in it, both clamped to the text.
  case gotoPosition(line: Int, character: Int)

  /// Whether the text may change: refused for a document that is only to be read.
  package var changesText: Bool {
    switch self {
    case .insert, .paste, .pasteHeld, .pasteLines, .insertBytes, .completeWord: true
    case .plain(let edit): edit.changesText
    default: false
    }
  }
}

/// The `ty` of a `gesture`.
package enum Gesture: Equatable, Sendable {
  package enum Granularity: String, Sendable, WireValue { case point, word, line }

  case select(Granularity, multi: Bool)
  case selectExtend(Granularity)
  case drag
  /// A block begins at that cell of the row, or has its other corner there.
  case selectColumns(cell: Int, extends: Bool)
}

package struct FindQuery: Equatable, Sendable, WireObject {
  /// Absent for a new query, else an id that a `find_status` has named.
  package var id: Int?
  /// Empty: no search.
  package var chars: String
  package var caseSensitive: Bool
  package var regex: Bool
  package var wholeWords: Bool

  package init(id: Int? = nil, _ chars: String, caseSensitive: Bool, regex: Bool = false, wholeWords: Bool = false) {
    self.id = id
    self.chars = chars
    self.caseSensitive = caseSensitive
    self.regex = regex
    self.wholeWords = wholeWords
  }

  static let blank = FindQuery("", caseSensitive: false)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    let id = try wire("id", id)
    var query = try passedWithoutID(over: &wire)
    query.id = id
    return query
  }

  func passedWithoutID(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      wire("chars", chars), caseSensitive: wire("case_sensitive", caseSensitive),
      regex: wire("regex", regex, or: false),
      wholeWords: wire("whole_words", wholeWords, or: false))
  }
}

package struct FindMotion: Equatable, Sendable, WireObject {
  package enum SelectionChange: String, Sendable, WireValue {
    case none, set, add
    case addRemovingCurrent = "add_removing_current"
  }

  package var wrapAround: Bool
  package var allowSame: Bool
  package var selection: SelectionChange

  package init(wrapAround: Bool = false, allowSame: Bool = false, selection: SelectionChange = .set) {
    self.wrapAround = wrapAround
    self.allowSame = allowSame
    self.selection = selection
  }

  static let blank = FindMotion()
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      wrapAround: wire("wrap_around", wrapAround, or: false), allowSame: wire("allow_same", allowSame, or: false),
      selection: wire("modify_selection", selection, or: .set))
  }
}
