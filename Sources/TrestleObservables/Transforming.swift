import EventLoop

extension Observable {
  /// An observable that makes of each event of this one what it tells its own observer, with a state for each subscription.
  ///
  /// - Parameter handle: never called twice at once for one subscription.
  func transforming<State: Sendable, Result: Sendable>(
    from initial: State,
    _ handle: @escaping @Sendable (ObservableEvent<Value>, inout State, Observer<Result>) throws -> Void
  ) -> Observable<Result> {
    Observable<Result> { observer in
      let state = Unshared(initial)
      return subscribe(while: { !observer.isOver }) { event in
        do { try handle(event, &state.value, observer) } catch { observer.fail(error) }
      }
    }
  }

  /// What `transform` makes of each value; what it throws is the end.
  public func map<Result: Sendable>(_ transform: @escaping @Sendable (Value) throws -> Result) -> Observable<Result> {
    transforming(from: ()) { event, _, observer in
      switch event {
      case .next(let value): observer.next(try transform(value))
      case .failed(let error): observer.fail(error)
      case .completed: observer.complete()
      }
    }
  }

  public func filter(_ isWanted: @escaping @Sendable (Value) throws -> Bool) -> Observable {
    transforming(from: ()) { event, _, observer in
      if case .next(let value) = event, try !isWanted(value) { return }
      observer.receive(event)
    }
  }

  /// After each value, what all up to it come to.
  public func scan<Result: Sendable>(
    _ initial: Result, _ next: @escaping @Sendable (Result, Value) throws -> Result
  ) -> Observable<Result> {
    transforming(from: initial) { event, result, observer in
      switch event {
      case .next(let value):
        result = try next(result, value)
        observer.next(result)
      case .failed(let error): observer.fail(error)
      case .completed: observer.complete()
      }
    }
  }

  /// The first `count` values; then it is over, and the source with it.
  public func take(_ count: Int) -> Observable {
    guard count > 0 else { return Observable([]) }
    return transforming(from: count) { event, left, observer in
      observer.receive(event)
      left -= 1
      if left == 0 { observer.complete() }
    }
  }
}

extension Observable where Value: Equatable {
  /// Without values that are the same as the one before.
  public func distinct() -> Observable {
    transforming(from: nil as Value?) { event, last, observer in
      if case .next(let value) = event {
        if value == last { return }
        last = value
      }
      observer.receive(event)
    }
  }
}

/// State that an observer's own law keeps to one thread at a time. Unchecked: for that law.
private final class Unshared<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
