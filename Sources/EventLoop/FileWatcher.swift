import Glibc

/// Tells when files change on disk, those that do not exist yet included (inotify on their folders). An idle file costs nothing.
///
/// A file is looked for by its name and, where that is a link, by what it leads to; while its folder is missing, the nearest
/// one above it is watched. Changes on other machines' file systems are not seen. On the loop's thread.
package final class FileWatcher {
  /// Changes that follow each other so closely are told once.
  private static let delay = Duration.milliseconds(50)
  private static let events =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF

  private struct Place: Hashable {
    /// inotify's number of the folder.
    var folder: CInt
    var name: String
  }

  private struct Watch {
    let path: String
    let handler: () -> Void
    var places: Set<Place> = []
  }

  private let loop: Loop
  /// Follows links, as far as they lead.
  private let resolvingLinks: (String) -> String
  private var descriptor: CInt = -1
  private var source: LoopSource?
  private var timer: LoopSource?
  private var lastID = 0
  private var watches: [Int: Watch] = [:]
  private var changed: Set<Int> = []
  /// Told, once, why the system has no more watches to give.
  package var onShortage: ((CInt) -> Void)?
  /// Tests have none.
  package var makeDescriptor: () -> CInt = { inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC)) }

  package init(on loop: Loop, resolvingLinks: @escaping (String) -> String = FileWatcher.withoutLinks) {
    self.loop = loop
    self.resolvingLinks = resolvingLinks
  }

  /// What the system says; the path itself where it leads to nothing.
  package static func withoutLinks(_ path: String) -> String {
    guard let name = SystemPath(path), let real = name.pass(to: { realpath($0, nil) }) else { return path }
    defer { free(real) }
    return String(validatingCString: real) ?? path
  }

  deinit {
    source?.cancel()
    timer?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Calls `handler` after each change of the file, and after it appeared or went.
  /// - Returns: A number for ``stop(_:)``; nil when the system has no more watches to give.
  package func watch(_ path: String, handler: @escaping () -> Void) -> Int? {
    guard open() else { return nil }
    lastID += 1
    watches[lastID] = Watch(path: path, handler: handler)
    attach(lastID)
    return lastID
  }

  package func stop(_ id: Int) {
    guard let watch = watches.removeValue(forKey: id) else { return }
    changed.remove(id)
    release(watch.places)
  }

  private func open() -> Bool {
    guard descriptor < 0 else { return true }
    descriptor = makeDescriptor()
    guard descriptor >= 0 else {
      tellOfShortage(errno)
      return false
    }
    source = loop.onReadable(descriptor) { [unowned self] in receive() }
    return true
  }

  // MARK: Places

  /// Finds out anew where the changes of a file will show.
  private func attach(_ id: Int) {
    guard var watch = watches[id] else { return }
    let old = watch.places
    watch.places = []
    let target = resolvingLinks(watch.path)
    for path in [watch.path, target] {
      if let place = place(of: path) { watch.places.insert(place) }
    }
    watches[id] = watch
    release(old)
  }

  private func place(of path: String) -> Place? {
    var path = path
    while true {
      let (folder, name) = Self.parts(of: path)
      let number = inotify_add_watch(descriptor, folder, UInt32(Self.events))
      if number >= 0 { return Place(folder: number, name: name) }
      if [ENOSPC, ENOMEM].contains(errno) { tellOfShortage(errno) }
      guard errno == ENOENT || errno == ENOTDIR, folder != path, folder != "." else { return nil }
      path = folder
    }
  }

  /// The folder that a name is looked for in, and the name.
  private static func parts(of path: String) -> (folder: String, name: String) {
    let slash = UInt8(ascii: "/")
    let name = path.utf8.split(separator: slash).last.map { String(decoding: $0, as: UTF8.self) } ?? path
    guard let end = path.utf8.lastIndex(of: slash) else { return (".", name) }
    return (end == path.startIndex ? "/" : String(path[..<end]), name)
  }

  private func tellOfShortage(_ error: CInt) {
    onShortage?(error)
    onShortage = nil
  }

  private func release(_ places: Set<Place>) {
    let used = Set(watches.values.flatMap { $0.places.map(\.folder) })
    for folder in Set(places.map(\.folder)) where !used.contains(folder) { inotify_rm_watch(descriptor, folder) }
  }

  // MARK: Events

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      buffer.withUnsafeBytes { note(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    guard !changed.isEmpty, timer == nil else { return }
    timer = loop.after(Self.delay) { [unowned self] in
      timer = nil
      tell()
    }
  }

  private func note(_ events: UnsafeRawBufferPointer) {
    let headSize = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + headSize <= events.count {
      let head = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = min(offset + headSize + Int(head.len), events.count)
      let name = String(decoding: events[(offset + headSize)..<end].prefix { $0 != 0 }, as: UTF8.self)
      for (id, watch) in watches where concerns(watch, head, name) { changed.insert(id) }
      offset = end
    }
  }

  private func concerns(_ watch: Watch, _ event: inotify_event, _ name: String) -> Bool {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    // Without a name it is the folder itself that has gone.
    return watch.places.contains { $0.folder == event.wd && (name.isEmpty || $0.name == name) }
  }

  private func tell() {
    let ids = changed.sorted()
    changed = []
    for id in ids {
      attach(id)
      watches[id]?.handler()
    }
  }
}
