import EventLoop

/// What scripts have made and the end of the process would leave behind: programs, temporary directories. From any thread.
package enum RunEnd {
  private static let first = Lock<(@Sendable () -> Void)?>(nil)

  /// - Parameter body: is called once, when there is something for the first time: to take the signals that end the process.
  package static func onFirstToClear(_ body: @escaping @Sendable () -> Void) { first.withLock { $0 = body } }

  static func hasToClear() {
    let body = first.withLock { body in
      defer { body = nil }
      return body
    }
    body?()
  }

  /// Ends and removes all of it; programs get a fifth of a second to end by themselves.
  package static func clear() {
    LivePrograms.endAll()
    TemporaryDirectories.removeAll()
  }
}

/// The directories that go with the bridge, or the process.
enum TemporaryDirectories {
  private static let paths = Lock<Set<String>>([])

  static func add(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
    RunEnd.hasToClear()
  }

  static func remove(_ path: String) {
    guard paths.withLock({ $0.remove(path) }) != nil, let path = SystemPath(path) else { return }
    try? FileTree.remove(path)
  }

  static func removeAll() { for path in paths.withLock({ $0 }) { remove(path) } }
}
