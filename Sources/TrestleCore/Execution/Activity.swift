import Synchronization

/// Something that goes on in a module: a timer that is set, a connection that listens. A bridge is not idle meanwhile.
///
/// Ends with `end()` or its last reference. From any thread.
public final class Activity: Sendable {
  private let count: ActivityCount
  private let isEnded = Atomic(false)

  init(in count: ActivityCount) {
    self.count = count
    count.add()
  }

  deinit { end() }

  /// Again: does nothing.
  public func end() {
    if !isEnded.exchange(true, ordering: .relaxed) { count.remove() }
  }
}

/// How many activities one bridge has.
final class ActivityCount: Sendable {
  private let count = Atomic(0)
  private let onIdle: @Sendable () -> Void

  /// - Parameter onIdle: called when the last of them ends, on the thread that ends it.
  init(onIdle: @escaping @Sendable () -> Void) { self.onIdle = onIdle }

  var isZero: Bool { count.load(ordering: .acquiring) == 0 }

  func add() { count.add(1, ordering: .relaxed) }

  func remove() {
    if count.subtract(1, ordering: .releasing).newValue == 0 { onIdle() }
  }
}
