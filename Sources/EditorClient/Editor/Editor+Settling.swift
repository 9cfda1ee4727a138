import EditorProtocol

/// What must not be decided on old news waits until the core has caught up; so does what is typed meanwhile.
extension Editor {
  /// Runs `body` when every edit has been answered and every save has ended: at once, as a rule.
  ///
  /// A `y` typed right after Ctrl-Q is an answer, not text: input is held until then.
  func whenSettled(_ body: @escaping () -> Void) {
    let waiting = views.filter { $0.log.hasChanges && $0.id != nil && $0.recovery == .none }
    let saving = views.contains { $0.isSaving }
    guard !waiting.isEmpty || saving else { return body() }
    afterSettling.append(body)
    for view in waiting {
      guard let id = view.id else { continue }
      // The answer to a request comes after all updates before it (messages are handled in the order sent).
      hold()
      channel.send(.getConfig(id)) { [weak self] _ in self?.release() }
    }
    // A running save releases the hold when it ends.
    if saving { hold() }
  }

  /// Runs `body` when the core has the view: at once, as a rule. Input is held until then.
  func whenReady(_ view: EditorView, _ body: @escaping () -> Void) {
    if view.isReady { return body() }
    hold()
    view.whenReady.append { [weak self] isReady in
      if isReady { body() }
      self?.release()
    }
  }

  func becameReady(_ view: EditorView, _ isReady: Bool = true) {
    let actions = view.whenReady
    view.whenReady = []
    for action in actions { action(isReady) }
  }

  /// Holds input until the matching ``release()``.
  func hold() { holds += 1 }

  /// Esc takes back what was typed since, and ends the wait if it is for a file to be loaded.
  func hold(_ event: InputEvent) {
    let loading = views.filter(\.isLoading)
    guard case .key(let key) = event, key.code == .escape, !loading.isEmpty else { return heldEvents.append(event) }
    heldEvents = []
    for view in loading { stopWaiting(in: view) }
  }

  func release() {
    holds = max(holds - 1, 0)
    guard holds == 0 else { return }
    needsDisplay = true
    let actions = afterSettling
    afterSettling = []
    for action in actions { action() }
    let events = heldEvents
    heldEvents = []
    for event in events { handle(event) }
  }

  /// A save has ended, whether well or not.
  func saveEnded(_ view: EditorView) {
    view.isSaving = false
    if !afterSettling.isEmpty, !views.contains(where: \.isSaving) { release() }
  }
}
