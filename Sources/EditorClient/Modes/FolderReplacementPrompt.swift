import EditorProtocol

/// Asks by what all that was found in files is replaced, then whether.
final class FolderReplacementPrompt: Prompt {
  private let results: SearchResults

  init(_ editor: Editor, _ results: SearchResults) {
    self.results = results
    super.init(editor, "Replace in files with", history: .replacement)
  }

  override func cancel() { editor.showResults() }

  override func accept(_ text: String) {
    let replacement = FolderReplacement(
      editor.files, editor.search, results.query, by: text, in: results.files)
    let start = { [editor] in
      editor.noteReplacement()
      replacement.start()
    }
    editor.ask(
      "Replace \"\(results.query.chars)\" by \"\(text)\" in \(count(replacement.paths.count, "file")) (\(results.report))?",
      choices: "y/n", answers: [Key(.character("y")): start, Key(.character("n")): cancel], cancel: cancel)
  }
}
