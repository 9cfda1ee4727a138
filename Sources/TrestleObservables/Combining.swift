import EventLoop

extension Observable {
  /// The values of all of them as they come: over with the last of them, or with the first error.
  public static func merge(_ all: [Observable]) -> Observable {
    guard !all.isEmpty else { return Observable([]) }
    return Observable { observer in
      let left = Lock(all.count)
      return Disposable(
        all.map { one in
          one.subscribe(while: { !observer.isOver }) { event in
            if case .completed = event, left.decrement() > 0 { return }
            observer.receive(event)
          }
        })
    }
  }

  public func merge(with other: Observable) -> Observable { .merge([self, other]) }

  /// With each value of either, once both have one, the latest of both: over when both are, or with the first error.
  public func combineLatest<Other: Sendable>(with other: Observable<Other>) -> Observable<(Value, Other)> {
    let both = Observable<OneOf<Value, Other>>.merge([map { .this($0) }, other.map { .other($0) }])
    return both.transforming(from: (nil, nil) as (Value?, Other?)) { event, latest, observer in
      switch event {
      case .failed(let error): observer.fail(error)
      case .completed: observer.complete()
      case .next(.this(let value)): latest.0 = value
      case .next(.other(let value)): latest.1 = value
      }
      if case .next = event, let this = latest.0, let other = latest.1 { observer.next((this, other)) }
    }
  }
}

private enum OneOf<This: Sendable, Other: Sendable>: Sendable {
  case this(This)
  case other(Other)
}

extension Lock where Value == Int {
  fileprivate func decrement() -> Int {
    withLock { value in
      value -= 1
      return value
    }
  }
}
