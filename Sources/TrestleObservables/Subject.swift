import EventLoop

/// An observable that is told what to tell: all who are subscribed then. From any thread.
///
/// Who subscribes after its end is told that end.
public final class Subject<Value: Sendable>: Sendable {
  private struct State {
    var observers: [Int: Observer<Value>] = [:]
    var lastNumber = 0
    var end: ObservableEvent<Value>?
  }

  private let state = Lock(State())

  public init() {}

  public var observable: Observable<Value> {
    Observable { [self] observer in
      let (number, end) = state.withLock { state in
        state.lastNumber += 1
        if state.end == nil { state.observers[state.lastNumber] = observer }
        return (state.lastNumber, state.end)
      }
      if let end { observer.receive(end) }
      return Disposable { [self] in state.withLock { _ = $0.observers.removeValue(forKey: number) } }
    }
  }

  public var hasObservers: Bool { state.withLock { !$0.observers.isEmpty } }

  public func next(_ value: Value) { send(.next(value)) }
  public func fail(_ error: any Error) { send(.failed(error)) }
  public func complete() { send(.completed) }

  private func send(_ event: ObservableEvent<Value>) {
    let observers = state.withLock { state in
      guard state.end == nil else { return [Observer<Value>]() }
      defer {
        if event.isEnd { (state.end, state.observers) = (event, [:]) }
      }
      return state.observers.sorted { $0.key < $1.key }.map(\.value)
    }
    for observer in observers { observer.receive(event) }
  }
}
