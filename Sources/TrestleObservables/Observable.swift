/// Values over time that whoever subscribes is told of: none, some, or without end, then perhaps an error or the word that there
/// are no more.
///
/// Cold: each subscription begins anew what the observable stands for, except for that of a ``Subject``. A value itself: from any
/// thread.
public struct Observable<Value: Sendable>: Sendable {
  private let begin: @Sendable (Observer<Value>) -> Disposable

  /// - Parameter begin: called for each subscription; what it returns is disposed of at its end.
  public init(_ begin: @escaping @Sendable (Observer<Value>) -> Disposable) { self.begin = begin }

  /// Begins, and tells `handle` until the end, or until what is returned is disposed of or dropped. One event after the other,
  /// on whichever thread the source has: see `observe(on:)`.
  public func subscribe(_ handle: @escaping @Sendable (ObservableEvent<Value>) -> Void) -> Disposable {
    subscribe(while: { true }, handle)
  }

  /// - Parameter isWanted: whether an observer behind this one has not ended yet, which it may while this one begins.
  func subscribe(
    while isWanted: @escaping @Sendable () -> Bool, _ handle: @escaping @Sendable (ObservableEvent<Value>) -> Void
  ) -> Disposable {
    let observer = Observer(isWanted: isWanted, handle)
    observer.follow(begin(observer))
    return Disposable { observer.dispose() }
  }

  /// The same in parts.
  @_disfavoredOverload
  public func subscribe(
    onNext: @escaping @Sendable (Value) -> Void, onError: @escaping @Sendable (any Error) -> Void = { _ in },
    onCompleted: @escaping @Sendable () -> Void = {}
  ) -> Disposable {
    subscribe { event in
      switch event {
      case .next(let value): onNext(value)
      case .failed(let error): onError(error)
      case .completed: onCompleted()
      }
    }
  }

  /// These values, at once.
  public init(_ values: [Value]) {
    self.init { observer in
      for value in values where !observer.isOver { observer.next(value) }
      observer.complete()
      return Disposable {}
    }
  }

  /// What a sequence gives, asked by a task of its own as fast as it can: an observable knows no demand.
  public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Value {
    self.init { observer in
      let task = Task {
        do {
          for try await value in base { observer.next(value) }
          observer.complete()
        } catch { observer.fail(error) }
      }
      return Disposable { task.cancel() }
    }
  }

  public static var never: Observable { Observable { _ in Disposable {} } }

  public static func failed(_ error: any Error) -> Observable {
    Observable { observer in
      observer.fail(error)
      return Disposable {}
    }
  }
}
