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
    while true {
      let chunk = try readChunk()
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
  }

  /// Up to 64 KB of what is left; empty at the end.
  func readChunk() throws(FileError) -> [UInt8] {
    while true {
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        count = read(descriptor, buffer.baseAddress, buffer.count)
        filled = max(count, 0)
      }
      if count >= 0 { return chunk }
      if errno != EINTR { throw FileError(path: path) }
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
