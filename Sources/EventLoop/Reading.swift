import Glibc

/// Reading from descriptors to their end. Here alone, so that interruptions and descriptors that do not wait are thought of once.
package enum Reading {
  /// Up to 64 KB of what there is, waiting for a first byte; empty at the end.
  ///
  /// - Parameter waits: otherwise it is a failure if there is nothing yet.
  /// - Returns: nil if that fails; `errno` says why.
  package static func chunk(from descriptor: CInt, atMost most: Int = .max, waits: Bool = true) -> [UInt8]? {
    while true {
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: min(most, 1 << 16)) { buffer, filled in
        count = read(descriptor, buffer.baseAddress, min(most, buffer.count))
        filled = max(count, 0)
      }
      if count >= 0 { return chunk }
      if errno == EAGAIN, waits { waitUntilReadable(descriptor) } else if errno != EINTR { return nil }
    }
  }

  /// All that is left.
  ///
  /// - Returns: nil if that fails, or is more than `limit` bytes; `errno` says why.
  package static func toEnd(of descriptor: CInt, atMost limit: Int = .max, waits: Bool = true) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let chunk = chunk(from: descriptor, waits: waits) {
      if chunk.isEmpty { return bytes }
      bytes += chunk
      if bytes.count > limit {
        errno = EFBIG
        return nil
      }
    }
    return nil
  }

  private static func waitUntilReadable(_ descriptor: CInt) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&request, 1, -1)
  }
}
