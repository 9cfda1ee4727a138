import EditorProtocol

/// What a search in files has found so far.
final class SearchResults {
  let query: FindQuery
  private(set) var lines: [FoundLine] = []
  private(set) var searchedFiles = 0
  private(set) var isWhole = false
  private var isCut = false
  private var namelessCount = 0
  private var problem: String?
  /// The one that was gone to.
  var selected: Int?
  /// Told of what comes.
  var onLines: ([FoundLine]) -> Void = { _ in }
  private var task: Int?

  init(_ query: FindQuery) { self.query = query }

  func begin(in folder: FolderTasks) {
    task = folder.begin(.search(query)) { [weak self, weak folder] piece in
      guard let self, folder?.results === self, !isWhole else { return false }
      take(piece)
      return true
    }
  }

  private func take(_ piece: FolderPiece) {
    lines += piece.lines
    searchedFiles = max(searchedFiles, piece.searchedFiles)
    (isWhole, isCut, namelessCount) = (piece.isLast, piece.isCut, piece.namelessCount)
    problem = piece.problem ?? problem
    onLines(piece.lines)
  }

  /// What was found stays.
  func end(in folder: FolderTasks) {
    guard let task, !isWhole else { return }
    isWhole = true
    folder.end(task)
  }

  var report: String {
    if let problem { return problem }
    let count = "\(isCut ? "the first " : "")\(lines.count) line\(lines.count == 1 ? "" : "s")"
    return isWhole ? count + FolderPiece.note(ofNameless: namelessCount) : "\(count), \(searchedFiles) files …"
  }

  var files: [String] {
    var known: Set<String> = []
    return lines.map(\.path).filter { known.insert($0).inserted }
  }
}
