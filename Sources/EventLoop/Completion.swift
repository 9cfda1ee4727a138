import CLinux
import Glibc

/// A flag that is raised once, and for which any thread can wait.
final class Completion: Sendable {
  private let descriptor: CInt

  init() throws(EventLoopError) {
    descriptor = eventfd(0, CInt(EFD_CLOEXEC))
    guard descriptor >= 0 else { throw EventLoopError("eventfd") }
  }

  deinit { close(descriptor) }

  func signal() {
    var one: UInt64 = 1
    write(descriptor, &one, 8)
  }

  /// False if the deadline passes first.
  func wait(until deadline: MonotonicTime?) -> Bool {
    while true {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, deadline.map { MonotonicTime.now.milliseconds(until: $0) } ?? -1)
      if ready > 0 { return true }
      if ready == 0, let deadline, deadline <= .now { return false }
    }
  }
}
