import Dispatch
import EventLoop

/// Tells of native methods that hold the JavaScript thread for long: such as one that waits for what that thread is to do.
/// Looks at a call once, when its time is over; nothing runs while nothing is called.
final class BlockedCalls: QueueObserver {
  private struct State {
    /// From the outermost to the innermost.
    var running: [(method: MethodReference, start: MonotonicTime)] = []
    var isReported = false
    var isWatched = false
  }

  private let threshold: Duration
  private let loop: Loop
  private let report: @Sendable (any Error) -> Void
  private let state = Lock(State())

  init(after threshold: Duration, on loop: Loop, report: @escaping @Sendable (any Error) -> Void) {
    self.threshold = threshold
    self.loop = loop
    self.report = report
  }

  func willMake(_ call: MethodReference, slot: UInt32, arguments: () -> [ScriptValue]) {
    let isFirst = state.withLock { state in
      state.running.append((call, .now))
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if isFirst { lookAgain(after: threshold) }
  }

  func didMake(_ call: MethodReference, slot: UInt32) {
    state.withLock { state in
      _ = state.running.popLast()
      state.isReported = false
    }
  }

  func willDeliver(_ record: ReplyDecoder.Record) {}

  private func lookAgain(after delay: Duration) {
    DispatchQueue.global().asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in self?.look() }
  }

  private func look() {
    let (blocked, rest) = state.withLock { state -> (MethodReference?, Duration?) in
      guard let innermost = state.running.last else {
        state.isWatched = false
        return (nil, nil)
      }
      let passed = Duration.nanoseconds(innermost.start.nanosecondsPassed)
      guard passed >= threshold else { return (nil, threshold - passed) }
      defer { state.isReported = true }
      return (state.isReported ? nil : innermost.method, threshold)
    }
    if let blocked { report(error(of: blocked)) }
    if let rest { lookAgain(after: rest) }
  }

  private func error(of method: MethodReference) -> BridgeError {
    let waiting = loop.waitingCount
    let work = waiting == 1 ? "1 piece of work waits" : "\(waiting) pieces of work wait"
    return BridgeError(
      .blocked,
      "it has held the JavaScript thread for \(threshold), for which \(work): if it waits for one of them itself, it waits for ever",
      at: method.description)
  }
}
