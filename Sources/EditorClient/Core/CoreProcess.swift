import Glibc

/// A running core and its three pipes. The descriptors are closed when it goes away.
final class CoreProcess {
  let id: pid_t
  /// What the core reads, and what it writes.
  let input: CInt
  let output: CInt
  /// Its free-form log.
  let log: CInt

  init(_ command: CoreCommand) throws(ClientError) {
    var pipes: [(read: CInt, write: CInt)] = []
    for _ in 0..<3 {
      guard let pipe = Self.makePipe() else {
        let error = errno
        for pipe in pipes { Self.close(pipe) }
        throw Self.failure(command, error)
      }
      pipes.append(pipe)
    }
    var child: pid_t = 0
    let error = Self.spawn(command, standard: (pipes[0].read, pipes[1].write, pipes[2].write), child: &child)
    Glibc.close(pipes[0].read)
    Glibc.close(pipes[1].write)
    Glibc.close(pipes[2].write)
    id = child
    input = pipes[0].write
    output = pipes[1].read
    log = pipes[2].read
    if error != 0 { throw Self.failure(command, error) }
  }

  deinit {
    for descriptor in [input, output, log] { Glibc.close(descriptor) }
  }

  private static func failure(_ command: CoreCommand, _ error: CInt) -> ClientError {
    ClientError(.cannotStartCore, command.path, String(cString: strerror(error)))
  }

  private static func close(_ pipe: (read: CInt, write: CInt)) {
    Glibc.close(pipe.read)
    Glibc.close(pipe.write)
  }

  private static func makePipe() -> (read: CInt, write: CInt)? {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    // Not inherited by the next core, which would keep this one's input open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// - Returns: An error number, or zero.
  private static func spawn(
    _ command: CoreCommand, standard: (CInt, CInt, CInt), child: inout pid_t
  ) -> CInt {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standard.0, 0)
    posix_spawn_file_actions_adddup2(&actions, standard.1, 1)
    posix_spawn_file_actions_adddup2(&actions, standard.2, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    configure(&attributes, for: command)
    var arguments = command.arguments.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    return posix_spawn(&child, command.path, &actions, &attributes, &arguments, environ)
  }

  private static func configure(_ attributes: inout posix_spawnattr_t, for command: CoreCommand) {
    let newSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which Glibc's module leaves out
    var flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    if case .executable = command { flags |= newSession }
    posix_spawnattr_setflags(&attributes, flags)
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCHLD] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
  }
}
