import EventLoop
import Glibc

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
  private static let state = Lock<(paths: Set<String>, hasEnded: Bool)>(([], false))
  /// Held as long as one is being removed: what ends the process waits for it, whichever thread has begun.
  private static let removal = Lock(())

  /// Makes an empty one.
  ///
  /// - Throws: `CancellationError` at the end of the process, when it would stay behind.
  static func make(in folder: String) throws -> String {
    var template = Array("\(folder)/trestle-XXXXXX".utf8CString)
    // None is made once they are being removed.
    let path = try state.withLock { state in
      if state.hasEnded { throw CancellationError() }
      guard mkdtemp(&template) != nil else { throw FileError(path: folder) }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      state.paths.insert(path)
      return path
    }
    RunEnd.hasToClear()
    return path
  }

  static func remove(_ path: String) {
    removal.withLock { _ in
      guard state.withLock({ $0.paths.contains(path) }) else { return }
      let place = renamed(path)
      guard let target = SystemPath(place) else { return }
      // A bridge that has waited long enough cancels who asked for it: that ends no removal, the directory would stay for ever.
      for _ in 0..<20 {
        if (try? FileTree.remove(target, unlessCancelled: {})) != nil {
          state.withLock { _ = $0.paths.remove(place) }
          return
        }
        usleep(1000)
      }
    }
  }

  /// What is still being written finds no directory any more, but for what has it open already.
  private static func renamed(_ path: String) -> String {
    let gone = path + ".gone"
    guard !path.hasSuffix(".gone"), rename(path, gone) == 0 else { return path }
    state.withLock { state in
      state.paths.remove(path)
      state.paths.insert(gone)
    }
    return gone
  }

  static func removeAll() {
    let paths = state.withLock { state in
      state.hasEnded = true
      return state.paths
    }
    for path in paths { remove(path) }
    // Another thread may be removing one that is among them no more.
    removal.withLock { _ in }
  }
}
