import EditorProtocol
import Rope

/// Search and replacement. Commands that need matches wait until a search that runs has ended.
extension TextView {
  func find(_ command: EditCommand) {
    switch command {
    case .find(let query): whenReplaced { [unowned self] in find(for: [query]) }
    case .multiFind(let queries): whenReplaced { [unowned self] in find(for: queries) }
    case .findNext(let motion): whenSearched { [unowned self] in findNext(motion, reverse: false) }
    case .findPrevious(let motion): whenSearched { [unowned self] in findNext(motion, reverse: true) }
    case .highlightFind(let visible):
      search.isHighlighted = visible
      search.isStatusDue = true
      shadow.invalidate(0..<lineCount, .styles)
    case .selectionForFind(let isCaseSensitive):
      whenReplaced { [unowned self] in
        guard let text = textForFind() else { return }
        find(for: [FindQuery(text, caseSensitive: isCaseSensitive, wholeWords: true)])
      }
    case .replace(let chars, let preserveCase):
      whenReplaced { [unowned self] in
        search.replacement = (chars, preserveCase)
        search.isReplacementDue = true
      }
    default: break
    }
  }

  func find(_ edit: PlainEdit) {
    switch edit {
    case .findAll: whenSearched { [unowned self] in selectAllMatches() }
    case .replaceNext: whenSearched(replaces: true) { [unowned self] in replaceNext() }
    case .replaceAll: replaceAllWhenSearched()
    case .refuseMatch:
      if let region = selection.regions.last { search.refuse(region.range) }
    case .selectionForReplace:
      if let text = textForFind() { search.replacement = (text, false) }
      search.isReplacementDue = true
    default: break
    }
  }

  func whenSearched(replaces: Bool = false, _ body: @escaping () -> Void) {
    searchSmallTexts()
    document.enqueue(
      .init(view: id, order: .search, needs: [.matches, .replacedText], replaces: replaces, body: body))
  }

  /// Nothing may put another query or another text in the place of those that a replacement was asked with.
  func whenReplaced(_ body: @escaping () -> Void) {
    document.enqueue(.init(view: id, order: .search, needs: .replacedText, body: body))
  }

  /// Motions that wait were meant for the queries before.
  func find(for queries: [FindQuery]) {
    document.queue.dropEarlierSearches(of: id)
    search.set(queries)
  }

  /// The worker has something to do.
  var isSearching: Bool { search.isSearching || document.queue.unfinishedWork(of: id) != nil }

  /// Nothing is searched or replaced any more; what has been found stays.
  func cancelSearches() {
    document.queue.dropSearches(of: id)
    search.end()
    document.advanceQueue()
  }

  // MARK: Replacing

  /// Without a match only the selection collapses. Of a cluster that is selected with its match the rest stays.
  private func replaceNext() {
    guard search.replacement != nil else { return }
    select(selection.collapsed)
    guard let match = findNext(FindMotion(wrapAround: true), reverse: false),
      let replacement = replacement(of: [match])
    else { return }
    if let delta = replacement.delta { return commit(delta, as: .other) }
    workOut(replacement, orAgain: { [unowned self] in replaceNext() }) { [unowned self] in commit($0) }
  }

  private func replaceAllWhenSearched() { whenSearched(replaces: true) { [unowned self] in replaceAll() } }

  private func replaceAll() {
    guard search.replacement != nil else { return }
    let matches = search.allMatches
    guard !matches.isEmpty, let replacement = replacement(of: matches.regions) else {
      return select(selection.collapsed)
    }
    let delta = search.matchCount > search.replacementsAtOnce ? nil : replacement.delta
    let finish = { [unowned self] (replace: () -> Void) in
      select(selection.collapsed)
      select(matches)
      replace()
      search.end()
    }
    if let delta { return finish { commit(delta, as: .other) } }
    workOut(replacement, orAgain: { [unowned self] in replaceAll() }) { [unowned self] outcome in
      finish { commit(outcome) }
    }
  }

  /// Beside the keys. Where something is typed meanwhile, that is searched, and `again` is done.
  private func workOut(
    _ replacement: Replacement, orAgain again: @escaping () -> Void,
    then finish: @escaping (Replacement.Outcome) -> Void
  ) {
    let work = ReplacementWork(replacement, revision: document.buffer.revision)
    document.enqueue(
      .init(view: id, order: .search, replaces: true, work: work) { [unowned self] in
        guard let outcome = work.outcome else { return }
        if document.buffer.revision == work.revision { finish(outcome) } else { whenSearched(replaces: true, again) }
      })
  }

  private func replacement(of matches: [SelectionRegion]) -> Replacement? {
    guard let (chars, preservesCase) = search.replacement else { return nil }
    return Replacement(
      text: text, regions: matches, chars: chars.withLineEnds(document.lineEnding),
      preservesCase: preservesCase,
      pattern: search.queries.count == 1 ? search.queries[0].usablePattern : nil,
      lineEnding: document.lineEnding)
  }

  /// Runs the searches that end within a moment; the others are for the worker.
  func searchSmallTexts() {
    for (index, query) in search.queries.enumerated() {
      guard let search = query.pendingSearch, let pattern = query.usablePattern,
        text.byteCount <= pattern.interactiveByteCount
      else { continue }
      do throws(RegularExpression.Failure) {
        let matches = try pattern.matches(in: text, text.fullRange, .moment)
        finishSearch(index, search, matches ?? IntervalTree())
      } catch {
        // The limit was reached: the worker has a higher one.
      }
    }
  }

  func finishSearch(_ index: Int, _ number: Int, _ matches: IntervalTree, problem: String? = nil) {
    guard search.queries.indices.contains(index) else { return }
    search.queries[index].finish(number, matches, problem: problem)
    search.problemDue = problem ?? search.problemDue
    search.isStatusDue = true
    if search.isHighlighted { shadow.invalidate(0..<lineCount, .styles) }
  }
}
