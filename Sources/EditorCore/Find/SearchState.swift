import EditorProtocol
import Rope

/// The queries of a view and what they have found.
struct SearchState {
  var queries: [SearchQuery] = []
  var isHighlighted = false
  var replacement: (chars: String, preserveCase: Bool)?
  /// What the front end has not been told: that the count changed, and all of it, which goes with lines only.
  var isCountDue = false
  var isStatusDue = false {
    didSet { if isStatusDue { isCountDue = true } }
  }
  var isReplacementDue = false
  /// A match was gone to since the front end was told; whether past an end of the text.
  var gone: (isDue: Bool, hasWrapped: Bool) = (false, false)
  /// Why a query finds nothing: the front end has not been told of it.
  var problemDue: String?
  /// More than so many matches are replaced by the worker. Tests shrink it.
  var replacementsAtOnce = 5000
  private var lastID = 0
  private var setCount = 0

  var isSearching: Bool { queries.contains { $0.pendingSearch != nil } }

  /// Queries that name one of the ids keep it. A pattern that is not understood finds nothing, and is told of.
  mutating func set(_ queries: [FindQuery]) {
    isStatusDue = true
    setCount += 1
    refused = IntervalTree()
    self.queries = queries.filter { !$0.chars.isEmpty }.map { query in
      var query = query
      if query.id == nil {
        lastID += 1
        query.id = lastID
      }
      return SearchQuery(query, searchesBefore: setCount << 32)
    }
    problemDue = self.queries.lazy.compactMap(\.problem).first
  }

  /// What is not to be replaced with all others: it was refused, or is what a replacement has put in.
  private var refused = IntervalTree()

  mutating func refuse(_ range: Range<ByteOffset>) {
    guard !range.isEmpty else { return }
    refused.replace(in: range, with: [Interval(range)])
  }

  private func isRefused(_ match: Range<ByteOffset>) -> Bool { !refused.isEmpty && !refused.touching(match).isEmpty }

  /// Matches follow a change; lines that it touched are searched again.
  mutating func follow(_ change: TextBuffer.Change) {
    guard !queries.isEmpty, !change.delta.isIdentity else { return }
    isStatusDue = true
    for index in queries.indices { queries[index].follow(change) }
    refused.follow(change.delta, touched: .grown)
  }

  var matchCount: Int { queries.reduce(0) { $0 + $1.matches.count } }

  /// All is replaced: the queries find nothing more until they are set again.
  mutating func end() {
    for index in queries.indices { queries[index].end() }
    isStatusDue = true
  }

  /// Without those that were refused.
  var allMatches: Selection {
    var selection = Selection()
    for query in queries {
      for match in query.matches where !isRefused(match.range) {
        selection.add(SelectionRegion(match.range.lowerBound, match.range.upperBound))
      }
    }
    return selection
  }
}

/// One query and its matches, sorted, none overlapping.
struct SearchQuery {
  let query: FindQuery
  /// nil when the search has ended for good.
  private(set) var pattern: Result<SearchPattern, RegularExpression.Failure>?
  private(set) var matches = IntervalTree()
  /// A search of the whole text is wanted: which one. No number comes twice, whatever the query.
  private(set) var pendingSearch: Int?
  private var lastSearch: Int
  /// Why it finds nothing, if that is not for want of matches.
  private(set) var problem: String?

  fileprivate init(_ query: FindQuery, searchesBefore: Int) {
    self.query = query
    lastSearch = searchesBefore
    let pattern = Result { () throws(RegularExpression.Failure) in try SearchPattern(query) }
    self.pattern = pattern
    switch pattern {
    case .success: wantSearch()
    case .failure(let failure): problem = "Not a regular expression: \(failure.message)"
    }
  }

  var usablePattern: SearchPattern? { try? pattern?.get() }

  private mutating func wantSearch() {
    lastSearch += 1
    pendingSearch = lastSearch
  }

  mutating func finish(_ search: Int, _ matches: IntervalTree, problem: String?) {
    guard pendingSearch == search else { return }
    pendingSearch = nil
    self.matches = matches
    self.problem = problem
  }

  mutating func end() {
    pattern = nil
    matches = IntervalTree()
    pendingSearch = nil
  }

  mutating func follow(_ change: TextBuffer.Change) {
    guard let pattern = usablePattern else { return }
    // Until they are searched again, too: what is shown and selected lies in the text.
    matches.follow(change.delta, touched: .dropped)
    guard pendingSearch == nil, !pattern.isMultiline, change.delta.edits.count <= 1000 else { return wantSearch() }
    for edit in change.delta.edits where pendingSearch == nil {
      searchAgain(for: pattern, around: edit.newRange, in: change.text)
    }
  }

  private mutating func searchAgain(for pattern: SearchPattern, around range: Range<ByteOffset>, in text: Rope) {
    let start = text.lineStart(of: range.lowerBound)
    let end = text.nextLineStart(after: range.upperBound) ?? text.endOffset
    guard end - start <= pattern.interactiveByteCount else { return wantSearch() }
    do throws(RegularExpression.Failure) {
      let found = try pattern.matches(in: text, start..<end, .moment)
      matches.replace(in: start..<end, with: found.map(Array.init) ?? [])
    } catch {
      wantSearch()
    }
  }
}
