import EventLoop
import Glibc

/// What is done with a file that has places, which a pipe or a terminal has not: nothing of it makes its caller wait for somebody.
extension FileDescriptor {
  /// - Throws: for what has none.
  func checkPlaces() throws(FileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(path: path) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw FileError(path: path, systemError: EISDIR) }
    guard lseek(descriptor, 0, SEEK_CUR) >= 0 else {
      throw FileError(
        .notPath, "a pipe, terminal or device has no positions to read and write at: Files.bytes reads it", path: path)
    }
  }

  var size: Int {
    get throws(FileError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw FileError(path: path) }
      return Int(status.st_size)
    }
  }

  private static let longestPiece = 1 << 20

  /// - Returns: fewer only where the file ends.
  func read(at position: Int, atMost length: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < length {
      try Task.checkCancellation()
      // Not all at once: the file may have much less than was asked for.
      var count = 0
      let piece = [UInt8](unsafeUninitializedCapacity: min(length - bytes.count, Self.longestPiece)) { buffer, filled in
        count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(position + bytes.count))
        filled = max(count, 0)
      }
      if count == 0 { break }
      if count > 0 { bytes += piece } else if errno != EINTR { throw FileError(path: path) }
    }
    return bytes
  }

  /// - Parameter position: its end if there is none.
  func write(_ bytes: [UInt8], at position: Int?) throws {
    try checkLength(bytes.count)
    var start = 0
    while start < bytes.count {
      try Task.checkCancellation()
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return position.map { pwrite(descriptor, rest.baseAddress, rest.count, off_t($0 + start)) }
          ?? LinuxFile.append(rest, to: descriptor)
      }
      if count >= 0 { start += count } else if errno != EINTR { throw FileError(path: path) }
    }
  }

  func truncate(to size: Int) throws(FileError) {
    while ftruncate(descriptor, off_t(size)) != 0 { guard errno == EINTR else { throw FileError(path: path) } }
  }

  /// Of the open file, not of the process: it goes with its last descriptor.
  func tryLock(isShared: Bool) throws(FileError) -> Bool {
    while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw FileError(path: path) }
    }
    return true
  }

  func unlock() throws(FileError) { guard flock(descriptor, LOCK_UN) == 0 else { throw FileError(path: path) } }
}
