import EditorProtocol

/// Closing one view, or all; what was not saved is asked about.
extension Editor {
  func closeCurrentView() {
    guard let view else { return }
    gate.whenSettled { [weak self] in
      let close = { [weak self] in self?.close(view) ?? () }
      self?.confirmLoss(of: view, saved: { _ in close() }, dropped: close)
    }
  }

  private func close(_ view: EditorView) {
    if views.all.count == 1, staysForText(in: view) { return }
    files.noteClosed(view)
    views.drop(view)
    if views.all.isEmpty { finish() }
  }

  /// Whether text has been typed behind what would end the editor: it goes into the view that is still there.
  private func staysForText(in view: EditorView) -> Bool {
    guard gate.holdsText else { return false }
    tellThatItStays("\(view.name) stays open: something was typed behind its end")
    return true
  }

  /// Behind what was typed ahead, which would hide it.
  private func tellThatItStays(_ text: String) {
    notices.wait(Message(text: text, isAlarm: true))
    if gate.heldEvents.isEmpty { notices.showNext() }
  }

  /// Goes on when the text is saved, or may be lost. What is typed while a save runs is for what comes up then.
  ///
  /// - Parameter saved: Told whether the user has done nothing else since.
  private func confirmLoss(
    of view: EditorView, isQuitting: Bool = false, saved: @escaping (Bool) -> Void, dropped: @escaping () -> Void
  ) {
    guard !views.isClean(view) else { return saved(true) }
    let hasSaved = { [unowned self] isAlone in
      gate.whenSettled(.isHeld) { [unowned self] in
        guard views.isClean(view) else {
          return tellThatItStays("\(view.name) was saved, and changed since: it stays open")
        }
        saved(isAlone)
      }
    }
    ask(
      "Save \(view.name) before \(isQuitting ? "quitting" : "closing")?",
      choices: "Enter saves, \(keys.droppingKey.label) drops it, Esc stays",
      answers: [Key(.enter): { [unowned self] in save(view, then: hasSaved) }, keys.droppingKey: dropped],
      isOfQuitting: isQuitting, cancel: {})
  }

  func quit() {
    guard core.loss == nil else { return leaveWithoutCore() }
    gate.whenSettled { [weak self] in self?.askForNextView(skipping: []) }
  }

  /// A command that runs is ended before, and the user told: it may have been what was waited for.
  func leaveDuringWait() {
    guard core.loss == nil, gate.runsCommand else { return leaveWithoutCore() }
    let command = views.all.lazy.compactMap(\.shellCommand).first ?? "The macro"
    gate.endCommands()
    ask(
      "Quit? \(command) was ended", choices: "Enter quits, Esc stays",
      answers: [Key(.enter): { [unowned self] in quit() }], cancel: {})
  }

  /// Asks for one modified view after another, then ends.
  ///
  /// - Parameter isAlone: Whether the user has done nothing since the answer before: what is being typed must not answer the next question.
  private func askForNextView(skipping dropped: Set<ObjectIdentifier>, isAlone: Bool = true) {
    if !isAlone, let unsaved = views.all.first(where: { !views.isClean($0) }) {
      return notices.show("\(unsaved.name) is not saved: nothing was closed", isAlarm: true)
    }
    guard let view = views.all.first(where: { !views.isClean($0) && !dropped.contains(ObjectIdentifier($0)) }) else {
      return views.current.map(staysForText) == true ? () : finish()
    }
    views.show(view)
    confirmLoss(of: view, isQuitting: true) { [weak self] isAlone in
      self?.askForNextView(skipping: dropped, isAlone: isAlone)
    } dropped: { [weak self] in
      self?.askForNextView(skipping: dropped.union([ObjectIdentifier(view)]))
    }
  }

  /// Closes what is open: the core removes the journals of closed views, and keeps those of a front end that vanished.
  private func finish() {
    files.rememberRun()
    views.dropAll()
    screen.want(.exit(code: 0))
  }
}
