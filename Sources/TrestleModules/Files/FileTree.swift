import EventLoop
import Glibc

/// What is done with a folder and all below it. By descriptors of folders: a link that somebody puts in the place of one leads nowhere.
enum FileTree {
  /// Removes what is at a path, and all below it; links are removed, not followed.
  ///
  /// - Parameter check: Is called before each; throws to end it there.
  static func remove(_ path: SystemPath, unlessCancelled check: () throws -> Void = Task.checkCancellation) throws {
    try check()
    if try removeUnlessFolder(path.name, in: AT_FDCWD, shown: path.text) { return }
    var place = try Descent(path.name, shown: path.text)
    while true {
      if let name = try place.next() {
        try check()
        if try !removeUnlessFolder(name, in: place.descriptor, shown: place.shown(name)) { try place.enter(name) }
        continue
      }
      if place.isAtTop { break }
      let (name, shown) = (place.name, place.shown)
      _ = try place.leave()
      try removeFolder(name, in: place.descriptor, shown: shown)
    }
    try removeFolder(path.name, in: AT_FDCWD, shown: path.text)
  }

  /// - Returns: false if it is a folder; then that is still there.
  private static func removeUnlessFolder(
    _ name: [CChar], in folder: CInt, shown: @autoclosure () -> String
  ) throws(FileError) -> Bool {
    if unlinkat(folder, name, 0) == 0 || errno == ENOENT { return true }
    let failure = errno
    var status = stat()
    // Of folders some file systems say `EPERM`.
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError(path: shown(), systemError: failure)
    }
    return false
  }

  private static func removeFolder(
    _ name: [CChar], in folder: CInt, shown: @autoclosure () -> String
  ) throws(FileError) {
    guard unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT else { throw FileError(path: shown()) }
  }

  /// Copies a file, a link as a link, or a folder with all below it, with their rights and times.
  ///
  /// - Throws: `FileError.Code.exists` if there is something at the new path.
  static func copy(_ path: SystemPath, to newPath: SystemPath) throws {
    let (name, newName) = (path.name, newPath.name)
    let status = try status(of: name, in: AT_FDCWD, shown: path.text)
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return try copyUnlessFolder(
        status, name, in: AT_FDCWD, to: newName, in: AT_FDCWD, shown: path.text, newPath.text)
    }
    try makeFolder(newName, in: AT_FDCWD, shown: newPath.text)
    var source = try Descent(name, shown: path.text)
    var copy = try Descent(newName, shown: newPath.text)
    // It may lie within what is copied.
    let made = try copy.identity
    var kept = [status]
    while let status = kept.last {
      if let name = try source.next() {
        let status = try self.status(of: name, in: source.descriptor, shown: source.shown(name))
        if made == (status.st_dev, status.st_ino) { continue }
        guard status.st_mode & S_IFMT == S_IFDIR else {
          try copyUnlessFolder(
            status, name, in: source.descriptor, to: name, in: copy.descriptor, shown: source.shown(name),
            copy.shown(name))
          continue
        }
        try makeFolder(name, in: copy.descriptor, shown: copy.shown(name))
        try source.enter(name)
        try copy.enter(name)
        kept.append(status)
      } else if source.isAtTop {
        return try keep(status, of: copy.descriptor, shown: newPath.text)
      } else {
        let shown = copy.shown
        _ = try source.leave()
        // Behind the way up, which it may not allow then.
        let left = try copy.leave()
        try left.withDescriptor { (descriptor) throws(FileError) in try keep(status, of: descriptor, shown: shown) }
        kept.removeLast()
      }
    }
  }

  private static func status(
    of name: [CChar], in folder: CInt, shown: @autoclosure () -> String
  ) throws -> stat {
    try Task.checkCancellation()
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw FileError(path: shown()) }
    return status
  }

  private static func makeFolder(
    _ name: [CChar], in folder: CInt, shown: @autoclosure () -> String
  ) throws(FileError) {
    guard mkdirat(folder, name, 0o700) == 0 else { throw FileError(path: shown()) }
  }

  private static func copyUnlessFolder(
    _ status: stat, _ name: [CChar], in folder: CInt, to newName: [CChar], in newFolder: CInt, shown: String,
    _ newShown: String
  ) throws {
    switch status.st_mode & S_IFMT {
    case S_IFLNK:
      let target = try target(of: name, in: folder, shown: shown)
      guard symlinkat(target, newFolder, newName) == 0, FileRights(status).give(toLink: newName, in: newFolder) else {
        throw FileError(path: newShown)
      }
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
    guard FileRights(status).give(to: descriptor) else { throw FileError(path: shown) }
    guard futimens(descriptor, [status.st_atim, status.st_mtim]) == 0 else { throw FileError(path: shown) }
  }

  /// Where a symbolic link leads.
  static func target(of name: [CChar], in folder: CInt = AT_FDCWD, shown: String) throws(FileError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlinkat(folder, name, &buffer, buffer.count - 1)
    guard count >= 0 else { throw FileError(path: shown) }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension SystemPath {
  /// With the NUL that ends it.
  var name: [CChar] { Array(text.utf8CString) }
}
