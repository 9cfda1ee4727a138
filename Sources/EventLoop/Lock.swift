import Glibc

/// A mutual-exclusion lock around a value.
///
/// A POSIX mutex, because the thread sanitizer does not see `Synchronization.Mutex`. The one lock of this package.
/// Unchecked: the value is reached with the mutex held alone.
public final class Lock<Value: ~Copyable>: @unchecked Sendable {
  private struct Guarded: ~Copyable {
    var mutex = pthread_mutex_t()
    var value: Value
  }

  // On the heap: the address of a mutex must not change, and behind a pointer the runtime does not check again that access
  // to the value is exclusive.
  private let guarded: UnsafeMutablePointer<Guarded>

  public init(_ value: consuming sending Value) {
    guarded = .allocate(capacity: 1)
    guarded.initialize(to: Guarded(value: value))
    pthread_mutex_init(&guarded.pointee.mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(&guarded.pointee.mutex)
    guarded.deinitialize(count: 1)
    guarded.deallocate()
  }

  /// Runs `body` with exclusive access to the value. Not re-entrant.
  @inline(__always)
  public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(&guarded.pointee.mutex)
    defer { pthread_mutex_unlock(&guarded.pointee.mutex) }
    return try body(&guarded.pointee.value)
  }
}

/// Shows nothing of what it guards: a mirror would read it without the lock, and ends the process where the value cannot be
/// copied.
extension Lock: CustomReflectable where Value: ~Copyable {
  public var customMirror: Mirror { Mirror(reflecting: "locked") }
}
