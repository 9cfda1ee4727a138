import EditorProtocol

/// A new core in the place of one that died.
extension Editor {
  /// Opens every view again; what the old core had not acknowledged is sent once more, once.
  package func coreWasReplaced() {
    core.handshake = nil
    gate.silence = 0
    core.loss = nil
    // The offers were the old core's.
    notices.offers = []
    clipboard.coreHasEnded()
    screen.styles.removeAll()
    views.edits.coreHasEnded()
    core.start()
    if let theme = themes.chosen { core.send(.setTheme(name: theme)) }
    show("The core ended unexpectedly; another one has taken over", isAlarm: true)
    for view in views.all {
      if view.file?.recoveryID == nil, !view.isPristine, !view.log.hasText {
        show("The core ended unexpectedly; changes of \(view.name) that it had taken are lost", isAlarm: true)
      }
      if view.progress?.task == .replace {
        alarm("\(view.name): nothing was replaced, as the core ended meanwhile")
      }
      view.mayBeReplacing = false
      view.withdrawPrediction()
      view.aim = .unknown
      view.id = nil
      view.state = .opening
      view.announcedLines = nil
      view.announcedSize = nil
      view.announcedOthers = []
      view.find = nil
      view.progress = nil
      view.plugins = []
      view.statusItems = []
      view.resentEnd = nil
      view.indentation.coreHasEnded()
      view.recovery = .waiting
      requestView(view, recoveryID: view.file?.recoveryID)
    }
  }

  /// The core is gone and was not replaced: nothing of what is typed is kept.
  package func coreIsGone(because reason: String) {
    core.loss = reason
    gate.silence = 0
    // The offers were the old core's.
    notices.offers = []
    views.all.forEach(views.edits.predictUnhandled)
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

  /// The buffers with text that was typed and is nowhere but here, or with a core that may never read it; at the end, that it has not
  /// written down.
  var unkeptViews: [EditorView] {
    views.all.filter { view in
      view === self.view && gate.holdsText
        || view.log.hasText && !view.isReadOnly && view.file?.isReadOnly != true
          && (core.loss != nil || gate.isSilent || view.recovery == .waiting
            || core.isLeaving && core.supports(.editCount))
    }
  }

  /// How many edits no core has written down.
  var unwrittenEditCount: Int { views.all.reduce(0) { $0 + $1.log.count } }

  /// How much is held, and how much no core has written down: what is less than before gets on. Held text makes more edits, when it goes.
  var unkeptAmount: (Int, Int) { (gate.heldEvents.count, unwrittenEditCount) }

  /// Whether some of what was typed is not known to survive the core.
  var mayLoseText: Bool { !unkeptViews.isEmpty || views.all.contains(where: views.hasUnkeptText) }

  /// Of ``unkeptViews``; nil when there are none.
  var unkeptNames: String? {
    let views = unkeptViews
    return views.first.map { views.count == 1 ? $0.name : "\($0.name) and \(views.count - 1) more" }
  }

  /// Leaves without a core. Views are not closed: what a core has of them in its journal is offered by the next one.
  func leaveWithoutCore() {
    let leave = { [unowned self] in
      let reason = core.loss == nil ? "the core did not answer" : "the core has ended"
      screen.want(.exit(code: 1, reason: "\(reason); what it had of unsaved text is kept for the next time"))
    }
    guard let names = unkeptNames else { return leave() }
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

  /// The view is open; its text is that of the file, or of the journal if there was one.
  func resume(_ view: EditorView, handledEdits: Int, hasSelection: Bool = false, savedEdits: Int? = nil) {
    guard let id = view.id, view.recovery == .waiting else { return }
    view.recovery = .none
    let save = view.unansweredSave.map { ($0, $0.isDone(in: view, handledEdits: handledEdits, savedEdits: savedEdits)) }
    view.unansweredSave = nil
    view.noteCarets()
    var known = view.keptCarets
    if hasSelection || handledEdits > view.log.firstNumber { known = nil }
    // The file may have what was kept: then only the steps are gone.
    let lacksSteps = view.log.hasKeptText && handledEdits < view.log.firstNumber
    let (again, lacksReplacement) = view.log.resume(at: handledEdits)
    view.forgetCarets()
    if view.wraps {
      core.send(.modifyUserConfig(.userOverride(id), changes: ["word_wrap": true]))
    }
    views.keepFinalNewline(of: view)
    if let changes = view.indentation.takeChanges() {
      core.send(.modifyUserConfig(.userOverride(id), changes: changes))
    }
    // Before all that means rows, or a page of them.
    views.announceViewport(of: view)
    // The core counts all of these in the order in which they are sent, and so does the log.
    if let known { views.select(known, in: view) }
    sendAgain(again, in: view, lacksSteps: lacksSteps)
    if lacksReplacement {
      alarm("\(view.name): nothing more was replaced, as the core that ended knew which matches to leave")
    }
    save.map { tell(of: $0, isDone: $1, in: view) }
    gate.advance()
    views.announceViewport()
  }

  /// The new core shows the file, which has changed. What was typed last belongs into the text that the journal has, and that has no
  /// file any more.
  /// - Returns: false when all is in the journal: it is offered.
  func leaveFile(of view: EditorView, from count: Int) -> Bool {
    guard let id = view.id, view.recovery == .waiting else { return false }
    view.log.acknowledge(handled: count, kept: count)
    guard view.log.hasText else { return false }
    core.send(.closeView(id))
    (view.id, view.state) = (nil, .opening)
    openWithoutFile(view)
    alarm("\(view.name) has changed on disk: your text goes on without the file; Alt-S saves it")
    return true
  }

  /// - Parameter lacksSteps: The core knows no undo steps of before these.
  private func sendAgain(_ again: [EditLog.Entry], in view: EditorView, lacksSteps: Bool) {
    guard let id = view.id else { return }
    let awaitedCut = view.awaitedCuts > 0
    view.awaitedCuts = 0
    // How many selections a new core will have to go back to.
    var selectionCount = 0
    var hasSteps = !lacksSteps
    for entry in again {
      switch entry {
      case .edit(var command):
        if command.leansOn == .earlierSelections { selectionCount -= 1 } else { selectionCount += 1 }
        if let problem = loss(command, hasSelections: selectionCount >= 0, hasSteps: hasSteps) {
          show("\(view.name): \(problem)", isAlarm: true)
          guard command.leansOn == .earlierSelections else { continue }
          // What is typed behind it would replace more than was selected.
          (command, selectionCount) = (.plain(.collapseSelections), 0)
        }
        if command.changesText { hasSteps = true }
        core.send(.edit(id, command))
        view.log.append(command)
        views.edits.note(command, in: view)
      case .cut(let isAnswered): clipboard.cut(view, isAnswered: isAnswered)
      case .copy: break
      }
    }
    // It was written down, and what it took out was told to nobody.
    if awaitedCut, view.awaitedCuts == 0 { clipboard.contents = .lost }
    view.resentEnd = again.isEmpty ? nil : view.log.nextNumber
    // The search has ended with the core.
    if again.contains(where: \.isQuery) { views.edit(view, .find(FindQuery("", caseSensitive: false))) }
  }

  /// Why an edit cannot be made again: it leans on what the core had which has ended, and nobody else.
  private func loss(_ command: EditCommand, hasSelections: Bool, hasSteps: Bool) -> String? {
    switch command.leansOn {
    // The search is told again.
    case nil, .search: nil
    case .killedText where views.edits.killed != .lost: nil
    case .killedText, .heldCopy: "a paste was not made again, as the core that ended held its text"
    case .recordings: "a recording went with the core that ended"
    case .earlierSelections where hasSelections: nil
    case .undoSteps where hasSteps: nil
    case .undoSteps: "what was undone is back, as the core that ended could not write down how"
    case .earlierSelections: "one caret is left; the core that ended knew the others"
    }
  }
}
