import EditorProtocol

/// A new core in the place of one that died.
extension Editor {
  package func coreWasReplaced() {
    core.handshake = nil
    gate.silence = CoreSilence()
    core.loss = nil
    // The offers were the old core's.
    notices.offers = []
    clipboard.coreHasEnded()
    screen.styles.removeAll()
    views.edits.coreHasEnded()
    endReplacing()
    if mode?.givesWay == true { mode = nil }
    core.start()
    if let theme = screen.themes.chosen { core.send(.setTheme(name: theme)) }
    notices.show("The core ended unexpectedly; another one has taken over", isAlarm: true)
    files.reopenAll()
  }

  /// The core is gone and was not replaced: nothing of what is typed is kept.
  package func coreIsGone(because reason: String) {
    core.loss = reason
    gate.silence = CoreSilence()
    // The offers were the old core's.
    notices.offers = []
    endReplacing()
    if mode?.givesWay == true { mode = nil }
    views.all.forEach(views.edits.predictUnhandled)
    gate.endWaits()
    // Before there is an offer, which a key among them would answer.
    keepHeldEdits()
    offerRestart(because: reason)
  }

  /// What was held as a core was being started, up to the first that is no edit.
  private func keepHeldEdits() {
    let held = gate.takeAll()
    let edits = held.prefix { $0.isEdit(keys.map) }
    if mode == nil { edits.forEach(handle) }
    for event in mode == nil ? held[edits.endIndex...] : held { gate.hold(event) }
  }

  /// The core has been silent for too long, or is gone.
  func offerRestart(because reason: String) {
    notices.withdrawOffer(.restart)
    notices.hide()
    let restart = Offer.Choice(key: Offer.restartKey, label: "restarts it") { [weak self] in
      self?.screen.want(.restartCore)
    }
    let quit = Offer.Choice(key: .control("q"), label: "quits") { [weak self] in self?.leaveWithoutCore() }
    let wait = Offer.Choice(key: Key(.escape), label: "waits") {}
    // What was sent again may be what ends each core. Nobody knows, so the user decides.
    let wasResent = views.all.contains { $0.resentEnd != nil }
    let drop = Offer.Choice(key: .control("x"), label: "drops what was typed last") { [weak self] in
      self?.askToDropResent(because: reason)
    }
    let choices = core.loss == nil ? [restart, quit, wait] : wasResent ? [restart, drop, quit] : [restart, quit]
    // Without a core no other can be answered.
    notices.offer(Offer(subject: .restart, text: reason, choices: choices), isUrgent: true)
  }

  /// What was typed since has ended no core, and stays.
  private func askToDropResent(because reason: String) {
    mode = WordPrompt(self, "drop", "drop what was typed before the core ended") { [unowned self] in
      for view in views.all {
        if let end = view.resentEnd { view.log.acknowledge(handled: end, kept: end) }
        view.resentEnd = nil
      }
      screen.want(.restartCore)
    } refused: { [unowned self] in
      offerRestart(because: reason)
    }
  }

  /// Leaves without a core. Views are not closed: what a core has of them in its journal is offered by the next one.
  func leaveWithoutCore() {
    let leave = { [unowned self] in
      let reason = core.loss == nil ? "the core did not answer" : "the core has ended"
      screen.want(.exit(code: 1, reason: "\(reason); what it had of unsaved text is kept for the next time"))
    }
    guard let names = files.unkeptNames else { return leave() }
    // It asks for nothing of that, so that it can be asked about.
    guard let loss = core.loss else { return screen.want(.giveUpCore) }
    let drop = { [unowned self] in
      for view in views.all { view.log.removeAll() }
      gate.dropInput()
      leave()
    }
    ask(
      "What you typed in \(names) is kept nowhere. Try to keep it?",
      choices: "Enter tries, \(keys.droppingKey.label) drops it, Esc stays",
      answers: [Key(.enter): leave, keys.droppingKey: drop], cancel: { [unowned self] in offerRestart(because: loss) })
  }
}
