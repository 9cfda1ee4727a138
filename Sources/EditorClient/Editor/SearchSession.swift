import EditorProtocol

/// The search of the whole editor: one at a time, for whatever view is shown.
struct SearchSession {
  var query = ""
  var options = SearchOptions()
  var replacement = ""
  /// Where the search started: Esc goes back there.
  var origin: LineColumn?
  var originTopLine = 0
  /// Why the query finds nothing, if the core said so.
  var problem: String?
  /// Matches are marked on the screen.
  var isVisible = false

  var findQuery: FindQuery {
    FindQuery(query, caseSensitive: options.caseSensitive, regex: options.regex, wholeWords: options.wholeWords)
  }
}
