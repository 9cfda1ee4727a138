import CLinux
import Glibc

/// A program that was started with pipes at its standard input, output and error.
///
/// The descriptors are closed when this object goes away; the process is not ended by it, nor reaped
/// (`Loop.onExit(of:)` does that).
package final class ChildProcess {
  /// Which signals of the terminal, and which calls of `kill`, reach it together with the parent.
  package enum Company {
    case parent
    /// A process group of its own: what it starts can be ended with it.
    case group
    /// A session of its own: the terminal's signals never reach it.
    case session
  }

  package let id: pid_t
  /// What it reads.
  package let input: CInt
  /// What it writes.
  package let output: CInt
  /// Its standard error.
  package let log: CInt

  /// Starts `path` with the environment of this process and the default handling of signals.
  /// - Parameter name: What it is called by; its path when nil.
  package init(
    _ path: String, name: String? = nil, arguments: [String] = [], company: Company
  ) throws(EventLoopError) {
    var ends: [CInt] = []
    func closeEnds(_ indices: some Sequence<Int>) { for index in indices { close(ends[index]) } }
    for _ in 0..<3 {
      var pipe: [CInt] = [-1, -1]
      // Not inherited by another child, which would keep this one's input open.
      guard pipe2(&pipe, O_CLOEXEC) == 0 else {
        let error = EventLoopError("pipe")
        closeEnds(ends.indices)
        throw error
      }
      ends += pipe
    }
    let (theirs, ours) = ([0, 3, 5], [1, 2, 4])
    var child: pid_t = 0
    let error = Self.spawn(path, [name ?? path] + arguments, company, standard: theirs.map { ends[$0] }, child: &child)
    closeEnds(theirs)
    guard error == 0 else {
      closeEnds(ours)
      throw EventLoopError("posix_spawn", systemError: error)
    }
    (id, input, output, log) = (child, ends[1], ends[2], ends[4])
  }

  deinit { for end in [input, output, log] { close(end) } }

  /// - Returns: An error number, or zero.
  private static func spawn(
    _ path: String, _ command: [String], _ company: Company, standard: [CInt], child: inout pid_t
  ) -> CInt {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, end) in standard.enumerated() { posix_spawn_file_actions_adddup2(&actions, end, CInt(number)) }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    configure(&attributes, company)
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    return posix_spawn(&child, path, &actions, &attributes, &arguments, environ)
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
