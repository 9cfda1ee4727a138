import EventLoop
import Trestle

/// Work whose end is waited for no longer than for some time, whatever holds it up: neither it nor who waits is left behind.
final class Race: Sendable {
  private struct State {
    var outcome: TestWalk.Outcome?
    var waiting: CheckedContinuation<TestWalk.Outcome?, Never>?
    /// How often it was waited for: a timer is for one of these alone.
    var round = 0

    mutating func takeWaiting(of round: Int? = nil) -> CheckedContinuation<TestWalk.Outcome?, Never>? {
      guard round == nil || round == self.round else { return nil }
      defer { waiting = nil }
      return waiting
    }
  }

  private let state: Lock<State>
  private let task: Task<Void, Never>

  init(_ body: @escaping @Sendable () async throws -> JSONValue) {
    let state = Lock(State())
    self.state = state
    task = Task {
      let outcome: TestWalk.Outcome
      do { outcome = .done(try await body()) } catch { outcome = .failed(error) }
      let waiting = state.withLock { state in
        state.outcome = outcome
        return state.takeWaiting()
      }
      waiting?.resume(returning: outcome)
    }
  }

  func cancel() { task.cancel() }

  /// - Returns: nil if it has none by then. Only one may wait at a time.
  func outcome(within limit: Duration) async -> TestWalk.Outcome? {
    var timer: Task<Void, any Error>?
    defer { timer?.cancel() }
    return await withCheckedContinuation { continuation in
      let (outcome, round) = state.withLock { state in
        state.round += 1
        if state.outcome == nil { state.waiting = continuation }
        return (state.outcome, state.round)
      }
      if let outcome { return continuation.resume(returning: outcome) }
      // Begun behind what it ends, however short the limit is.
      timer = Task { [state] in
        try await Task.sleep(for: limit)
        state.withLock { $0.takeWaiting(of: round) }?.resume(returning: nil)
      }
    }
  }
}
