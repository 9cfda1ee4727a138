import EditorProtocol
import Rope

/// Search and replacement. Commands that need matches wait until a search that runs has ended.
extension Buffer {
  func search(_ command: EditCommand) throws(RegularExpression.Failure) {
    if hasWaitingReplacement, command.changesSearch { return commandsAfterSearch.append(command) }
    switch command {
    case .find(let query): try search(for: [query])
    case .multiFind(let queries): try search(for: queries)
    case .findNext(let motion): whenSearched(command) { view.findNext(motion, reverse: false) }
    case .findPrevious(let motion): whenSearched(command) { view.findNext(motion, reverse: true) }
    case .highlightFind(let visible):
      view.search.isHighlighted = visible
      view.search.isStatusDue = true
      view.shadow.invalidate(0..<view.lineCount, .styles)
    case .selectionForFind(let isCaseSensitive):
      guard let text = view.textForFind() else { return }
      try search(for: [FindQuery(text, caseSensitive: isCaseSensitive, wholeWords: true)])
    case .replace(let chars, let preserveCase):
      view.search.replacement = (chars, preserveCase)
      view.search.isReplacementDue = true
    default: break
    }
  }

  func searchPlain(_ edit: PlainEdit) {
    switch edit {
    case .findAll: whenSearched(.plain(edit)) { view.selectAllMatches() }
    case .replaceNext: whenSearched(.plain(edit)) { replace(all: false) }
    case .replaceAll: whenSearched(.plain(edit)) { replace(all: true) }
    case .refuseMatch:
      if let region = view.selection.regions.last { view.search.refuse(region.range) }
    case .selectionForReplace:
      if let text = view.textForFind() { view.search.replacement = (text, false) }
      view.search.isReplacementDue = true
    default: break
    }
  }

  private func whenSearched(_ command: EditCommand, _ body: () -> Void) {
    searchSmallTexts()
    if isSearching { commandsAfterSearch.append(command) } else { body() }
  }

  /// Motions that wait were meant for the queries before.
  private func search(for queries: [FindQuery]) throws(RegularExpression.Failure) {
    commandsAfterSearch = []
    try view.search.set(queries)
  }

  /// Nothing may put another query or another text in the place of those it was asked with.
  var hasWaitingReplacement: Bool {
    commandsAfterSearch.contains { $0 == .plain(.replaceAll) || $0 == .plain(.replaceNext) }
  }

  /// The worker has something to do.
  var isSearching: Bool { view.search.isSearching || wantedReplacement != nil }

  /// The search has ended: does what waited for it.
  func performWaitingCommands() throws(RegularExpression.Failure) {
    let waiting = commandsAfterSearch
    commandsAfterSearch = []
    defer { advanceQueue() }
    for command in waiting {
      if case .plain(let edit) = command { searchPlain(edit) } else { try search(command) }
    }
  }

  /// Nothing is searched or replaced any more; what has been found stays.
  func cancelSearches() {
    commandsAfterSearch = []
    runningSearches = [:]
    wantedReplacement = nil
    view.search.end()
    advanceQueue()
  }

  /// Replaces the match after the first region, or all, by what was set; without a match only the selection collapses.
  private func replace(all: Bool) {
    guard view.search.replacement != nil else { return }
    if all, view.search.matchCount > replacementsAtOnce {
      // For the worker: it waits like what waits for a search.
      commandsAfterSearch.insert(.plain(.replaceAll), at: 0)
      wantedReplacement = replacement(of: view.search.allMatches)
      return
    }
    view.select(view.selection.collapsed)
    let motion = FindMotion(wrapAround: true)
    guard all ? view.selectAllMatches() : view.findNext(motion, reverse: false) else { return }
    if let replacement = replacement(of: view.selection) { commit(replacement.delta, as: .other) }
    if all { view.search.end() }
  }

  private func replacement(of matches: Selection) -> Replacement? {
    guard let (chars, preservesCase) = view.search.replacement else { return nil }
    return Replacement(
      text: text, regions: matches.regions, chars: chars, preservesCase: preservesCase,
      pattern: view.search.queries.count == 1 ? view.search.queries[0].usablePattern : nil,
      lineEnding: config.lineEnding)
  }

  /// The worker has made a text with all matches replaced, of the text that is there still.
  func finish(_ replacement: Replacement.Outcome) {
    commandsAfterSearch.removeFirst()
    view.select(view.selection.collapsed)
    view.selectAllMatches()
    commit(replacement)
    view.search.end()
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

extension EditCommand {
  /// Whether other matches are found after it, or replaced by another text.
  fileprivate var changesSearch: Bool {
    switch self {
    case .find, .multiFind, .selectionForFind, .replace: true
    default: false
    }
  }
}

extension TextView {
  func finishSearch(_ index: Int, _ number: Int, _ matches: MatchList) {
    search.queries[index].finish(number, matches)
    search.isStatusDue = true
    if search.isHighlighted { shadow.invalidate(0..<lineCount, .styles) }
  }
}
