import EventLoop
import Glibc

/// The open file of a journal: the worker may sync it while the loop appends to it. Closed when the last of them lets go.
package final class JournalFile: Sendable {
  let descriptor: CInt
  private let system: any FileSystem
  /// That it was opened by.
  private let path: String
  private let status: FileStatus
  /// How many names it has had, and whether the last is on the disk.
  private let naming = Lock((count: 1, isSynced: false))

  /// Locked as long as it is open: who finds a journal that is not may recover from it.
  init(_ path: String, _ flags: CInt, system: any FileSystem) throws(FileError) {
    self.system = system
    self.path = path
    let descriptor = try system.open(path, O_RDWR | O_APPEND | O_NOFOLLOW | flags, mode: 0o600)
    do throws(FileError) {
      status = try system.status(of: descriptor)
      if try system.lockIfPossible(descriptor) == .busy { throw FileError(.inUse, "cannot write", path: path) }
    } catch {
      // One that was just made would be in the way of the next attempt.
      if flags & O_EXCL != 0 { try? system.remove(path) }
      system.close(descriptor)
      throw error.of(path)
    }
    self.descriptor = descriptor
  }

  enum State { case whole, shorter, longer, gone }

  /// Whether it has that name still, or again, and is as long as it was written.
  func state(at path: String, byteCount: Int) throws(FileError) -> State {
    let now: FileStatus
    do throws(FileError) {
      guard let found = try system.status(at: path, followingLinks: false), found.isSameFile(as: status) else {
        return .gone
      }
      now = found
    } catch {
      // The file itself can be asked where its name cannot.
      now = try system.status(of: descriptor)
    }
    return now.size == byteCount ? .whole : now.size < byteCount ? .shorter : .longer
  }

  /// Its first bytes, also when it has no name any more.
  func read(_ byteCount: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    var done = 0
    do throws(FileError) {
      while done < byteCount {
        let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(FileError) in
          let rest = UnsafeMutableBufferPointer(rebasing: bytes[done...])
          return try system.read(descriptor, into: UnsafeMutableRawBufferPointer(rest), at: done)
        }
        if count == 0 { throw FileError(.changedOnDisk, "cannot read all of", path: path) }
        done += count
      }
    } catch { throw error.of(path) }
    return bytes
  }

  deinit { system.close(descriptor) }

  /// Any thread. Milliseconds, or many of them on a busy disk.
  package func synchronize() throws(FileError) {
    try synchronizeContents()
    try synchronizeName()
  }

  func synchronizeContents() throws(FileError) {
    do throws(FileError) { try system.synchronizeData(descriptor) } catch { throw error.of(path) }
  }

  func synchronizeName() throws(FileError) {
    let (count, isSynced) = naming.withLock { $0 }
    guard !isSynced else { return }
    try system.synchronizeFolder(system.folder(of: path))
    // The folder may have been asked before it had the name that it was given meanwhile.
    naming.withLock { if $0.count == count { $0.isSynced = true } }
  }

  /// It was renamed: the new one is not on the disk.
  func lostName() { naming.withLock { $0 = ($0.count + 1, false) } }

  func append(_ bytes: [UInt8]) throws(FileError) {
    do throws(FileError) {
      try bytes.withUnsafeBufferPointer { bytes throws(FileError) in
        try system.writeAll(descriptor, UnsafeRawBufferPointer(bytes))
      }
    } catch { throw error.of(path) }
  }

  func truncate(to byteCount: Int) throws(FileError) {
    do throws(FileError) { try system.truncate(descriptor, to: byteCount) } catch { throw error.of(path) }
  }
}
