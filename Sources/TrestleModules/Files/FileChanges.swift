import Trestle

/// What changes in a folder. Walked once; what is not asked for waits in the kernel's queue.
struct FileChanges: AsyncSequence, Sendable {
  let tree: WatchedTree

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(tree: tree) }

  struct AsyncIterator: AsyncIteratorProtocol {
    /// Changes that follow each other so closely are told as one.
    private static let delay = Duration.milliseconds(20)
    private static let delayOfHalves = Duration.milliseconds(2)
    private static let mostAttempts = 5

    fileprivate var tree: WatchedTree
    /// The next one last.
    private var waiting: [FileChange] = []

    init(tree: WatchedTree) { self.tree = tree }

    mutating func next() async throws -> FileChange? {
      while waiting.isEmpty, !tree.isOver {
        let chunk = tree.isBehind ? [] : try await tree.file.readChunk()
        try await Task.sleep(for: Self.delay)
        tree.take(chunk)
        if tree.awaitsHalves {
          try await Task.sleep(for: Self.delayOfHalves)
          tree.take([])
        }
        try tree.work()
        try await followNewFolders()
        waiting = tree.takeChanges().reversed()
      }
      return waiting.popLast()
    }

    /// There may be more and more of them, and what is known is to be told.
    private mutating func followNewFolders() async throws {
      for attempt in 0..<Self.mostAttempts where tree.isBehind {
        if attempt > 0 { try await Task.sleep(for: Self.delayOfHalves) }
        try tree.catchUp()
        tree.take([])
        try tree.work()
      }
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
  /// It is there, perhaps in the place of a file.
  case created
  /// Its content, permissions or times, or another file is in its place.
  case changed
  /// With all that was below it.
  case removed
  /// It has another path now, with all that is below it.
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
