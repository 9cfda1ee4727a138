import EditorProtocol

/// What was typed outlives the core it was typed to.
extension Files {
  /// Opens every view again in a new core; what the old one had not acknowledged is sent once more, once.
  func reopenAll() {
    for view in views.all {
      if view.file?.recoveryID == nil, !view.isPristine, !view.log.hasText {
        notices.show("The core ended unexpectedly; changes of \(view.name) that it had taken are lost", isAlarm: true)
      }
      if view.progress?.task == .replace {
        notices.alarm("\(view.name): nothing was replaced, as the core ended meanwhile")
      }
      if let command = view.shellCommand {
        let words = "\(view.name): the core ended while \(command) ran; run it again if what it wrote is missing"
        gate.whenNothingIsHeld { [notices] in notices.alarm(words) }
      }
      view.shellCommand = nil
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
      notices.alarm("\(view.name): nothing more was replaced, as the core that ended knew which matches to leave")
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
    notices.alarm("\(view.name) has changed on disk: your text goes on without the file; Alt-S saves it")
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
          notices.show("\(view.name): \(problem)", isAlarm: true)
          guard command.leansOn == .earlierSelections else { continue }
          // What is typed behind it would replace more than was selected.
          (command, selectionCount) = (.plain(.collapseSelections), 0)
        }
        if command.changesText { hasSteps = true }
        if case .insertBytes(let bytes) = command, !core.supports(.bytes) {
          command = insertAsText(bytes, into: view)
        }
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
    case .bookmarks: "the bookmarks went with the core that ended"
    case .earlierSelections: "one caret is left; the core that ended knew the others"
    }
  }

  private func tell(of save: UnansweredSave, isDone: Bool?, in view: EditorView) {
    // Under another name it is made once more; where the core had got as far, that file is there, and it is asked about.
    if view.wantedPath == save.path { return Save(files: self, view: view, path: save.path).start() }
    let name = save.path.pathName
    switch isDone {
    case true?:
      view.fileHasChanged = false
      notices.withdrawOffer(.save(save.path))
      notices.show("Saved \(name), just before the core ended; another one has taken over")
    case false?: notices.show("Not saved: the core ended before it had written \(name)", isAlarm: true)
    case nil: notices.show("The core ended as it saved \(name): nobody knows whether it was written", isAlarm: true)
    }
  }

  // MARK: What is kept nowhere yet

  /// The buffers with text that was typed and is nowhere but here, or with a core that may never read it; at the end, that it has not
  /// written down.
  var unkeptViews: [EditorView] {
    views.all.filter { view in
      view === views.current && gate.holdsText
        || view.log.hasText && !view.isReadOnly && view.file?.isReadOnly != true
          && (core.loss != nil || gate.silence.isNoticed || view.recovery == .waiting
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
}
