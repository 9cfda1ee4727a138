import CJavaScriptCore
import EventLoop
import Glibc

/// What a turn may use before it is ended.
///
/// A script that is ended throws nothing that it could catch; its `finally` blocks do not run, and the microtasks of its
/// turn are dropped. The context is usable afterwards.
public struct ExecutionLimits: Sendable, Equatable {
  /// CPU time of a turn, microtasks included; or the same span on the clock, looked at whenever the script calls native
  /// code. Less than a millisecond counts as one.
  public var time: Duration?
  /// Bytes that the whole process may have resident while a script runs, looked at every 20 ms of a script's time. One
  /// single allocation can go past it unseen.
  public var residentMemory: Int?

  public init(time: Duration? = nil, residentMemory: Int? = nil) {
    self.time = time
    self.residentMemory = residentMemory
  }

  /// Which limit ended a script.
  public enum Exceeded: Sendable { case time, residentMemory }

  static let memoryPollInterval = Duration.milliseconds(20)
  static let shortestTime = Duration.milliseconds(1)
}

/// Where the current turn stands.
struct ExecutionState {
  var limits: ExecutionLimits?
  var deadline: MonotonicTime?
  var timeUsedByPolls = Duration.zero
  var exceeded: ExecutionLimits.Exceeded?
  /// The timer's present span.
  var currentPoll = Duration.zero
  /// The timer does not stand at a whole turn.
  var needsArming = false
}

extension JSContext {
  /// What a turn may use; `nil` for no limit, the default. With a limit each entry into the engine from outside costs 1.2 µs
  /// more (it reads the thread's CPU clock). Takes effect at the next turn.
  public var limits: ExecutionLimits? {
    get { execution.limits }
    set {
      loop.preconditionOnOwnThread()
      guard !isClosed else { return }
      execution.limits = newValue == ExecutionLimits() ? nil : newValue
      if execution.limits == nil { JSContextGroupClearExecutionTimeLimit(JSContextGetGroup(reference)) } else { arm() }
    }
  }

  /// Whether the turn has been ended, or is past its time. A raw function that a script may call in a loop checks this, and
  /// then throws `termination`; functions made by `makeFunction` do so. Costs a clock read, 25 ns.
  @inlinable
  package func isTurnOver() -> Bool {
    hasTimeLimit && checkDeadline()
  }

  /// What a raw function throws to end the script: no script can catch it.
  ///
  /// Native code that swallowed a termination has ended it as far as the engine is concerned, and a script that sleeps in
  /// native code uses no CPU time; throwing it again is the only way that never fails. (Asking for another by a timer of no
  /// delay makes 2.50.6 abort when it meets the end of the last one.)
  package var termination: RawValue {
    JSLock(reference)
    defer { JSUnlock(reference) }
    return JSTerminationException(reference)
  }

  @usableFromInline package var hasTimeLimit: Bool { execution.deadline != nil || execution.exceeded != nil }

  @usableFromInline
  package func checkDeadline() -> Bool {
    if execution.exceeded == nil, let deadline = execution.deadline, deadline <= .now { execution.exceeded = .time }
    return execution.exceeded != nil
  }

  /// Begins a turn's time.
  func startLimits() {
    guard let limits = execution.limits else { return }
    execution.exceeded = nil
    execution.timeUsedByPolls = .zero
    execution.deadline = limits.time.map { .now + $0 }
    if execution.needsArming { arm() }
  }

  func finishLimits() {
    execution.deadline = nil
    execution.exceeded = nil
    if execution.needsArming { arm() }
  }

  private func arm() {
    guard let limits = execution.limits else { return }
    setTimer(limits.pollInterval(after: .zero))
    execution.needsArming = false
  }

  private func setTimer(_ delay: Duration) {
    execution.needsArming = true
    JSContextGroupSetExecutionTimeLimit(
      JSContextGetGroup(reference), delay / .seconds(1), shouldEndTurn, Unmanaged.passUnretained(self).toOpaque())
    execution.currentPoll = delay
  }

  /// The engine asks, in the middle of a script.
  fileprivate func poll() -> Bool {
    guard let limits = execution.limits else { return false }
    if execution.exceeded != nil { return true }
    execution.timeUsedByPolls += execution.currentPoll
    if let bytes = limits.residentMemory, residentBytes() > bytes {
      execution.exceeded = .residentMemory
    } else if let time = limits.time, execution.timeUsedByPolls >= time {
      execution.exceeded = .time
    }
    guard execution.exceeded == nil else { return true }
    setTimer(limits.pollInterval(after: execution.timeUsedByPolls))
    return false
  }
}

extension ExecutionLimits {
  func pollInterval(after used: Duration) -> Duration {
    let remaining = time.map { max($0 - used, Self.shortestTime) }
    guard residentMemory != nil else { return remaining ?? .seconds(3600) }
    return min(remaining ?? Self.memoryPollInterval, Self.memoryPollInterval)
  }
}

private let shouldEndTurn: JSShouldTerminateCallback = { _, user in
  guard let user else { return false }
  return Unmanaged<JSContext>.fromOpaque(user).takeUnretainedValue().poll()
}

/// The process's resident size, from `/proc/self/statm`.
func residentBytes() -> Int {
  let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return 0 }
  defer { close(descriptor) }
  return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    guard count > 0 else { return 0 }
    let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 1 else { return 0 }
    return fields[1].reduce(0) { $0 * 10 + Int($1 &- 48) } * Int(sysconf(CInt(_SC_PAGESIZE)))
  }
}
