import EditorProtocol
import Rope

/// More carets, one for each place where the same text stands. They are the matches of a search: of the one that is under way where it
/// finds what is selected, else of one for exactly that.
extension TextView {
  /// Selects the words at the carets; with something selected, the next place where it stands, too.
  /// - Parameter skipping: The place that was added last is selected no longer.
  func selectNextOccurrence(skipping: Bool = false) {
    if !skipping, selectWordsAtCarets() { return searchForSelection(wholeWords: true) }
    searchForSelection()
    whenSearched { [unowned self] in addOccurrence(skipping: skipping) }
  }

  func selectAllOccurrences() {
    let selectsWords = selectWordsAtCarets()
    searchForSelection(wholeWords: selectsWords)
    whenSearched { [unowned self] in
      guard let main = carets.main, !main.isCaret else { return }
      // The screen stays where it is.
      let shown = window
      selectAllMatches()
      carets.newest = main
      select(selection)
      screen.scroll(first: shown.lowerBound, end: shown.upperBound)
    }
  }

  /// - Returns: Whether there was a caret at a word.
  private func selectWordsAtCarets() -> Bool {
    var selected = Selection()
    var lookup = WordRanges(of: text)
    for region in selection.regions {
      let word = region.isCaret ? lookup.word(at: region.active) : nil
      selected.add(word.map { SelectionRegion($0.lowerBound, $0.upperBound) } ?? region)
    }
    guard selected != selection else { return false }
    select(selected)
    return true
  }

  /// Looks for what is selected, unless that is looked for already.
  private func searchForSelection(wholeWords: Bool = false) {
    guard let region = carets.main, !region.isCaret, let text = textForFind() else {
      remark = "There is no word at the caret"
      return
    }
    if search.queries.count == 1, search.queries[0].finds(region.range, text) { return }
    whenReplaced { [unowned self] in
      find(for: [FindQuery(text, caseSensitive: true, wholeWords: wholeWords)])
    }
  }

  private func addOccurrence(skipping: Bool) {
    guard search.queries.count == 1, let current = carets.main, !current.isCaret else { return }
    guard let next = unselectedMatch(behind: current.range) else {
      remark = "It stands nowhere else"
      return
    }
    var selected = selection
    if skipping { selected.removeRegions(equalTo: current) }
    carets.newest = SelectionRegion(next.lowerBound, next.upperBound)
    selected.add(SelectionRegion(next.lowerBound, next.upperBound))
    select(selected)
  }

  /// So many that are parts of a character are passed over at a key.
  private static let mostParts = 10_000

  /// The first behind `range`, from the start again behind the last; none that is a part of a character, which would go with it.
  /// O(selected regions).
  private func unselectedMatch(behind range: Range<ByteOffset>) -> Range<ByteOffset>? {
    let matches = search.queries[0].matches
    var place = range
    var first: Range<ByteOffset>?
    for _ in 0...selection.regions.count + Self.mostParts {
      guard let next = matches.first(from: place.upperBound, except: place) ?? matches.first else { return nil }
      // All have been looked at.
      if next == first { return nil }
      first = first ?? next
      let isSelected = selection.regions(touching: next.lowerBound...next.upperBound).contains {
        $0.range.overlaps(next)
      }
      if !isSelected, text.isBetweenClusters(next.lowerBound), text.isBetweenClusters(next.upperBound) { return next }
      place = next
    }
    return nil
  }
}

extension SearchQuery {
  /// Whether `range`, which holds `text`, is one of its matches, or will be.
  fileprivate func finds(_ range: Range<ByteOffset>, _ text: String) -> Bool {
    guard usablePattern != nil else { return false }
    return !query.regex && query.chars == text || matches.rank(of: range) != nil
  }
}

/// The words of many places that come in the order of the text: a long one is walked through once.
struct WordRanges {
  private var cursor: Rope.Cursor
  private var last: Range<ByteOffset>?

  init(of text: Rope) { cursor = Rope.Cursor(text, at: 0) }

  /// The word around `offset`, or that ends there; nil between blanks.
  mutating func word(at offset: ByteOffset) -> Range<ByteOffset>? {
    if let last, last.lowerBound < offset, offset < last.upperBound { return last }
    var word = cursor.wordRange(around: offset)
    if !isWord(word), offset > 0, word.lowerBound == offset { word = cursor.wordRange(around: offset - 1) }
    guard isWord(word) else { return nil }
    last = word
    return word
  }

  private mutating func isWord(_ range: Range<ByteOffset>) -> Bool {
    cursor.move(to: range.lowerBound)
    guard !range.isEmpty, let first = cursor.nextCodePoint() else { return false }
    return WordClass(first) == .other
  }
}
