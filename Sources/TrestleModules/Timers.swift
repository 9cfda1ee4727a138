import EventLoop
import Glibc
import Synchronization
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
  private let start = MonotonicTime.now
  /// When the bridge opened, in milliseconds since 1970.
  let timeOrigin: Double
  private var timers: [Int: (source: LoopSource, activity: Activity?)] = [:]

  init(_ context: BridgeContext) throws {
    guard let loop = context.loop else { throw BridgeError(.closed, "the bridge is closed") }
    self.context = context
    self.loop = loop
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    timeOrigin = Double(time.tv_sec) * 1000 + Double(time.tv_nsec / 1000) / 1000
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
      let isDue = Flag()
      source = loop.every(delay) { [weak self] in self?.tick(id, isDue) }
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

  /// One that is due already is not told again: where the script takes longer than the interval, others still get their turns.
  private func tick(_ id: Int, _ isDue: Flag) {
    guard !isDue.isSet.exchange(true, ordering: .relaxed) else { return }
    tell(id)
    context.afterOwnTurns { isDue.isSet.store(false, ordering: .relaxed) }
  }

  /// Each in a turn of its own, behind the work that the loop has at hand. The activity ends after it.
  private func tell(_ id: Int, _ activity: Activity? = nil) {
    context.emitInOwnTurn("due", of: "Timers", id)
    if let activity { context.afterOwnTurns { activity.end() } }
  }
}

private final class Flag: Sendable {
  let isSet = Atomic(false)
}
