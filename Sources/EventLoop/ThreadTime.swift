import Glibc

/// Time of the processor.
package enum ThreadTime {
  /// What the calling thread has used: what waits, or is kept waiting by others, uses none. A system call.
  package static var used: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
