import EditorProtocol

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

  override var note: String { editor.search.matchReport ?? "" }

  override var takesLines: Bool { true }

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
    editor.search.goBack(to: origin)
    editor.search.markMatches()
    if !field.string.isEmpty { editor.views.edit(.findNext(FindMotion(wrapAround: true, allowSame: true))) }
  }

  /// Nothing typed repeats the last search, or goes from what was selected to the next of it.
  override func accept(_ text: String) {
    if isSuggestion {
      editor.findAgain(backward: false)
    } else if text.isEmpty, let last = editor.search.lastQuery {
      editor.search.query = last
      editor.search.markMatches()
      editor.findAgain(backward: false)
    } else {
      editor.search.query = text
      editor.search.awaitMatch()
    }
    if let report = editor.search.matchReport { editor.notices.show(report, isAlarm: editor.search.problem != nil) }
  }

  override func cancel() { editor.search.cancel(from: origin) }
}

extension Editor {
  /// Opens a prompt that searches from the caret.
  func beginSearch(_ prompt: @escaping (SearchOrigin) -> FindPrompt) {
    gate.whenSettled { [weak self] in
      guard let self, let view else { return }
      search.rememberOptions()
      views.noteJump()
      mode = prompt(SearchOrigin(view))
    }
  }

  /// - Returns: Whether the key is for that.
  func changeSearchOption(by key: Key) -> Bool {
    guard search.changeOption(by: key) else { return false }
    macros.noteSearchOptions(search.options.names)
    return true
  }

  func beginFinding() { beginSearch { [unowned self] in FindPrompt(self, from: $0) } }

  func findAgain(backward: Bool) {
    let goOn = { [unowned self] in if !search.goOn(backward: backward, isTyping: hasMode) { beginFinding() } }
    if hasMode { goOn() } else { gate.whenCaretsAreKnown(goOn) }
  }
}

extension String {
  /// As a regular expression that finds this text.
  var escapedForPattern: String {
    String(flatMap { #"\^$.|?*+()[]{}"#.contains($0) ? ["\\", $0] : [$0] })
  }
}
