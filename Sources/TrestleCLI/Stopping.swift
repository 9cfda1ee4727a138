import Dispatch
import Glibc
import Synchronization

/// What a run that is ended from outside ends with; nil while none is.
final class Stopping: Sendable {
  private let state = Mutex<ExitStatus?>(nil)

  /// The first one counts.
  var status: ExitStatus? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = $0 ?? newValue } }
  }
}

/// What is done where a run is ended from outside: another thing once its script has been read.
final class Ending: Sendable {
  private let body: Mutex<@Sendable (ExitStatus) -> Void>

  init(_ body: @escaping @Sendable (ExitStatus) -> Void) { self.body = Mutex(body) }

  func change(to next: @escaping @Sendable (ExitStatus) -> Void) { body.withLock { $0 = next } }

  func callAsFunction(_ status: ExitStatus) { body.withLock { $0 }(status) }
}

/// Waits for what ends a run from outside: that its time is over, or a signal of ``Interruptions``. On a thread of its own, as no
/// other is sure to be free by then: what scripts have called may hold all those of Swift's and Dispatch's pools.
struct Watch: Sendable {
  let timeout: Duration?
  /// How long the end may take; nobody may be reading what it writes.
  let timeToEnd: Duration
  /// Says what there is to say, and ends the process. On a thread of its own.
  let end: @Sendable (ExitStatus) -> Void

  func start() {
    guard Self.startThread(wait) else {
      Terminal.tell("no thread: \(String(cString: strerror(errno)))")
      ExitStatus.uncaughtError.exit()
    }
  }

  /// However the end goes, the process ends; at once if there is another signal. A hang-up may be sent twice, by the shell and by the
  /// system: only an interruption is one again so soon.
  private func wait() {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    let status = (Interruptions.wait(until: deadline) ?? .timeout).decide()
    if Self.startThread({ end(status) }) {
      let (start, timeToEnd) = (ContinuousClock.now, timeToEnd)
      while let again = Interruptions.wait(until: start + timeToEnd), again.code != 128 + SIGINT,
        .now < start + .milliseconds(500)
      {}
    }
    status.exitAtOnce()
  }

  /// Does something that may block, and waits for it no longer than that.
  static func attempt(for limit: Duration, _ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    let isStarted = startThread {
      body()
      isDone.signal()
    }
    if isStarted { _ = isDone.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) }
  }

  @discardableResult
  static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(body: body))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { box in
        box.map { Unmanaged<ThreadBody>.fromOpaque($0).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    errno = failure
    guard failure == 0 else {
      box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private final class ThreadBody {
    let body: @Sendable () -> Void
    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

/// The signals by which users, shells and supervisors end a process, where something is to be done before it ends of them.
enum Interruptions {
  private static let pipe: (input: CInt, output: CInt) = {
    var ends: [CInt] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    return (ends[0], ends[1])
  }()

  /// All with a name that end a process of themselves, but for those of its own mistakes. One of those without is the engine's.
  private static let signals = [
    SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT, SIGUSR1,
    SIGUSR2, SIGSYS,
  ]

  /// From now on they only end waiting; but for those that the process was started to ignore, as by `nohup`.
  static func take() {
    guard pipe.output >= 0 else { return }
    // A file above the limit is one that cannot be written. A program that is started ends of it as ever.
    if !isIgnored(SIGXFSZ) { signal(SIGXFSZ) { _ in } }
    for number in signals where [SIGINT, SIGTERM].contains(number) || !isIgnored(number) {
      signal(number) { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Interruptions.pipe.output, &byte, 1)
        errno = before
      }
    }
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// - Parameter deadline: nil for none.
  /// - Returns: what the first signal before it ends the process with, nil if there was none.
  static func wait(until deadline: ContinuousClock.Instant?) -> ExitStatus? {
    while true {
      let left = deadline.map { max($0 - .now, .zero) }
      // Rounded up, so that it is not asked again and again for what is left of a millisecond.
      let milliseconds = left.map { CInt(clamping: Int($0 / .milliseconds(1)) + 1) } ?? -1
      var request = pollfd(fd: pipe.input, events: Int16(POLLIN), revents: 0)
      if left == .zero { return nil }
      guard poll(&request, 1, milliseconds) > 0 else { continue }
      var byte: UInt8 = 0
      if read(pipe.input, &byte, 1) == 1 { return ExitStatus(code: 128 + CInt(byte)) }
    }
  }
}
