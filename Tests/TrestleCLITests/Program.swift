import CLinux
import Foundation
import Testing

/// A program that was built together with the tests.
struct Program {
  /// A path from the built products, or an absolute one.
  let name: String
  /// What it is given as standard input.
  var input = ""
  /// Where it runs.
  let folder: TemporaryFolder

  /// How a run ended, and what it wrote.
  struct Outcome: Equatable {
    /// The exit code, or 128 and the signal's number.
    var code: Int32
    var output: String
    var error: String
  }

  static let trestle = "trestle"

  /// Longer than any run takes on a busy machine.
  static let patience: TimeInterval = 120

  func run(_ arguments: [String]) async throws -> Outcome { try await finish(start(arguments)) }

  /// Starts it without waiting for anything.
  /// - Returns: its process ID.
  func start(_ arguments: [String]) throws -> pid_t {
    folder.write(input, to: ".input")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, folder.url.path + "/.input", O_RDONLY, 0)
    for (descriptor, name) in [(STDOUT_FILENO, ".output"), (STDERR_FILENO, ".error")] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, folder.url.path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    // Not what other tests have open just now: some run with few descriptors.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    // Tests may run where nobody can interrupt; the program's user can.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let path = URL(fileURLWithPath: name, relativeTo: Self.products).path
    // `env` enters the folder and becomes the program.
    let (argv, environment) = (
      ["env", "-C", folder.url.path, path] + arguments, ["PATH=/usr/bin:/bin", "HOME=\(folder.url.path)"]
    )
    var child: pid_t = 0
    let failure = withCStrings(argv) { argv in
      withCStrings(environment) { posix_spawn(&child, "/usr/bin/env", &actions, &attributes, argv, $0) }
    }
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
    return child
  }

  /// Waits without holding a thread of the pool, on which other tests run.
  func finish(_ child: pid_t) async throws -> Outcome {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    var status: Int32 = 0
    while waitpid(child, &status, WNOHANG) == 0 {
      if Date() > deadline { kill(child, SIGKILL) }
      try await Task.sleep(for: .milliseconds(2))
    }
    let signal = status & 0x7f
    return Outcome(
      code: signal == 0 ? (status >> 8) & 0xff : 128 + signal, output: folder.read(".output"),
      error: folder.read(".error"))
  }

  /// The folder of the built products: that of the program that runs the tests.
  static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  /// The folder of the package.
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// A folder that lives as long as this value.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to name: String) {
    _ = FileManager.default.createFile(atPath: url.appendingPathComponent(name).path, contents: Data(text.utf8))
  }

  func read(_ name: String) -> String {
    let data = FileManager.default.contents(atPath: url.appendingPathComponent(name).path)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}

/// The strings as C has them: pointers, and a null one at the end.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = strings.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  return body(&pointers)
}
