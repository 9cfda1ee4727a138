import EventLoop
import Glibc
import Trestle

/// An open file; closed with its last reference.
///
/// What a path leads to may keep a reader waiting for ever: a pipe, a terminal, a device. Nobody waits for that on a thread that others
/// share, and a task that is cancelled waits no longer. All else is done on the caller's executor, so that no other call overtakes it.
final class FileDescriptor: Sendable {
  /// The most bytes that are made one string.
  static let longestText = 1 << 29

  let path: String
  let descriptor: CInt
  private let isOwned: Bool

  /// - Parameters:
  ///   - permissions: of a file that is made.
  ///   - name: what errors call it; its path, if nothing is said.
  init(
    opening place: FilePlace, _ flags: CInt, permissions: Int = 0o666, named name: String? = nil
  ) throws {
    path = name ?? place.shown
    guard DescriptorReserve.hasRoom else { throw FileError(path: path, systemError: EMFILE) }
    descriptor = try place.openFile(flags | O_NONBLOCK | O_NOCTTY, permissions: mode_t(permissions))
    isOwned = descriptor >= 0
    guard isOwned else { throw FileError(path: self.path) }
    guard !KernelFiles.areMemory(descriptor) else {
      throw FileError(.notPermitted, "is the memory of a process", path: self.path)
    }
  }

  convenience init(
    opening path: SystemPath, _ flags: CInt, permissions: Int = 0o666, through gate: PermissionGate
  ) throws {
    let kinds: [Permissions.Kind] =
      switch flags & O_ACCMODE {
      case O_RDONLY: [.read]
      case O_WRONLY: [.write]
      default: [.read, .write]
      }
    try self.init(opening: gate.place(of: path, kinds, followsLink: true), flags, permissions: permissions)
  }

  /// A folder, to go to or to look from; not to be read.
  init(openingFolder place: FilePlace) throws(FileError) {
    path = place.shown
    guard DescriptorReserve.hasRoom else { throw FileError(path: path, systemError: EMFILE) }
    descriptor = place.open(LinuxFile.pathOnly | O_DIRECTORY)
    isOwned = descriptor >= 0
    guard isOwned else { throw FileError(path: path) }
  }

  private init(lending descriptor: CInt, named name: String) {
    self.descriptor = descriptor
    path = name
    isOwned = false
  }

  /// Takes an end of a pipe over.
  init(owning descriptor: CInt, named name: String) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    self.descriptor = descriptor
    path = name
    isOwned = true
  }

  /// Stays open.
  static var standardInput: FileDescriptor { FileDescriptor(lending: STDIN_FILENO, named: "standard input") }

  deinit { if isOwned { close(descriptor) } }

  // MARK: Reading

  /// All that is in it, as text.
  nonisolated(nonsending) func readText() async throws -> String { try text(try await readAll()[...]) }

  /// All that is in it.
  nonisolated(nonsending) func readAll(atMost most: Int = longestText) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let chunk = try await readChunk()
      if chunk.isEmpty { return bytes }
      bytes += chunk
      try checkLength(bytes.count, atMost: most)
    }
  }

  /// Up to 64 KB of what is left; empty at the end.
  nonisolated(nonsending) func readChunk() async throws -> [UInt8] {
    while true {
      if isReady(POLLIN) {
        if let chunk = Reading.chunk(from: descriptor, waits: false) { return chunk }
        // Another reader of the same pipe may have been sooner.
        guard errno == EAGAIN else { throw FileError(path: path) }
      }
      try await Readiness.wait(for: .readable, of: descriptor)
    }
  }

  /// The same, waiting on the calling thread.
  func readChunkAtOnce() throws(FileError) -> [UInt8] {
    guard let chunk = Reading.chunk(from: descriptor) else { throw FileError(path: path) }
    return chunk
  }

  func checkLength(_ count: Int, atMost most: Int = longestText) throws(FileError) {
    guard count <= most else {
      throw FileError(.limit, "more than \(most >> 20) MB at once", path: path)
    }
  }

  /// What was read, which must be UTF-8.
  func text(_ bytes: ArraySlice<UInt8>) throws(FileError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileError(.notText, "not UTF-8 text", path: path)
    }
    return text
  }

  // MARK: Writing

  nonisolated(nonsending) func writeAll(_ text: String) async throws {
    var text = text
    // Its bytes stand one after the other from now on.
    text.makeContiguousUTF8()
    try await write(text.utf8.count) { text.utf8Span.span.extracting(droppingFirst: $0).withUnsafeBytes($1) }
  }

  nonisolated(nonsending) func writeAll(_ bytes: [UInt8]) async throws {
    try await write(bytes.count) { bytes.span.extracting(droppingFirst: $0).withUnsafeBytes($1) }
  }

  /// - Parameter lend: gives what follows some bytes.
  private nonisolated(nonsending) func write(
    _ length: Int, _ lend: (_ start: Int, _ write: (UnsafeRawBufferPointer) -> Int) -> Int
  ) async throws {
    var start = 0
    while start < length {
      let count = lend(start) { Writing.some($0, to: descriptor) }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        try await Readiness.wait(for: .writable, of: descriptor)
      } else if errno != EINTR {
        throw FileError(path: path)
      }
    }
  }

  /// Returns once what was written is on the disk.
  func synchronize() throws(FileError) { guard fsync(descriptor) == 0 else { throw FileError(path: path) } }

  private func isReady(_ event: CInt) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return poll(&request, 1, 0) != 0
  }
}
