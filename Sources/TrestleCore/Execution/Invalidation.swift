import EventLoop

/// A native module that is told when its bridge has closed, to let go of files, connections or ports before another bridge
/// asks for them.
///
/// For modules whose instance the bridge has made. One that the host gave to it may belong to other bridges too.
public protocol InvalidatableModule: Sendable {
  /// The bridge is closed: what it emits or answers goes nowhere. Called once, if the instance has been made by then, in a
  /// task of its own; `Bridge.close` waits for it, and cancels it at its limit.
  func invalidate() async
}

/// The modules of one bridge that are being told of its end. From any thread.
final class Invalidation: Sendable {
  private struct State {
    var tasks: [Task<Void, Never>] = []
    /// The limit has passed: what begins from then on is cancelled at once.
    var isOver = false
  }

  private let state = Lock(State())

  func begin(_ modules: [any InvalidatableModule]) {
    let started = modules.map { module in Task { await module.invalidate() } }
    let isOver = state.withLock { state in
      state.tasks += started
      return state.isOver
    }
    if isOver { cancel() }
  }

  func cancel() {
    let tasks = state.withLock { state in
      state.isOver = true
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }

  /// - Returns: false if some were not done in time; they are cancelled.
  func wait(until deadline: ContinuousClock.Instant) async -> Bool {
    let tasks = state.withLock { $0.tasks }
    guard !tasks.isEmpty else { return true }
    let isResumed = Lock(false)
    return await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      @Sendable func resume(_ result: Bool) {
        let isFirst = isResumed.withLock { isResumed in
          defer { isResumed = true }
          return !isResumed
        }
        if isFirst { continuation.resume(returning: result) }
      }
      let alarm = Task {
        try await Task.sleep(until: deadline)
        self.cancel()
        resume(false)
      }
      Task {
        for task in tasks { await task.value }
        alarm.cancel()
        resume(true)
      }
    }
  }
}
