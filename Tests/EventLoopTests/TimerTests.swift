import Testing

@testable import EventLoop

@Suite struct TimerTests {
  @Test func fireInTheOrderOfDeadlinesThenOfSetting() {
    let loop = Loop()
    var order: [String] = []
    loop.after(.milliseconds(6)) { order.append("late") }
    loop.after(.milliseconds(3)) { order.append("early") }
    let deadline = MonotonicTime.now + .milliseconds(5)
    for number in 0..<5 {
      _ = TimerSource(deadline: deadline, interval: nil, on: loop) { order.append("tie \(number)") }
    }
    run(loop) { order.count == 7 }
    #expect(order == ["early", "tie 0", "tie 1", "tie 2", "tie 3", "tie 4", "late"])
  }

  @Test func neverFireBeforeTheirTime() {
    let loop = Loop()
    let start = MonotonicTime.now
    var firedAt: MonotonicTime?
    loop.after(.microseconds(2_500)) { firedAt = .now }
    run(loop) { firedAt != nil }
    #expect(firedAt! >= start + .microseconds(2_500))
  }

  @Test func repeatUntilCancelledInTheCallback() {
    let loop = Loop()
    var count = 0
    var timer: LoopSource?
    timer = loop.every(.milliseconds(1)) {
      count += 1
      if count == 5 { timer?.cancel() }
    }
    run(loop) { timer!.isCancelled }
    loop.iterate()
    #expect(count == 5)
  }

  @Test func aCallbackCancelsAnotherThatIsDue() {
    let loop = Loop()
    let deadline = MonotonicTime.now
    var second: LoopSource?
    var fired: [Int] = []
    _ = TimerSource(deadline: deadline, interval: nil, on: loop) {
      fired.append(1)
      second?.cancel()
    }
    second = TimerSource(deadline: deadline, interval: nil, on: loop) { fired.append(2) }
    loop.iterate(waiting: true)
    loop.iterate()
    #expect(fired == [1])
  }

  @Test func theBeatIsKeptWhenSomeAreMissed() {
    let loop = Loop()
    let start = MonotonicTime(nanoseconds: 1_000_000)
    let timer = TimerSource(deadline: start, interval: .nanoseconds(1000), on: loop) {}
    for (now, next) in [(0, 1000), (1000, 2000), (5999, 6000), (6000, 7000), (12_345, 13_000)] as [(Int64, Int64)] {
      timer.fire(at: start + .nanoseconds(now))
      #expect(timer.deadline == start + .nanoseconds(next))
    }
    timer.cancel()
    let rare = TimerSource(deadline: .now, interval: .seconds(Int64.max), on: loop) {}
    rare.fire(at: .now)
    #expect(rare.deadline.nanoseconds == .max)
    rare.cancel()
  }

  @Test func anyNumberIsASpan() {
    for (seconds, nanoseconds) in [
      (.nan, 0), (.infinity, .max), (-.infinity, .min), (1e30, .max), (-1e30, .min), (0, 0), (1.5, 1_500_000_000),
      (-0.25, -250_000_000), (1e-12, 0), (.greatestFiniteMagnitude, .max),
    ] as [(Double, Int64)] {
      #expect(Duration(clampingSeconds: seconds) == .nanoseconds(nanoseconds))
    }
  }

  @Test func missedBeatsAreSkipped() {
    let loop = Loop()
    let timer = TimerSource(deadline: .now, interval: .milliseconds(10), on: loop) {}
    let start = timer.deadline
    let late = MonotonicTime.now + .seconds(1)
    timer.fire(at: late)
    #expect(timer.deadline > late && timer.deadline <= late + .milliseconds(10))
    #expect((timer.deadline.nanoseconds - start.nanoseconds) % 10_000_000 == 0)
    timer.cancel()
  }

  @Test func aZeroDelayDoesNotStarveTheLoop() {
    let loop = Loop()
    var beats = 0
    let work = Lock(false)
    loop.every(.zero) { beats += 1 }
    loop.perform { work.withLock { $0 = true } }
    run(loop) { work.withLock { $0 } && beats > 10 }
  }

  @Test func cancellationLeavesNothingBehind() {
    let loop = Loop()
    for _ in 0..<100 {
      let timers = (0..<100).map { loop.after(.seconds(60 + $0 % 7)) { Issue.record("cancelled") } }
      for timer in timers.shuffled() { timer.cancel() }
    }
    #expect(loop.pendingTimerCount == 0)
  }

  @Test func heapMatchesASort() {
    let loop = Loop()
    var generator = SystemRandomNumberGenerator()
    var fired: [Int64] = []
    let base = MonotonicTime.now
    var expected: [Int64] = []
    for _ in 0..<500 {
      let offset = Int64.random(in: 0..<1_000_000, using: &generator)
      let timer = TimerSource(deadline: MonotonicTime(nanoseconds: base.nanoseconds + offset), interval: nil, on: loop)
      {
        fired.append(offset)
      }
      if Bool.random() { timer.cancel() } else { expected.append(offset) }
    }
    run(loop) { fired.count == expected.count }
    #expect(fired == expected.sorted())
  }

  @Test func hugeDelaysSaturate() {
    let loop = Loop()
    loop.after(.seconds(Int64.max)) { Issue.record("the end of time") }
    loop.after(.seconds(-5)) { loop.stop() }
    loop.run()
  }
}
