import EventLoop
import Glibc

/// The real system calls.
package struct LinuxFileSystem: FileSystem {
  package init() {}

  package func open(_ path: String, _ flags: CInt, mode: UInt32) throws(FileError) -> CInt {
    try call("cannot open", path) { Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY, mode) }
  }

  package func close(_ descriptor: CInt) { _ = Glibc.close(descriptor) }

  package func read(
    _ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileError) -> Int {
    try call("cannot read") { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  package func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int {
    try call("cannot write") { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
  }

  package func truncate(_ descriptor: CInt, to size: Int) throws(FileError) {
    _ = try call("cannot truncate") { ftruncate(descriptor, off_t(size)) }
  }

  package func allocate(_ descriptor: CInt, _ size: Int) throws(FileError) {
    guard LinuxFile.reserveRoom(descriptor, size) else {
      throw FileError(systemError: errno, "cannot reserve room", path: "")
    }
  }

  package func synchronize(_ descriptor: CInt) throws(FileError) {
    _ = try call("cannot synchronize") { fsync(descriptor) }
  }

  package func synchronizeData(_ descriptor: CInt) throws(FileError) {
    _ = try call("cannot synchronize") { fdatasync(descriptor) }
  }

  package func startWriteback(_ descriptor: CInt) { LinuxFile.startWriteback(descriptor) }

  package func status(of descriptor: CInt) throws(FileError) -> FileStatus {
    var status = stat()
    _ = try call("cannot examine") { fstat(descriptor, &status) }
    return FileStatus(status)
  }

  package func status(at path: String, followingLinks: Bool) throws(FileError) -> FileStatus? {
    var status = stat()
    do throws(FileError) {
      _ = try call("cannot examine", path) { followingLinks ? stat(path, &status) : lstat(path, &status) }
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
    return FileStatus(status)
  }

  package func linkTarget(_ path: String) throws(FileError) -> String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = try call("cannot follow", path) {
      buffer.withUnsafeMutableBytes { bytes in
        bytes.baseAddress.map { readlink(path, $0.assumingMemoryBound(to: CChar.self), bytes.count) } ?? 0
      }
    }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  package func realPath(_ path: String) throws(FileError) -> String {
    try checkPath(path, "cannot find")
    guard let real = realpath(path, nil) else {
      let code = errno
      // Below a folder that is not to be searched the kernel knows it all the same.
      if code == EACCES, let known = knownPath(path) { return known }
      throw FileError(systemError: code, "cannot find", path: path)
    }
    defer { free(real) }
    if let text = String(validatingCString: real) { return text }
    // Folders whose names are no text differ, too. No other path has a NUL.
    let bytes = UnsafeBufferPointer(start: real, count: strlen(real))
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar(UInt8(bitPattern: $0)) })) + "\0"
  }

  /// Nil if it cannot be opened either.
  private func knownPath(_ path: String) -> String? {
    try? withOpen(path, LinuxFile.pathOnly) { descriptor throws(FileError) in
      try linkTarget("/proc/self/fd/\(descriptor)")
    }
  }

  package func isWritable(_ path: String) -> Bool { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }

  package func rename(_ source: String, to destination: String) throws(FileError) {
    try checkPath(source, "cannot replace")
    _ = try call("cannot replace", destination) { Glibc.rename(source, destination) }
  }

  package func renameNew(_ source: String, to destination: String) throws(FileError) {
    do throws(FileError) {
      _ = try call("cannot make", destination) { LinuxFile.renameWithoutReplacing(source, destination) }
    } catch {
      guard [EINVAL, ENOSYS].contains(error.systemError) else { throw error }
      // A file system without it: a second name is not given where there is one either.
      _ = try call("cannot make", destination) { link(source, destination) }
      try remove(source)
    }
  }

  package func remove(_ path: String) throws(FileError) {
    _ = try call("cannot remove", path) { unlink(path) }
  }

  package func makeDirectory(_ path: String, mode: UInt32) throws(FileError) {
    do throws(FileError) { _ = try call("cannot make the folder", path) { mkdir(path, mode) } } catch {
      if error.systemError != EEXIST { throw error }
    }
  }

  package func names(inDirectory path: String) throws(FileError) -> [String] {
    try checkPath(path, "cannot list")
    guard let folder = opendir(path) else { throw FileError(systemError: errno, "cannot list", path: path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package func setMode(_ descriptor: CInt, _ mode: UInt32) throws(FileError) {
    _ = try call("cannot set the permissions") { fchmod(descriptor, mode) }
  }

  package func setOwner(_ descriptor: CInt, _ owner: UInt32, _ group: UInt32) throws(FileError) {
    _ = try call("cannot set the owner") { fchown(descriptor, owner, group) }
  }

  package func copyAttributes(from source: CInt, to destination: CInt) -> Bool {
    LinuxFile.copyAttributes(from: source, to: destination)
  }

  package func capabilities(of descriptor: CInt) -> [UInt8]? { LinuxFile.capabilities(of: descriptor) }

  package func setCapabilities(_ capabilities: [UInt8], of descriptor: CInt) throws(FileError) {
    _ = try call("cannot set the capabilities") { LinuxFile.setCapabilities(capabilities, of: descriptor) }
  }

  package func isRunning(_ process: Int) -> Bool { kill(pid_t(truncatingIfNeeded: process), 0) == 0 || errno == EPERM }

  package func lock(_ descriptor: CInt) throws(FileError) -> Bool {
    do throws(FileError) { _ = try call("cannot lock") { flock(descriptor, LOCK_EX | LOCK_NB) } } catch {
      if error.systemError == EWOULDBLOCK { return false }
      throw error
    }
    return true
  }

  /// As `/proc/locks` has it: "2: FLOCK  ADVISORY  WRITE 19901 fe:00:16220894 0 EOF".
  package func lockHolder(_ descriptor: CInt) -> Int? {
    guard let inode = try? status(of: descriptor).inode else { return nil }
    let holders = lines(of: "/proc/locks").compactMap { line in
      let words = line.split(separator: " ")
      return words.count > 5 && words[1] == "FLOCK" && words[5].hasSuffix(":\(inode)") ? Int(words[4]) : nil
    }
    return holders.first
  }

  /// As `/proc` has it: a zombie, one that SIGKILL waits for, or one whose memory is being written to a file.
  package func isEnding(_ process: Int) -> Bool {
    lines(of: "/proc/\(process)/status").contains { line in
      let words = line.split { $0 == "\t" || $0 == " " }
      guard words.count > 1 else { return false }
      return switch words[0] {
      case "State:": words[1] == "Z" || words[1] == "X"
      case "SigPnd:", "ShdPnd:": (UInt64(words[1], radix: 16) ?? 0) >> (UInt64(SIGKILL) - 1) & 1 == 1
      case "CoreDumping:": words[1] == "1"
      default: false
      }
    }
  }

  /// Of a file of `/proc`, which does not tell its size; none if it cannot be read.
  private func lines(of path: String) -> [Substring] {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    try? withOpen(path, O_RDONLY) { descriptor throws(FileError) in
      while true {
        let count = try buffer.withUnsafeMutableBufferPointer { bytes throws(FileError) in
          try read(descriptor, into: UnsafeMutableRawBufferPointer(bytes), at: text.count)
        }
        if count == 0 { return }
        text += buffer[..<count]
      }
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
  }

  package func isInMemory(_ descriptor: CInt) -> Bool { LinuxFile.isInMemory(descriptor) ?? false }

  package var effectiveUser: UInt32 { geteuid() }

  /// The system would take what stands before a NUL for the path.
  private func checkPath(_ path: String, _ operation: String) throws(FileError) {
    guard path.utf8.contains(0) else { return }
    throw FileError(.system, operation, path: path.split(separator: "\0").joined(separator: "\\0"), systemError: EINVAL)
  }

  private func call<Result: SignedInteger>(
    _ operation: String, _ path: String = "", _ body: () -> Result
  ) throws(FileError) -> Result {
    try checkPath(path, operation)
    while true {
      let result = body()
      if result >= 0 { return result }
      if errno != EINTR { throw FileError(systemError: errno, operation, path: path) }
    }
  }
}
