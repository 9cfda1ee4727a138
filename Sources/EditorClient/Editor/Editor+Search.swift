import EditorProtocol

/// Find and replace.
extension Editor {
  func beginSearch(_ kind: Prompt.Kind) {
    whenSettled { [weak self] in
      guard let self, let view else { return }
      search.origin = view.caret
      search.originTopLine = view.viewport.topLine
      openPrompt(kind)
    }
  }

  /// The text of the open search prompt has changed: marks the matches and goes to the first one after the origin.
  func searchIncrementally(_ text: String) {
    search.query = text
    search.problem = nil
    guard let origin = search.origin else { return }
    edit(.gesture(origin, .select(.point, multi: false)))
    edit(.find(search.findQuery))
    if !search.isVisible { edit(.highlightFind(visible: true)) }
    search.isVisible = true
    if !text.isEmpty { edit(.findNext(FindMotion(wrapAround: true, allowSame: true))) }
  }

  /// Enter in the find prompt; nothing typed repeats the last search.
  func acceptSearch(_ text: String) {
    if text.isEmpty, let last = histories[.find]?.first {
      search.query = last
      edit(.find(search.findQuery))
      findAgain(backward: false)
    } else {
      search.query = text
    }
    search.origin = nil
    reportMatches()
  }

  /// Esc in a search prompt: back to where one was.
  func cancelSearch() {
    if let view { stopWaiting(in: view) }
    if let origin = search.origin { edit(.gesture(origin, .select(.point, multi: false))) }
    view?.viewport.topLine = search.originTopLine
    needsDisplay = true
    search.origin = nil
    clearSearch()
    announceViewport()
  }

  func clearSearch() {
    guard search.isVisible else { return }
    search.isVisible = false
    edit(.find(FindQuery("", caseSensitive: false)))
    edit(.highlightFind(visible: false))
    view?.find = nil
    needsDisplay = true
  }

  func findAgain(backward: Bool) {
    if search.query.isEmpty, let last = histories[.find]?.first { search.query = last }
    guard !search.query.isEmpty else { return beginSearch(.find) }
    if !search.isVisible {
      search.isVisible = true
      edit(.find(search.findQuery))
      edit(.highlightFind(visible: true))
    }
    let motion = FindMotion(wrapAround: true)
    edit(backward ? .findPrevious(motion) : .findNext(motion))
  }

  private func reportMatches() {
    if let text = matchReport { show(text, isAlarm: search.problem != nil) }
  }

  var isTypingQuery: Bool {
    if case .prompt(let prompt) = mode { prompt.kind == .find || prompt.kind == .replace } else { false }
  }

  /// How many matches there are, as far as it is known.
  var matchReport: String? {
    guard search.isVisible, !search.query.isEmpty, let view else { return nil }
    if let progress = view.progress, progress.task == .find, progress.total > 0 {
      return "searching \(progress.done * 100 / progress.total) %"
    }
    if let problem = search.problem { return problem }
    guard let find = view.find else { return nil }
    return find.matches == 1 ? "1 match" : "\(find.matches) matches"
  }

  // MARK: Replacing

  /// Both texts are there: asks match by match.
  func beginReplacing(with replacement: String) {
    search.replacement = replacement
    edit(.replace(replacement, preserveCase: false))
    if let origin = search.origin { edit(.gesture(origin, .select(.point, multi: false))) }
    edit(.findNext(FindMotion(wrapAround: true, allowSame: true)))
    askForReplacement()
  }

  /// Asks about the match that is selected; without one the caret is not a place to put anything.
  private func askForReplacement() {
    whenSettled { [weak self] in
      guard let self else { return }
      guard view?.find?.matches != 0 else { return endReplacing(message: "No match is left to replace") }
      askAboutMatch()
    }
  }

  private func askAboutMatch() {
    let replace = { [weak self] in
      guard let self else { return }
      // A search that takes its time has not come to a match yet.
      guard let match = view?.selections.last, !match.isEmpty else { return askForReplacement() }
      refuseMatch()
      // The core replaces what it finds from a caret.
      edit(.gesture(match.lowerBound, .select(.point, multi: false)))
      edit(.plain(.replaceNext))
      edit(.findNext(FindMotion(wrapAround: true)))
      askForReplacement()
    }
    let skip = { [weak self] in
      guard let self else { return }
      refuseMatch()
      edit(.findNext(FindMotion(wrapAround: true)))
      askForReplacement()
    }
    let all = { [weak self] in
      guard let self else { return }
      edit(.plain(.replaceAll))
      endReplacing(message: "Replaced all")
    }
    let stop = { [weak self] in
      guard let self else { return }
      endReplacing(message: nil)
    }
    ask(
      Question(
        text: "Replace by \"\(search.replacement)\"?", choices: "Enter this one, n next, a all, Esc ends",
        answers: ["\n": replace, "y": replace, "n": skip, "a": all, "q": stop], cancel: stop))
  }

  /// *All* means those that were not decided yet: neither what was refused, nor what was put in.
  private func refuseMatch() {
    if supports(.refuseMatch) { edit(.plain(.refuseMatch)) }
  }

  /// A replacement that takes its time says when it is done, or that it was ended before.
  func follow(_ progress: Progress, in view: EditorView) {
    let (wasRunning, isRunning) = (view.progress != nil, progress.done < progress.total)
    let wasCancelled = view.isCancelling
    view.progress = isRunning ? progress : nil
    if !isRunning { view.isCancelling = false }
    guard progress.task == .replace, wasRunning != isRunning else { return }
    show(isRunning ? "Replacing all; Esc ends it" : wasCancelled ? "Nothing was replaced" : "Replaced all")
  }

  private func endReplacing(message: String?) {
    search.origin = nil
    clearSearch()
    edit(.plain(.collapseSelections))
    if let message { show(message) }
  }
}
