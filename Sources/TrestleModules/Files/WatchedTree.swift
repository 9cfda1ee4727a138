import EventLoop
import Glibc

/// A folder that is watched, or a file in one: by a queue of the kernel's, which keeps so many changes as it is let, and tells if there were more.
struct WatchedTree: Sendable {
  private static let events = CInt(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_EXCL_UNLINK | IN_ONLYDIR)

  /// The queue.
  let file: FileDescriptor
  private let folder: [CChar]
  /// What is watched in the folder, where that is one file.
  private var name: [CChar]?
  private let isRecursive: Bool
  /// From the kernel's number of each folder to its path, from the first one on.
  private var paths: [CInt: [CChar]] = [:]
  private var top: CInt = -1
  private(set) var changes = ChangeList()
  /// Halves of renames, by what ties them together, with the folders that go along.
  private var moving: [UInt32: (change: ChangeList.Leaving, folders: [CInt])] = [:]
  /// What was watched is there no more.
  private(set) var isOver = false

  init(_ path: SystemPath, isRecursive: Bool) throws {
    var status = stat()
    guard path.pass(to: { stat($0, &status) }) == 0, let real = path.pass(to: { realpath($0, nil) }) else {
      throw FileError(path)
    }
    defer { free(real) }
    if status.st_mode & S_IFMT == S_IFDIR {
      folder = path.name
    } else {
      // Not the file itself: many a program puts a new one in its place.
      let file = Array(UnsafeBufferPointer(start: real, count: strlen(real)))
      let slash = file.lastIndex(of: 47) ?? 0
      folder = file[..<max(slash, 1)] + [0]
      name = Array(file[(slash + 1)...])
    }
    self.isRecursive = isRecursive && name == nil
    guard DescriptorReserve.hasRoom else { throw FileError(path, systemError: EMFILE) }
    let queue = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
    guard queue >= 0 else { throw Self.shortage("watches", "max_user_instances", path.text) }
    file = FileDescriptor(owning: queue, named: path.text)
    try follow([], isTold: false)
  }

  /// The kernel's own words ("No space left on device") do not say what there is no more of.
  private static func shortage(_ what: String, _ setting: String, _ shown: String) -> FileError {
    let error = errno
    guard error == ENOSPC || error == EMFILE else { return FileError(path: shown, systemError: error) }
    return FileError(
      .limit, "all \(what) that this user may have are in use (fs.inotify.\(setting))", path: shown, systemError: error)
  }

  // MARK: Folders

  private func place(_ path: [CChar]) -> [CChar] { path.isEmpty ? folder : folder.dropLast() + [47] + path + [0] }

  /// Watches a folder, and those below it if all are watched.
  ///
  /// - Parameter isTold: what is in them is new.
  private mutating func follow(_ path: [CChar], isTold: Bool) throws {
    var left = [path]
    while let path = left.popLast() {
      try Task.checkCancellation()
      let isTop = path.isEmpty
      let number = inotify_add_watch(
        file.descriptor, place(path), UInt32(Self.events | (isTop ? 0 : CInt(IN_DONT_FOLLOW))))
      guard number >= 0 else {
        // Gone again, or nobody's to read.
        if !isTop, [ENOENT, ENOTDIR, ELOOP, EACCES].contains(errno) { continue }
        throw Self.shortage("watched folders", "max_user_watches", place(path).text)
      }
      paths[number] = path
      if isTop { top = number }
      // Behind the watch: what comes between is told twice rather than not at all.
      if isRecursive { left += try folders(in: path, isTold: isTold) }
    }
  }

  private mutating func folders(in path: [CChar], isTold: Bool) throws -> [[CChar]] {
    let names: [[CChar]]
    do {
      names = try Directory(place(path), in: AT_FDCWD, followsLink: path.isEmpty, shown: place(path).text).names()
    } catch {
      guard !path.isEmpty, [ENOENT, ENOTDIR, ELOOP, EACCES].contains(error.systemError) else { throw error }
      return []
    }
    var folders: [[CChar]] = []
    for name in names {
      let path = (path.isEmpty ? [] : path + [47]) + name.dropLast()
      if isTold { changes.note(.created, path) }
      var status = stat()
      if lstat(place(path), &status) == 0, status.st_mode & S_IFMT == S_IFDIR { folders.append(path) }
    }
    return folders
  }

  private func numbers(below path: [CChar]) -> [CInt] {
    paths.filter { $0.value == path || $0.value.starts(with: path + [47]) }.map(\.key)
  }

  private mutating func forget(_ numbers: [CInt]) {
    for number in numbers where paths.removeValue(forKey: number) != nil { inotify_rm_watch(file.descriptor, number) }
  }

  // MARK: Changes

  /// All of a full queue; more may come as fast as it is read.
  private static let mostChunks = 100

  /// Takes what the queue has given, and what else is in it.
  mutating func take(_ chunk: [UInt8]) throws {
    try chunk.withUnsafeBytes { try note($0) }
    for _ in 0..<Self.mostChunks {
      guard let chunk = Reading.chunk(from: file.descriptor, waits: false) else { break }
      try chunk.withUnsafeBytes { try note($0) }
    }
  }

  var awaitsHalves: Bool { !moving.isEmpty }

  /// What has left and has not come elsewhere is gone.
  mutating func endMoves() {
    for (_, folders) in moving.values { forget(folders) }
    moving = [:]
  }

  mutating func takeChanges() -> [FileChange] { changes.take() }

  private mutating func note(_ events: UnsafeRawBufferPointer) throws {
    let headSize = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + headSize <= events.count {
      let head = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = min(offset + headSize + Int(head.len), events.count)
      try note(head, events[(offset + headSize)..<end].prefix { $0 != 0 }.map { CChar(bitPattern: $0) })
      offset = end
    }
  }

  private mutating func note(_ event: inotify_event, _ name: [CChar]) throws {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return try startAnew() }
    guard let folder = paths[event.wd] else { return }
    if event.mask & UInt32(IN_IGNORED) != 0 { paths[event.wd] = nil }
    if event.wd == top, event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) != 0 {
      return end()
    }
    guard !name.isEmpty, self.name == nil || self.name == name else { return }
    try note(event, at: (folder.isEmpty ? [] : folder + [47]) + name)
  }

  private mutating func note(_ event: inotify_event, at path: [CChar]) throws {
    let isFolder = event.mask & UInt32(IN_ISDIR) != 0
    if event.mask & UInt32(IN_MOVED_FROM) != 0 {
      moving[event.cookie] = (changes.leave(path, isFolder: isFolder), isFolder ? numbers(below: path) : [])
    } else if event.mask & UInt32(IN_MOVED_TO) != 0, let (change, folders) = moving.removeValue(forKey: event.cookie) {
      changes.arrive(path, from: change)
      for number in folders {
        if let old = paths[number] { paths[number] = path + old.dropFirst(change.path.count) }
      }
      // It may have had its new name before it was followed.
      if isFolder, isRecursive, change.isNew { try follow(path, isTold: true) }
    } else if event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 {
      changes.note(.created, path)
      if isFolder, isRecursive { try follow(path, isTold: true) }
    } else {
      changes.note(event.mask & UInt32(IN_DELETE) != 0 ? .removed : .changed, path)
    }
  }

  private mutating func end() {
    changes.note(.removed, name ?? [])
    isOver = true
  }

  /// Changes were lost, renames of folders among them.
  private mutating func startAnew() throws {
    changes = ChangeList()
    changes.note(.overflow, [])
    moving = [:]
    let before = paths
    paths = [:]
    do { try follow([], isTold: false) } catch let error as FileError where error.code == .notFound { end() }
    for number in before.keys where paths[number] == nil { inotify_rm_watch(file.descriptor, number) }
  }
}
