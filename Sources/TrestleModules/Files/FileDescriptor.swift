import Glibc

/// An open file; closed with its last reference.
final class FileDescriptor {
  private let descriptor: CInt
  private let path: String

  init(opening path: String, _ flags: CInt) throws(FileError) {
    descriptor = open(path, flags | O_CLOEXEC, 0o666)
    self.path = path
    guard descriptor >= 0 else { throw FileError(path: path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// All that is left in it.
  func readToEnd() throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw FileError(path: path) }
    }
  }

  func writeAll(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno != EINTR { throw FileError(path: path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[max(count, 0)...])
    }
  }
}
