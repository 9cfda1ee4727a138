import EditorProtocol

/// Tasks of the core's in all files of its folder.
extension Editor {
  /// Begins a task, and asks for all that it finds, piece by piece.
  ///
  /// - Parameter take: Says whether more is wanted.
  /// - Returns: Its number, for ``endFolderTask(_:)``.
  func begin(_ task: FolderTask, take: @escaping (FolderPiece) -> Bool) -> Int {
    folderTask += 1
    askForMore(of: folderTask, task, take)
    return folderTask
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
      if isWanted { askForMore(of: number, task, take) } else { endFolderTask(number) }
    }
  }

  func endFolderTask(_ number: Int) { if core.loss == nil { core.send(.endTask(number)) } }
}
