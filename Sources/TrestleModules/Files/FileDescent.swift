import EventLoop
import Glibc

/// The way down into a folder and up again: two descriptors and no stack, however deep it is.
struct Descent: ~Copyable {
  private struct Level {
    let name: [CChar]
    let identity: (dev_t, ino_t)
    /// Of what errors show of the path.
    let length: Int
    /// Nil until they are asked for.
    var waiting: [[CChar]]?
  }

  private var current: Directory
  /// Left open where it was just come from: to go up by `..` a folder has to be one that may be searched.
  private var parent: Directory?
  private var levels: [Level]
  /// What errors show of the path to here.
  private(set) var shown: String

  /// - Parameter name: in place of the place's.
  init(_ place: FilePlace, name: [CChar]? = nil) throws(FileError) {
    let name = name ?? place.name
    let folder = try Directory(name, in: place.folder, shown: place.shown)
    levels = [Level(name: name, identity: try folder.identity, length: place.shown.utf8.count)]
    current = folder
    shown = place.shown
  }

  var descriptor: CInt { current.descriptor }
  var isAtTop: Bool { levels.count == 1 }
  var identity: (dev_t, ino_t) { get throws(FileError) { try current.identity } }

  /// What the folder is called, in the one above it.
  var name: [CChar] { levels.last?.name ?? [0] }

  func shown(_ entry: [CChar]) -> String { "\(shown)/\(entry.text)" }

  /// One more of what is in the folder, all of which is read before the first is given.
  mutating func next() throws(FileError) -> [CChar]? {
    let last = levels.count - 1
    if levels[last].waiting == nil { levels[last].waiting = try current.names() }
    return levels[last].waiting?.popLast()
  }

  mutating func enter(_ name: [CChar]) throws(FileError) {
    let path = shown(name)
    var below = try Directory(name, in: descriptor, shown: path)
    let identity = try below.identity
    swap(&current, &below)
    parent = consume below
    levels.append(Level(name: name, identity: identity, length: path.utf8.count))
    shown = path
  }

  /// - Returns: the folder that was left, still open.
  mutating func leave() throws(FileError) -> Directory {
    var above: Directory
    if let kept = parent.take() {
      above = kept
    } else {
      above = try Directory([46, 46, 0], in: descriptor, shown: shown)
    }
    let identity = try above.identity
    guard identity == levels[max(levels.count - 2, 0)].identity else {
      throw FileError(.system, "moved elsewhere meanwhile", path: shown)
    }
    levels.removeLast()
    shown = String(shown.utf8.prefix(levels.last?.length ?? 0)) ?? shown
    swap(&current, &above)
    return above
  }
}

/// A folder that is open; links to folders are refused.
struct Directory: ~Copyable {
  let descriptor: CInt
  private let stream: OpaquePointer
  private let shown: String

  init(_ name: [CChar], in folder: CInt, followsLink: Bool = false, shown: String) throws(FileError) {
    guard DescriptorReserve.hasRoom else { throw FileError(path: shown, systemError: EMFILE) }
    let descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
    guard descriptor >= 0, let stream = fdopendir(descriptor) else {
      let error = FileError(path: shown)
      if descriptor >= 0 { close(descriptor) }
      throw error
    }
    (self.descriptor, self.stream, self.shown) = (descriptor, stream, shown)
  }

  init(of place: FilePlace, followsLink: Bool = false) throws(FileError) {
    try self.init(place.name, in: place.folder, followsLink: followsLink && !place.isPinned, shown: place.shown)
  }

  deinit { closedir(stream) }

  /// It stays open meanwhile.
  borrowing func withDescriptor(_ body: (CInt) throws(FileError) -> Void) throws(FileError) { try body(descriptor) }

  var identity: (dev_t, ino_t) {
    get throws(FileError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw FileError(path: shown) }
      return (status.st_dev, status.st_ino)
    }
  }

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
  /// Of what ends in a NUL.
  var text: String { withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) } }
}
