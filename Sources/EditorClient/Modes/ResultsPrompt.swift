import EditorProtocol

/// Asks what to look for in all files.
final class FolderSearchPrompt: Prompt {
  init(_ editor: Editor, selected text: String?) {
    super.init(editor, "Search in files", history: .search)
    if let text { suggest(editor.search.options.regex ? text.escapedForPattern : text) }
  }

  override var options: String { editor.search.options.label }

  override func handleOwnKey(_ key: Key) -> Bool { editor.changeSearchOption(by: key) }

  override func accept(_ text: String) {
    guard !text.isEmpty else { return }
    let options = editor.search.options
    editor.searchInFiles(
      FindQuery(text, caseSensitive: options.caseSensitive, regex: options.regex, wholeWords: options.wholeWords))
  }
}

/// What was found in files, line by line; typing narrows it.
final class ResultsPrompt: ChoicePrompt {
  private let results: SearchResults

  init(_ editor: Editor, _ results: SearchResults) {
    self.results = results
    super.init(editor, "Found", choices: results.lines.map(Self.choice))
    if let selected = results.selected { select(selected) }
    results.onLines = { [weak self] lines in self?.add(lines.map(Self.choice)) }
  }

  private static func choice(_ line: FoundLine) -> ChoiceList.Choice {
    let place = "\(line.path):\(line.line + 1): "
    let start = place.utf8.count
    let text = String(decoding: line.text.utf8.map { $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self)
    return ChoiceList.Choice(
      title: place + text, marks: line.marks.map { start + $0.lowerBound..<start + $0.upperBound })
  }

  override var mostChoices: Int { max(editor.textRows * 2 / 3, 10) }

  override var note: String { results.report }

  override var refusal: String { results.lines.isEmpty ? results.report : "No such line was found" }

  override func handleOwnKey(_ key: Key) -> Bool {
    guard key == .control("r") else { return super.handleOwnKey(key) }
    editor.replaceInFiles(results)
    return true
  }

  override func accept(choice index: Int) { editor.go(toResult: index, of: results) }

  override func cancel() { results.end(in: editor) }
}

extension Editor {
  func beginSearchInFiles() {
    guard supports(.folder) else { return show("This core does not search in files", isAlarm: true) }
    whenSettled { [weak self] in
      guard let self else { return }
      rememberSearchOptions()
      mode = FolderSearchPrompt(self, selected: view.flatMap { SearchOrigin($0).selection?.text })
    }
  }

  func searchInFiles(_ query: FindQuery) {
    results?.end(in: self)
    let found = SearchResults(query)
    results = found
    mode = ResultsPrompt(self, found)
    found.begin(in: self)
  }

  func showResults() {
    guard let results else { return show("Nothing was searched in files; \(keys(of: .searchFiles)) does") }
    mode = ResultsPrompt(self, results)
  }

  func goToResult(_ distance: Int) {
    guard let results, !results.lines.isEmpty else { return showResults() }
    let index = results.selected.map { $0 + distance } ?? 0
    guard results.lines.indices.contains(index) else {
      return show(distance > 0 ? "That was the last result" : "That was the first result")
    }
    go(toResult: index, of: results)
  }

  func go(toResult index: Int, of results: SearchResults) {
    results.selected = index
    let line = results.lines[index]
    open(path: line.path, at: FilePosition(line: line.line + 1, column: line.character + 1))
    show("\(index + 1) of \(results.lines.count); \(keys(of: .searchResults)) lists them")
  }

  // MARK: Replacing

  func replaceInFiles(_ results: SearchResults) {
    guard results.isWhole, results.searchedFiles >= 0 else { return show("The search has not ended yet") }
    guard !results.lines.isEmpty else { return show("There is nothing to replace") }
    mode = FolderReplacementPrompt(self, results)
  }
}

/// Asks by what all that was found is replaced, then whether.
final class FolderReplacementPrompt: Prompt {
  private let results: SearchResults

  init(_ editor: Editor, _ results: SearchResults) {
    self.results = results
    super.init(editor, "Replace in files with", history: .replacement)
  }

  override func cancel() { editor.showResults() }

  override func accept(_ text: String) {
    let files = results.files
    let (query, report) = (results.query, results.report)
    editor.ask(
      "Replace \"\(query.chars)\" by \"\(text)\" in \(files.count) file\(files.count == 1 ? "" : "s") (\(report))?",
      choices: "y/n", answers: ["y": { [editor] in editor.replace(query, by: text, in: files) }, "n": cancel],
      cancel: cancel)
  }
}

extension Editor {
  /// All matches in the buffers of these files, one undo step in each. They are opened and not saved: so all can be looked at and taken
  /// back before it is on the disk, and one command saves them.
  fileprivate func replace(_ query: FindQuery, by text: String, in files: [String]) {
    clearSearch()
    let shown = view
    for path in files { open(path: path) }
    if let shown, let index = views.firstIndex(where: { $0 === shown }) { show(viewAt: index) }
    var open = files.count
    for path in files {
      guard let view = views.first(where: { $0.path?.isSamePath(as: path) == true }) else { continue }
      whenReady(view) { [weak self] in
        self?.replaceAll(query, by: text, in: view)
        open -= 1
        if open == 0 { self?.tellOfReplacement(files.count) }
      }
    }
  }

  private func replaceAll(_ query: FindQuery, by text: String, in view: EditorView) {
    edit(view, .find(query))
    edit(view, .replace(text, preserveCase: false))
    edit(view, .plain(.replaceAll))
    edit(view, .find(FindQuery("", caseSensitive: false)))
    edit(view, .plain(.collapseSelections))
  }

  private func tellOfReplacement(_ count: Int) {
    show("Replaced in \(count) file\(count == 1 ? "" : "s"), not saved yet: \(keys(of: .saveAll)) saves all")
  }
}
