import EventLoop
import Glibc

/// What is done with a folder and all below it. By descriptors of folders: a link that somebody puts in the place of one leads nowhere.
enum FileTree {
  /// Removes what is at a path, and all below it; links are removed, not followed.
  static func remove(_ path: SystemPath) throws {
    try remove(path.name, in: AT_FDCWD, shown: path.text)
  }

  private static func remove(_ name: [CChar], in folder: CInt, shown: String) throws {
    try Task.checkCancellation()
    if unlinkat(folder, name, 0) == 0 || errno == ENOENT { return }
    let failure = errno
    var status = stat()
    // Of folders some file systems say `EPERM`.
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError(path: shown, systemError: failure)
    }
    let directory = try Directory(name, in: folder, shown: shown)
    // First: to remove while a folder is read may pass some over.
    for entry in try directory.names() { try remove(entry, in: directory.descriptor, shown: "\(shown)/\(entry.text)") }
    guard unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT else { throw FileError(path: shown) }
  }

  /// Copies a file, a link as a link, or a folder with all below it, with their permissions and times.
  ///
  /// - Throws: `FileError.Code.exists` if there is something at the new path.
  static func copy(_ path: SystemPath, to newPath: SystemPath) throws {
    try copy(path.name, in: AT_FDCWD, to: newPath.name, in: AT_FDCWD, shown: path.text, newPath.text, except: nil)
  }

  /// - Parameter except: what was made for the copy, which may lie within what is copied.
  private static func copy(
    _ name: [CChar], in folder: CInt, to newName: [CChar], in newFolder: CInt, shown: String, _ newShown: String,
    except made: (dev_t, ino_t)?
  ) throws {
    try Task.checkCancellation()
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw FileError(path: shown) }
    if let made, made == (status.st_dev, status.st_ino) { return }
    switch status.st_mode & S_IFMT {
    case S_IFLNK:
      let target = try target(of: name, in: folder, shown: shown)
      guard symlinkat(target, newFolder, newName) == 0 else { throw FileError(path: newShown) }
    case S_IFDIR:
      guard mkdirat(newFolder, newName, 0o700) == 0 else { throw FileError(path: newShown) }
      let directory = try Directory(name, in: folder, shown: shown)
      let copy = try Directory(newName, in: newFolder, shown: newShown)
      var own = stat()
      guard fstat(copy.descriptor, &own) == 0 else { throw FileError(path: newShown) }
      for entry in try directory.names() {
        try self.copy(
          entry, in: directory.descriptor, to: entry, in: copy.descriptor, shown: "\(shown)/\(entry.text)",
          "\(newShown)/\(entry.text)", except: made ?? (own.st_dev, own.st_ino))
      }
      try keep(status, of: copy.descriptor, shown: newShown)
    case S_IFREG: try copyFile(name, in: folder, to: newName, in: newFolder, shown: shown, newShown)
    default: throw FileError(.system, "neither a file, a folder nor a link", path: shown)
    }
  }

  private static func copyFile(
    _ name: [CChar], in folder: CInt, to newName: [CChar], in newFolder: CInt, shown: String, _ newShown: String
  ) throws {
    let source = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard source >= 0 else { throw FileError(path: shown) }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw FileError(path: shown) }
    let target = openat(newFolder, newName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw FileError(path: newShown) }
    do {
      defer { close(target) }
      try copyBytes(from: source, to: target, shown: newShown)
      try keep(status, of: target, shown: newShown)
    } catch {
      // Half of a file is nobody's copy.
      unlinkat(newFolder, newName, 0)
      throw error
    }
  }

  /// In one piece of memory after the other; where the file system can, it shares what is copied.
  private static func copyBytes(from source: CInt, to target: CInt, shown: String) throws {
    while true {
      try Task.checkCancellation()
      let count = Writing.copy(from: source, to: target)
      if count == 0 { break }
      if count > 0 { continue }
      // Between file systems, and of files whose length the system does not know.
      guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw FileError(path: shown) }
      break
    }
    while true {
      try Task.checkCancellation()
      guard let chunk = Reading.chunk(from: source) else { throw FileError(path: shown) }
      if chunk.isEmpty { return }
      guard chunk.withUnsafeBytes({ Writing.all($0, to: target) }) else { throw FileError(path: shown) }
    }
  }

  private static func keep(_ status: stat, of descriptor: CInt, shown: String) throws(FileError) {
    guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw FileError(path: shown) }
    guard futimens(descriptor, [status.st_atim, status.st_mtim]) == 0 else { throw FileError(path: shown) }
  }

  /// Where a symbolic link leads.
  static func target(of name: [CChar], in folder: CInt = AT_FDCWD, shown: String) throws(FileError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlinkat(folder, name, &buffer, buffer.count - 1)
    guard count >= 0 else { throw FileError(path: shown) }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// All below a folder, folders before what is in them, by name; links are told and not followed.
  struct Walk: AsyncSequence, Sendable {
    let folder: SystemPath

    func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(waiting: [folder.text + "/"], skipped: folder.text.utf8.count + 1)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
      /// Those that are not told yet, the next one last; folders, whose contents are, end in a slash.
      fileprivate var waiting: [String]
      /// What the paths begin with.
      fileprivate let skipped: Int

      mutating func next() async throws -> FileEntry? {
        while let path = waiting.popLast() {
          guard path.hasSuffix("/") else { return try entry(path) }
          let directory = try Directory(
            Array(path.utf8CString), in: AT_FDCWD, followsLink: true, shown: String(path.dropLast()))
          waiting += try directory.names().map(\.text).sorted().reversed().map { path + $0 }
        }
        return nil
      }

      private mutating func entry(_ path: String) throws -> FileEntry? {
        var status = stat()
        // It may be gone since.
        guard fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        let kind = FileStatus.kind(of: status)
        if kind == "directory" { waiting.append(path + "/") }
        return FileEntry(path: String(path.utf8.dropFirst(skipped)) ?? path, kind: kind, size: Int64(status.st_size))
      }
    }
  }
}

/// A folder that is open; links to folders are refused.
private struct Directory: ~Copyable {
  let descriptor: CInt
  private let stream: OpaquePointer
  private let shown: String

  init(_ name: [CChar], in folder: CInt, followsLink: Bool = false, shown: String) throws(FileError) {
    guard DescriptorReserve.hasRoomForScripts else { throw FileError(path: shown, systemError: EMFILE) }
    let descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
    guard descriptor >= 0, let stream = fdopendir(descriptor) else {
      let error = FileError(path: shown)
      if descriptor >= 0 { close(descriptor) }
      throw error
    }
    (self.descriptor, self.stream, self.shown) = (descriptor, stream, shown)
  }

  deinit { closedir(stream) }

  /// As the system has them: they need not be text.
  func names() throws(FileError) -> [[CChar]] {
    var names: [[CChar]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        $0.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
      }
      if name.text != ".", name.text != ".." { names.append(name) }
    }
    guard errno == 0 else { throw FileError(path: shown) }
    return names
  }
}

extension [CChar] {
  fileprivate var text: String { String(decoding: dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
}

extension SystemPath {
  /// With the NUL that ends it.
  var name: [CChar] { Array(text.utf8CString) }
}
