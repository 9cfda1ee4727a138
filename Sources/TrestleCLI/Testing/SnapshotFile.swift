import EventLoop
import Glibc
import Trestle

/// Where the snapshots of a test file are kept: a file in a folder beside it. Neither is a link, nor are the folders above any more:
/// no test reads or writes elsewhere by them.
struct SnapshotFile: Sendable {
  private static let folderName = "__snapshots__"

  /// Of the test file, without links.
  private let parent: String
  private let name: String
  /// What messages call it.
  let path: String

  /// - Parameter folder: where the test file is, without links; nil if that was not to be found out.
  init(test path: String, in folder: String?) {
    let written = Script(code: "", name: path).folder
    parent = folder ?? written
    let test = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    name = "\(test).snap"
    self.path = "\(written)/\(Self.folderName)/\(name)"
  }

  var areThere: Bool {
    var status = stat()
    return (try? withFolder { folder in fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 }) ?? false
  }

  /// - Returns: nil if there is no file of them.
  func read() throws(BridgeError) -> String? {
    try withFolder { (folder) throws(BridgeError) in
      // What waits at its end for a writer is no file.
      let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if file < 0, errno == ENOENT { return nil }
      guard file >= 0 else { throw failure("read") }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw failure("read") }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw BridgeError(.unreadable, "cannot read \(path): not a file")
      }
      guard let bytes = Reading.toEnd(of: file) else { throw failure("read") }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw BridgeError(.unreadable, "cannot read \(path): not UTF-8")
      }
      return text
    } ?? nil
  }

  /// Written beside and put in its place, so that half of it is nobody's snapshots. Without any the file goes.
  func write(_ text: String) throws(BridgeError) {
    if text.isEmpty {
      let isGone = try withFolder { folder in unlinkat(folder, name, 0) == 0 || errno == ENOENT }
      guard isGone != false else { throw failure("write") }
      _ = try withParent { parent in unlinkat(parent, Self.folderName, AT_REMOVEDIR) }
      return
    }
    let isMade = try withParent { parent in mkdirat(parent, Self.folderName, 0o777) == 0 || errno == EEXIST }
    guard isMade else { throw failure("write") }
    let isWritten: Void? = try withFolder { (folder) throws(BridgeError) in
      let temporary = "\(name).\(getpid())"
      let file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard file >= 0 else { throw failure("write") }
      let isWritten = Array(text.utf8).withUnsafeBytes { Writing.all($0, to: file) }
      guard close(file) == 0, isWritten, renameat(folder, temporary, folder, name) == 0 else {
        let error = failure("write")
        _ = unlinkat(folder, temporary, 0)
        throw error
      }
    }
    guard isWritten != nil else { throw failure("write") }
  }

  // MARK: Folders

  private func withParent<Result>(_ body: (CInt) throws(BridgeError) -> Result) throws(BridgeError) -> Result {
    let flags = LinuxFile.pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var folder = open(parent.utf8.first == UInt8(ascii: "/") ? "/" : ".", flags)
    for name in parent.utf8.split(separator: UInt8(ascii: "/")) where folder >= 0 {
      let above = folder
      folder = openat(above, String(Substring(name)), flags)
      let problem = errno
      close(above)
      errno = problem
    }
    guard folder >= 0 else { throw failure("open") }
    defer { close(folder) }
    return try body(folder)
  }

  /// - Returns: nil if it is not there.
  private func withFolder<Result>(_ body: (CInt) throws(BridgeError) -> Result) throws(BridgeError) -> Result? {
    try withParent { (parent) throws(BridgeError) -> Result? in
      let folder = openat(parent, Self.folderName, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if folder < 0, errno == ENOENT { return nil }
      guard folder >= 0 else { throw failure("open") }
      defer { close(folder) }
      return try body(folder)
    }
  }

  private func failure(_ verb: String) -> BridgeError {
    let number = errno
    let isLink = number == ELOOP || verb == "open" && number == ENOTDIR
    let reason =
      isLink
      ? "snapshots are a file in a folder \(Self.folderName), and neither is a link, nor is what they are in"
      : String(cString: strerror(number))
    return BridgeError(verb == "write" ? .unwritable : .unreadable, "cannot \(verb) \(path): \(reason)")
  }
}
