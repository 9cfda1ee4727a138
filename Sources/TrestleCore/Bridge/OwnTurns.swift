import EventLoop

/// Work of which each piece gets a turn of its own, in order. One piece at a time is handed to the loop: however many there are, and
/// however long each takes, whatever else the loop has to do comes between two of them, such as the end of the bridge.
final class OwnTurns: Sendable {
  private typealias Piece = @Sendable () -> Void

  private struct Arrivals {
    var pieces: [Piece?] = []
    var isUnderWay = false
  }

  private struct Taken {
    /// Those that have run hold nothing any more.
    var pieces: [Piece?] = []
    var next = 0
    var isOver: Bool { next == pieces.count }
  }

  private let loop: Loop
  private let arrivals = Lock(Arrivals())
  /// What has arrived is taken over all at once: a thread that adds without end would keep the lock from one that takes piece by piece.
  private let taken = Lock(Taken())

  init(on loop: Loop) { self.loop = loop }

  /// From any thread. Where the loop is closed, `body` runs at once and on the thread of the caller.
  func add(_ body: @escaping @Sendable () -> Void) {
    let isFirst = arrivals.withLock { arrivals in
      arrivals.pieces.append(body)
      defer { arrivals.isUnderWay = true }
      return !arrivals.isUnderWay
    }
    if isFirst { handOverNext() }
  }

  private func handOverNext() {
    guard !loop.perform({ self.runNext() }) else { return }
    while let body = next() { body() }
  }

  private func runNext() {
    guard let body = next() else { return }
    body()
    let hasMore =
      taken.withLock { !$0.isOver }
      || arrivals.withLock { arrivals in
        arrivals.isUnderWay = !arrivals.pieces.isEmpty
        return arrivals.isUnderWay
      }
    if hasMore { handOverNext() }
  }

  private func next() -> Piece? {
    taken.withLock { taken in
      if taken.isOver {
        taken = Taken()
        arrivals.withLock { arrivals in
          swap(&arrivals.pieces, &taken.pieces)
          arrivals.isUnderWay = !taken.pieces.isEmpty
        }
      }
      guard !taken.isOver else { return nil }
      defer { taken.next += 1 }
      return taken.pieces[taken.next].take()
    }
  }
}
