import Glibc
import Trestle

/// What is written to the user.
enum Terminal {
  /// Whether standard error shows colours: a terminal, unless `NO_COLOR` is set (no-color.org).
  static let hasColor = isatty(STDERR_FILENO) == 1 && allowsColor
  /// The same of standard output.
  static let outputHasColor = isatty(STDOUT_FILENO) == 1 && allowsColor
  private static let allowsColor = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true

  /// Says something of the run itself. Paths and names in it may hold what terminals obey.
  static func tell(_ words: String) { write("trestle: \(words)\n".withVisibleControls) }

  /// Writes all of it at once.
  static func write(_ text: String, to stream: StandardStream = .error) { stream.write(text) }
}
