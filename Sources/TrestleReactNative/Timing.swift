import EventLoop
import Glibc
import Trestle

extension ModuleDefinition {
  /// The clock of React Native's `JSTimers`.
  static let timing = ModuleDefinition("Timing", make: Timing.init) {
    Member<Timing>.void("createTimer", "id", "duration", "schedulingTime", "repeats") {
      (timing, id: Int, duration: Double, schedulingTime: Double, repeats: Bool) in
      timing.create(id, duration: duration, scheduledAt: schedulingTime, repeats: repeats)
    }
    Member<Timing>.void("deleteTimer", "id") { (timing, id: Int) in timing.delete(id) }
    Member<Timing>.void("setSendIdleEvents", "sends") { (timing, sends: Bool) in timing.setSendsIdleEvents(sends) }
  }
}

/// Calls `JSTimers` when timers are due: all that are at once, in the order of their times. On the JS thread.
///
/// Times are milliseconds of the monotonic clock. A timer counts from when the script set it, which may be long before the
/// call comes over the queue.
final class Timing {
  /// As in browsers.
  private static let longestDuration = 2_147_483_647.0
  /// Drifts beyond this are no delays: the clocks differ.
  private static let longestDelay = 60_000.0
  /// A frame, as React Native's JavaScript counts on it.
  private static let frame = Duration.nanoseconds(16_666_667)

  private let context: BridgeContext
  private let loop: Loop
  private var timers = TimerOrder<Double>()
  private var alarm: (source: LoopSource, target: Double)?
  private var activity: Activity?
  private var frames: (source: LoopSource, activity: Activity)?
  /// From the clock of JavaScript, which may be set, to the monotonic one.
  private var clockOffset = 0.0

  init(_ context: BridgeContext) throws {
    guard let loop = context.loop else { throw BridgeError(.closed, "the bridge is closed") }
    self.context = context
    self.loop = loop
  }

  deinit {
    alarm?.source.cancel()
    frames?.source.cancel()
  }

  func create(_ id: Int, duration: Double, scheduledAt time: Double, repeats: Bool) {
    // Not a number is 0 too.
    let duration = duration > 0 ? min(duration, Self.longestDuration) : 0
    timers.set(id, at: monotonicTime(of: time) + duration, interval: repeats ? max(duration, 1) : nil)
    setAlarm()
  }

  func delete(_ id: Int) {
    timers.remove(id)
    setAlarm()
  }

  /// The same for equal times, unless the clock of JavaScript was set in between.
  private func monotonicTime(of time: Double) -> Double {
    let (now, wall) = (Self.monotonicNow, Self.wallNow)
    if abs(now - wall - clockOffset) > 1 { clockOffset = now - wall }
    guard abs(wall - time) <= Self.longestDelay else {
      context.invoke(
        "JSTimers.emitTimeDriftWarning", "The clocks of the script and of the host differ by \(wall - time) ms.")
      return now
    }
    return time + clockOffset
  }

  /// Has the loop wake us for the first timer, and keeps the bridge from being idle while there is one.
  private func setAlarm() {
    guard let first = timers.first else {
      alarm?.source.cancel()
      alarm = nil
      activity = nil
      return
    }
    if activity == nil { activity = context.beginActivity() }
    if alarm?.target == first.target { return }
    alarm?.source.cancel()
    let delay = Duration(clampingSeconds: max(0, first.target - Self.monotonicNow) / 1000)
    alarm = (loop.after(delay) { [weak self] in self?.callTimers() }, first.target)
  }

  private func callTimers() {
    alarm = nil
    let now = Self.monotonicNow
    var due: [TimerOrder<Double>.Timer] = []
    while let timer = timers.first, timer.target <= now {
      timers.remove(timer.id)
      due.append(timer)
    }
    // Beats that were missed are skipped.
    for timer in due {
      if let interval = timer.interval {
        timers.set(timer.id, at: max(timer.target + interval, now), interval: interval)
      }
    }
    // `JSTimers` does not take an empty list: the loop may wake a little early.
    if !due.isEmpty { context.invoke("JSTimers.callTimers", due.map(\.id)) }
    setAlarm()
  }

  func setSendsIdleEvents(_ sends: Bool) {
    guard sends != (frames != nil) else { return }
    frames?.source.cancel()
    frames = nil
    guard sends else { return }
    let source = loop.every(Self.frame) { [context] in context.invoke("JSTimers.callIdleCallbacks", Self.wallNow) }
    frames = (source, context.beginActivity())
  }

  private static var monotonicNow: Double { Double(MonotonicTime.now.nanoseconds) / 1_000_000 }

  /// As `Date.now()`, with its fraction.
  private static var wallNow: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}
