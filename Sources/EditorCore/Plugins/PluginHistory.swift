import Rope

/// The last changes of a text, for plugins that speak of it as it was.
struct PluginHistory {
  /// Older revisions are gone: plugins ask again.
  private static let keptCount = 256

  /// Who makes a change, and how far it pushes others aside: of two texts put in at one place, that of the higher priority
  /// comes last.
  struct Author: Equatable {
    /// That of xi-core's own edits.
    static let core = Author(plugin: nil, name: "core", priority: 0x10000)

    /// The number of the plugin that makes it: a name of its choice is no proof of who it is.
    let plugin: Int?
    let name: String
    let priority: Int
  }

  /// `revision` is that of the text before the change.
  private var changes: [(revision: Int, base: Rope, delta: Delta, priority: Int)] = []

  mutating func note(_ change: TextBuffer.Change, by author: Author) {
    guard !change.delta.isIdentity else { return }
    changes.append((change.revision, change.base, change.delta, author.priority))
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

  /// A change of the text at `revision`, made to the text as it is.
  func upToDate(_ delta: Delta, of revision: Int, priority: Int) -> Delta {
    changes.drop { $0.revision < revision }.reduce(delta) { delta, later in
      delta.transformed(over: later.delta, landing: priority < later.priority ? .left : .right)
    }
  }
}
