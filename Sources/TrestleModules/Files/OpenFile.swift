import EventLoop
import Glibc
import Trestle

/// A file that is read and written where one wants. Its calls are made in their order, away from the JavaScript thread; a lock that
/// somebody else has is waited for beside them.
@SharedObject actor OpenFile {
  private nonisolated let id: Int
  private nonisolated let path: String
  private nonisolated let mode: FileMode
  private nonisolated let files: OpenFiles

  init(_ id: Int, _ path: String, _ mode: FileMode, in files: OpenFiles) {
    (self.id, self.path, self.mode, self.files) = (id, path, mode, files)
  }

  deinit { files.close(id) }

  private func file() throws(FileError) -> FileDescriptor {
    guard let file = files[id] else { throw FileError(.closed, "the file is closed", path: path) }
    return file
  }

  // MARK: Reading

  /// The bytes from a position on: as many as were asked for, fewer where the file ends before, none behind its end.
  @Exported func read(at position: Int, length: Int) throws -> [UInt8] {
    let file = try file()
    try check(position, "a position")
    try check(length, "a length")
    try file.checkLength(length)
    guard mode.reads else { throw refusal("read") }
    return try file.read(at: position, atMost: length)
  }

  /// How long it is, in bytes.
  @Exported func size() throws -> Int { try file().size }

  // MARK: Writing

  /// Returns once all of them are in the file. What lies between its end and a position behind that is zeros.
  @Exported(.promise) func write(at position: Int, _ bytes: [UInt8]) throws {
    let file = try fileToWrite()
    try check(position, "a position")
    // The system would write them to the end, wherever they were to go.
    guard mode != .append else {
      throw FileError(.notPermitted, "opened with the mode 'append': 'append' writes to its end", path: path)
    }
    try file.write(bytes, at: position)
  }

  /// Writes to the end of the file, wherever that is by then: also of what others write there nothing is lost.
  @Exported(.promise) func append(_ bytes: [UInt8]) throws { try fileToWrite().write(bytes, at: nil) }

  /// Makes it so many bytes long: shorter, or longer with zeros.
  @Exported(.promise) func truncate(_ size: Int) throws {
    let file = try fileToWrite()
    try check(size, "a size")
    try file.truncate(to: size)
  }

  /// Returns once all that was written is on the disk.
  @Exported(.promise) func sync() throws { try file().synchronize() }

  private func fileToWrite() throws(FileError) -> FileDescriptor {
    let file = try file()
    guard mode != .read else { throw refusal("written") }
    return file
  }

  private func refusal(_ what: String) -> FileError {
    FileError(.notPermitted, "opened with the mode '\(mode.rawValue)', cannot be \(what)", path: path)
  }

  private func check(_ number: Int, _ what: String) throws(FileError) {
    guard (0...OpenFiles.longest).contains(number) else {
      throw FileError(.notPath, "\(what) is 0 to 2 ** 53 - 1, got \(number)", path: path)
    }
  }

  // MARK: Locking

  private static let longestPause = Duration.milliseconds(100)

  /// Waits until nobody else has a lock that excludes this one. A lock that it has already is let go of first.
  @Exported(.promise) func lock(_ kind: FileLock = .exclusive) async throws {
    var pause = Duration.milliseconds(1)
    // The system would wait on a thread that others share.
    while try !tryLock(kind) {
      try await Task.sleep(for: pause)
      pause = min(pause * 2, Self.longestPause)
    }
    // Nobody would know of it.
    if Task.isCancelled {
      try unlock()
      throw CancellationError()
    }
  }

  /// - Returns: false, and nothing is locked, if somebody else has a lock that excludes this one.
  @Exported func tryLock(_ kind: FileLock = .exclusive) throws -> Bool { try file().tryLock(isShared: kind == .shared) }

  @Exported(.promise) func unlock() throws { try file().unlock() }

  // MARK: Its end

  /// Lets go of its lock and of the file. Again: does nothing.
  @Exported(.promise) func close() { files.close(id) }
}

/// The files that scripts of a bridge have open. From any thread.
final class OpenFiles: Sendable {
  /// What a number says exactly in JavaScript.
  static let longest = 1 << 53 - 1

  private struct State {
    var files: [Int: FileDescriptor] = [:]
    var lastID = 0
    /// The bridge has closed.
    var isOver = false
  }

  private let state = Lock(State())

  subscript(id: Int) -> FileDescriptor? { state.withLock { $0.files[id] } }

  func add(_ file: FileDescriptor, _ mode: FileMode) throws(BridgeError) -> OpenFile {
    try state.withLock { (state) throws(BridgeError) in
      guard !state.isOver else { throw BridgeError(.closed, "the bridge is closed") }
      state.lastID += 1
      state.files[state.lastID] = file
      return OpenFile(state.lastID, file.path, mode, in: self)
    }
  }

  /// Again: does nothing.
  func close(_ id: Int) { _ = state.withLock { $0.files.removeValue(forKey: id) } }

  /// For the end of the bridge.
  func closeAll() {
    state.withLock { state in
      state.isOver = true
      state.files = [:]
    }
  }
}

/// How a file is opened.
@Record struct OpenOptions {
  /// `read` if nothing else is said.
  var mode: FileMode?
  /// Of a file that is made: the bits, such as `0o600`, without those that the process withholds. `0o666` if nothing else is said.
  var permissions: Int?

  init() {}
}

/// What a file is opened for.
@Record enum FileMode: String {
  /// Reading; the file must be there.
  case read
  /// Writing; the file is made, or emptied.
  case write
  /// Both; the file is made if there is none, and stays as it is.
  case readWrite
  /// Writing to its end; the file is made if there is none.
  case append
  /// Both; the file is made, and must not be there.
  case new

  var reads: Bool { flags & O_ACCMODE != O_WRONLY }

  var flags: CInt {
    switch self {
    case .read: O_RDONLY
    case .write: O_WRONLY | O_CREAT | O_TRUNC
    case .readWrite: O_RDWR | O_CREAT
    case .append: O_WRONLY | O_CREAT | O_APPEND
    case .new: O_RDWR | O_CREAT | O_EXCL
    }
  }
}

/// Many may have a shared lock, or one an exclusive one.
@Record enum FileLock: String {
  case shared
  case exclusive
}
