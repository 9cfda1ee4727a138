import EventLoop
import Glibc

/// What is done with a folder and all below it. By descriptors of folders: a link that somebody puts in the place of one leads nowhere.
enum FileTree {
  /// Removes what is at a path, and all below it; links are removed, not followed.
  ///
  /// - Parameter check: Is called before each; throws to end it there.
  static func remove(_ place: FilePlace, unlessCancelled check: () throws -> Void = Task.checkCancellation) throws {
    var removal = try Removal(place)
    while try removal.step() { try check() }
  }

  /// The same, and lets others go first now and then.
  static nonisolated(nonsending) func removeInTurns(_ place: FilePlace) async throws {
    var removal = try Removal(place)
    var turn = Turn()
    while try removal.step() { try await turn.use(1) }
  }

  /// What is left to be removed: one name after the other.
  private struct Removal: ~Copyable {
    private let target: FilePlace
    /// Without slashes at its end.
    private let name: [CChar]
    /// None before the first step.
    private var place: Descent?

    init(_ target: FilePlace) throws(FileError) {
      (self.target, name) = (target, try Self.checkedName(of: target))
      place = nil
    }

    private static func checkedName(of place: FilePlace) throws(FileError) -> [CChar] {
      let text = place.name.dropLast()
      let end = text.lastIndex { $0 != 47 }.map { text.index(after: $0) } ?? text.startIndex
      let name = text[..<end] + [0]
      var status = stat()
      // Of a link it would lead on; as the system has it, no other file has slashes there.
      guard
        end == text.endIndex || fstatat(place.folder, Array(name), &status, AT_SYMLINK_NOFOLLOW) != 0
          || status.st_mode & S_IFMT == S_IFDIR
      else { throw place.error(ENOTDIR) }
      return Array(name)
    }

    /// - Returns: false once all is gone.
    mutating func step() throws(FileError) -> Bool {
      guard var current = place.take() else {
        if try removeUnlessFolder(name, in: target.folder, shown: target.shown) { return false }
        place = try Descent(target, name: name)
        return true
      }
      if let below = try current.next() {
        if try !removeUnlessFolder(below, in: current.descriptor, shown: current.shown(below)) {
          try current.enter(below)
        }
      } else if current.isAtTop {
        try removeFolder(name, in: target.folder, shown: target.shown)
        return false
      } else {
        let (below, shown) = (current.name, current.shown)
        _ = try current.leave()
        try removeFolder(below, in: current.descriptor, shown: shown)
      }
      place = consume current
      return true
    }
  }

  /// - Throws: for what cannot be removed itself, so that what is in it stays, too.
  static func checkIsRemoved(_ path: SystemPath) throws(FileError) {
    guard !path.text.isEmpty else { return }
    let last = path.text.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    guard let last, last != ".", last != ".." else {
      throw FileError(.notPath, "nothing is removed by the name '/', '.' or '..'", path: path.text)
    }
  }

  /// How much may be done until others go first.
  private struct Turn {
    private static let whole = 256
    private var left = whole

    nonisolated(nonsending) mutating func use(_ share: Int) async throws {
      try Task.checkCancellation()
      left -= share
      guard left <= 0 else { return }
      left = Self.whole
      await Task.yield()
      try Task.checkCancellation()
    }

    /// For what takes as long as many names do.
    nonisolated(nonsending) mutating func end() async throws { try await use(left) }
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
  static nonisolated(nonsending) func copy(_ place: FilePlace, to newPlace: FilePlace) async throws {
    var turn = Turn()
    let status = try status(of: place.name, in: place.folder, shown: place.shown)
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return try await copyUnlessFolder(
        status, place.name, in: place.folder, to: newPlace.name, in: newPlace.folder, shown: place.shown,
        newPlace.shown, &turn, place)
    }
    var source = try Descent(place)
    try place.checkKernelFile(source.descriptor, .read)
    try makeFolder(newPlace.name, in: newPlace.folder, shown: newPlace.shown)
    var copy = try Descent(newPlace)
    // It may lie within what is copied.
    let made = try copy.identity
    var kept = [status]
    while let status = kept.last {
      if let name = try source.next() {
        try await turn.use(1)
        let status = try self.status(of: name, in: source.descriptor, shown: source.shown(name))
        if made == (status.st_dev, status.st_ino) { continue }
        guard status.st_mode & S_IFMT == S_IFDIR else {
          try await copyUnlessFolder(
            status, name, in: source.descriptor, to: name, in: copy.descriptor, shown: source.shown(name),
            copy.shown(name), &turn, place)
          continue
        }
        try source.enter(name)
        try place.checkKernelFile(source.descriptor, .read)
        try makeFolder(name, in: copy.descriptor, shown: copy.shown(name))
        try copy.enter(name)
        kept.append(status)
      } else if source.isAtTop {
        return try keep(status, of: copy.descriptor, shown: newPlace.shown)
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

  /// Whether a link is at a place, or below it at any depth.
  static nonisolated(nonsending) func hasLink(_ place: FilePlace) async throws -> Bool {
    var turn = Turn()
    let status = try status(of: place.name, in: place.folder, shown: place.shown)
    guard status.st_mode & S_IFMT == S_IFDIR else { return status.st_mode & S_IFMT == S_IFLNK }
    var descent = try Descent(place)
    try place.checkKernelFile(descent.descriptor, .read)
    while true {
      guard let name = try descent.next() else {
        if descent.isAtTop { return false }
        _ = try descent.leave()
        continue
      }
      try await turn.use(1)
      switch try self.status(of: name, in: descent.descriptor, shown: descent.shown(name)).st_mode & S_IFMT {
      case S_IFLNK: return true
      case S_IFDIR:
        try descent.enter(name)
        try place.checkKernelFile(descent.descriptor, .read)
      default: break
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

  private static nonisolated(nonsending) func copyUnlessFolder(
    _ status: stat, _ name: [CChar], in folder: CInt, to newName: [CChar], in newFolder: CInt, shown: String,
    _ newShown: String, _ turn: inout Turn, _ source: FilePlace
  ) async throws {
    switch status.st_mode & S_IFMT {
    case S_IFLNK:
      try source.checkMayMakeLinks()
      let target = try target(of: name, in: folder, shown: shown)
      guard symlinkat(target, newFolder, newName) == 0, FileRights(status).give(toLink: newName, in: newFolder) else {
        throw FileError(path: newShown)
      }
    case S_IFREG:
      try await copyFile(name, in: folder, to: newName, in: newFolder, shown: shown, newShown, &turn, source)
    default: throw FileError(.system, "neither a file, a folder nor a link", path: shown)
    }
  }

  private static nonisolated(nonsending) func copyFile(
    _ name: [CChar], in folder: CInt, to newName: [CChar], in newFolder: CInt, shown: String, _ newShown: String,
    _ turn: inout Turn, _ place: FilePlace
  ) async throws {
    let source = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard source >= 0 else { throw FileError(path: shown) }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw FileError(path: shown) }
    try place.checkKernelFile(source, .read)
    let (target, number) = try UnfinishedFiles.make(newName, in: newFolder, descriptor: \.self) {
      openat(newFolder, newName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    guard target >= 0 else { throw FileError(path: newShown) }
    do {
      defer { close(target) }
      try await copyContents(from: source, to: target, shown: newShown, &turn)
      try keep(status, of: target, shown: newShown)
      UnfinishedFiles.finish(number) {}
    } catch {
      // Half of a file is nobody's copy.
      _ = UnfinishedFiles.finish(number) { unlinkat(newFolder, newName, 0) }
      throw error
    }
  }

  /// Where there are only zeros that take no room on the disk there are such again.
  private static nonisolated(nonsending) func copyContents(
    from source: CInt, to target: CInt, shown: String, _ turn: inout Turn
  ) async throws {
    var end: off_t = 0
    var isHole = false
    while true {
      let start = lseek(source, end, Self.seekData)
      isHole = start < 0 && errno == ENXIO
      if start < 0 { break }
      let hole = lseek(source, start, Self.seekHole)
      guard hole > start, lseek(source, start, SEEK_SET) == start, lseek(target, start, SEEK_SET) == start else {
        throw FileError(path: shown)
      }
      try await copyBytes(Int(hole - start), from: source, to: target, shown: shown, &turn)
      end = lseek(source, 0, SEEK_CUR)
      // It is shorter than the system says, or has become so.
      if end < hole { return }
    }
    var status = stat()
    guard fstat(source, &status) == 0 else { throw FileError(path: shown) }
    if isHole, end < status.st_size {
      guard ftruncate(target, status.st_size) == 0 else { throw FileError(path: shown) }
    } else if end == 0 {
      // What the system does not know the length of, or has no places.
      try await copyBytes(.max, from: source, to: target, shown: shown, &turn)
    }
  }

  /// `SEEK_DATA` and `SEEK_HOLE`, which Glibc's module leaves out.
  private static let (seekData, seekHole) = (CInt(3), CInt(4))
  /// What takes about as long as the removal of many names.
  private static let longestPiece = 1 << 24

  /// In one piece of memory after the other; where the file system can, it shares what is copied.
  private static nonisolated(nonsending) func copyBytes(
    _ count: Int, from source: CInt, to target: CInt, shown: String, _ turn: inout Turn
  ) async throws {
    var left = count
    while left > 0 {
      let count = Writing.copy(from: source, to: target, atMost: min(left, longestPiece))
      if count == 0 { break }
      // Between file systems, and of files whose length the system does not know.
      guard count > 0 || [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw FileError(path: shown) }
      if count < 0 { break }
      left -= count
      if count == longestPiece { try await turn.end() }
    }
    // Of the kernel's some keep their reader waiting for ever.
    let waits = !KernelFiles.contain(source)
    while left > 0 {
      guard let chunk = Reading.chunk(from: source, atMost: left, waits: waits) else {
        if errno != EAGAIN { throw FileError(path: shown) }
        throw FileError(.system, "what is copied is a file of the kernel's that keeps its reader waiting", path: shown)
      }
      if chunk.isEmpty { return }
      guard chunk.withUnsafeBytes({ Writing.all($0, to: target) }) else { throw FileError(path: shown) }
      left -= chunk.count
      try await turn.use(1)
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
