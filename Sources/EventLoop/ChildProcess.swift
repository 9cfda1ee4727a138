import CLinux
import Glibc

/// A program that was started.
///
/// The process is not ended by this object, nor reaped (`Loop.onExit(of:)` does that).
package final class ChildProcess: Sendable {
  /// Which signals of the terminal, and which calls of `kill`, reach it together with the parent.
  package enum Company: Sendable {
    case parent
    /// A process group of its own: what it starts can be ended with it.
    case group
    /// A session of its own: the terminal's signals never reach it.
    case session
  }

  /// What it has as standard input, output or error.
  package enum Stream: Sendable {
    case pipe
    /// That of this process.
    case inherited
    /// Nothing: at its end, or taken by nobody.
    case null
    /// For its standard error: where its standard output goes.
    case output
  }

  package let id: pid_t
  /// What it reads; -1 if that is no pipe.
  package let input: CInt
  /// What it writes.
  package let output: CInt
  /// Its standard error.
  package let log: CInt
  /// What it writes on descriptor 3.
  package let channel: CInt
  private let ownsEnds: Bool
  private let hasInputEnded = Lock(false)

  /// Starts a program with the default handling of signals, and no descriptors but those.
  /// - Parameters:
  ///   - path: Without a slash it is looked for in the folders of `PATH`, if `searchesPath`.
  ///   - name: What it is called by; its path when nil.
  ///   - environment: Entries `NAME=value`; that of this process when nil.
  ///   - folder: Where it runs, open; in that of this process when nil.
  ///   - streams: Its standard input, output and error; a fourth is ``channel``.
  ///   - ownsEnds: Whether the pipes are closed when this object goes away.
  package init(
    _ path: String, searchesPath: Bool = false, name: String? = nil, arguments: [String] = [],
    environment: [String]? = nil, folder: CInt? = nil, streams: [Stream] = [.pipe, .pipe, .pipe], company: Company,
    ownsEnds: Bool = true
  ) throws(EventLoopError) {
    var (ours, theirs): ([CInt], [CInt]) = ([], [])
    func closeAll(_ ends: [CInt]) { for end in ends where end >= 0 { close(end) } }
    for (number, stream) in streams.enumerated() {
      var pipe: [CInt] = [-1, -1]
      // Not inherited by another child, which would keep this one's input open.
      if stream == .pipe, pipe2(&pipe, O_CLOEXEC) != 0 {
        let error = EventLoopError("pipe")
        closeAll(ours + theirs)
        throw error
      }
      theirs.append(pipe[number == 0 ? 0 : 1])
      ours.append(pipe[number == 0 ? 1 : 0])
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // First: what follows may take its number.
    if let folder { posix_spawn_file_actions_addfchdir_np(&actions, folder) }
    for (number, stream) in streams.enumerated() { Self.add(stream, theirs[number], as: CInt(number), to: &actions) }
    posix_spawn_file_actions_addclosefrom_np(&actions, CInt(streams.count))
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.configure(&attributes, company)
    var arguments = ([name ?? path] + arguments).map { strdup($0) } + [nil]
    var entries = environment.map { $0.map { strdup($0) } + [nil] } ?? []
    defer { for text in arguments + entries { free(text) } }
    var child: pid_t = 0
    let spawn = searchesPath ? posix_spawnp : posix_spawn
    let error =
      environment == nil
      ? spawn(&child, path, &actions, &attributes, &arguments, environ)
      : spawn(&child, path, &actions, &attributes, &arguments, &entries)
    closeAll(theirs)
    guard error == 0 else {
      closeAll(ours)
      throw EventLoopError("posix_spawn", systemError: error)
    }
    DescriptorReserve.restoreLimit(of: child)
    (id, input, output, log, self.ownsEnds) = (child, ours[0], ours[1], ours[2], ownsEnds)
    channel = ours.count > 3 ? ours[3] : -1
  }

  /// A descriptor that can be read once a child has ended; whoever asks for it closes it. The child is not reaped yet.
  package static func descriptor(of child: pid_t) throws(EventLoopError) -> CInt {
    let descriptor = pidfd_open(child, 0)
    guard descriptor >= 0 else { throw EventLoopError("pidfd_open") }
    return descriptor
  }

  deinit {
    guard ownsEnds else { return }
    endInput()
    for end in [output, log, channel] where end >= 0 { close(end) }
  }

  /// The program finds its input at its end. For an owner of the ends; nothing is written to ``input`` any more.
  package func endInput() {
    let isOpen = hasInputEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    if isOpen, input >= 0 { close(input) }
  }

  private static func add(
    _ stream: Stream, _ end: CInt, as number: CInt, to actions: inout posix_spawn_file_actions_t
  ) {
    switch stream {
    case .pipe: posix_spawn_file_actions_adddup2(&actions, end, number)
    case .inherited: break
    case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
    case .output: posix_spawn_file_actions_adddup2(&actions, 1, number)
    }
  }

  private static func configure(_ attributes: inout posix_spawnattr_t, _ company: Company) {
    let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which Glibc's module leaves out
    let companyFlag =
      switch company {
      case .parent: Int16(0)
      case .group: Int16(POSIX_SPAWN_SETPGROUP)
      case .session: newSession
      }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | companyFlag)
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
  }
}
