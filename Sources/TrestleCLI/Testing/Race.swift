import EventLoop
import Trestle

/// Work whose end is waited for no longer than for some time, whatever holds it up: neither it nor who waits is left behind.
final class Race: Sendable {
  private struct State {
    var outcome: TestWalk.Outcome?
    var waiting: CheckedContinuation<TestWalk.Outcome?, Never>?
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
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume(returning: outcome)
    }
  }

  func cancel() { task.cancel() }

  /// - Returns: nil if it has none by then. Only one may wait at a time.
  func outcome(within limit: Duration) async -> TestWalk.Outcome? {
    let timer = Task { [state] in
      try await Task.sleep(for: limit)
      let waiting = state.withLock { state in
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume(returning: nil)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiting = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}
