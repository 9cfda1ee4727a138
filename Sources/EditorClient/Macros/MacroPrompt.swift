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
    case .paste(let text): paste(text)
    case .command, .text:
      if mode?.givesWay == true { mode = nil }
      guard mode == nil else { return notices.refuse("Something is asked for that was not when it was recorded") }
      if case .command(let command) = step { perform(command) }
      if case .text(let text) = step { type(text) }
    }
    screen.needsDisplay = true
  }
}
