import EventLoop
import Glibc
import Trestle

/// A file that is written beside the one whose place it takes.
struct FileReplacement {
  let file: FileDescriptor
  private let number: UInt64
  private let place: FilePlace
  private let temporary: FilePlace
  /// From the place's.
  private let folder: String
  /// Of the file that is there; none if there is none.
  private let rights: FileRights?

  /// - Parameter place: Of a link what it leads to is replaced.
  init(of given: FilePlace) throws {
    place = given.isPinned ? given : FilePlace(try Self.end(of: SystemPath(of: given.shown)))
    let text = place.name.text
    let slash = text.utf8.lastIndex(of: UInt8(ascii: "/"))
    folder = slash.map { String(text[...$0]) } ?? "."
    let name = slash.map { String(text[text.utf8.index(after: $0)...]) } ?? text
    let prefix = slash == nil ? "" : folder
    // Beside it, as one file system's rename is one step.
    temporary = try place.beside("\(prefix).\(name.utf8.count < 200 ? name : "file").\(UInt64.random(in: 0 ... .max))")
    let status = try? place.status(followsLink: true)
    if let status, status.st_mode & S_IFMT != S_IFREG {
      throw place.error(status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }
    rights = status.map { FileRights($0) }
    // Nobody reads what he might not read in the old one.
    let (temporary, shown) = (temporary, place.shown)
    (file, number) = try UnfinishedFiles.make(temporary.name, in: temporary.folder, descriptor: \.descriptor) {
      try FileDescriptor(
        opening: temporary, O_WRONLY | O_CREAT | O_EXCL, permissions: status == nil ? 0o666 : 0o600, named: shown)
    }
  }

  /// What a path leads to, be there anything or not.
  ///
  /// - Parameter linksLeft: that may follow each other.
  private static func end(of path: SystemPath, linksLeft: Int = 40) throws(FileError) -> SystemPath {
    if let real = path.pass(to: { realpath($0, nil) }) {
      defer { free(real) }
      return String(validatingCString: real).flatMap { SystemPath($0) } ?? path
    }
    guard errno != ELOOP, linksLeft > 0 else { throw FileError(path, systemError: ELOOP) }
    var status = stat()
    guard path.pass(to: { lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    let target = try FileTree.target(of: path.name, shown: path.text)
    let folder = path.text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path.text[...$0]) } ?? ""
    return try end(of: SystemPath(of: target.hasPrefix("/") ? target : folder + target), linksLeft: linksLeft - 1)
  }

  /// Puts it in the place, once it is on the disk.
  func finish() throws(FileError) {
    // Behind all that is written, which would take bits away again.
    if let rights, !rights.give(to: file.descriptor) { throw place.error() }
    try file.synchronize()
    let isThere = UnfinishedFiles.finish(number) {
      renameat(temporary.folder, temporary.name, place.folder, place.name) == 0
    }
    guard isThere else { throw place.error() }
    // That it is there now is for the folder to know.
    let descriptor = openat(place.folder, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw place.error() }
  }

  func giveUp() { _ = UnfinishedFiles.finish(number) { unlinkat(temporary.folder, temporary.name, 0) } }
}
