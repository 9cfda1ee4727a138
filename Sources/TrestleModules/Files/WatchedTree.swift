import EventLoop
import Glibc
import Trestle

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
  private let gate: PermissionGate
  /// From the kernel's number of each folder to its path, from the first one on.
  private var paths: [CInt: [CChar]] = [:]
  private var top: CInt = -1
  private var changes = ChangeList()
  /// What the queue has given and is not looked at yet.
  private var events: [Event] = []
  /// New folders that are not followed yet, and how often that was in vain.
  private var pending: [[CChar]: Int] = [:]
  /// The last rename, and where two may have changed places, which looks like a way there and back.
  private var lastRename: (from: [CChar], to: [CChar])?
  private var swaps: [Swap] = []
  /// What was watched is there no more.
  private(set) var isOver = false

  private struct Swap {
    let path: [CChar]
    let other: [CChar]
    let isFolder: Bool
    /// One of the two has moved on since: where it is by now is not known.
    var hasMovedOn = false
  }

  private struct Event {
    let number: CInt
    let mask: UInt32
    let cookie: UInt32
    let name: [CChar]

    func isOne(of kinds: Int32...) -> Bool { kinds.contains { mask & UInt32($0) != 0 } }
    var isFolder: Bool { isOne(of: CInt(IN_ISDIR)) }
  }

  init(_ path: SystemPath, isRecursive: Bool, through gate: PermissionGate) throws {
    let given = try gate.place(of: path, for: .read)
    let status = try given.status(followsLink: true)
    self.gate = gate
    if status.st_mode & S_IFMT == S_IFDIR {
      folder = given.real.map { Array($0.utf8CString) } ?? path.name
    } else {
      // Not the file itself: many a program puts a new one in its place.
      let file = try Self.realPath(of: path, given)
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

  private static func realPath(of path: SystemPath, _ place: FilePlace) throws(FileError) -> [CChar] {
    if let real = place.real { return real.utf8.map { CChar(bitPattern: $0) } }
    guard let real = path.pass(to: { realpath($0, nil) }) else { throw FileError(path) }
    defer { free(real) }
    return Array(UnsafeBufferPointer(start: real, count: strlen(real)))
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

  /// Watches a folder, and those below it if all are watched. What is elsewhere already stays pending.
  ///
  /// - Parameter isTold: it is new, and what is in it.
  private mutating func follow(_ path: [CChar], isTold: Bool) throws {
    var left = [path]
    while let path = left.popLast() {
      try Task.checkCancellation()
      if path.isEmpty, !isRecursive {
        top = try watchAlone(place(path))
        paths[top] = path
        continue
      }
      do {
        left += try enter(path, isTold: isTold)
        pending[path] = nil
      } catch is PermissionError where !path.isEmpty { pending[path] = nil } catch let error as FileError
        where !path.isEmpty
      {
        switch error.systemError {
        // Nobody's to read.
        case EACCES: pending[path] = nil
        // Why is among the changes that are still to come.
        case ENOENT, ENOTDIR, ELOOP: pending[path, default: 0] += 1
        default: throw error
        }
      }
    }
  }

  /// Watches a folder and reads what is in it: by one descriptor, as another may come to its path meanwhile.
  ///
  /// - Returns: the folders in it.
  private mutating func enter(_ path: [CChar], isTold: Bool) throws -> [[CChar]] {
    let isTop = path.isEmpty
    let folder = try Directory(place(path), in: AT_FDCWD, followsLink: isTop, shown: place(path).text)
    // Folders on the way may have become links meanwhile.
    try gate.check(.read, folder.descriptor, shown: place(path).text)
    let number = try watch(Array("/proc/self/fd/\(folder.descriptor)".utf8CString), shown: place(path))
    if isTop { top = number }
    if let other = paths[number], other != path {
      // It has gone from there, and something else may have come.
      changes.remove(other, isFolder: true)
      pending[other] = pending[other] ?? 0
    }
    paths[number] = path
    if isTold { changes.create(path, isFolder: true, .found) }
    // Behind the watch: what comes between is told twice rather than not at all.
    var folders: [[CChar]] = []
    for name in try folder.names() {
      var status = stat()
      guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let path = (isTop ? [] : path + [47]) + name.dropLast()
      // With all that is in it, which is told and followed.
      if isTold, changes.hasMoved(to: path) { continue }
      if isTold { changes.create(path, isFolder: isFolder, .found) }
      if isFolder { folders.append(path) }
    }
    return folders
  }

  private func watchAlone(_ path: [CChar]) throws -> CInt {
    guard !gate.isOpen else { return try watch(path, shown: path) }
    let folder = try Directory(path, in: AT_FDCWD, shown: path.text)
    // Of a file that is watched the names beside it are not told.
    try gate.check(.read, folder.descriptor, name: name, shown: path.text)
    return try watch(Array("/proc/self/fd/\(folder.descriptor)".utf8CString), shown: path)
  }

  private func watch(_ name: [CChar], shown: [CChar]) throws(FileError) -> CInt {
    let number = inotify_add_watch(file.descriptor, name, UInt32(Self.events))
    guard number >= 0 else { throw Self.shortage("watched folders", "max_user_watches", shown.text) }
    return number
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
  mutating func take(_ chunk: [UInt8]) {
    read(chunk)
    for _ in 0..<Self.mostChunks {
      guard let chunk = Reading.chunk(from: file.descriptor, waits: false) else { break }
      read(chunk)
    }
  }

  private mutating func read(_ chunk: [UInt8]) {
    chunk.withUnsafeBytes { bytes in
      let headSize = MemoryLayout<inotify_event>.size
      var offset = 0
      while offset + headSize <= bytes.count {
        let head = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let end = min(offset + headSize + Int(head.len), bytes.count)
        let name = bytes[(offset + headSize)..<end].prefix { $0 != 0 }.map { CChar(bitPattern: $0) }
        events.append(Event(number: head.wd, mask: head.mask, cookie: head.cookie, name: name))
        offset = end
      }
    }
  }

  /// Something has left, and may have come elsewhere.
  var awaitsHalves: Bool {
    var halves: Set<UInt32> = []
    for event in events {
      if event.isOne(of: IN_MOVED_FROM) { halves.insert(event.cookie) }
      if event.isOne(of: IN_MOVED_TO) { halves.remove(event.cookie) }
    }
    return !halves.isEmpty
  }

  /// There are new folders that are not followed yet.
  var isBehind: Bool { !pending.isEmpty && !isOver }

  private static let mostAttempts = 10

  /// Notes what has been taken.
  mutating func work() throws {
    let events = self.events
    self.events = []
    var arrivals: [UInt32: Int] = [:]
    for (index, event) in events.enumerated() where event.isOne(of: IN_MOVED_TO) { arrivals[event.cookie] = index }
    /// What is on its way, by what ties its halves together.
    var moving: [UInt32: (path: [CChar], isFolder: Bool)] = [:]
    for event in events {
      if event.isOne(of: IN_Q_OVERFLOW) { return try startAnew() }
      guard !isOver else { return }
      let folder = paths[event.number]
      let from = event.isOne(of: IN_MOVED_TO) ? moving.removeValue(forKey: event.cookie) : nil
      if event.isOne(of: IN_IGNORED) { paths[event.number] = nil }
      if event.number == top, event.isOne(of: IN_DELETE_SELF, IN_MOVE_SELF, IN_UNMOUNT, IN_IGNORED) { return end() }
      guard let folder, !event.name.isEmpty, name == nil || name == event.name else {
        // What is watched has gone elsewhere; what comes in its place comes behind that.
        if let from { leave(from.path, isFolder: from.isFolder) }
        continue
      }
      let path = (folder.isEmpty ? [] : folder + [47]) + event.name
      if event.isOne(of: IN_MOVED_FROM) {
        if arrivals[event.cookie] != nil {
          moving[event.cookie] = (path, event.isFolder)
        } else {
          leave(path, isFolder: event.isFolder)
        }
      } else if let from {
        rename(from.path, to: path, isFolder: event.isFolder)
      } else {
        note(event, at: path)
      }
    }
    // Where it has come to is not watched.
    for (path, isFolder) in moving.values { leave(path, isFolder: isFolder) }
    try checkSwaps()
    if pending.values.contains(where: { $0 > Self.mostAttempts }) { try startAnew() }
  }

  /// Follows new folders, wherever they are by now: what that comes between is to be taken and noted before it is told.
  mutating func catchUp() throws {
    for path in pending.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where pending[path] != nil {
      try follow(path, isTold: true)
    }
  }

  mutating func takeChanges() -> [FileChange] { changes.take() }

  private mutating func note(_ event: Event, at path: [CChar]) {
    if event.isOne(of: IN_CREATE, IN_MOVED_TO) {
      changes.create(path, isFolder: event.isFolder, event.isOne(of: IN_CREATE) ? .made : .found)
      if event.isFolder, isRecursive { pending[path] = 0 }
    } else if event.isOne(of: IN_DELETE) {
      changes.remove(path, isFolder: event.isFolder)
      pending[path] = nil
    } else {
      changes.change(path, isFolder: event.isFolder)
    }
  }

  private mutating func leave(_ path: [CChar], isFolder: Bool) {
    changes.remove(path, isFolder: isFolder)
    guard isFolder else { return }
    forget(numbers(below: path))
    for path in pendingPaths(below: path) { pending[path] = nil }
  }

  private mutating func rename(_ path: [CChar], to newPath: [CChar], isFolder: Bool) {
    if let lastRename, lastRename == (newPath, path) {
      swaps.append(Swap(path: path, other: newPath, isFolder: isFolder))
    } else {
      for index in swaps.indices
      where [path, newPath].contains(where: { moved in
        [swaps[index].path, swaps[index].other].contains { $0 == moved || $0.starts(with: moved + [47]) }
      }) {
        swaps[index].hasMovedOn = true
      }
    }
    lastRename = (path, newPath)
    let replacesNothing = isFolder && isRecursive && !paths.values.contains(newPath) && pending[newPath] == nil
    let isNew = changes.rename(path, to: newPath, isFolder: isFolder, replacesNothing: replacesNothing)
    guard isFolder else { return }
    let waiting = pendingPaths(below: path)
    for number in numbers(below: path) {
      if let old = paths[number] { paths[number] = newPath + old.dropFirst(path.count) }
    }
    for path in waiting { pending[path] = nil }
    for old in waiting { pending[newPath + old.dropFirst(path.count)] = 0 }
    if isNew, isRecursive { pending[newPath] = 0 }
  }

  private func pendingPaths(below path: [CChar]) -> [[CChar]] {
    pending.keys.filter { $0 == path || $0.starts(with: path + [47]) }
  }

  private mutating func checkSwaps() throws {
    let found = swaps
    (swaps, lastRename) = ([], nil)
    for swap in found {
      if swap.hasMovedOn { return try startAnew() }
      var status = stat()
      guard lstat(place(swap.path), &status) == 0 else { continue }
      if swap.isFolder || status.st_mode & S_IFMT == S_IFDIR { return try startAnew() }
      changes.create(swap.path, isFolder: false, .found)
      changes.change(swap.other, isFolder: false)
    }
  }

  private mutating func end() {
    changes.remove(name ?? [], isFolder: name == nil)
    isOver = true
  }

  /// Changes were lost, renames of folders among them.
  private mutating func startAnew() throws {
    changes.overflow()
    (events, pending, swaps, lastRename) = ([], [:], [], nil)
    let before = paths
    paths = [:]
    do { try follow([], isTold: false) } catch let error as FileError where error.code == .notFound { end() }
    for number in before.keys where paths[number] == nil { inotify_rm_watch(file.descriptor, number) }
  }
}
