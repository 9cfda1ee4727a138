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
  private let tasks = Lock<[Task<Void, Never>]>([])

  func begin(_ modules: [any InvalidatableModule]) {
    let started = modules.map { module in Task { await module.invalidate() } }
    tasks.withLock { $0 += started }
  }

  /// - Returns: false if some were not done in time; they are cancelled.
  func wait(until deadline: ContinuousClock.Instant) async -> Bool {
    let tasks = tasks.withLock { $0 }
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
        for task in tasks { task.cancel() }
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
