import Rope

/// The last changes of a text, for plugins that speak of it as it was.
struct PluginHistory {
  /// Older revisions are gone: plugins ask again.
  private static let keptCount = 256

  /// `revision` is that of the text before the change.
  private var changes: [(revision: Int, base: Rope, delta: Delta)] = []

  mutating func note(_ change: Document.Change) {
    guard !change.delta.isIdentity else { return }
    changes.append((change.revision, change.base, change.delta))
    if changes.count > 2 * Self.keptCount { changes.removeFirst(Self.keptCount) }
  }

  /// More of the file has come: what was said of the text before is of another one.
  mutating func removeAll() { changes = [] }

  /// The text at a revision; nil when it is gone, or never was.
  func text(at revision: Int, now: (revision: Int, text: Rope)) -> Rope? {
    revision == now.revision ? now.text : changes.last { $0.revision == revision }?.base
  }

  /// What has been changed since a revision that is there.
  func deltas(since revision: Int) -> some Sequence<Delta> {
    changes.drop { $0.revision < revision }.lazy.map(\.delta)
  }
}
