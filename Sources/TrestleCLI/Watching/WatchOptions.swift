import ArgumentParser
import Glibc

/// `--watch`, of what runs scripts.
struct WatchOptions: ParsableArguments {
  @Flag(name: .customLong("watch"), help: "Run again whenever a file that was loaded has changed, until Ctrl-C.")
  var isWatching = false

  /// In the process that a watching one has started: the descriptor on which it says what it has loaded.
  @Option(name: .customLong("loaded-files-to"), help: .private)
  var channel: CInt?

  func validate() throws {
    guard let channel else { return }
    guard channel > 2, fcntl(channel, F_SETFD, FD_CLOEXEC) == 0 else {
      throw ValidationError("--loaded-files-to is for --watch alone.")
    }
  }

  var loadedFiles: LoadedFiles { LoadedFiles(channel: channel) }
}

/// Tells the process that watches, if there is one, what a run has loaded. Any thread.
struct LoadedFiles: Sendable {
  let channel: CInt?

  func note(_ path: String) {
    // Not all that has a name is a file.
    guard let channel, let state = Self.state(of: path) else { return }
    let record = Array("\(state) \(path)\0".utf8)
    // Where nobody reads any more the run ends, as it would of its output.
    _ = record.withUnsafeBytes { write(channel, $0.baseAddress, $0.count) }
  }

  /// What changes with the file, without a space; nil if there is none.
  static func state(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return "\(status.st_ino):\(status.st_size):\(status.st_mtim.tv_sec):\(status.st_mtim.tv_nsec)"
  }
}
