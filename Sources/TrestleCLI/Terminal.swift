import Glibc

/// What is written to the user.
enum Terminal {
  /// Whether standard error shows colours: a terminal, unless `NO_COLOR` is set (no-color.org).
  static let hasColor = isatty(STDERR_FILENO) == 1 && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)

  /// Writes all of it at once; gives up where the descriptor fails.
  static func write(_ text: String, to descriptor: CInt = STDERR_FILENO) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno != EINTR { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[max(count, 0)...])
      }
    }
  }
}
