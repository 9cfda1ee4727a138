import CLinux
import Glibc

/// A program in a pseudo-terminal of 120 columns and 40 rows, whose output is read as bytes.
final class TerminalProcess {
  struct Failure: Error { let reason: String }

  private static let patience: CInt = 60_000
  private let master: CInt
  private let process: pid_t
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// The end of what was read, in which marks are looked for.
  private var tail: [UInt8] = []

  /// - Parameter home: Where the program's settings and journals are.
  init(_ arguments: [String], home: String) throws {
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
    var name = [CChar](repeating: 0, count: 64)
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, ptsname_r(master, &name, name.count) == 0 else {
      throw Failure(reason: "no pseudo-terminal")
    }
    var size = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    process = try Self.spawn(
      arguments, terminal: name,
      environment: [
        "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "HOME=\(home)", "XDG_STATE_HOME=\(home)/state",
        "XDG_CONFIG_HOME=\(home)/config",
      ])
  }

  deinit {
    kill(process, SIGKILL)
    var status: CInt = 0
    waitpid(process, &status, 0)
    close(master)
  }

  private static func spawn(_ arguments: [String], terminal: [CChar], environment: [String]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The leader of a session gets the first terminal it opens as its own.
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let newSession: Int16 = 0x80
    posix_spawnattr_setflags(&attributes, newSession)
    var argumentPointers = arguments.map { strdup($0) } + [nil]
    var environmentPointers = environment.map { strdup($0) } + [nil]
    defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
    var child: pid_t = 0
    guard posix_spawn(&child, arguments[0], &actions, &attributes, &argumentPointers, &environmentPointers) == 0 else {
      throw Failure(reason: "\(arguments[0]) does not start: build it first")
    }
    return child
  }

  /// What the program and those that it has started take, in bytes.
  var memory: Int {
    let children = ProcessFile.read("/proc/\(process)/task/\(process)/children").split(separator: " ")
    return ([process] + children.compactMap { pid_t($0) }).reduce(0) { $0 + ProcessFile.memory(of: $1).resident }
  }

  /// Types, taking what is shown off the terminal meanwhile so that neither side waits for the other.
  func type(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      var request = pollfd(fd: master, events: Int16(POLLIN | POLLOUT), revents: 0)
      guard poll(&request, 1, Self.patience) > 0 else { throw Failure(reason: "nobody reads the terminal") }
      if request.revents & Int16(POLLIN) != 0 { try receive() }
      // So little never blocks when there is room.
      if request.revents & Int16(POLLOUT) != 0 {
        rest = rest.dropFirst(max(0, rest.prefix(1024).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }))
      }
    }
  }

  func type(_ text: String) throws { try type(Array(text.utf8)) }

  /// Reads until `text` has come; what came before the last wait does not count.
  func awaitOutput(of text: String) throws {
    let mark = Array(text.utf8)
    while !contains(mark) {
      tail.removeFirst(max(0, tail.count - mark.count))
      var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, Self.patience) > 0 else { throw Failure(reason: "\(text) was never shown") }
      try receive()
    }
    tail = []
  }

  private func receive() throws {
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { throw Failure(reason: "the program has ended") }
    tail += buffer[..<count]
  }

  private func contains(_ mark: [UInt8]) -> Bool {
    guard tail.count >= mark.count else { return false }
    return (0...(tail.count - mark.count)).contains { tail[$0...].starts(with: mark) }
  }
}
