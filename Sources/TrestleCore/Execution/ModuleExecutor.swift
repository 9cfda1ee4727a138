import Dispatch
import EventLoop
import Glibc
import Synchronization

extension _Expansion {
  /// The serial executor of one module: batches of calls and the actor's own jobs, in order, on a shared pool of threads.
  ///
  /// `@NativeModule` gives one to an actor that has no executor of its own. O(1) to enter.
  public final class ModuleExecutor: SerialExecutor {
    private enum Item {
      case job(UnownedJob)
      case calls([@Sendable () -> Void])
    }

    private struct State {
      var items: [Item] = []
      var isRunning = false
    }

    private let state = Lock(State())
    /// The thread that runs items now, or 0.
    private let thread = Atomic<UInt>(0)

    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) { append(.job(UnownedJob(job))) }

    /// Runs the calls in order, after all that was enqueued before.
    func enqueue(_ calls: [@Sendable () -> Void]) { append(.calls(calls)) }

    private func append(_ item: sending Item) {
      let mustStart = state.withLock { state in
        state.items.append(item)
        defer { state.isRunning = true }
        return !state.isRunning
      }
      if mustStart { DispatchQueue.global().async { self.drain() } }
    }

    private func drain() {
      while let items = nextItems() {
        for item in items {
          switch item {
          case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
          case .calls(let calls): for call in calls { call() }
          }
        }
      }
    }

    private func nextItems() -> [Item]? {
      state.withLock { state in
        state.isRunning = !state.items.isEmpty
        thread.store(state.isRunning ? pthread_self() : 0, ordering: .relaxed)
        defer { state.items = [] }
        return state.isRunning ? state.items : nil
      }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    public func isIsolatingCurrentContext() -> Bool? {
      thread.load(ordering: .relaxed) == pthread_self()
    }

    public func checkIsolated() {
      precondition(isIsolatingCurrentContext() == true, "not on the module's executor")
    }
  }
}

extension _Expansion {
  /// An actor whose calls run on an executor of ours, which starts them in the order they were made at no cost per call.
  public protocol ModuleActor: Actor {
    /// The actor's own `unownedExecutor` must be this one's.
    nonisolated var moduleExecutor: ModuleExecutor { get }
  }
}

extension ModuleActor {
  /// As that of every actor. To ask our own executor costs a tenth of asking the runtime, which each call would do.
  @inlinable @inline(__always)
  public nonisolated func assumeIsolated<Result: Sendable>(
    _ operation: (isolated Self) throws -> Result, file: StaticString = #fileID, line: UInt = #line
  ) rethrows -> Result {
    moduleExecutor.checkIsolated()
    return try withoutActuallyEscaping(operation) { operation in
      // The isolation is part of the type alone, as the standard library's own counts on.
      try unsafeBitCast(operation, to: ((Self) throws -> Result).self)(self)
    }
  }
}
