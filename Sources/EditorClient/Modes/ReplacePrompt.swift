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

  override func cancel() { editor.search.cancel(from: origin) }

  override func accept(_ text: String) {
    // Another core may have taken over since the search was typed.
    if !editor.search.isVisible { editor.search.markMatches() }
    editor.views.edit(.replace(text, preserveCase: false))
    editor.search.goBack(to: origin)
    editor.views.edit(.findNext(FindMotion(wrapAround: true, allowSame: true)))
    Replacing(editor: editor, replacement: text).askWhenSettled()
  }
}

/// The questions, one for each match.
private struct Replacing {
  unowned let editor: Editor
  let replacement: String

  /// Asks about the match that is selected; without one the caret is not a place to put anything.
  func askWhenSettled() {
    editor.gate.whenSettled {
      editor.search.awaitMatch(.isAnswer) {
        if editor.view?.find?.matches == 0 { end(message: "No match is left to replace") } else { ask() }
      } givenUp: {
        end()
      }
    }
  }

  private func ask() {
    let stop = { end() }
    let letter = { Key(.character($0)) }
    guard editor.search.isVisible else { return tellOfEndedSearch() }
    editor.ask(
      "Replace by \"\(replacement)\"?", choices: "Enter this one, n next, a all, Esc ends",
      answers: [
        Key(.enter): unlessEnded(replaceOne), letter("y"): unlessEnded(replaceOne), letter("n"): unlessEnded(skip),
        letter("a"): unlessEnded(replaceAll), letter("q"): stop,
      ],
      cancel: stop)
  }

  /// The question may outlive its core, and the search ends with that.
  private func unlessEnded(_ answer: @escaping () -> Void) -> () -> Void {
    { if editor.search.isVisible { answer() } else { tellOfEndedSearch() } }
  }

  private func tellOfEndedSearch() {
    editor.notices.show("Nothing more was replaced: the search ended with its core; ^R begins again", isAlarm: true)
  }

  private func replaceOne() {
    // A search that takes its time has not come to a match yet.
    guard let match = editor.view?.selections.last, !match.isEmpty else { return askWhenSettled() }
    refuseMatch()
    // The core replaces what it finds from a caret.
    editor.views.edit(.gesture(match.lowerBound, .select(.point, multi: false)))
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
    editor.search.clear()
    editor.views.edit(.plain(.collapseSelections))
    if let message { editor.notices.show(message) }
  }
}
