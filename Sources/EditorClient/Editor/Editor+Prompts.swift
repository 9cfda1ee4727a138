import EditorProtocol

/// The line at the bottom in which one types.
extension Editor {
  func openPrompt(
    _ kind: Prompt.Kind, text: String = "", accept: ((String) -> Void)? = nil, cancel: (() -> Void)? = nil
  ) {
    var prompt = Prompt(kind, text: text)
    (prompt.accept, prompt.cancel) = (accept, cancel)
    mode = .prompt(prompt)
    needsDisplay = true
  }

  func handle(_ key: Key, in prompt: Prompt) {
    var prompt = prompt
    switch (key.code, key.modifiers) {
    case (.escape, _), (.character("c"), .control): return cancel(prompt)
    case (.enter, _): return accept(prompt)
    case (.up, []) where prompt.choices != nil: prompt.choices?.move(by: -1)
    case (.down, []) where prompt.choices != nil: prompt.choices?.move(by: 1)
    case (.up, []), (.down, []): recall(key.code == .up ? 1 : -1, in: &prompt)
    case (.function(3), let modifiers) where prompt.kind == .find || prompt.kind == .replace:
      return findAgain(backward: modifiers == .shift)
    case (.tab, []) where prompt.kind == .open || prompt.kind == .saveAs:
      completePath(in: &prompt)
    case (.character(let letter), .alt) where prompt.kind == .find || prompt.kind == .replace:
      guard toggleSearchOption(letter) else { return }
    default:
      guard prompt.field.handle(key) else { return }
      prompt.historyIndex = nil
      prompt.choices?.narrow(to: prompt.field.string)
    }
    mode = .prompt(prompt)
    promptChanged(prompt)
  }

  func promptChanged(_ prompt: Prompt) {
    switch prompt.kind {
    case .find, .replace: searchIncrementally(prompt.field.string)
    default: break
    }
  }

  private func cancel(_ prompt: Prompt) {
    mode = .editing
    isQuitting = false
    if let cancel = prompt.cancel { return cancel() }
    switch prompt.kind {
    case .find, .replace, .replacement: cancelSearch()
    case .command, .encoding, .argument: plugins.endPalette()
    case .goto, .open, .saveAs, .discard: break
    }
  }

  private func accept(_ prompt: Prompt) {
    mode = .editing
    let text = prompt.field.string
    switch prompt.kind {
    case .find: acceptSearch(text)
    case .replace: acceptReplace(text)
    case .replacement: beginReplacing(with: text)
    case .goto: acceptGoto(text)
    case .open: if !text.isEmpty { open(path: text.expandingHome) }
    case .saveAs, .discard: prompt.accept?(text)
    case .command, .encoding: acceptCommand(prompt)
    case .argument: acceptArgument(prompt)
    }
    remember(text, for: prompt.kind)
  }

  private func acceptReplace(_ text: String) {
    if text.isEmpty { return cancelSearch() }
    search.query = text
    openPrompt(.replacement)
  }

  private func acceptGoto(_ text: String) {
    guard let view, !text.isEmpty else { return }
    guard let position = FilePosition(text.filter { !$0.isWhitespace }) else {
      return show("\(text) is no line number")
    }
    goto(position, in: view)
  }

  // MARK: History and toggles

  private func remember(_ text: String, for kind: Prompt.Kind) {
    guard !text.isEmpty, kind != .discard else { return }
    var history = histories[kind.history] ?? []
    history.removeAll { $0 == text }
    history.insert(text, at: 0)
    histories[kind.history] = Array(history.prefix(100))
  }

  private func recall(_ distance: Int, in prompt: inout Prompt) {
    let history = histories[prompt.kind.history] ?? []
    let index = (prompt.historyIndex ?? -1) + distance
    guard index >= -1, index < history.count else { return }
    if prompt.historyIndex == nil { prompt.draft = prompt.field }
    prompt.historyIndex = index < 0 ? nil : index
    prompt.field = index < 0 ? prompt.draft : TextField(history[index])
  }

  private func toggleSearchOption(_ letter: Character) -> Bool {
    switch letter {
    case "c": search.options.caseSensitive.toggle()
    case "w": search.options.wholeWords.toggle()
    case "r": search.options.regex.toggle()
    default: return false
    }
    return true
  }
}

extension TextField {
  /// - Returns: false for a key that means nothing here.
  fileprivate mutating func handle(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.backspace, []), (.backspace, .shift): deleteBackward()
    case (.delete, []): deleteForward()
    case (.backspace, _), (.character("w"), .control), (.character("h"), .control): deleteWordBackward()
    case (.character("u"), .control): deleteToStart()
    case (.left, []): move(by: -1)
    case (.right, []): move(by: 1)
    case (.left, .control): moveWordLeft()
    case (.right, .control): moveWordRight()
    case (.home, _), (.character("a"), .control): moveToStart()
    case (.end, _), (.character("e"), .control): moveToEnd()
    default:
      guard let text = key.text else { return false }
      insert(text)
    }
    return true
  }
}
