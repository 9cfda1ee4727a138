import EditorProtocol

/// Asks what is to be replaced, then by what, then match by match.
final class ReplacePrompt: FindPrompt {
  init(_ editor: Editor, from origin: SearchOrigin) { super.init(editor, "Replace", from: origin) }

  override func accept(_ text: String) {
    if text.isEmpty { return cancel() }
    editor.search.query = text
    editor.mode = ReplacementPrompt(editor, from: origin)
  }
}

final class ReplacementPrompt: Prompt {
  private let origin: SearchOrigin

  init(_ editor: Editor, from origin: SearchOrigin) {
    self.origin = origin
    super.init(editor, "Replace with", history: .replacement)
  }

  override var takesLines: Bool { true }

  override func cancel() { editor.search.cancel(from: origin) }

  override func accept(_ text: String) {
    // Another core may have taken over since the search was typed.
    if !editor.search.isVisible { editor.search.markMatches() }
    editor.views.edit(.replace(text, preserveCase: false))
    editor.search.goBack(to: origin)
    editor.views.edit(.findNext(FindMotion(wrapAround: true, allowSame: true)))
    editor.search.isReplacing = editor.core.loss == nil
    Replacing(editor: editor, replacement: text).askWhenSettled()
  }
}

/// The questions, one for each match.
private struct Replacing {
  unowned let editor: Editor
  let replacement: String

  /// Asks about the match that is selected; without one the caret is not a place to put anything.
  func askWhenSettled() {
    let stop = { end() }
    let goOn = {
      if editor.view?.find?.matches == 0 { end(message: "No match is left to replace") } else { ask() }
    }
    let awaitMatch = { editor.search.awaitMatch(.isAnswer, then: goOn, givenUp: stop) }
    editor.gate.whenSettled(.isAnswer, awaitMatch, givenUp: stop)
  }

  private func ask() {
    let stop = { end() }
    let letter = { Key(.character($0)) }
    guard editor.search.isReplacing else { return }
    editor.ask(
      "Replace by \"\(replacement.withVisibleLineEnds)\"?", choices: "Enter this one, n next, a all, Esc ends",
      answers: [
        Key(.enter): replaceOne, letter("y"): replaceOne, letter("n"): skip, letter("a"): replaceAll, letter("q"): stop,
      ],
      cancel: stop)
  }

  private func replaceOne() {
    // A search that takes its time has not come to a match yet.
    guard let match = editor.view?.selections.last, !match.isEmpty else { return askWhenSettled() }
    refuseMatch()
    // The core replaces what it finds from a caret.
    editor.views.edit(.gesture(match.lowerBound, .select(.point, multi: false)))
    editor.noteReplacement()
    editor.views.edit(.plain(.replaceNext))
    editor.views.edit(.findNext(FindMotion(wrapAround: true)))
    askWhenSettled()
  }

  private func skip() {
    refuseMatch()
    editor.views.edit(.findNext(FindMotion(wrapAround: true)))
    askWhenSettled()
  }

  private func replaceAll() {
    guard let view = editor.view else { return end() }
    editor.noteReplacement()
    editor.views.edit(.plain(.replaceAll))
    // It waits for the text to be loaded, or to be searched.
    let isBegun = view.progress != nil
    end(message: isBegun ? Views.replacingAll : "Replaced all")
    guard isBegun, let id = view.id else { return }
    editor.core.request(.getConfig(id)) { [weak editor] _ in
      if editor?.notices.message?.text == Views.replacingAll { editor?.notices.show("Replaced all") }
    }
  }

  /// *All* means those that were not decided yet: neither what was refused, nor what was put in.
  private func refuseMatch() {
    if editor.core.supports(.refuseMatch) { editor.views.edit(.plain(.refuseMatch)) }
  }

  private func end(message: String? = nil) {
    editor.search.isReplacing = false
    editor.search.clear()
    editor.views.edit(.plain(.collapseSelections))
    if let message { editor.notices.show(message) }
  }
}

extension Editor {
  /// It is about matches, of which none may be where the caret is then.
  func noteReplacement() {
    let replace = keys.label(of: .replace)
    macros.noteLastEdit(unrepeatable: "The last change was a replacement: \(replace) makes another")
  }

  /// The search has ended with its core, and the question about its matches with that. What is typed as an answer is no text, and the
  /// match that is selected is not typed over.
  func endReplacing() {
    guard search.isReplacing else { return }
    search.isReplacing = false
    let goOn = { [unowned self] in views.edit(.plain(.collapseSelections)) }
    mode = Question(
      self, "Nothing more was replaced: the search ended with its core", choices: "Enter goes on",
      answers: [Key(.enter): goOn], cancel: goOn)
  }
}
