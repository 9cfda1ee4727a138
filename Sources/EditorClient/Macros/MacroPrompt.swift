/// Asks how often the macro is to be played.
final class MacroPrompt: Prompt {
  init(_ editor: Editor) { super.init(editor, "Play the macro how many times", history: .argument("macro")) }

  override func accept(_ text: String) {
    guard !text.isEmpty else { return }
    guard let times = Int(text.filter { !$0.isWhitespace }), (1...Macros.mostPlayedSteps).contains(times) else {
      return editor.notices.refuse("\(text) is no number from 1 to \(Macros.mostPlayedSteps)")
    }
    editor.playMacro(times: times)
  }
}

extension Editor: Macros.Player {
  func playMacro(times: Int) { macros.play(times: times, hint: keys.label(of: .recordMacro)) }

  func play(_ step: MacroStep) {
    gate.inputCount += 1
    clearMessage()
    switch step {
    case .key(let key):
      guard let mode else { return notices.refuse("Nothing asks for \(key.label)") }
      mode.handle(key)
    case .choice(let title):
      guard let list = mode as? ChoicePrompt else { return notices.refuse("No list has \(title)") }
      list.take(title)
    case .filled(let text):
      guard let prompt = mode as? Prompt else { return notices.refuse("Nothing asks for \(text)") }
      prompt.fill(text)
    case .searchOptions(let names):
      guard mode is FindPrompt || mode is FolderSearchPrompt else { return notices.refuse("Nothing asks what to find") }
      search.use(Search.Options(names))
      (mode as? Prompt)?.changed()
    case .paste(let text): paste(text)
    case .command, .text, .completion, .shell:
      if mode?.givesWay == true { mode = nil }
      guard mode == nil else { return notices.refuse("Something is asked for that was not when it was recorded") }
      playForText(step)
    }
    screen.needsDisplay = true
  }

  private func playForText(_ step: MacroStep) {
    switch step {
    case .command(.action(.completeWord)):
      notices.refuse("The list of words may have another order now: a macro has the word instead; record it again")
    case .command(let command): perform(command)
    case .text(let text): type(text)
    case .completion(let typed, let word):
      guard core.supports(.wordCompletion) else { return notices.refuse("This core completes no words") }
      views.edit(.completeWord(typed: typed, word: word))
    case .shell(let use, let command): runInShell(command, use)
    case .key, .paste, .choice, .filled, .searchOptions: break
    }
  }
}
