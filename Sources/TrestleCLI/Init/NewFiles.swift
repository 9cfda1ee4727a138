import EventLoop
import Glibc

/// Files that are all written, or none of them.
struct NewFiles {
  private let folder: String
  /// In the order in which they were made, folders before what is in them.
  private var made: [(path: String, isFolder: Bool)] = []

  /// - Parameters:
  ///   - files: their paths in the folder, and what is in them.
  ///   - folder: made, if it is not there.
  /// - Throws: also if one of them is there already.
  static func write(_ files: [(path: String, text: String)], into folder: String) throws(InitFailure) {
    var new = NewFiles(folder: folder)
    for file in files { try new.refuse(file.path) }
    do throws(InitFailure) {
      for file in files { try new.write(file.text, to: new.path(of: file.path)) }
    } catch {
      new.remove()
      throw error
    }
  }

  private init(folder: String) { self.folder = folder }

  private func path(of file: String) -> String {
    folder == "." ? file : folder.hasSuffix("/") ? folder + file : "\(folder)/\(file)"
  }

  private func refuse(_ file: String) throws(InitFailure) {
    var status = stat()
    guard lstat(path(of: file), &status) == 0 else { return }
    throw Self.isThere(path(of: file))
  }

  private static func isThere(_ path: String) -> InitFailure {
    InitFailure(message: "\(path) is there already, and is not written over; nothing was made")
  }

  private mutating func write(_ text: String, to path: String) throws(InitFailure) {
    try makeFolder(above: path)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw errno == EEXIST ? Self.isThere(path) : failure(path, errno) }
    made.append((path, false))
    guard Array(text.utf8).withUnsafeBytes({ Writing.all($0, to: file) }) else {
      let code = errno
      close(file)
      throw failure(path, code)
    }
    // Some file systems say here that they are full.
    guard close(file) == 0 else { throw failure(path, errno) }
  }

  private mutating func makeFolder(above path: String) throws(InitFailure) {
    guard let slash = path.lastIndex(of: "/") else { return }
    let above = String(path[..<slash])
    var status = stat()
    guard !above.isEmpty, stat(above, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else { return }
    try makeFolder(above: above)
    if mkdir(above, 0o777) == 0 {
      made.append((above, true))
    } else {
      let code = errno
      // Two slashes in a row are one, and `a/.` was made as `a`.
      guard code == EEXIST, stat(above, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw code == EEXIST ? InitFailure(message: "\(above) is there already, and no folder") : failure(above, code)
      }
    }
  }

  private func failure(_ path: String, _ code: CInt) -> InitFailure {
    InitFailure(message: "\(path): \(String(cString: strerror(code)))", status: .uncaughtError)
  }

  /// What others have put into a folder meanwhile stays, and the folder with it.
  private func remove() { for one in made.reversed() { _ = one.isFolder ? rmdir(one.path) : unlink(one.path) } }
}
