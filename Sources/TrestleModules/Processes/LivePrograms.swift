import EventLoop
import Glibc

/// The programs that scripts have started and that are not reaped yet: until then their numbers are nobody else's. From any thread.
enum LivePrograms {
  private struct Program {
    var leadsGroup: Bool
    /// It is not reaped before somebody lets go of it: what it has started can be reached by its number until then.
    var isHeld: Bool
    var hasEnded = false
    /// It was asked to end: what it has started is ended with it.
    var isStopping = false
  }

  private static let live = Lock<[pid_t: Program]>([:])

  /// - Returns: a descriptor that can be read once the program has ended.
  /// - Throws: if there is none; then the program has been ended.
  static func add(_ process: pid_t, named name: String, leadsGroup: Bool, isHeld: Bool) throws(FileError) -> CInt {
    live.withLock { $0[process] = Program(leadsGroup: leadsGroup, isHeld: isHeld) }
    RunEnd.hasToClear()
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
    let heldEnd = live.withLock { live -> ProgramEnd? in
      live[process]?.hasEnded = true
      return live[process]?.isHeld == true ? end(of: process, WEXITED | WNOWAIT) : nil
    }
    return heldEnd ?? reap(process)
  }

  /// What it has started is out of reach once it has ended: if it was asked to end, that is ended now.
  static func letGo(of process: pid_t) {
    let hasEnded = live.withLock { live in
      live[process]?.isHeld = false
      return live[process]?.hasEnded == true
    }
    if hasEnded { _ = reap(process) }
  }

  /// Of one that has ended, or is about to.
  private static func reap(_ process: pid_t) -> ProgramEnd {
    // Its number is free once it is reaped: nobody sends it a signal from here on.
    live.withLock { live in
      let program = live.removeValue(forKey: process)
      if let program, program.isStopping, program.leadsGroup { kill(-process, SIGKILL) }
    }
    return end(of: process, WEXITED)
  }

  private static func end(of process: pid_t, _ options: CInt) -> ProgramEnd {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, options) < 0, errno == EINTR {}
    let status = information._sifields._sigchld.si_status
    return information.si_code == CInt(CLD_EXITED)
      ? ProgramEnd(code: Int(status), signal: nil)
      : ProgramEnd(code: nil, signal: SignalNames.name(of: status))
  }

  /// To a program and, if it leads a group, to what it has started.
  /// - Parameter isLast: it is meant to end, and all that it has started.
  /// - Returns: false if it has ended.
  static func send(_ signal: CInt, to process: pid_t, isLast: Bool = false) -> Bool {
    live.withLock { live in
      guard let program = live[process] else { return false }
      if isLast { live[process]?.isStopping = true }
      return kill(program.leadsGroup ? -process : process, signal) == 0
    }
  }

  private static let (step, mostSteps) = (UInt32(5000), 40)

  /// For the end of this process: asks all to end, and ends those that have not after a fifth of a second.
  static func endAll() {
    let all = live.withLock { Array($0.keys) }
    guard !all.isEmpty else { return }
    for process in all { _ = send(SIGTERM, to: process, isLast: true) }
    for _ in 0..<mostSteps where live.withLock({ $0.keys.contains(where: isRunning) }) { usleep(step) }
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
