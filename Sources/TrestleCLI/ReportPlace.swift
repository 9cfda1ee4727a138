import EventLoop
import Glibc
import Trestle

/// Where a report goes that is written as a run ends. It is found before any script runs: whatever becomes of the way there, nothing else
/// is written.
final class ReportPlace: Sendable {
  let path: String
  /// Of the file, or of the folder where it is made.
  private let descriptor: CInt
  /// Of the file in the folder; nil if it is there already.
  private let name: String?

  /// - Throws: `ERR_UNWRITABLE`, as far as that is known before.
  init(_ path: String) throws(BridgeError) {
    self.path = path
    let file = Glibc.open(path, LinuxFile.pathOnly | O_CLOEXEC)
    if file >= 0 {
      var status = stat()
      let isFolder = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      guard !isFolder, access(path, W_OK) == 0 else {
        let problem = isFolder ? EISDIR : errno
        close(file)
        throw Self.failure(path, problem)
      }
      (descriptor, name) = (file, nil)
      return
    }
    let problem = errno
    var status = stat()
    // A link that leads nowhere might lead anywhere then.
    guard problem == ENOENT, lstat(path, &status) != 0 else { throw Self.failure(path, problem) }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    descriptor = name.isEmpty ? -1 : Glibc.open(folder, LinuxFile.pathOnly | O_DIRECTORY | O_CLOEXEC)
    self.name = name
    guard descriptor >= 0, access(folder, W_OK) == 0 else { throw Self.failure(path, errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func failure(_ path: String, _ problem: CInt) -> BridgeError {
    BridgeError(.unwritable, String(cString: strerror(problem)), at: path)
  }

  /// Empties the file, or makes it. Waits where somebody is to take what is written.
  ///
  /// - Returns: -1 if that fails; `errno` says why.
  func open() -> CInt {
    if let name { return openat(descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
      // Nobody would find it.
      errno = ENOENT
      return -1
    }
    return Glibc.open("/proc/self/fd/\(descriptor)", O_WRONLY | O_TRUNC | O_CLOEXEC)
  }
}
