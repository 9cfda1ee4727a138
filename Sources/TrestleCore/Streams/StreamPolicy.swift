import EventLoop

/// What becomes of the elements of a sequence that come faster than a script asks for them.
public struct StreamPolicy<Element: Sendable>: Sendable {
  fileprivate let add: @Sendable (_ waiting: inout [Element], _ next: Element) -> Void

  /// The last `count` of them wait, 1 at least; older ones are dropped.
  public static func newest(_ count: Int) -> StreamPolicy {
    StreamPolicy { waiting, next in
      waiting.append(next)
      if waiting.count > max(count, 1) { waiting.removeFirst() }
    }
  }

  /// The last one waits.
  public static var latest: StreamPolicy { newest(1) }

  /// One waits, into which each that comes is merged: such as the sum of changes.
  public static func coalesced(
    _ merge: @escaping @Sendable (_ waiting: Element, _ next: Element) -> Element
  ) -> StreamPolicy {
    StreamPolicy { waiting, next in waiting = [waiting.first.map { merge($0, next) } ?? next] }
  }
}

extension BridgeStream {
  /// A sequence that goes at its own pace, from the script's first question on, until the script leaves it.
  ///
  /// - Parameter policy: what becomes of elements that nobody has asked for yet. A failure comes after those that wait.
  public init<Base: AsyncSequence & Sendable>(_ base: Base, policy: StreamPolicy<Element>)
  where Base.Element == Element {
    let elements = EagerElements(base, policy)
    self.init(StreamSource { try await elements.next() })
  }
}

/// Takes the elements of a sequence as they come.
private final class EagerElements<Base: AsyncSequence & Sendable>: Sendable where Base.Element: Sendable {
  private let base: Base
  private let buffer: ElementBuffer<Base.Element>
  private let producer = Lock<Task<Void, Never>?>(nil)

  init(_ base: Base, _ policy: StreamPolicy<Base.Element>) {
    self.base = base
    buffer = ElementBuffer(policy)
  }

  deinit { producer.withLock { $0?.cancel() } }

  /// - Returns: no elements at the end.
  func next() async throws -> [Base.Element] {
    producer.withLock { producer in
      if producer == nil { producer = Task { [base, buffer] in await buffer.fill(from: base) } }
    }
    return try await buffer.next().map { [$0] } ?? []
  }
}

/// What waits between a sequence and the one who asks for its elements, question after question.
private final class ElementBuffer<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var waiting: [Element] = []
    var question: CheckedContinuation<Element?, any Error>?
    var end: Result<Element?, any Error>?
  }

  private let policy: StreamPolicy<Element>
  private let state = Lock(State())

  init(_ policy: StreamPolicy<Element>) { self.policy = policy }

  func fill<Base: AsyncSequence & Sendable>(from base: Base) async where Base.Element == Element {
    do {
      for try await element in base { push(element) }
      finish(.success(nil))
    } catch { finish(.failure(error)) }
  }

  private func push(_ element: Element) {
    let question = state.withLock { state in
      if state.question == nil { policy.add(&state.waiting, element) }
      return state.question.take()
    }
    question?.resume(returning: element)
  }

  private func finish(_ end: Result<Element?, any Error>) {
    let question = state.withLock { state in
      if state.question == nil { state.end = end } else { state.end = .success(nil) }
      return state.question.take()
    }
    question?.resume(with: end)
  }

  /// - Returns: nil at the end, and when the task that asks is cancelled.
  func next() async throws -> Element? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Element?, any Error>? in
          if !state.waiting.isEmpty { return .success(state.waiting.removeFirst()) }
          if let end = state.end {
            state.end = .success(nil)
            return end
          }
          if Task.isCancelled { return .success(nil) }
          state.question = continuation
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      state.withLock { $0.question.take() }?.resume(returning: nil)
    }
  }
}
