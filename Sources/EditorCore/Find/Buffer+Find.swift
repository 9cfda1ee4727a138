import EditorProtocol
import Rope

/// Search and replacement. Commands that need matches wait until a search that runs has ended.
extension Buffer {
  func search(_ command: EditCommand) {
    switch command {
    case .find(let query): whenReplaced { [unowned self] in search(for: [query]) }
    case .multiFind(let queries): whenReplaced { [unowned self] in search(for: queries) }
    case .findNext(let motion): whenSearched { [unowned self] in view.findNext(motion, reverse: false) }
    case .findPrevious(let motion): whenSearched { [unowned self] in view.findNext(motion, reverse: true) }
    case .highlightFind(let visible):
      view.search.isHighlighted = visible
      view.search.isStatusDue = true
      view.shadow.invalidate(0..<view.lineCount, .styles)
    case .selectionForFind(let isCaseSensitive):
      whenReplaced { [unowned self] in
        guard let text = view.textForFind() else { return }
        search(for: [FindQuery(text, caseSensitive: isCaseSensitive, wholeWords: true)])
      }
    case .replace(let chars, let preserveCase):
      whenReplaced { [unowned self] in
        view.search.replacement = (chars, preserveCase)
        view.search.isReplacementDue = true
      }
    default: break
    }
  }

  func searchPlain(_ edit: PlainEdit) {
    switch edit {
    case .findAll: whenSearched { [unowned self] in view.selectAllMatches() }
    case .replaceNext: whenSearched(replaces: true) { [unowned self] in replaceNext() }
    case .replaceAll: replaceAllWhenSearched()
    case .refuseMatch:
      if let region = view.selection.regions.last { view.search.refuse(region.range) }
    case .selectionForReplace:
      if let text = view.textForFind() { view.search.replacement = (text, false) }
      view.search.isReplacementDue = true
    default: break
    }
  }

  private func whenSearched(replaces: Bool = false, _ body: @escaping () -> Void) {
    searchSmallTexts()
    enqueue(.init(order: .search, needs: [.matches, .replacedText], replaces: replaces, body: body))
  }

  /// Nothing may put another query or another text in the place of those that a replacement was asked with.
  private func whenReplaced(_ body: @escaping () -> Void) {
    enqueue(.init(order: .search, needs: .replacedText, body: body))
  }

  /// Motions that wait were meant for the queries before.
  private func search(for queries: [FindQuery]) {
    queue.dropEarlierSearches()
    view.search.set(queries)
  }

  /// The worker has something to do.
  var isSearching: Bool { view.search.isSearching || queue.unfinishedWork != nil }

  /// Nothing is searched or replaced any more; what has been found stays.
  func cancelSearches() {
    queue.dropSearches()
    view.search.end()
    advanceQueue()
  }

  // MARK: Replacing

  /// Without a match only the selection collapses.
  private func replaceNext() {
    guard view.search.replacement != nil else { return }
    view.select(view.selection.collapsed)
    if view.findNext(FindMotion(wrapAround: true), reverse: false) { replaceSelection() }
  }

  private func replaceAllWhenSearched() { whenSearched(replaces: true) { [unowned self] in replaceAll() } }

  private func replaceAll() {
    guard view.search.replacement != nil else { return }
    if view.search.matchCount > replacementsAtOnce, let replacement = replacement(of: view.search.allMatches) {
      let work = ReplacementWork(replacement, revision: document.revision)
      return enqueue(.init(order: .search, replaces: true, work: work) { [unowned self] in finish(work) })
    }
    view.select(view.selection.collapsed)
    guard view.selectAllMatches() else { return }
    replaceSelection()
    view.search.end()
  }

  /// What was typed meanwhile is searched, and replaced, too.
  private func finish(_ work: ReplacementWork) {
    guard let outcome = work.outcome else { return }
    guard document.revision == work.revision else { return replaceAllWhenSearched() }
    view.select(view.selection.collapsed)
    view.selectAllMatches()
    commit(outcome)
    view.search.end()
  }

  private func replaceSelection() {
    if let replacement = replacement(of: view.selection) { commit(replacement.delta, as: .other) }
  }

  private func replacement(of matches: Selection) -> Replacement? {
    guard let (chars, preservesCase) = view.search.replacement else { return nil }
    return Replacement(
      text: text, regions: matches.regions, chars: chars, preservesCase: preservesCase,
      pattern: view.search.queries.count == 1 ? view.search.queries[0].usablePattern : nil,
      lineEnding: config.lineEnding)
  }

  /// Runs the searches that end within a moment; the others are for the worker.
  func searchSmallTexts() {
    for (index, query) in view.search.queries.enumerated() {
      guard let search = query.pendingSearch, let pattern = query.usablePattern,
        text.byteCount <= pattern.interactiveByteCount
      else { continue }
      do throws(RegularExpression.Failure) {
        let matches = try pattern.matches(in: text, text.fullRange, .moment)
        view.finishSearch(index, search, matches ?? MatchList())
      } catch {
        // The limit was reached: the worker has a higher one.
      }
    }
  }
}

extension TextView {
  func finishSearch(_ index: Int, _ number: Int, _ matches: MatchList) {
    guard search.queries.indices.contains(index) else { return }
    search.queries[index].finish(number, matches)
    search.isStatusDue = true
    if search.isHighlighted { shadow.invalidate(0..<lineCount, .styles) }
  }
}
