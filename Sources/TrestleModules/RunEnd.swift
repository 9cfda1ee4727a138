import EventLoop
import Glibc
import Trestle

/// What scripts have made and the end of the process would leave behind: programs, temporary directories, halves of files. From any thread.
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

  /// Ends and removes all of it; programs get a fifth of a second to end by themselves. No script hears of that, and goes on.
  package static func clear() {
    Bridge.stopAll()
    LivePrograms.endAll()
    UnfinishedFiles.removeAll()
    TemporaryDirectories.removeAll()
  }
}

/// Files that are not yet what they are to be: half of a copy, and what is written to take another's place. They go with the process.
enum UnfinishedFiles {
  private struct File {
    let folder: CInt
    let name: [CChar]
    let identity: (dev_t, ino_t)
  }

  private struct State {
    var files: [UInt64: File] = [:]
    var last: UInt64 = 0
    var hasEnded = false
  }

  private static let all = Lock(State())

  /// Makes one.
  ///
  /// - Parameters:
  ///   - folder: stays open until the file is finished.
  ///   - open: gives the file's descriptor; nothing is made where it is negative.
  /// - Returns: what `open` has given, and the file's number.
  /// - Throws: `CancellationError` at the end of the process, when it would stay behind.
  static func make<Opened>(
    _ name: [CChar], in folder: CInt, descriptor: (Opened) -> CInt, _ open: () throws -> Opened
  ) throws -> (Opened, number: UInt64) {
    let made = try all.withLock { all in
      if all.hasEnded { throw CancellationError() }
      let opened = try open()
      var status = stat()
      guard descriptor(opened) >= 0, fstat(descriptor(opened), &status) == 0 else { return (opened, number: UInt64(0)) }
      all.last += 1
      all.files[all.last] = File(folder: folder, name: name, identity: (status.st_dev, status.st_ino))
      return (opened, number: all.last)
    }
    RunEnd.hasToClear()
    return made
  }

  /// It is what it is to be once `body` has been run, or is gone.
  static func finish<Result>(_ number: UInt64, _ body: () -> Result) -> Result {
    all.withLock { all in
      all.files[number] = nil
      return body()
    }
  }

  /// What bears the name by now may be another.
  fileprivate static func removeAll() {
    all.withLock { all in
      for file in all.files.values {
        var status = stat()
        guard fstatat(file.folder, file.name, &status, AT_SYMLINK_NOFOLLOW) == 0,
          (status.st_dev, status.st_ino) == file.identity
        else { continue }
        unlinkat(file.folder, file.name, 0)
      }
      (all.files, all.hasEnded) = ([:], true)
    }
  }
}

/// The directories that go with the bridge, or the process. By descriptors of the folders that they were made in: whatever becomes of the
/// way there, nothing else is removed.
enum TemporaryDirectories {
  /// One folder for all that are in it.
  private final class Folder: Sendable {
    let descriptor: CInt
    let identity: (dev_t, ino_t)

    init?(_ descriptor: CInt) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return nil }
      (self.descriptor, identity) = (descriptor, (status.st_dev, status.st_ino))
    }

    deinit { close(descriptor) }
  }

  private struct Made {
    let folder: Folder
    var name: String
  }

  private struct State {
    /// By the paths that scripts know.
    var made: [String: Made] = [:]
    weak var lastFolder: Folder?
    var hasEnded = false
  }

  private static let state = Lock(State())
  /// Held as long as one is being removed: what ends the process waits for it, whichever thread has begun.
  private static let removal = Lock(())

  /// Makes an empty one.
  ///
  /// - Throws: `CancellationError` at the end of the process, when it would stay behind.
  static func make(in place: FilePlace) throws -> String {
    let descriptor = place.open(LinuxFile.pathOnly | O_DIRECTORY)
    guard descriptor >= 0 else { throw place.error() }
    guard let opened = Folder(descriptor) else {
      close(descriptor)
      throw place.error()
    }
    // None is made once they are being removed.
    let path = try state.withLock { state in
      if state.hasEnded { throw CancellationError() }
      let last = state.lastFolder.flatMap { $0.identity == opened.identity ? $0 : nil }
      let made = Made(folder: last ?? opened, name: try name(ofNewIn: opened.descriptor, place))
      state.lastFolder = made.folder
      let folder = place.real ?? place.shown
      let path = (folder == "/" ? "" : folder) + "/" + made.name
      state.made[path] = made
      return path
    }
    RunEnd.hasToClear()
    return path
  }

  private static func name(ofNewIn folder: CInt, _ place: FilePlace) throws(FileError) -> String {
    let signs = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    while true {
      let name = "trestle-" + String((0..<8).map { _ in signs[Int.random(in: signs.indices)] })
      if mkdirat(folder, name, 0o700) == 0 { return name }
      guard errno == EEXIST else { throw place.error() }
    }
  }

  static func remove(_ path: String) {
    removal.withLock { _ in
      guard let made = state.withLock({ renamed(path, &$0) }) else { return }
      // A bridge that has waited long enough cancels who asked for it: that ends no removal, the directory would stay for ever.
      for _ in 0..<20 {
        if let place = FilePlace(made.name, in: made.folder.descriptor, shown: path),
          (try? FileTree.remove(place, unlessCancelled: {})) != nil
        {
          state.withLock { _ = $0.made.removeValue(forKey: path) }
          return
        }
        usleep(1000)
      }
    }
  }

  /// What is still being written finds no directory any more, but for what has it open already.
  private static func renamed(_ path: String, _ state: inout State) -> Made? {
    guard let made = state.made[path], !made.name.hasSuffix(".gone") else { return state.made[path] }
    let (folder, gone) = (made.folder.descriptor, made.name + ".gone")
    if renameat(folder, made.name, folder, gone) == 0 { state.made[path]?.name = gone }
    return state.made[path]
  }

  static func removeAll() {
    let paths = state.withLock { state in
      state.hasEnded = true
      return state.made.keys
    }
    for path in paths { remove(path) }
    // Another thread may be removing one that is among them no more.
    removal.withLock { _ in }
  }
}
