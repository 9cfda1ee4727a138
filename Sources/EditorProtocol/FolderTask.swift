import JSON

/// What is done with all files below the folder that the core works in, but for those that git ignores and hidden ones.
package enum FolderTask: Equatable, Sendable {
  /// Their paths.
  case list
  /// The lines in which something is found. The query has no id.
  case search(FindQuery)
}

/// A part of what a ``FolderTask`` has found. The core answers when it has some, and waits to be asked for more.
package struct FolderPiece: Equatable, Sendable {
  /// From the folder.
  package var paths: [String] = []
  package var lines: [FoundLine] = []
  /// Files that were searched so far.
  package var searchedFiles = 0
  /// There is no more.
  package var isLast = false
  /// There would be more, but it is too much.
  package var isCut = false
  /// What went wrong.
  package var problem: String?

  package init() {}

  /// nil for any other answer.
  package init?(_ json: JSONValue) {
    guard let isLast = json["last"]?.bool else { return nil }
    self.isLast = isLast
    paths = (json["paths"]?.array ?? []).compactMap(\.string)
    lines = (json["lines"]?.array ?? []).compactMap(FoundLine.init)
    searchedFiles = json["searched"]?.count ?? 0
    isCut = json["cut"]?.bool ?? false
    problem = json["problem"]?.string
  }

  package var json: JSONValue {
    .members(
      ("last", .bool(isLast)), ("paths", paths.isEmpty ? nil : .array(paths.map(JSONValue.string))),
      ("lines", lines.isEmpty ? nil : .array(lines.map(\.json))),
      ("searched", searchedFiles == 0 ? nil : JSONValue(searchedFiles)), ("cut", isCut ? true : nil),
      ("problem", problem.map(JSONValue.string)))
  }
}

/// A line of a file in which something was found.
package struct FoundLine: Equatable, Sendable {
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

  /// nil for what is none.
  init?(_ json: JSONValue) {
    guard let path = json["path"]?.string, let line = json["line"]?.count, let text = json["text"]?.string,
      let character = json["character"]?.count
    else { return nil }
    let ends = (json["marks"]?.array ?? []).compactMap(\.count)
    let marks = stride(from: 0, to: ends.count - 1, by: 2).compactMap { index in
      ends[index] <= ends[index + 1] ? ends[index]..<ends[index + 1] : nil
    }
    self.init(path: path, line: line, character: character, text: text, marks: marks)
  }

  var json: JSONValue {
    [
      "path": .string(path), "line": JSONValue(line), "character": JSONValue(character), "text": .string(text),
      "marks": .array(marks.flatMap { [JSONValue($0.lowerBound), JSONValue($0.upperBound)] }),
    ]
  }
}
