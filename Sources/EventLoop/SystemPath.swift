import Glibc

/// A path as the system takes it. A text with a NUL is none: the system would end it there, and reach something else.
package struct SystemPath: Sendable {
  package let text: String

  package init?(_ text: String) {
    if text.utf8.contains(0) { return nil }
    self.text = text
  }

  /// What is said of a text that is none.
  package static let problem = "a path has no NUL character"

  /// Calls the system with it; `errno` is as the call leaves it.
  package func pass<Result>(to call: (UnsafePointer<CChar>) -> Result) -> Result { text.withCString(call) }
}
