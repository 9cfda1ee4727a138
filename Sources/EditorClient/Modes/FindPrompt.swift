import EditorProtocol

/// Where a search started: Esc goes back there.
struct SearchOrigin {
  var caret: LineColumn
  var topLine: Int

  init(_ view: EditorView) {
    caret = view.caret
    topLine = view.viewport.topLine
  }
}

/// Asks what to look for, and goes to the first match after the origin while one types.
class FindPrompt: Prompt {
  let origin: SearchOrigin

  init(_ editor: Editor, _ label: String = "Find", from origin: SearchOrigin) {
    self.origin = origin
    super.init(editor, label, history: .search)
  }

  override var options: String { editor.search.options.label }

  override var note: String { editor.matchReport ?? "" }

  override func handleOwnKey(_ key: Key) -> Bool {
    if case .function(3) = key.code {
      editor.findAgain(backward: key.modifiers == .shift)
      return true
    }
    switch key {
    case .alt("c"): editor.search.options.caseSensitive.toggle()
    case .alt("w"): editor.search.options.wholeWords.toggle()
    case .alt("r"): editor.search.options.regex.toggle()
    default: return false
    }
    changed()
    return true
  }

  override func changed() {
    editor.search.query = field.string
    editor.search.problem = nil
    editor.goBack(to: origin)
    editor.markMatches()
    if !field.string.isEmpty { editor.edit(.findNext(FindMotion(wrapAround: true, allowSame: true))) }
  }

  /// Nothing typed repeats the last search.
  override func accept(_ text: String) {
    if text.isEmpty, let last = editor.lastQuery {
      editor.search.query = last
      editor.markMatches()
      editor.findAgain(backward: false)
    } else {
      editor.search.query = text
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
    var label: String {
      var names: [String] = []
      if caseSensitive { names.append("case") }
      if wholeWords { names.append("words") }
      if regex { names.append("regex") }
      return names.isEmpty ? "" : " [" + names.joined(separator: ", ") + "]"
    }
  }

  var query = ""
  var options = Options()
  /// Why the query finds nothing, if the core said so.
  var problem: String?
  /// Matches are marked on the screen.
  var isVisible = false

  var findQuery: FindQuery {
    FindQuery(query, caseSensitive: options.caseSensitive, regex: options.regex, wholeWords: options.wholeWords)
  }
}

extension Editor {
  /// Opens a prompt that searches from the caret.
  func beginSearch(_ prompt: @escaping (SearchOrigin) -> FindPrompt) {
    whenSettled { [weak self] in
      guard let self, let view else { return }
      mode = prompt(SearchOrigin(view))
    }
  }

  func beginFinding() { beginSearch { [unowned self] in FindPrompt(self, from: $0) } }

  var lastQuery: String? { histories[.search]?.first }

  func findAgain(backward: Bool) {
    if search.query.isEmpty, let lastQuery { search.query = lastQuery }
    guard !search.query.isEmpty else { return beginFinding() }
    if !search.isVisible { markMatches() }
    let motion = FindMotion(wrapAround: true)
    edit(backward ? .findPrevious(motion) : .findNext(motion))
  }

  func markMatches() {
    edit(.find(search.findQuery))
    if !search.isVisible { edit(.highlightFind(visible: true)) }
    search.isVisible = true
  }

  func goBack(to origin: SearchOrigin) { edit(.gesture(origin.caret, .select(.point, multi: false))) }

  func cancelSearch(from origin: SearchOrigin) {
    if let view { stopWaiting(in: view) }
    goBack(to: origin)
    view?.viewport.topLine = origin.topLine
    needsDisplay = true
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
}
