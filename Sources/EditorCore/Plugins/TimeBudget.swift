import EventLoop

/// The time that the core takes for a plugin: much at once, but of each second only a share. Whoever floods waits; keys never do.
struct TimeBudget {
  /// What may be used at once.
  private static let burst = Duration.milliseconds(100)
  /// One part in so many of all time.
  private static let share = 4

  private var spent = Duration.zero
  private var last: MonotonicTime

  init(at now: MonotonicTime = .now) { last = now }

  /// Takes what was used from the budget.
  /// - Returns: How long to pause, if it is used up: until half of it is there again.
  mutating func spend(_ used: Duration, at now: MonotonicTime = .now) -> Duration? {
    spent = max(.zero, spent - (now - last) / Self.share) + used
    last = now
    return spent > Self.burst ? (spent - Self.burst / 2) * Self.share : nil
  }
}
