extension Observable {
  /// A value once no other has come for that long; the one that waits at the end comes right before it.
  public func debounce<Time: Clock>(for duration: Time.Duration, clock: Time) -> Observable
  where Time.Duration: Sendable {
    Observable { observer in
      // What ends a wait comes in line with the values.
      let ticks = Subject<Int>()
      let steps = Observable<Step<Value>>.merge([
        ticks.observable.map { .tick($0) }, Observable<Step<Value>> { line in subscribe { line.next(.event($0)) } },
      ])
      return steps.transforming(from: Pending<Value>()) { event, pending, observer in
        guard case .next(let step) = event else { return }
        switch step {
        case .tick(let number): if let value = pending.take(number) { observer.next(value) }
        case .event(.next(let value)):
          let deadline = clock.now.advanced(by: duration)
          pending.wait(with: value) { number in
            try await clock.sleep(until: deadline, tolerance: nil)
            ticks.next(number)
          }
        case .event(let end):
          if case .completed = end, let last = pending.take() { observer.next(last) }
          observer.receive(end)
        }
      }.subscribe(while: { !observer.isOver }) { observer.receive($0) }
    }
  }

  public func debounce(for duration: Duration) -> Observable { debounce(for: duration, clock: ContinuousClock()) }
}

private enum Step<Value: Sendable>: Sendable {
  case event(ObservableEvent<Value>)
  case tick(Int)
}

/// The value that waits for silence.
private struct Pending<Value: Sendable>: Sendable {
  private var value: Value?
  private var number = 0
  private var timer: Timer?

  /// Ends when nobody refers to it.
  private final class Timer: Sendable {
    private let task: Task<Void, any Error>
    init(_ task: Task<Void, any Error>) { self.task = task }
    deinit { task.cancel() }
  }

  mutating func wait(with value: Value, _ tick: @escaping @Sendable (Int) async throws -> Void) {
    self.value = value
    number += 1
    timer = Timer(Task { [number] in try await tick(number) })
  }

  /// Nothing if it is not that one which waits.
  mutating func take(_ number: Int) -> Value? { number == self.number ? take() : nil }

  mutating func take() -> Value? {
    timer = nil
    return value.take()
  }
}
