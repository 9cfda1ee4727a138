import EditorProtocol

/// Asks what to look for in all files.
final class FolderSearchPrompt: Prompt {
  init(_ editor: Editor, _ label: String, selected text: String?) {
    super.init(editor, label, history: .search)
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

  override var isGrowing: Bool { !results.isWhole }

  override func chooses(_ key: Key) -> Bool { key == .control("r") || super.chooses(key) }

  override var mostChoices: Int { max(editor.views.textRows * 2 / 3, 10) }

  override var note: String {
    results.isWhole && !results.lines.isEmpty ? "\(results.report), ^R replaces all" : results.report
  }

  override var refusal: String { results.lines.isEmpty ? results.report : "No such line was found" }

  override func handleOwnKey(_ key: Key) -> Bool {
    guard key == .control("r") else { return super.handleOwnKey(key) }
    replaceAll()
    return true
  }

  private func replaceAll() {
    guard results.isWhole else { return editor.notices.show("The search has not ended yet") }
    guard !results.lines.isEmpty else { return editor.notices.show("There is nothing to replace") }
    editor.mode = FolderReplacementPrompt(editor, results)
  }

  /// It comes up at the line that was gone to last, and keys go on from there; their order stays.
  override var choosesByPlace: Bool { true }

  override func accept(choice index: Int) { editor.go(toResult: index, of: results) }

  override func cancel() { results.end(in: editor.folder) }
}

extension Editor {
  /// - Parameter label: Of the prompt.
  func beginSearchInFiles(_ label: String) {
    guard core.supports(.folder) else { return notices.show("This core does not search in files", isAlarm: true) }
    gate.whenSettled { [weak self] in
      guard let self else { return }
      search.rememberOptions()
      mode = FolderSearchPrompt(self, label, selected: view.flatMap { SearchOrigin($0).selection?.text })
    }
  }

  func searchInFiles(_ query: FindQuery) {
    folder.results?.end(in: folder)
    let found = SearchResults(query)
    folder.results = found
    mode = ResultsPrompt(self, found)
    found.begin(in: folder)
  }

  func showResults() {
    guard let results = folder.results else {
      return notices.show("Nothing was searched in files; \(keys.label(of: .searchFiles)) does")
    }
    mode = ResultsPrompt(self, results)
  }

  func goToResult(_ distance: Int) {
    guard let results = folder.results, !results.lines.isEmpty else { return showResults() }
    let index = results.selected.map { $0 + distance } ?? 0
    guard results.lines.indices.contains(index) else {
      return notices.refuse(distance > 0 ? "That was the last result" : "That was the first result")
    }
    go(toResult: index, of: results)
  }

  func go(toResult index: Int, of results: SearchResults) {
    results.selected = index
    let line = results.lines[index]
    files.visit(path: line.path, at: FilePosition(line: line.line + 1, column: line.character + 1), mustExist: true)
    notices.show("\(index + 1) of \(results.lines.count); \(keys.label(of: .searchResults)) lists them")
  }
}
