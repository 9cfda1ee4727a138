import Glibc

/// The running program of a plugin and its three pipes. The descriptors are closed when it goes away.
final class PluginProcess {
  let id: pid_t
  /// What the plugin reads, what it writes, and its free-form log.
  let input: CInt
  let output: CInt
  let log: CInt

  init(_ path: String) throws(FileError) {
    var pipes: [[CInt]] = []
    for _ in 0..<3 {
      var ends: [CInt] = [-1, -1]
      guard pipe(&ends) == 0 else {
        let error = errno
        for end in pipes.joined() { close(end) }
        throw FileError(systemError: error, "cannot run", path: path)
      }
      // Not inherited by the next plugin, which would keep this one's input open.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      pipes.append(ends)
    }
    var child: pid_t = 0
    let error = Self.spawn(path, standard: [pipes[0][0], pipes[1][1], pipes[2][1]], child: &child)
    for end in [pipes[0][0], pipes[1][1], pipes[2][1]] { close(end) }
    (id, input, output, log) = (child, pipes[0][1], pipes[1][0], pipes[2][0])
    if error != 0 { throw FileError(systemError: error, "cannot run", path: path) }
  }

  deinit { for end in [input, output, log] { close(end) } }

  /// - Returns: An error number, or zero.
  private static func spawn(_ path: String, standard: [CInt], child: inout pid_t) -> CInt {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, end) in standard.enumerated() { posix_spawn_file_actions_adddup2(&actions, end, CInt(number)) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own: what it has started ends with it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    var arguments = [strdup(path), nil]
    defer { for argument in arguments { free(argument) } }
    return posix_spawn(&child, path, &actions, &attributes, &arguments, environ)
  }

  /// Ends it at once, with all that it has started.
  func kill() { _ = Glibc.kill(-id, SIGKILL) }
}
