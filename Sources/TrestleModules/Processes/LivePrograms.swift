import EventLoop
import Glibc

/// The programs that scripts have started and that are not reaped yet: until then their numbers are nobody else's. From any thread.
package enum LivePrograms {
  private struct Program {
    var leadsGroup: Bool
    /// It was asked to end: what it has started is ended with it.
    var isStopping = false
  }

  private struct State {
    var live: [pid_t: Program] = [:]
    var onFirst: (@Sendable () -> Void)?
  }

  private static let state = Lock(State())

  /// - Parameter body: is called once, when the first program is started: to take the signals that end this process and would leave programs
  ///   behind.
  package static func onFirst(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onFirst = body } }

  /// - Returns: a descriptor that can be read once the program has ended.
  /// - Throws: if there is none; then the program has been ended.
  static func add(_ process: pid_t, named name: String, leadsGroup: Bool) throws(FileError) -> CInt {
    let onFirst = state.withLock { state in
      state.live[process] = Program(leadsGroup: leadsGroup)
      defer { state.onFirst = nil }
      return state.onFirst
    }
    onFirst?()
    do throws(EventLoopError) { return try ChildProcess.descriptor(of: process) } catch {
      _ = send(SIGKILL, to: process)
      _ = reap(process)
      throw FileError(path: name, systemError: error.systemError)
    }
  }

  /// - Parameter descriptor: what `add` has given; is closed.
  static func end(of process: pid_t, _ descriptor: CInt) async throws -> ProgramEnd {
    defer { close(descriptor) }
    try await Readiness.wait(for: .readable, of: descriptor)
    return reap(process)
  }

  /// Of one that has ended, or is about to.
  private static func reap(_ process: pid_t) -> ProgramEnd {
    // Its number is free once it is reaped: nobody sends it a signal from here on.
    state.withLock { state in
      let program = state.live.removeValue(forKey: process)
      if let program, program.isStopping, program.leadsGroup { kill(-process, SIGKILL) }
    }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0
      ? ProgramEnd(code: Int(status >> 8 & 0xFF), signal: nil)
      : ProgramEnd(code: nil, signal: SignalNames.name(of: signal))
  }

  /// To a program and, if it leads a group, to what it has started.
  /// - Parameter isLast: it is meant to end, and all that it has started.
  /// - Returns: false if it has ended.
  static func send(_ signal: CInt, to process: pid_t, isLast: Bool = false) -> Bool {
    state.withLock { state in
      guard let program = state.live[process] else { return false }
      if isLast { state.live[process]?.isStopping = true }
      return kill(program.leadsGroup ? -process : process, signal) == 0
    }
  }

  private static let (step, mostSteps) = (UInt32(5000), 40)

  /// For the end of this process: asks all to end, and ends those that have not after a fifth of a second.
  package static func endAll() {
    let all = state.withLock { Array($0.live.keys) }
    guard !all.isEmpty else { return }
    for process in all { _ = send(SIGTERM, to: process, isLast: true) }
    for _ in 0..<mostSteps where state.withLock({ $0.live.keys.contains(where: isRunning) }) { usleep(step) }
    for process in all { _ = send(SIGKILL, to: process) }
  }

  private static func isRunning(_ process: pid_t) -> Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information._sifields._sigchld.si_pid == 0
  }
}

/// What signals are called.
enum SignalNames {
  private static let numbers: [String: CInt] = [
    "SIGHUP": SIGHUP, "SIGINT": SIGINT, "SIGQUIT": SIGQUIT, "SIGILL": SIGILL, "SIGTRAP": SIGTRAP, "SIGABRT": SIGABRT,
    "SIGBUS": SIGBUS, "SIGFPE": SIGFPE, "SIGKILL": SIGKILL, "SIGUSR1": SIGUSR1, "SIGSEGV": SIGSEGV, "SIGUSR2": SIGUSR2,
    "SIGPIPE": SIGPIPE, "SIGALRM": SIGALRM, "SIGTERM": SIGTERM, "SIGCHLD": SIGCHLD, "SIGCONT": SIGCONT,
    "SIGSTOP": SIGSTOP, "SIGTSTP": SIGTSTP, "SIGTTIN": SIGTTIN, "SIGTTOU": SIGTTOU, "SIGURG": SIGURG,
    "SIGXCPU": SIGXCPU, "SIGXFSZ": SIGXFSZ, "SIGVTALRM": SIGVTALRM, "SIGPROF": SIGPROF, "SIGWINCH": SIGWINCH,
    "SIGIO": SIGIO, "SIGPWR": SIGPWR, "SIGSYS": SIGSYS,
  ]

  static func number(of name: String) -> CInt? { numbers[name] }

  static func name(of number: CInt) -> String { numbers.first { $0.value == number }?.key ?? "signal \(number)" }
}
