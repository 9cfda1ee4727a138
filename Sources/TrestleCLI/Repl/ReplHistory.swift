import EventLoop
import Glibc
import Trestle

/// The entries of this session and of those before, in a file that nobody else may read: each a JSON string in a line of its own.
struct ReplHistory {
  private(set) var entries: [String] = []
  private let path: String?
  private static let most = 2000

  /// - Parameter path: nil for none that is kept.
  init(path: String?) {
    self.path = path
    guard let path, let text = try? Script(file: path, mustBeFile: true).text else { return }
    let lines = text.split(separator: "\n")
    entries = lines.suffix(Self.most).compactMap { (try? JSONValue(parsing: String($0)))?.string }
    // Once in a while what is too old goes.
    if lines.count > 2 * Self.most { write(entries, replacing: true) }
  }

  /// `$XDG_STATE_HOME/trestle/repl-history`; nil without a home.
  static var usualPath: String? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let state = variable("XDG_STATE_HOME") ?? variable("HOME").map({ $0 + "/.local/state" }) else { return nil }
    return state + "/trestle/repl-history"
  }

  /// Keeps an entry, unless it is that before, or begins with a space. A file that cannot be written is no reason to stop.
  mutating func add(_ entry: String) {
    guard !entry.hasPrefix(" "), !entry.isEmpty, entry != entries.last else { return }
    entries.append(entry)
    if entries.count > Self.most { entries.removeFirst() }
    write([entry])
  }

  private func write(_ entries: [String], replacing: Bool = false) {
    guard let path else { return }
    makeFolders(above: path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (replacing ? O_TRUNC : O_APPEND), 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    fchmod(descriptor, 0o600)
    var text = entries.map { JSONValue.string($0).description + "\n" }.joined()
    text.withUTF8 { _ = Writing.all(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  private func makeFolders(above path: String) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o700)
    }
  }
}
