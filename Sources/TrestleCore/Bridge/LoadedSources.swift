import EventLoop

/// The scripts that a run has loaded: all that its reports show lines of. A name alone is not enough for that: a script writes
/// whatever it likes into a stack. From any thread.
package final class LoadedSources: Sendable {
  /// Of more the oldest are forgotten.
  private static let limit = 64

  private let scripts = Lock<[Script]>([])

  /// Is told the name of each.
  private let onAdd: @Sendable (String) -> Void

  package init(onAdd: @escaping @Sendable (String) -> Void = { _ in }) { self.onAdd = onAdd }

  package func add(_ script: Script) {
    onAdd(script.name)
    scripts.withLock { scripts in
      scripts.removeAll { $0.name == script.name }
      scripts.append(script)
      if scripts.count > Self.limit { scripts.removeFirst() }
    }
  }

  package func text(of name: String) -> String? {
    scripts.withLock { $0.first { $0.name == name }?.text }
  }
}
