import EventLoop

/// Work of which each piece gets a turn of its own, in order. One piece at a time is handed to the loop: however many there are, and
/// however long each takes, whatever else the loop has to do comes between two of them, such as the end of the bridge.
final class OwnTurns: Sendable {
  private struct State {
    /// Those before the first are over, and hold nothing any more.
    var waiting: [(@Sendable () -> Void)?] = []
    var firstIndex = 0
    var isUnderWay = false

    mutating func next() -> (@Sendable () -> Void)? {
      guard firstIndex < waiting.count else {
        isUnderWay = false
        return nil
      }
      defer {
        firstIndex += 1
        if firstIndex * 2 > waiting.count {
          waiting.removeFirst(firstIndex)
          firstIndex = 0
        }
      }
      return waiting[firstIndex].take()
    }
  }

  private let loop: Loop
  private let state = Lock(State())

  init(on loop: Loop) { self.loop = loop }

  /// From any thread. Where the loop is closed, `body` runs at once and on the thread of the caller.
  func add(_ body: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.waiting.append(body)
      defer { state.isUnderWay = true }
      return !state.isUnderWay
    }
    if isFirst { handOverNext() }
  }

  private func handOverNext() {
    guard !loop.perform({ self.runNext() }) else { return }
    while let body = state.withLock({ $0.next() }) { body() }
  }

  private func runNext() {
    guard let body = state.withLock({ $0.next() }) else { return }
    body()
    if state.withLock({ state in
      state.isUnderWay = state.firstIndex < state.waiting.count
      return state.isUnderWay
    }) {
      handOverNext()
    }
  }
}
