import Glibc
import JSON

/// A private file of the user's, `$XDG_STATE_HOME/xiedit/memory.json`. It can be lost without harm: what goes wrong is not told.
package struct MemoryFile: Sendable {
  private static let largest = 1 << 20
  package let path: String

  package init(path: String) { self.path = path }

  /// Of the user whose environment this process has; nil without a home, or in another user's, as under `sudo` that keeps `HOME`.
  package static var ofUser: MemoryFile? {
    guard let state = value(of: "XDG_STATE_HOME") ?? value(of: "HOME").map({ $0 + "/.local/state" }) else { return nil }
    var status = stat()
    var folder = state
    while stat(folder, &status) != 0, !folder.folder.isEmpty { folder = folder.folder }
    guard status.st_uid == geteuid() else { return nil }
    return MemoryFile(path: state + "/xiedit/memory.json")
  }

  private static func value(of name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Empty when there is none, or what is there is none of ours.
  func read() -> JSONObject {
    // Nothing is waited for: neither for the other end of a FIFO nor for a device.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return JSONObject() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largest else {
      return JSONObject()
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    let text = String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    return (try? JSONValue(parsing: text))?.object ?? JSONObject()
  }

  /// The old one or the new one, never a part.
  func write(_ table: JSONObject) {
    guard makeFolders(path.folder) else { return }
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(JSONValue.object(table).description.utf8)
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    if count != bytes.count || rename(temporary, path) != 0 { unlink(temporary) }
  }

  private func makeFolders(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, !path.folder.isEmpty, path.folder != path else { return false }
    return makeFolders(path.folder) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
  }
}
