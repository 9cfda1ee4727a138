import Trestle

/// What changes in a folder. Walked once; what is not asked for waits in the kernel's queue.
struct FileChanges: AsyncSequence, Sendable {
  let tree: WatchedTree

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(tree: tree) }

  struct AsyncIterator: AsyncIteratorProtocol {
    /// Changes that follow each other so closely are told as one.
    private static let delay = Duration.milliseconds(20)
    private static let delayOfHalves = Duration.milliseconds(2)

    fileprivate var tree: WatchedTree
    /// The next one last.
    private var waiting: [FileChange] = []

    init(tree: WatchedTree) { self.tree = tree }

    mutating func next() async throws -> FileChange? {
      while waiting.isEmpty, !tree.isOver {
        let chunk = try await tree.file.readChunk()
        try await Task.sleep(for: Self.delay)
        try tree.take(chunk)
        if tree.awaitsHalves {
          try await Task.sleep(for: Self.delayOfHalves)
          try tree.take([])
          tree.endMoves()
        }
        waiting = tree.takeChanges().reversed()
      }
      return waiting.popLast()
    }
  }
}

/// How something is watched.
@Record struct WatchOptions {
  /// All folders below, too.
  var recursive = false

  init() {}
}

/// What has become of a file or folder.
@Record enum ChangeKind: String {
  /// It is there, perhaps in the place of another.
  case created
  /// Its content, permissions or times.
  case changed
  case removed
  /// It has another path now.
  case renamed
  /// More has changed than could be told: whoever wants to know has to look.
  case overflow
}

/// A change that `watch` tells.
@Record struct FileChange {
  var kind: ChangeKind
  /// From the folder that is watched on; `''` of that itself. Of a file that is watched its name.
  var path: String
  /// What it was before it was renamed.
  var from: String?

  init(_ kind: ChangeKind, _ path: String, from: String?) { (self.kind, self.path, self.from) = (kind, path, from) }
}
