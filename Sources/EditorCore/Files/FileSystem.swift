import EditorProtocol
import Glibc

/// The system calls that reading, saving and the journal make, and no others: tests put one that fails in their place.
///
/// Each member is one call, restarted when a signal interrupts it. Descriptors are closed on `exec`.
package protocol FileSystem: Sendable {
  func open(_ path: String, _ flags: CInt, mode: UInt32) throws(FileError) -> CInt
  func close(_ descriptor: CInt)
  /// Reads at `offset`; 0 at the end.
  func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) -> Int
  /// Writes some of `bytes`, at least one, at the descriptor's position.
  func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int
  func truncate(_ descriptor: CInt, to size: Int) throws(FileError)
  /// Makes sure that the disk has room for `size` bytes of the file, which stays as it is.
  func allocate(_ descriptor: CInt, _ size: Int) throws(FileError)
  /// `fsync`.
  func synchronize(_ descriptor: CInt) throws(FileError)
  /// `fdatasync`.
  func synchronizeData(_ descriptor: CInt) throws(FileError)
  /// Starts writing to the disk without waiting; a hint.
  func startWriteback(_ descriptor: CInt)
  func status(of descriptor: CInt) throws(FileError) -> FileStatus
  /// Of the file that `path` names, or of what it links to; nil if there is none.
  func status(at path: String, followingLinks: Bool) throws(FileError) -> FileStatus?
  /// What the symbolic link at `path` holds.
  func linkTarget(_ path: String) throws(FileError) -> String
  /// The absolute path without links of the folder at `path`.
  func realPath(_ path: String) throws(FileError) -> String
  func isWritable(_ path: String) -> Bool
  func rename(_ source: String, to destination: String) throws(FileError)
  /// Gives a file a name that no other has: fails with EEXIST where there is one.
  func renameNew(_ source: String, to destination: String) throws(FileError)
  func remove(_ path: String) throws(FileError)
  func makeDirectory(_ path: String, mode: UInt32) throws(FileError)
  func names(inDirectory path: String) throws(FileError) -> [String]
  func setMode(_ descriptor: CInt, _ mode: UInt32) throws(FileError)
  func setOwner(_ descriptor: CInt, _ owner: UInt32, _ group: UInt32) throws(FileError)
  /// Copies extended attributes and the access control list; false if any was lost.
  func copyAttributes(from source: CInt, to destination: CInt) -> Bool
  /// What a program of this file may do that its user may not (`security.capability`); nil if it is nothing. A write takes it away.
  func capabilities(of descriptor: CInt) -> [UInt8]?
  func setCapabilities(_ capabilities: [UInt8], of descriptor: CInt) throws(FileError)
  /// Takes the file's lock, which ends with the descriptor; false if another process holds it.
  func lock(_ descriptor: CInt) throws(FileError) -> Bool
  /// The process that has the file's lock; nil when nobody has it, or it cannot be told.
  func lockHolder(_ descriptor: CInt) -> Int?
  func isRunning(_ process: Int) -> Bool
  /// Whether the process was killed or has crashed, and is there still.
  func isEnding(_ process: Int) -> Bool
  /// Whether the file lies in memory only.
  func isInMemory(_ descriptor: CInt) -> Bool
  var effectiveUser: UInt32 { get }
}

/// What became of an attempt to lock a file.
enum FileLocking {
  case taken
  /// Another process has it.
  case busy
  /// The file system knows no locks.
  case unknown
}

extension FileSystem {
  /// Writes all of `bytes` at the descriptor's position.
  func writeAll(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try write(descriptor, rest)
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Takes the file's lock, and waits for it a second at most, as long as `isExpected` says, which is told how long it took.
  ///
  /// By the clock: on a busy machine each attempt takes its time.
  func lock(_ descriptor: CInt, waitingWhile isExpected: (Duration) -> Bool) throws(FileError) -> FileLocking {
    let start = ContinuousClock.now
    while true {
      let waited = ContinuousClock.now - start
      let outcome = try lockIfPossible(descriptor)
      guard outcome == .busy, waited < .seconds(1), isExpected(waited) else { return outcome }
      usleep(2000)
    }
  }

  func lockIfPossible(_ descriptor: CInt) throws(FileError) -> FileLocking {
    do throws(FileError) { return try lock(descriptor) ? .taken : .busy } catch {
      if [ENOLCK, EOPNOTSUPP, ENOSYS].contains(error.systemError) { return .unknown }
      throw error
    }
  }

  /// Whether `path` leads to that file, or still does.
  func isNamed(_ descriptor: CInt, _ path: String) throws(FileError) -> Bool {
    let status = try status(of: descriptor)
    return try self.status(at: path, followingLinks: false)?.isSameFile(as: status) == true
  }

  /// Runs `body` with the file open, and closes it whatever happens.
  func withOpen<Result>(
    _ path: String, _ flags: CInt, mode: UInt32 = 0, _ body: (CInt) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    let descriptor = try open(path, flags, mode: mode)
    defer { close(descriptor) }
    do throws(FileError) { return try body(descriptor) } catch { throw error.of(path) }
  }

  /// Makes a change of names in the folder durable.
  /// - Returns: False if the file system cannot, as some of the network: there is nothing better to do.
  @discardableResult
  func synchronizeFolder(_ path: String) throws(FileError) -> Bool {
    do throws(FileError) {
      try withOpen(path, O_RDONLY | O_DIRECTORY) { descriptor throws(FileError) in try synchronize(descriptor) }
      return true
    } catch {
      if ![EINVAL, ENOSYS, EOPNOTSUPP, EBADF].contains(error.systemError) { throw error }
      return false
    }
  }

  /// The path of the file that `path` leads to through symbolic links, which need not exist.
  func resolvingLinks(_ path: String) throws(FileError) -> String {
    var path = path
    for _ in 0..<40 {
      guard try status(at: path, followingLinks: false)?.kind == .symbolicLink else { return path }
      let target = try linkTarget(path)
      path = target.isAbsolutePath ? target : folder(of: path) + "/" + target
    }
    throw FileError(systemError: ELOOP, "cannot follow", path: path)
  }

  func folder(of path: String) -> String { path.pathFolder ?? "." }

  func name(of path: String) -> String { path.pathName }
}
