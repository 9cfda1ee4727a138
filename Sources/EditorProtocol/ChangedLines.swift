import JSON

/// The lines of a view that are not what they were: how many there are in the whole text, and which of them are in sight.
package struct ChangedLines: Equatable, Sendable, WireObject {
  /// What the text is compared with.
  package enum Base: String, Sendable, WireValue {
    /// The file as it was read or written last.
    case saved
    /// What git's commit has of it that is checked out.
    case head
    /// The file as it was on the disk when ``FrontEndNotification/compareWithDisk(_:)`` has asked for it.
    case disk
  }

  package enum Kind: String, Sendable, WireValue { case added, modified, removed }

  /// Visual lines that show a change; of lines that are gone the one above, or the first.
  package struct Run: Equatable, Sendable, WireObject {
    package var kind: Kind
    package var line: Int
    package var count: Int

    package init(_ kind: Kind, line: Int, count: Int) { (self.kind, self.line, self.count) = (kind, line, count) }

    package var lines: Range<Int> { line..<line + count }

    static let blank = Run(.added, line: 0, count: 0)
    func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
      let run = try Self(wire("kind", kind), line: wire("line", line), count: wire("n", count))
      // No text has as many lines, and no sum of these overflows.
      let counts = 0...1 << 48
      guard counts.contains(run.line), counts.contains(run.count) else { throw wire.error("line") }
      return run
    }
  }

  package var base: Base
  /// Lines of the whole text.
  package var added, modified, removed: Int
  /// In their order.
  package var runs: [Run]

  package init(base: Base, added: Int, modified: Int, removed: Int, runs: [Run]) {
    (self.base, self.added, self.modified, self.removed, self.runs) = (base, added, modified, removed, runs)
  }

  static let blank = ChangedLines(base: .saved, added: 0, modified: 0, removed: 0, runs: [])
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      base: wire("base", base), added: wire("added", added, or: 0), modified: wire("modified", modified, or: 0),
      removed: wire("removed", removed, or: 0), runs: wire.lenient("lines", runs))
  }
}

/// What stood in the place of changed lines: the answer to ``FrontEndRequest/change(_:)``.
package struct EarlierLines: Equatable, Sendable, WireObject {
  package var base: ChangedLines.Base
  /// The logical line, from 0, that is in their place now, or before which they stood; and how many.
  package var line, count: Int
  /// How many they were.
  package var earlierCount: Int
  /// They, or the first of them.
  package var text: String

  package init(base: ChangedLines.Base, line: Int, count: Int, earlierCount: Int, text: String) {
    (self.base, self.line, self.count, self.earlierCount, self.text) = (base, line, count, earlierCount, text)
  }

  /// nil for any other answer.
  package init?(_ json: JSONValue) { self.init(reading: json) }
  package var json: JSONValue { written }

  static let blank = EarlierLines(base: .saved, line: 0, count: 0, earlierCount: 0, text: "")
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      base: wire("base", base), line: wire("line", line), count: wire("n", count),
      earlierCount: wire("was", earlierCount), text: wire("text", text))
  }
}
