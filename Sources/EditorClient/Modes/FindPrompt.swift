import EditorProtocol

/// Where a search started: Esc goes back there.
struct SearchOrigin {
  var caret: LineColumn
  var topLine: Int
  /// What was selected, and is to be looked for.
  var selection: (range: Range<LineColumn>, text: String)?

  init(_ view: EditorView) {
    selection = view.selectedTextInLine
    caret = selection?.range.lowerBound ?? view.caret
    topLine = view.viewport.topLine
  }
}

extension EditorView {
  /// What is selected, if it is one part of one line that is here, and not very long.
  fileprivate var selectedTextInLine: (range: Range<LineColumn>, text: String)? {
    guard selections.count == 1, let range = selections.first, range.lowerBound.line == range.upperBound.line,
      let line = cache[range.lowerBound.line]?.line
    else { return nil }
    let bytes = range.lowerBound.column - line.startColumn..<range.upperBound.column - line.startColumn
    guard !bytes.isEmpty, bytes.count <= 1000, bytes.lowerBound >= 0, bytes.upperBound <= line.text.utf8.count else {
      return nil
    }
    let text = Array(line.text.utf8)[bytes]
    return String(validating: text, as: UTF8.self).map { (range, $0) }
  }
}

/// Asks what to look for, and goes to the first match after the origin while one types.
class FindPrompt: Prompt {
  let origin: SearchOrigin

  init(_ editor: Editor, _ label: String = "Find", from origin: SearchOrigin) {
    self.origin = origin
    super.init(editor, label, history: .search)
    let isPattern = editor.search.options.regex
    if let text = origin.selection?.text { suggest(isPattern ? text.escapedForPattern : text) }
  }

  override var options: String { editor.search.options.label }

  override var note: String { editor.matchReport ?? "" }

  override func handleOwnKey(_ key: Key) -> Bool {
    if case .function(3) = key.code {
      editor.findAgain(backward: key.modifiers == .shift)
      return true
    }
    guard editor.changeSearchOption(by: key) else { return false }
    changed()
    return true
  }

  override func changed() {
    editor.search.query = field.string
    editor.search.problem = nil
    editor.goBack(to: origin)
    editor.markMatches()
    if !field.string.isEmpty { editor.views.edit(.findNext(FindMotion(wrapAround: true, allowSame: true))) }
  }

  /// Nothing typed repeats the last search, or goes from what was selected to the next of it.
  override func accept(_ text: String) {
    if isSuggestion {
      editor.findAgain(backward: false)
    } else if text.isEmpty, let last = editor.lastQuery {
      editor.search.query = last
      editor.markMatches()
      editor.findAgain(backward: false)
    } else {
      editor.search.query = text
      editor.awaitMatch()
    }
    if let report = editor.matchReport { editor.show(report, isAlarm: editor.search.problem != nil) }
  }

  override func cancel() { editor.cancelSearch(from: origin) }
}

/// The search of the whole editor: one at a time, for whatever view is shown.
struct Search {
  struct Options: Equatable {
    var caseSensitive = false
    var wholeWords = false
    var regex = false

    /// Those that are on.
    var names: [String] {
      [(caseSensitive, "case"), (wholeWords, "words"), (regex, "regex")].compactMap { $0 ? $1 : nil }
    }

    var label: String { names.isEmpty ? "" : " [" + names.joined(separator: ", ") + "]" }

    init(_ names: [String] = []) {
      (caseSensitive, wholeWords, regex) = (names.contains("case"), names.contains("words"), names.contains("regex"))
    }
  }

  var query = ""
  var options = Options()
  /// They are as they were in the run before.
  var hasOptions = false
  /// A match was gone to by the last key. Of several such keys in a row each is told where it led.
  var isPlaceAwaited = false
  /// Why the query finds nothing, if the core said so.
  var problem: String?

  var findQuery: FindQuery {
    FindQuery(query, caseSensitive: options.caseSensitive, regex: options.regex, wholeWords: options.wholeWords)
  }
}

extension Editor {
  /// Opens a prompt that searches from the caret.
  func beginSearch(_ prompt: @escaping (SearchOrigin) -> FindPrompt) {
    gate.whenSettled { [weak self] in
      guard let self, let view else { return }
      rememberSearchOptions()
      views.noteJump()
      mode = prompt(SearchOrigin(view))
    }
  }

  func rememberSearchOptions() {
    if !search.hasOptions { search.options = Search.Options(memory[.searchOption]) }
    search.hasOptions = true
  }

  /// - Returns: Whether the key is for that.
  func changeSearchOption(by key: Key) -> Bool {
    switch key {
    case .alt("c"): search.options.caseSensitive.toggle()
    case .alt("w"): search.options.wholeWords.toggle()
    case .alt("r"): search.options.regex.toggle()
    default: return false
    }
    memory.set(.searchOption, to: search.options.names)
    return true
  }

  func beginFinding() { beginSearch { [unowned self] in FindPrompt(self, from: $0) } }

  var lastQuery: String? { memory[.search].first }

  func findAgain(backward: Bool) {
    if search.query.isEmpty, let lastQuery { search.query = lastQuery }
    guard !search.query.isEmpty else { return beginFinding() }
    if mode == nil { views.noteJump() }
    if !views.edits.marksMatches { markMatches() }
    let motion = FindMotion(wrapAround: true)
    views.edit(backward ? .findPrevious(motion) : .findNext(motion))
    search.isPlaceAwaited = core.supports(.matchPlace)
    if mode == nil { awaitMatch() }
  }

  /// Runs `body` when the caret is at the match that was gone to: what is typed until then is meant for that place.
  func awaitMatch(
    _ input: InputGate.Input = .isHeld, then body: @escaping () -> Void = {}, givenUp: @escaping () -> Void = {}
  ) {
    guard core.supports(.matchPlace), let id = view?.id else { return body() }
    var hasEnded = false
    core.request(.motionsEnd(id)) { _ in hasEnded = true }
    gate.wait(
      to: "find \(search.query)", input, until: { hasEnded ? .over : .waiting }, then: body,
      givenUp: { [weak self] in
        self?.core.send(.cancel(id))
        givenUp()
      })
  }

  /// Which match the caret is at, after a key that went to one.
  func tellPlace(_ find: FindStatus) {
    guard search.isPlaceAwaited, views.edits.marksMatches, find.current != nil || find.matches == 0 else { return }
    if mode == nil, message?.isAlarm != true, let matchReport { show(matchReport) }
  }

  func markMatches() {
    views.edit(.find(search.findQuery))
    if !views.edits.marksMatches { views.edit(.highlightFind(visible: true)) }
    views.edits.marksMatches = true
  }

  func goBack(to origin: SearchOrigin) { views.edit(.gesture(origin.caret, .select(.point, multi: false))) }

  func cancelSearch(from origin: SearchOrigin) {
    if let view { views.endLoading(of: view) }
    goBack(to: origin)
    if let range = origin.selection?.range { views.edit(.gesture(range.upperBound, .selectExtend(.point))) }
    view?.viewport.topLine = origin.topLine
    screen.needsDisplay = true
    clearSearch()
    views.announceViewport()
  }

  func clearSearch() {
    guard views.edits.marksMatches else { return }
    views.edits.marksMatches = false
    views.edit(.find(FindQuery("", caseSensitive: false)))
    views.edit(.highlightFind(visible: false))
    view?.find = nil
    screen.needsDisplay = true
  }

  /// How many matches there are, as far as it is known.
  var matchReport: String? {
    guard views.edits.marksMatches, !search.query.isEmpty, let view else { return nil }
    if let progress = view.progress, progress.task == .find, progress.total > 0 {
      return "searching \(progress.done * 100 / progress.total) %"
    }
    if let problem = search.problem { return problem }
    guard let find = view.find else { return nil }
    if let current = find.current {
      return "\(current) of \(find.matches)" + (find.hasWrapped ? ", wrapped" : "")
    }
    return find.matches == 1 ? "1 match" : "\(find.matches) matches"
  }
}

extension String {
  /// As a regular expression that finds this text.
  var escapedForPattern: String {
    String(flatMap { #"\^$.|?*+()[]{}"#.contains($0) ? ["\\", $0] : [$0] })
  }
}
