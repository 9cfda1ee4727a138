import Synchronization

/// Work handed to a loop from any thread, first in, first out.
final class WorkQueue: Sendable {
  enum Item: Sendable {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct State {
    var items: [Item] = []
    var isClosed = false
    var isAbandoned = false
    var isDraining = false
  }

  /// What became of an item.
  enum Admission {
    /// It is the first: whoever waits for the queue must be woken.
    case first
    case queued
    /// The queue is closed: a closure is dropped, a job waits for whoever drains.
    case closed
  }

  private let state = Lock(State())
  private let occupied = Atomic(false)

  /// Without taking the lock, so that an idle iteration costs one load.
  var isEmpty: Bool { !occupied.load(ordering: .acquiring) }

  var count: Int { state.withLock { $0.items.count } }

  func append(_ item: Item) -> Admission {
    state.withLock { state in
      if state.isClosed, case .closure = item { return .closed }
      state.items.append(item)
      occupied.store(true, ordering: .releasing)
      if state.isClosed { return .closed }
      return state.items.count == 1 ? .first : .queued
    }
  }

  /// Everything queued so far, in order. `spare` becomes the next buffer, so that two buffers serve for ever.
  func takeAll(reusing spare: inout [Item]) {
    state.withLock { state in
      swap(&spare, &state.items)
      occupied.store(false, ordering: .releasing)
    }
  }

  /// From here on closures are refused.
  func close() { state.withLock { $0.isClosed = true } }

  /// No thread serves the queue from here on.
  func abandon() { state.withLock { $0.isAbandoned = true } }

  /// True for the one thread that may run what is left in an abandoned queue, until `nextOfAbandoned` answers `nil`.
  func beginDraining() -> Bool {
    state.withLock { state in
      guard state.isAbandoned, !state.isDraining, !state.items.isEmpty else { return false }
      state.isDraining = true
      return true
    }
  }

  /// The next item of an abandoned queue; `nil` ends the draining, after `end`.
  func nextOfAbandoned(end: () -> Void) -> Item? {
    state.withLock { state in
      guard state.items.isEmpty else { return state.items.removeFirst() }
      end()
      state.isDraining = false
      return nil
    }
  }
}
