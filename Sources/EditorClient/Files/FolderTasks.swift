import EditorProtocol

/// Tasks of the core's in all files of its folder, and what the last search there has found.
final class FolderTasks {
  var results: SearchResults?
  /// Of the last one.
  private var number = 0
  private let core: CoreLink

  init(of core: CoreLink) { self.core = core }

  /// Begins a task, and asks for all that it finds, piece by piece.
  ///
  /// - Parameter take: Says whether more is wanted.
  /// - Returns: Its number, for ``end(_:)``.
  func begin(_ task: FolderTask, take: @escaping (FolderPiece) -> Bool) -> Int {
    number += 1
    askForMore(of: number, task, take)
    return number
  }

  private func askForMore(of number: Int, _ task: FolderTask, _ take: @escaping (FolderPiece) -> Bool) {
    core.request(.folder(number, task)) { [weak self] result in
      var piece = FolderPiece()
      switch result {
      case .success(let answer):
        if let told = FolderPiece(answer) { piece = told } else { piece.isLast = true }
      case .failure(let error): (piece.isLast, piece.problem) = (true, error.explanation)
      }
      let isWanted = take(piece)
      guard let self, !piece.isLast else { return }
      if isWanted { askForMore(of: number, task, take) } else { end(number) }
    }
  }

  func end(_ number: Int) { if core.loss == nil { core.send(.endTask(number)) } }
}

extension FolderPiece {
  /// Behind a count of what was found; empty where all have names.
  static func note(ofNameless count: Int) -> String {
    count == 0 ? "" : "; \(count) name\(count == 1 ? " is" : "s are") not UTF-8"
  }
}
