import Glibc

/// Writing to descriptors. Here alone, so that interruptions and descriptors that do not wait are thought of once.
package enum Writing {
  /// Writes all of it, waiting where the descriptor is full, also one that does not wait by itself.
  ///
  /// - Returns: false if that fails; `errno` says why.
  package static func all(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EAGAIN {
        waitUntilWritable(descriptor)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  private static func waitUntilWritable(_ descriptor: CInt) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&request, 1, -1)
  }
}
