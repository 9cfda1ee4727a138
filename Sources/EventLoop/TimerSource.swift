extension Loop {
  /// Runs `body` once, `delay` from now or up to a millisecond later. Timers run in the order of their deadlines, those
  /// of one deadline in the order they were set.
  @discardableResult
  public func after(_ delay: Duration, _ body: @escaping () -> Void) -> LoopSource {
    TimerSource(deadline: .now + delay, interval: nil, on: self, body)
  }

  /// Runs `body` every `interval`, first after one interval. The beat does not drift; beats that a busy loop has missed
  /// are skipped.
  @discardableResult
  public func every(_ interval: Duration, _ body: @escaping () -> Void) -> LoopSource {
    TimerSource(deadline: .now + interval, interval: interval, on: self, body)
  }
}

final class TimerSource: LoopSource {
  private(set) var deadline: MonotonicTime
  private let interval: Duration?
  private var body: (() -> Void)?
  /// Breaks ties between deadlines; set by the queue.
  var sequence: UInt64 = 0
  /// Where the queue keeps it; `nil` outside.
  var heapIndex: Int?

  init(deadline: MonotonicTime, interval: Duration?, on loop: Loop, _ body: @escaping () -> Void) {
    self.deadline = deadline
    self.interval = interval
    self.body = body
    super.init(on: loop)
    loop.schedule(self)
  }

  static func < (left: TimerSource, right: TimerSource) -> Bool {
    (left.deadline.nanoseconds, left.sequence) < (right.deadline.nanoseconds, right.sequence)
  }

  /// Called by the loop, which has taken the timer out of its queue.
  func fire(at now: MonotonicTime) {
    guard let body else { return }
    if let interval {
      deadline = nextBeat(after: now, every: max(interval.nanoseconds, 1))
      loop?.schedule(self)
    } else {
      cancel()
    }
    body()
  }

  /// The first beat that is still to come.
  private func nextBeat(after now: MonotonicTime, every interval: Int64) -> MonotonicTime {
    let missed = max(now.nanoseconds &- deadline.nanoseconds, 0) / interval
    let (beats, overflow) = (missed + 1).multipliedReportingOverflow(by: interval)
    return deadline + (overflow ? .nanoseconds(Int64.max) : .nanoseconds(beats))
  }

  override func detach() {
    loop?.unschedule(self)
    body = nil
  }
}
