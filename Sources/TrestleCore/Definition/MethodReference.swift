/// How JavaScript calls a method, and how the answer comes.
///
/// The names are React Native's, which tells `async` (callbacks or nothing), `promise` and `sync` apart.
public enum MethodKind: String, Sendable, Hashable {
  /// Fire and forget.
  case void
  /// The last one or two arguments are functions: failure, then success. One of them is called, once.
  case callbacks
  case promise
  /// JavaScript waits.
  case sync
}

/// Which method it is, for messages.
package final class MethodReference: Sendable, CustomStringConvertible {
  package let module: String
  package let name: String
  package let kind: MethodKind

  init(module: String, name: String, kind: MethodKind) {
    self.module = module
    self.name = name
    self.kind = kind
  }

  package var description: String { "\(module).\(name)" }
}
