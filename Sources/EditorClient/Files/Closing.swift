import EditorProtocol

/// Closing one view, or all; what was not saved is asked about.
extension Editor {
  func closeCurrentView() {
    guard let view else { return }
    whenSettled { [weak self] in
      self?.confirmLoss(of: view, action: "closing") { self?.close(view) }
    }
  }

  private func close(_ view: EditorView) {
    if let id = view.id { channel.send(.closeView(id)) }
    remove(view)
    if views.isEmpty { finish() }
  }

  /// Runs `proceed` when the text is saved, or may be lost.
  private func confirmLoss(of view: EditorView, action: String, proceed: @escaping () -> Void) {
    guard !view.isPristine else { return proceed() }
    let saveFirst = { [unowned self] in
      if let path = view.path {
        Save(editor: self, view: view, path: path, policy: .ifUnchanged, finish: proceed).start()
      } else {
        mode = SavePrompt(self, then: proceed)
      }
    }
    ask(
      "Save \(view.name) before \(action)?", choices: "y/n, Esc goes back", answers: ["y": saveFirst, "n": proceed],
      cancel: {})
  }

  func quit() {
    guard coreLoss == nil else { return leaveWithoutCore() }
    whenSettled { [weak self] in self?.askForNextView(skipping: []) }
  }

  /// Asks for one modified view after another, then ends.
  private func askForNextView(skipping decided: Set<ObjectIdentifier>) {
    guard let index = views.firstIndex(where: { !$0.isPristine && !decided.contains(ObjectIdentifier($0)) }) else {
      return finish()
    }
    currentIndex = index
    announceViewport()
    let view = views[index]
    confirmLoss(of: view, action: "quitting") { [weak self] in
      self?.askForNextView(skipping: decided.union([ObjectIdentifier(view)]))
    }
  }

  /// Closes what is open: the core removes the journals of closed views, and keeps those of a front end that vanished.
  private func finish() {
    for view in views {
      if let id = view.id { channel.send(.closeView(id)) }
    }
    views = []
    effects.append(.exit(code: 0))
  }
}
