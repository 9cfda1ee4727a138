import Dispatch
import EventLoop

/// Where an observable begins (`subscribe(on:)`) or tells its observers (`observe(on:)`).
public struct ObservableExecutor: Sendable {
  let perform: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameter perform: runs what it is given once, now or later.
  public init(_ perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.perform = perform }

  /// A loop's thread, such as the JS thread of a bridge: `.loop(bridge.loop)`. Nothing runs once it is closed.
  public static func loop(_ loop: Loop) -> ObservableExecutor {
    ObservableExecutor { body in loop.perform(body) }
  }

  public static func actor(_ actor: some Actor) -> ObservableExecutor {
    ObservableExecutor { body in Task { await run(body, on: actor) } }
  }

  public static var main: ObservableExecutor { .queue(.main) }
  /// A pool of threads; what one observer is told is told in order there too.
  public static var pool: ObservableExecutor { .queue(.global()) }

  public static func queue(_ queue: DispatchQueue) -> ObservableExecutor {
    ObservableExecutor { body in queue.async(execute: body) }
  }
}

private func run(_ body: @Sendable () -> Void, on actor: isolated some Actor) { body() }

extension Observable {
  /// The same, begun and ended on an executor.
  public func subscribe(on executor: ObservableExecutor) -> Observable {
    Observable { observer in
      let subscription = Lock<Disposable?>(nil)
      executor.perform {
        if observer.isOver { return }
        let begun = subscribe(while: { !observer.isOver }) { observer.receive($0) }
        subscription.withLock { $0 = begun }
        if observer.isOver { begun.dispose() }
      }
      return Disposable { executor.perform { subscription.withLock { $0.take() }?.dispose() } }
    }
  }

  /// The same, told on an executor: in order, and nothing any more once the subscription is disposed of there.
  public func observe(on executor: ObservableExecutor) -> Observable {
    Observable { observer in
      let waiting = Lock(Waiting<Value>())
      @Sendable func tell() {
        while let events = waiting.withLock({ $0.take() }) { for event in events { observer.receive(event) } }
      }
      return subscribe(while: { !observer.isOver }) { event in
        let mustTell = waiting.withLock { waiting in
          waiting.events.append(event)
          defer { waiting.isTelling = true }
          return !waiting.isTelling
        }
        if mustTell { executor.perform(tell) }
      }
    }
  }
}

/// What is to be told on an executor.
private struct Waiting<Value: Sendable>: Sendable {
  var events: [ObservableEvent<Value>] = []
  /// Whether the executor is at it, or has been asked to be.
  var isTelling = false

  mutating func take() -> [ObservableEvent<Value>]? {
    isTelling = !events.isEmpty
    defer { events = [] }
    return isTelling ? events : nil
  }
}
