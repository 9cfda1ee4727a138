import EventLoop

/// Something that can be ended: a subscription. Ends with `dispose()` or with its last reference. From any thread.
public final class Disposable: Sendable {
  private let end: Lock<(@Sendable () -> Void)?>

  /// - Parameter end: called once at most.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = Lock(end) }

  /// All of them together.
  public convenience init(_ all: [Disposable]) { self.init { for one in all { one.dispose() } } }

  deinit { dispose() }

  /// Again: does nothing.
  public func dispose() { end.withLock { $0.take() }?() }
}
