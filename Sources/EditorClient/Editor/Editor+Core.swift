import EditorProtocol
import JSON
import TextMetrics

/// What the core says.
extension Editor {
  package func handle(_ notification: CoreNotification) {
    screen.needsDisplay = true
    switch notification {
    case .update(let id, let update): views.update(id, with: update)
    case .scrollTo(let id, let place): views.scroll(id, to: place)
    case .defineStyle(let definition): screen.styles.define(definition)
    // A foreign core has a theme whether the user wants one or not.
    case .themeChanged(_, let theme): screen.use(core.handshake == nil ? Theme() : Theme(theme))
    case .configChanged(let id, let changes): views.configure(id, by: changes)
    case .findStatus(let id, let queries):
      views[id]?.find = queries.first
      if views[id] === view { searchIsAt(queries.first) }
    case .alert(let text): notices.alarm(text)
    case .handshake(let handshake):
      core.handshake = handshake
      if handshake.unicode != CellMetrics.unicodeVersion {
        let versions = "Unicode \(handshake.unicode), this side by \(CellMetrics.unicodeVersion)"
        notices.show("The core measures text by \(versions)")
      }
    case .keySettings(let settings): keys.use(settings)
    case .fileInformation(let id, let file): views[id].map { learn(file, about: $0) }
    case .progress(let id, let progress): views[id].map { views.follow(progress, in: $0) }
    case .recoveryFound(let offer): offerRecovery(offer)
    case .fileChanged(let id, let isReloaded): views[id].map { fileChanged($0, isReloaded: isReloaded) }
    case .recovered(let id, let count, let hasSelection, let isLeft, let savedEdits):
      guard let view = views[id] else { break }
      if isLeft, files.leaveFile(of: view, from: count) { break }
      view.isLeft = isLeft
      files.resume(view, handledEdits: count, hasSelection: hasSelection, savedEdits: savedEdits)
    case .availablePlugins, .pluginStarted, .pluginStopped, .updateCommands, .addStatusItem, .updateStatusItem,
      .removeStatusItem:
      views.handlePlugin(notification)
    case .showHover(let id, let requestID, let text): if mode == nil { hover.show(text, requestID, in: id) }
    case .availableThemes(let names): screen.themes.names = names
    case .availableLanguages, .languageChanged, .replaceStatus: break
    }
  }

  private func searchIsAt(_ find: FindStatus?) {
    let isNews = find?.problem != search.problem
    search.problem = find?.problem
    // A prompt shows it beside the query.
    if let problem = search.problem, isNews, !(mode is FindPrompt) { notices.alarm(problem) }
    if let find, mode == nil { search.tellPlace(find) }
  }

  /// The answer to a request of the core's, or why there is none.
  package func answer(_ request: CoreRequest) -> JSONValue {
    switch request {
    case .measureWidth(let items):
      let metrics = view?.metrics ?? CellMetrics(tabSize: 4)
      return .array(
        items.map { item in .array(item.strings.map { .number(Double(metrics.width(of: $0))) }) })
    }
  }

  private func learn(_ file: FileInformation, about view: EditorView) {
    let wasGone = view.file?.isGone == true
    views.learn(file, about: view)
    guard file.isGone, !wasGone else { return }
    view.fileHasChanged = false
    if !notices.hasOffer(.save(view.path ?? "")) {
      notices.show("\(view.name) is gone from disk: \(keys.label(of: .save)) writes it anew", isAlarm: true)
    }
  }

  /// No question: a letter that is being typed must not answer it.
  private func fileChanged(_ view: EditorView, isReloaded: Bool) {
    view.fileHasChanged = !isReloaded
    if isReloaded {
      view.hasOtherText = true
      // What it asked about is no more.
      if let path = view.path { notices.withdrawOffer(.save(path)) }
      notices.show("\(view.name) has changed on disk and was loaded again")
    } else if !notices.hasOffer(.save(view.path ?? "")) {
      let (reload, undo, compare) = (keys.label(of: .reload), keys.label(of: .undo), keys.label(of: .compareDisk))
      notices.show(
        "\(view.name) has changed on disk: \(reload) loads it (\(undo) undoes), \(compare) compares",
        isAlarm: true)
    }
  }

  func offerRecovery(_ found: RecoveryOffer) {
    guard let view = views[found.view] else { return }
    // The text has gone from the screen: nothing that is told may hide where it is.
    let isUrgent = view.isLeft
    view.isLeft = false
    let text =
      if isUrgent {
        "The core ended; your text of \(view.name)"
      } else if found.isInterruptedSave {
        "An earlier save of \(view.name) was cut short"
      } else if found.baseChanged {
        "Unsaved text of \(view.name), which has changed"
      } else {
        "Unsaved text of \(view.name) from a crash"
      }
    let restore = Offer.Choice(key: .control("r"), label: found.baseChanged ? "opens it beside" : "restores it") {
      [weak self] in
      // What is typed behind the key is text.
      self?.gate.whenSettled(.isHeld, { self?.restore(found, in: view) }, givenUp: { self?.offerRecovery(found) })
    }
    let discard = Offer.Choice(key: .control("x"), label: "deletes it") { [unowned self] in
      mode = WordPrompt(self, "delete", "delete the unsaved text") { [unowned self] in
        core.send(.recover(found.view, recoveryID: found.recoveryID, .discard))
        notices.show("The unsaved text was deleted")
      } refused: { [unowned self] in
        offerRecovery(found)
      }
    }
    let later = Offer.Choice(key: Key(.escape), label: "later") { [weak self] in
      self?.core.send(.recover(found.view, recoveryID: found.recoveryID, .later))
    }
    notices.offer(
      Offer(
        subject: .recovery(found.view, found.recoveryID), text: text, choices: [restore, discard, later]),
      isUrgent: isUrgent)
  }

  /// What was typed meanwhile stays, be it saved or taken back: a core restores nothing in its place, so the other text comes beside.
  private func restore(_ found: RecoveryOffer, in view: EditorView) {
    if found.baseChanged || !view.isAsOpened && !found.isInterruptedSave {
      files.open(EditorView(path: nil), recoveryID: found.recoveryID)
    } else {
      core.send(.recover(found.view, recoveryID: found.recoveryID, .restore))
    }
  }
}
