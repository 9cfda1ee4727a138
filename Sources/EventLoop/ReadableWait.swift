import CLinux
import Glibc

/// Waits on a thread of its own until a descriptor can be read, or until others say that it is not worth it any more.
package final class ReadableWait: Sendable {
  private let wake: CInt

  /// - Throws: if there is no descriptor left.
  package init() throws(EventLoopError) {
    wake = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard wake >= 0 else { throw EventLoopError("eventfd") }
  }

  deinit { close(wake) }

  /// Ends the wait that is under way, or the next one. On any thread.
  package func interrupt() {
    var one: UInt64 = 1
    write(wake, &one, 8)
  }

  /// Returns when it can be read, also where that will fail, or after an interruption.
  ///
  /// - Returns: whether it can be read.
  package func wait(for descriptor: CInt) -> Bool {
    var requests = [descriptor, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&requests, 2, -1) < 0 {
      // Whoever reads will find out.
      guard errno == EINTR else { return true }
    }
    var count: UInt64 = 0
    if requests[1].revents != 0 { read(wake, &count, 8) }
    return requests[0].revents != 0
  }
}
