import CLinux
import Glibc
import TestSupport
import Testing

/// A program in a pseudo-terminal whose screen is read. Used on one thread.
final class TerminalSession {
  /// Far beyond what anything takes; only a failure waits so long.
  private static let patience = Int(TestSupport.patience.components.seconds) * 1000

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private(set) var screen: TerminalScreen
  let process: pid_t
  private var master: CInt
  private var status: CInt?

  /// - Parameter environment: Over the usual one, in which the home is `home`; an empty value removes a variable.
  init(
    _ arguments: [String], in home: TemporaryFolder, columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:]
  ) throws {
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: CInt = 0
    let getNumber: UInt = 0x8004_5430  // TIOCGPTN
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, ioctl(master, getNumber, &number) == 0 else {
      throw Failure(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
    }
    screen = TerminalScreen(columns: columns, rows: rows)
    var variables = [
      "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": home.path,
      "XDG_STATE_HOME": home.path + "/state", "XDG_CONFIG_HOME": home.path + "/config",
    ]
    variables.merge(environment) { $1 }
    Self.setSize(of: master, columns: columns, rows: rows)
    process = try Self.spawn(
      ["/usr/bin/env", "-C", home.path] + arguments, terminal: "/dev/pts/\(number)",
      environment: variables.filter { !$1.isEmpty }.map { "\($0)=\($1)" })
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      var status: CInt = 0
      waitpid(process, &status, 0)
    }
    if master >= 0 { close(master) }
  }

  private static func spawn(
    _ arguments: [String], terminal: String, environment: [String]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The leader of a session gets the first terminal it opens as its own.
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | 0x80)
    var argumentPointers = arguments.map { strdup($0) } + [nil]
    var environmentPointers = environment.map { strdup($0) } + [nil]
    defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
    var child: pid_t = 0
    let error = posix_spawn(&child, arguments[0], &actions, &attributes, &argumentPointers, &environmentPointers)
    guard error == 0 else { throw Failure(description: "\(arguments[0]): \(String(cString: strerror(error)))") }
    return child
  }

  // MARK: The user

  func type(_ text: String) throws { try send(Array(text.utf8)) }

  /// What is pasted is seen when the core has it, and not before as letters are.
  func paste(_ text: String) throws { try type("\u{1B}[200~\(text)\u{1B}[201~") }

  /// Types all of it, reading the screen meanwhile so that neither side waits for the other.
  func send(_ bytes: [UInt8]) throws {
    _ = fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK)
    defer { _ = fcntl(master, F_SETFL, fcntl(master, F_GETFL) & ~O_NONBLOCK) }
    var rest = bytes[...]
    let end = now() + Self.patience
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else {
        guard errno == EAGAIN || errno == EINTR, now() < end else {
          throw Failure(description: "nobody reads the terminal")
        }
        _ = receive(waiting: 10)
      }
    }
  }

  /// The window is closed, or the line goes down.
  func hangUp() {
    close(master)
    master = -1
  }

  /// - Parameter ofScreen: False for a terminal that says something else than it shows.
  func resize(columns: Int, rows: Int, ofScreen: Bool = true) {
    Self.setSize(of: master, columns: columns, rows: rows)
    if ofScreen { screen.resize(columns: columns, rows: rows) }
  }

  private static func setSize(of terminal: CInt, columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  /// The modes of the terminal, as `stty` sees them.
  var modes: termios {
    var modes = termios()
    tcgetattr(master, &modes)
    return modes
  }

  /// As another program on the terminal would.
  func setModes(_ modes: termios) throws {
    var modes = modes
    guard tcsetattr(master, TCSANOW, &modes) == 0 else {
      throw Failure(description: "no modes: \(String(cString: strerror(errno)))")
    }
  }

  /// The processes that the program has started and that live.
  var children: [pid_t] {
    guard let file = fopen("/proc/\(process)/task/\(process)/children", "r") else { return [] }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: " ").compactMap { pid_t($0) }
  }

  // MARK: Waiting

  /// Reads the screen until `condition` holds.
  func wait(
    for what: String, sourceLocation: SourceLocation = #_sourceLocation, until condition: (TerminalScreen) -> Bool
  ) throws {
    let end = now() + Self.patience
    while !condition(screen) {
      let left = end - now()
      guard left > 0 else {
        Issue.record("\(what) did not appear on\n\(screen.text)", sourceLocation: sourceLocation)
        throw Failure(description: "\(what) did not appear")
      }
      if !receive(waiting: min(left, 100)), hasEnded, !condition(screen) {
        Issue.record("the program ended before \(what) appeared on\n\(screen.text)", sourceLocation: sourceLocation)
        throw Failure(description: "ended before \(what)")
      }
    }
  }

  /// Waits until the screen shows `text` anywhere.
  func wait(toSee text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait(for: "\"\(text)\"", sourceLocation: sourceLocation) { $0.text.contains(text) }
  }

  /// Waits until the program has ended; what it wrote last is on the screen then.
  /// - Returns: As from `waitpid`.
  func waitForEnd(sourceLocation: SourceLocation = #_sourceLocation) throws -> CInt {
    let end = now() + Self.patience
    while !hasEnded {
      guard now() < end else {
        Issue.record("the program goes on\n\(screen.text)", sourceLocation: sourceLocation)
        throw Failure(description: "the program goes on")
      }
      _ = receive(waiting: 20)
    }
    while receive(waiting: 0) {}
    return status ?? -1
  }

  private var hasEnded: Bool {
    if status != nil { return true }
    var ended: CInt = 0
    guard waitpid(process, &ended, WNOHANG) == process else { return false }
    status = ended
    return true
  }

  /// - Returns: Whether something came.
  private func receive(waiting milliseconds: Int) -> Bool {
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, CInt(milliseconds)) > 0, master >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else {
      // Nobody holds the other side: it reads as an error at once, for ever.
      if milliseconds > 0 { usleep(1000) }
      return false
    }
    screen.write(buffer[..<count])
    return true
  }

  private func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
