import EventLoop
import Glibc
import Trestle

extension ModuleDefinition {
  /// `setTimeout`, `setInterval`, `setImmediate`, `queueMicrotask` and `performance.now`.
  public static let timers = ModuleDefinition("Timers", make: Timers.init) {
    Member<Timers>.constant("timeOrigin") { $0.timeOrigin }
    // Synchronous, as time counts from the call.
    Member<Timers>.sync("createTimer", "id", "delay", "repeats", "keepsBusy") {
      (timers, id: Int, delay: Double, repeats: Bool, keepsBusy: Bool) in
      try timers.create(id, Duration(clampingSeconds: max(delay, 0) / 1000), repeats: repeats, keepsBusy: keepsBusy)
    }
    Member<Timers>.void("createImmediate", "id") { (timers, id: Int) in timers.createImmediate(id) }
    Member<Timers>.void("deleteTimer", "id") { (timers, id: Int) in timers.delete(id) }
    Member<Timers>.sync("now") { $0.now }
    Member<Timers>.event("due", Int.self)
  }
  .with(script: .timers)
}

/// The timers of one bridge, on its loop. On the JS thread.
final class Timers {
  private let context: BridgeContext
  private let loop: Loop
  private let start: MonotonicTime
  /// When the bridge opened, in milliseconds since 1970.
  let timeOrigin: Double
  private var timers: [Int: (source: LoopSource, activity: Activity?)] = [:]

  init(_ context: BridgeContext) throws {
    guard let loop = context.loop else { throw BridgeError(.closed, "the bridge is closed") }
    self.context = context
    self.loop = loop
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    start = context.opened
    let age = Double(MonotonicTime.now.nanoseconds - start.nanoseconds) / 1_000_000
    timeOrigin = Double(time.tv_sec) * 1000 + Double(time.tv_nsec / 1000) / 1000 - age
  }

  deinit { for timer in timers.values { timer.source.cancel() } }

  /// Milliseconds since the bridge opened.
  var now: Double { Double(MonotonicTime.now.nanoseconds - start.nanoseconds) / 1_000_000 }

  /// - Parameter keepsBusy: whether a run waits for it.
  func create(_ id: Int, _ delay: Duration, repeats: Bool, keepsBusy: Bool) throws(BridgeError) {
    guard timers[id] == nil else { throw BridgeError(.argument, "there is a timer \(id) already") }
    let activity = keepsBusy ? context.beginActivity() : nil
    let source: LoopSource
    if repeats {
      source = start(Beat(of: id, every: delay, on: loop, self))
    } else {
      source = loop.after(delay) { [weak self] in self?.fire(id) }
    }
    timers[id] = (source, activity)
  }

  /// Runs at the loop's next turn.
  func createImmediate(_ id: Int) { tell(id, context.beginActivity()) }

  func delete(_ id: Int) {
    guard let timer = timers.removeValue(forKey: id) else { return }
    timer.source.cancel()
    timer.activity?.end()
  }

  private func fire(_ id: Int) {
    guard let timer = timers.removeValue(forKey: id) else { return }
    tell(id, timer.activity)
  }

  private func start(_ beat: Beat) -> LoopSource {
    loop.after(beat.time) { [weak self] in self?.tick(beat) }
  }

  /// The next beat waits for the script to have had this one: however many intervals there are and however long they take, each is
  /// due once in a round, and what has become due meanwhile comes before its next.
  private func tick(_ beat: Beat) {
    tell(beat.id)
    context.afterOwnTurns { beat.goOn() }
  }

  fileprivate func goOn(_ beat: Beat) {
    guard timers[beat.id] != nil else { return }
    beat.skipMissed()
    timers[beat.id]?.source = start(beat)
  }

  /// Each in a turn of its own, behind the work that the loop has at hand. The activity ends after it.
  private func tell(_ id: Int, _ activity: Activity? = nil) {
    context.emitInOwnTurn("due", of: "Timers", id)
    if let activity { context.afterOwnTurns { activity.end() } }
  }
}

/// The times of one interval. On the JS thread alone.
private final class Beat: @unchecked Sendable {
  let id: Int
  private let interval: Duration
  private var deadline: MonotonicTime
  private let loop: Loop
  private weak var timers: Timers?

  init(of id: Int, every interval: Duration, on loop: Loop, _ timers: Timers) {
    self.id = id
    self.interval = max(interval, .nanoseconds(1))
    self.loop = loop
    self.timers = timers
    deadline = .now + interval
  }

  /// What is left until it.
  var time: Duration { .nanoseconds(max(deadline.nanoseconds - MonotonicTime.now.nanoseconds, 0)) }

  /// The first one that is still to come, of those without drift.
  func skipMissed() {
    let missed = max(MonotonicTime.now.nanoseconds - deadline.nanoseconds, 0) / interval.nanoseconds
    deadline = deadline + interval * (missed + 1)
  }

  /// Once its bridge is closed, this may be another thread.
  func goOn() { if loop.isOnOwnThread { timers?.goOn(self) } }
}
