/// What plugins, if there are any, are to know of a document.
struct DocumentPlugins {
  /// There are some.
  var areThere = false
  var history = PluginHistory()
  /// Changes that they have not been told of.
  var untold: [(change: TextBuffer.Change, author: PluginHistory.Author)] = []
  /// Who makes the changes of the moment.
  var author = PluginHistory.Author.core

  /// The plugins that have made changes which the others have not been told of.
  var untoldAuthors: Set<Int> { Set(untold.compactMap(\.author.plugin)) }

  mutating func note(_ change: TextBuffer.Change) {
    guard areThere, !change.delta.isIdentity else { return }
    history.note(change, by: author)
    untold.append((change, author))
  }
}
