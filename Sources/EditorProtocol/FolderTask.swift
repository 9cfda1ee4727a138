import JSON

/// What is done with all files below the folder that the core works in, but for those that git ignores and hidden ones.
package enum FolderTask: Equatable, Sendable {
  /// Their paths.
  case list
  /// The lines in which something is found. The query has no id.
  case search(FindQuery)
}

/// A part of what a ``FolderTask`` has found. The core answers when it has some, and waits to be asked for more.
package struct FolderPiece: Equatable, Sendable, WireObject {
  /// From the folder.
  package var paths: [String] = []
  package var lines: [FoundLine] = []
  /// Files that were searched so far.
  package var searchedFiles = 0
  /// There is no more.
  package var isLast = false
  /// There would be more, but it is too much.
  package var isCut = false
  /// Files and folders whose names are no text: no path can tell of them, nor open them. With the last piece.
  package var namelessCount = 0
  /// What went wrong.
  package var problem: String?

  package init() {}

  /// nil for any other answer.
  package init?(_ json: JSONValue) { self.init(reading: json) }
  package var json: JSONValue { written }

  static let blank = FolderPiece()
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    var piece = Self()
    piece.isLast = try wire("last", isLast)
    piece.paths = try wire("paths", paths, unless: [])
    piece.lines = try wire("lines", lines, unless: [])
    piece.searchedFiles = try wire("searched", searchedFiles, unless: 0)
    piece.isCut = try wire("cut", isCut, unless: false)
    piece.namelessCount = try wire("nameless", namelessCount, unless: 0)
    piece.problem = try wire("problem", problem)
    return piece
  }
}

/// A line of a file in which something was found.
package struct FoundLine: Equatable, Sendable, WireObject {
  package var path: String
  /// Of the first match, both from 0.
  package var line: Int
  package var character: Int
  /// What surrounds the first match, without the blanks before it.
  package var text: String
  /// The matches, in bytes of ``text``.
  package var marks: [Range<Int>]

  package init(path: String, line: Int, character: Int, text: String, marks: [Range<Int>]) {
    (self.path, self.line, self.character, self.text, self.marks) = (path, line, character, text, marks)
  }

  static let blank = FoundLine(path: "", line: 0, character: 0, text: "", marks: [])
  /// A mark is two numbers in the one array of all.
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    var found = try Self(
      path: wire("path", path), line: wire("line", line), character: wire("character", character),
      text: wire("text", text), marks: [])
    let ends = try wire("marks", marks.flatMap { [$0.lowerBound, $0.upperBound] })
    found.marks = stride(from: 0, to: ends.count - 1, by: 2).compactMap { index in
      ends[index] <= ends[index + 1] ? ends[index]..<ends[index + 1] : nil
    }
    return found
  }
}
