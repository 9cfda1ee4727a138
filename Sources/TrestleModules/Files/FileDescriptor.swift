import EventLoop
import Glibc

/// An open file; closed with its last reference.
final class FileDescriptor {
  let path: String
  private let descriptor: CInt
  private let isOwned: Bool

  init(opening path: String, _ flags: CInt) throws(FileError) {
    descriptor = open(path, flags | O_CLOEXEC, 0o666)
    self.path = path
    isOwned = descriptor >= 0
    guard isOwned else { throw FileError(path: path) }
  }

  private init(lending descriptor: CInt, named name: String) {
    self.descriptor = descriptor
    path = name
    isOwned = false
  }

  /// Stays open.
  static var standardInput: FileDescriptor { FileDescriptor(lending: STDIN_FILENO, named: "standard input") }

  deinit { if isOwned { close(descriptor) } }

  /// All that is left in it, behind `start`, as text.
  func readText(after start: consuming [UInt8] = []) throws(FileError) -> String {
    guard let rest = Reading.toEnd(of: descriptor) else { throw FileError(path: path) }
    if start.isEmpty { return try text(rest[...]) }
    start += rest
    return try text(start[...])
  }

  /// Up to 64 KB of what is left; empty at the end.
  func readChunk() throws(FileError) -> [UInt8] {
    guard let chunk = Reading.chunk(from: descriptor) else { throw FileError(path: path) }
    return chunk
  }

  /// What was read, which must be UTF-8.
  func text(_ bytes: ArraySlice<UInt8>) throws(FileError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileError(.notText, "not UTF-8 text", path: path)
    }
    return text
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
