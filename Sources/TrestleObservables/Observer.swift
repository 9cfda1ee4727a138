import EventLoop

/// What an observable tells its observer: values, then perhaps an end, an error or not, and nothing behind it.
public enum ObservableEvent<Value: Sendable>: Sendable {
  case next(Value)
  case failed(any Error)
  case completed

  var isEnd: Bool { if case .next = self { false } else { true } }
}

/// Who is told by an observable. From any thread.
///
/// Law: what it is handed by several threads arrives one after the other; one end at most arrives, and nothing behind it, nor
/// once it is disposed of. No lock is held while its handler runs, which may do anything, hand it more included.
public final class Observer<Value: Sendable>: Sendable {
  private struct State {
    var waiting: [ObservableEvent<Value>] = []
    /// A thread is at it.
    var isHandling = false
    /// An end was handed over, or nobody is interested any more.
    var isOver = false
    /// Nobody is interested any more.
    var isDisposed = false
    var source: Disposable?
  }

  private let state = Lock(State())
  private let isWanted: @Sendable () -> Bool
  private let handle: @Sendable (ObservableEvent<Value>) -> Void

  init(
    isWanted: @escaping @Sendable () -> Bool, _ handle: @escaping @Sendable (ObservableEvent<Value>) -> Void
  ) {
    self.isWanted = isWanted
    self.handle = handle
  }

  /// Whether more would be for nobody: a source that has much to tell at once looks now and then.
  public var isOver: Bool { state.withLock { $0.isOver } || !isWanted() }

  public func next(_ value: Value) { receive(.next(value)) }
  public func fail(_ error: any Error) { receive(.failed(error)) }
  public func complete() { receive(.completed) }

  public func receive(_ event: ObservableEvent<Value>) {
    let mustHandle = state.withLock { state in
      guard !state.isOver else { return false }
      state.isOver = event.isEnd
      state.waiting.append(event)
      defer { state.isHandling = true }
      return !state.isHandling
    }
    if mustHandle { handleWaiting() }
  }

  private func handleWaiting() {
    while let events = nextEvents() {
      for event in events where !state.withLock({ $0.isDisposed }) {
        handle(event)
        if event.isEnd { dispose() }
      }
    }
  }

  private func nextEvents() -> [ObservableEvent<Value>]? {
    state.withLock { state in
      state.isHandling = !state.waiting.isEmpty
      defer { state.waiting = [] }
      return state.isHandling ? state.waiting : nil
    }
  }

  /// What is ended when nobody is interested any more.
  func follow(_ source: Disposable) {
    let isTooLate = state.withLock { state in
      if !state.isOver { state.source = source }
      return state.isOver
    }
    // Where the end is only about to be handled, the source has nothing more to tell either.
    if isTooLate { source.dispose() }
  }

  func dispose() {
    // What waited is let go of without the lock: with it may go who disposes again.
    let (source, waited) = state.withLock { state in
      defer { (state.isOver, state.isDisposed, state.waiting) = (true, true, []) }
      return (state.source.take(), state.waiting)
    }
    source?.dispose()
    withExtendedLifetime(waited) {}
  }
}
