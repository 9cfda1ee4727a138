import Glibc

/// A mutual-exclusion lock around a value.
///
/// A POSIX mutex, because the thread sanitizer does not see `Synchronization.Mutex`. The one lock of this package.
public final class Lock<Value: ~Copyable>: @unchecked Sendable {
  // The mutex lives on the heap: its address must not change.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  public init(_ value: consuming sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value. Not re-entrant.
  @inline(__always)
  public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

/// Shows nothing of what it guards: a mirror would read it without the lock, and ends the process where the value cannot be
/// copied.
extension Lock: CustomReflectable where Value: ~Copyable {
  public var customMirror: Mirror { Mirror(reflecting: "locked") }
}
