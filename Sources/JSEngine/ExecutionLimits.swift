import CJavaScriptCore
import EventLoop
import Glibc
import Synchronization

/// What a turn may use before it is ended.
///
/// A script that is ended throws nothing that it could catch; its `finally` blocks do not run, and the microtasks of its
/// turn are dropped. The context is usable afterwards.
public struct ExecutionLimits: Sendable, Equatable {
  /// CPU time of a turn, microtasks included; or the same span on the clock, looked at whenever the script calls native
  /// code. Less than a millisecond counts as one.
  public var time: Duration?
  /// Of the clock, in place of `time`.
  package var timeOnClock: Duration?
  /// CPU time of all turns together, counted from when the limits are set. Once it is used up each turn ends within a
  /// millisecond, until other limits are set.
  public var totalTime: Duration?
  /// That of several contexts, beside `totalTime`.
  package var sharedTotal: TotalTime?
  /// Bytes that the whole process may have resident while a script runs, looked at every 20 ms, also at the start of a turn. What
  /// is above it then, after a collection, runs no turn. One single allocation can go past it unseen. A bridge looks also while a
  /// script waits for native code, and tells its `onError`.
  public var residentMemory: Int?
  /// Whether `JSContext.interruption` ends a turn, within 20 ms of its time.
  public var isInterruptible = false

  public init(
    time: Duration? = nil, totalTime: Duration? = nil, residentMemory: Int? = nil, isInterruptible: Bool = false
  ) {
    self.time = time
    self.totalTime = totalTime
    self.residentMemory = residentMemory
    self.isInterruptible = isInterruptible
  }

  /// Of each limit the narrower one; a total that several contexts share comes beside this one's own.
  package func narrowed(to other: ExecutionLimits) -> ExecutionLimits {
    func least<Limit: Comparable>(_ one: Limit?, _ two: Limit?) -> Limit? { [one, two].compactMap(\.self).min() }
    var limits = self
    limits.time = least(time, other.time)
    limits.timeOnClock = least(timeOnClock ?? time, other.timeOnClock ?? other.time)
    limits.sharedTotal = other.sharedTotal ?? sharedTotal
    limits.residentMemory = least(residentMemory, other.residentMemory)
    limits.isInterruptible = isInterruptible || other.isInterruptible
    return limits
  }

  /// What ended a script.
  public enum Exceeded: Sendable { case time, totalTime, residentMemory, interruption }

  static let longestPollInterval = Duration.milliseconds(20)
  static let shortestTime = Duration.milliseconds(1)
}

/// The time that is left to all turns of one context, or of several. From any thread.
package final class TotalTime: Sendable, Equatable {
  private let leftInNanoseconds: Atomic<Int64>
  private let outer: TotalTime?

  /// - Parameter outer: of which it is a part.
  init(_ time: Duration, within outer: TotalTime?) {
    leftInNanoseconds = Atomic(max(time.nanoseconds, 0))
    self.outer = outer
  }

  package var left: Duration {
    let left = Duration.nanoseconds(max(leftInNanoseconds.load(ordering: .relaxed), 0))
    return outer.map { min($0.left, left) } ?? left
  }

  /// Turns of several contexts may run at a time: it may fall below zero.
  func use(_ time: Duration) {
    leftInNanoseconds.subtract(time.nanoseconds, ordering: .relaxed)
    outer?.use(time)
  }

  package static func == (one: TotalTime, other: TotalTime) -> Bool { one === other }
}

/// Where the current turn stands.
struct ExecutionState {
  var limits: ExecutionLimits?
  var deadline: MonotonicTime?
  var timeUsedByPolls = Duration.zero
  /// What the turn may use, and whether that is what is left of the total.
  var span: Duration?
  var isLastSpan = false
  /// The thread's clock as the turn began, and what is left of the total.
  var start: Duration?
  var totalLeft: Duration?
  var total: TotalTime?
  var exceeded: ExecutionLimits.Exceeded?
  /// Before the memory is looked at again.
  var nextMemoryLook = MonotonicTime.now
  var isMemoryExceeded = false
  /// A turn is under way that may be ended. The engine asks at other times too, and an end there would be nobody's.
  var isCounting = false
  /// The timer's present span.
  var currentPoll = Duration.zero
  /// While this word is not 0, limits wait: code of the host's own runs that is not to be cut off, and that ends by itself.
  var uncut: UnsafePointer<Int32>?
  var isUncut: Bool { uncut.map { $0.pointee != 0 } ?? false }
  /// The timer does not stand at a whole turn.
  var needsArming = false
}

extension JSContext {
  /// What a turn may use; `nil` for no limit, the default. With a limit each entry into the engine from outside costs 1.2 µs
  /// more (it reads the thread's CPU clock). Takes effect at the next turn.
  public var limits: ExecutionLimits? {
    get { gate.execution.limits }
    set {
      loop.preconditionOnOwnThread()
      if !isClosed { gate.setLimits(newValue) }
    }
  }

  /// The same for another context, whose turns use up the same total time.
  package var sharedLimits: ExecutionLimits? {
    var limits = gate.execution.limits
    limits?.sharedTotal = gate.execution.total
    return limits
  }
}

extension TurnGate {
  func setLimits(_ limits: ExecutionLimits?) {
    execution.limits = limits == ExecutionLimits() ? nil : limits
    execution.isMemoryExceeded = false
    execution.nextMemoryLook = .now
    execution.total = limits?.totalTime.map { TotalTime($0, within: limits?.sharedTotal) } ?? limits?.sharedTotal
    state.pointee.isLimited = execution.limits != nil
    if limits?.residentMemory != nil { _ = memoryStatus }
    if execution.limits != nil, state.pointee.depth == 0 { EngineProcess.makeWatchdog(reference) }
    // The engine's timer stays, once it was set: taken back, it ends one script more when it fires late.
    arm()
  }

  /// What a raw function throws to end the script: no script can catch it.
  ///
  /// Native code that swallowed a termination has ended it as far as the engine is concerned, and a script that sleeps in
  /// native code uses no CPU time; throwing it again is the only way that never fails. (Asking for another by a timer of no
  /// delay makes 2.50.6 abort when it meets the end of the last one.)
  var termination: RawValue {
    JSLock(reference)
    defer { JSUnlock(reference) }
    return JSTerminationException(reference)
  }

  /// Whether the turn has been ended, or is past its time. Costs a clock read, 25 ns.
  package func isTurnOver() -> Bool {
    if execution.isUncut || !execution.isCounting { return false }
    guard execution.exceeded == nil else { return true }
    if let deadline = execution.deadline, deadline <= .now { execution.exceeded = execution.timeExceeded }
    if execution.limits?.isInterruptible == true, interruption.isRequested { execution.exceeded = .interruption }
    return execution.exceeded != nil
  }

  /// Limits wait while the word there is not 0; it outlives the context.
  package func postponeLimits(while word: UnsafePointer<Int32>) { execution.uncut = word }

  /// Begins a turn's time.
  ///
  /// - Parameter isOfRemains: for what an ended turn has left behind: who asked for the end of that meant this, too.
  /// - Returns: false if there is nothing left that it may use.
  func startLimits(isOfRemains: Bool = false) -> Bool {
    guard state.pointee.isLimited, let limits = execution.limits else { return true }
    execution.exceeded = nil
    execution.isCounting = true
    execution.timeUsedByPolls = .zero
    if limits.isInterruptible, !isOfRemains { interruption.turnBegins() }
    execution.totalLeft = execution.total?.left
    execution.start = execution.total == nil ? nil : ThreadTime.used
    if let left = execution.totalLeft {
      execution.isLastSpan = limits.time.map { left < $0 } ?? true
      execution.needsArming = execution.needsArming || execution.isLastSpan
    }
    execution.span = execution.isLastSpan ? execution.totalLeft : limits.time
    execution.deadline = (limits.timeOnClock ?? execution.span).map { .now + $0 }
    if execution.needsArming { arm() }
    if !isOfRemains, isMemoryExceeded(limits) { execution.exceeded = .residentMemory }
    if limits.isInterruptible, interruption.isForAllTurns { execution.exceeded = .interruption }
    return execution.exceeded == nil
  }

  /// The limits left no turn, the last time that one was to begin.
  package var isUsedUp: Bool {
    state.pointee.isLimited && (execution.isMemoryExceeded || execution.total?.left == .zero)
  }

  /// The same, where the memory is looked at first.
  func isUsedUpNow() -> Bool {
    if let limits = execution.limits { _ = isMemoryExceeded(limits) }
    return isUsedUp
  }

  /// Turns may be short, each of them: the memory is looked at by the clock.
  private func isMemoryExceeded(_ limits: ExecutionLimits) -> Bool {
    guard let bytes = limits.residentMemory else { return false }
    let now = MonotonicTime.now
    guard now >= execution.nextMemoryLook else { return execution.isMemoryExceeded }
    execution.isMemoryExceeded = residentBytes() > bytes
    if execution.isMemoryExceeded {
      // What scripts have let go counts until somebody collects it, and no script comes to that any more.
      context?.collectGarbage()
      EngineProcess.returnFreeMemory()
      execution.isMemoryExceeded = residentBytes() > bytes
    }
    execution.nextMemoryLook = .now + ExecutionLimits.longestPollInterval
    return execution.isMemoryExceeded
  }

  /// Whether the process uses more than it may, looked at now; then the turn is over. For native code that makes much in one step.
  package func isMemoryUsedUp() -> Bool {
    guard let bytes = execution.limits?.residentMemory, residentBytes() > bytes else { return false }
    if execution.isCounting, execution.exceeded == nil { execution.exceeded = .residentMemory }
    return true
  }

  func finishLimits() {
    execution.isCounting = false
    if let start = execution.start.take() { execution.total?.use(ThreadTime.used - start) }
    execution.isLastSpan = false
    execution.deadline = nil
    execution.exceeded = nil
    if execution.needsArming { arm() }
  }

  private func arm() {
    guard let limits = execution.limits else { return }
    setTimer(limits.pollInterval(after: .zero, of: execution.isLastSpan ? execution.totalLeft : limits.time))
    execution.needsArming = execution.isLastSpan
  }

  private func setTimer(_ delay: Duration) {
    execution.needsArming = true
    JSContextGroupSetExecutionTimeLimit(
      JSContextGetGroup(reference), delay / .seconds(1), shouldEndTurn, Unmanaged.passUnretained(self).toOpaque())
    execution.currentPoll = delay
  }

  /// The engine asks, in the middle of a script.
  fileprivate func poll() -> Bool {
    guard let limits = execution.limits, execution.isCounting else {
      execution.needsArming = execution.limits != nil
      return false
    }
    execution.timeUsedByPolls += execution.currentPoll
    if execution.isUncut {
      setTimer(ExecutionLimits.shortestTime)
      return false
    }
    if execution.exceeded != nil { return true }
    if let bytes = limits.residentMemory, residentBytes() > bytes {
      execution.exceeded = .residentMemory
    } else if let span = execution.span, execution.timeUsedByPolls >= span {
      execution.exceeded = execution.timeExceeded
    } else if limits.isInterruptible, interruption.isRequested {
      execution.exceeded = .interruption
    }
    guard execution.exceeded == nil else { return true }
    setTimer(limits.pollInterval(after: execution.timeUsedByPolls, of: execution.span))
    return false
  }
}

extension ExecutionLimits {
  /// - Parameter span: what the turn may use.
  func pollInterval(after used: Duration, of span: Duration?) -> Duration {
    let remaining = span.map { max($0 - used, Self.shortestTime) }
    guard residentMemory != nil || isInterruptible else { return remaining ?? .seconds(3600) }
    return min(remaining ?? Self.longestPollInterval, Self.longestPollInterval)
  }
}

extension ExecutionState {
  var timeExceeded: ExecutionLimits.Exceeded { isLastSpan ? .totalTime : .time }
}

private let shouldEndTurn: JSShouldTerminateCallback = { _, user in
  guard let user else { return false }
  return Unmanaged<TurnGate>.fromOpaque(user).takeUnretainedValue().poll()
}

/// Stays open: a script can use up all descriptors.
private let memoryStatus = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)

/// The process's resident size; more than any limit if it cannot be found out.
package func residentBytes() -> Int {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
    let count = pread(memoryStatus, buffer.baseAddress, buffer.count, 0)
    guard count > 0 else { return .max }
    let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 1 else { return .max }
    return fields[1].reduce(0) { $0 * 10 + Int($1 &- 48) } * Int(sysconf(CInt(_SC_PAGESIZE)))
  }
}
