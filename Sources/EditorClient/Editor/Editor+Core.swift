import EditorProtocol
import JSON
import JSONRPC
import TextMetrics

/// What the core says.
extension Editor {
  package func handle(_ notification: CoreNotification) {
    screen.needsDisplay = true
    switch notification {
    case .update(let id, let update): reconcile(id) { apply(update, to: $0) }
    case .scrollTo(let id, let place): reconcile(id) { scroll($0, to: place) }
    case .defineStyle(let definition): screen.styles.define(definition)
    // A foreign core has a theme whether the user wants one or not.
    case .themeChanged(_, let theme): screen.use(core.handshake == nil ? Theme() : Theme(theme))
    case .configChanged(let id, let changes): reconcile(id) { configure($0, changes) }
    case .findStatus(let id, let queries):
      view(id)?.find = queries.first
      if let find = queries.first, find.matches > 0 { search.problem = nil }
      if let find = queries.first, view(id) === view { tellPlace(find) }
    case .alert(let text):
      // About the query that is being typed, or about something else: then it is seen there, too.
      if mode is FindPrompt { search.problem = text } else { alarm(text) }
    case .handshake(let handshake):
      core.handshake = handshake
      if handshake.unicode != CellMetrics.unicodeVersion {
        show("The core measures text by Unicode \(handshake.unicode), this side by \(CellMetrics.unicodeVersion)")
      }
    case .keySettings(let settings): use(settings)
    case .fileInformation(let id, let file): view(id).map { learn(file, about: $0) }
    case .progress(let id, let progress): view(id).map { follow(progress, in: $0) }
    case .recoveryFound(let offer): offerRecovery(offer)
    case .fileChanged(let id, let isReloaded): view(id).map { fileChanged($0, isReloaded: isReloaded) }
    case .recovered(let id, let count, let hasSelection, let isLeft, let savedEdits):
      guard let view = view(id) else { break }
      if isLeft, leaveFile(of: view, from: count) { break }
      view.isLeft = isLeft
      resume(view, handledEdits: count, hasSelection: hasSelection, savedEdits: savedEdits)
    case .availablePlugins, .pluginStarted, .pluginStopped, .updateCommands, .addStatusItem, .updateStatusItem,
      .removeStatusItem, .showHover:
      handlePlugin(notification)
    case .availableThemes(let names): themes.names = names
    case .availableLanguages, .languageChanged, .replaceStatus: break
    }
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

  func view(_ id: ViewID) -> EditorView? { views.first { $0.id == id } }

  /// Lets a message change what the core has said of a view, under what is predicted.
  private func reconcile(_ id: ViewID, _ change: (EditorView) -> Void) {
    guard let view = view(id) else { return }
    if !view.reconcile({ change(view) }) { predictions.corrected += 1 }
  }

  private func scroll(_ view: EditorView, to place: LineColumn) {
    move(view, to: place, reveals: true)
    announceViewport()
  }

  /// It has come with its line, or follows that; a core may lie.
  private func move(_ view: EditorView, to place: LineColumn, reveals: Bool) {
    view.caret = LineColumn(line: min(place.line, max(view.cache.count - 1, 0)), column: place.column)
    if reveals { view.revealsCaret = true }
  }

  private func apply(_ update: ViewUpdate, to view: EditorView) {
    view.noteCarets()
    let showedCaret = view.viewport.lines.contains(view.caret.line)
    do throws(LineCacheError) {
      try view.cache.apply(update.ops)
    } catch {
      screen.want(.restartCore)
      return
    }
    // What is on the screen stays there when lines come or go above it.
    if let top = update.newIndex(ofLine: view.viewport.topLine) { view.viewport.topLine = top }
    if let line = update.newIndex(ofLine: view.caret.line) { view.caret.line = line }
    for pane in panes.showing(view) { pane.follow(update) }
    view.isPristine = update.pristine
    if !view.isPristine { view.hasOtherText = true }
    view.selections = update.annotations.first { $0.type == "selection" }?.ranges ?? []
    view.regionCounts = update.regionCounts
    if let count = update.handledEdits {
      view.log.acknowledge(handled: count, kept: update.keptEdits ?? count)
      if view.log.isHandled { view.resentEnd = nil }
    } else if !core.supports(.editCount) {
      view.log.removeAll()
    }
    if let caret = update.caret { move(view, to: caret, reveals: showedCaret) } else { keepCaretOnCursor(view) }
    if view.viewport.topLine >= max(view.cache.count, 1) {
      view.viewport.topLine = max(view.cache.count - 1, 0)
    }
    announceViewport()
  }

  /// An update without a `scroll_to` may have moved the carets.
  private func keepCaretOnCursor(_ view: EditorView) {
    let isThere = view.caret.line < view.cache.count
    let line = view.cache[view.caret.line]?.line
    guard !isThere || line?.cursors.contains(view.caret.column) == false, let cursor = view.cache.firstCursor
    else { return }
    view.caret = cursor
    view.revealsCaret = true
  }

  private func configure(_ view: EditorView, _ changes: JSONObject) {
    view.indentation.note(changes)
    if let tabSize = changes["tab_size"]?.int {
      // The core's own limits; another one may say anything.
      view.metrics = CellMetrics(tabSize: min(max(tabSize, 1), 1000))
    }
    view.restoresPosition = changes["restore_position"]?.bool ?? view.restoresPosition
    if let shows = changes["line_numbers"]?.bool { screen.showsLineNumbers = shows }
    if let wraps = changes["word_wrap"]?.bool {
      view.wraps = wraps
      view.viewport.leftColumn = 0
      view.revealsCaret = true
    }
    announceViewport()
  }

  private func learn(_ file: FileInformation, about view: EditorView) {
    let isFirst = view.file == nil
    view.file = file
    if let path = file.path { view.path = path }
    guard isFirst else { return }
    if file.isNew, let contents = view.contentsIfNew { putIn(contents, atTheStartOf: view) }
    view.contentsIfNew = nil
    view.lacksFinalNewline = !file.hasFinalNewline
    keepFinalNewline(of: view)
    if let process = file.usedByProcess {
      alarm("\(view.name) is open in another xiedit (process \(process))")
    } else if file.isNew, view.path != nil, view === self.view, message == nil, notices.offers.isEmpty {
      show("New file")
    }
  }

  /// A file that ends without one is saved without one.
  func keepFinalNewline(of view: EditorView) {
    guard view.lacksFinalNewline, let id = view.id else { return }
    core.send(.modifyUserConfig(.userOverride(id), changes: ["save_with_newline": false]))
  }

  /// No question: a letter that is being typed must not answer it.
  private func fileChanged(_ view: EditorView, isReloaded: Bool) {
    view.fileHasChanged = !isReloaded
    if isReloaded {
      view.hasOtherText = true
      // What it asked about is no more.
      if let path = view.path { notices.withdrawOffer(.save(path)) }
      show("\(view.name) has changed on disk and was loaded again")
    } else if !notices.hasOffer(.save(view.path ?? "")) {
      let (reload, undo) = (keys(of: .reload), keys(of: .undo))
      show(
        "\(view.name) has changed on disk: \(reload) loads it, \(undo) after that brings back your text", isAlarm: true)
    }
  }

  func offerRecovery(_ found: RecoveryOffer) {
    guard let view = view(found.view) else { return }
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
      self?.whenSettled(.isHeld, { self?.restore(found, in: view) }, givenUp: { self?.offerRecovery(found) })
    }
    let discard = Offer.Choice(key: .control("x"), label: "deletes it") { [unowned self] in
      mode = WordPrompt(self, "delete", "delete the unsaved text") { [unowned self] in
        core.send(.recover(found.view, recoveryID: found.recoveryID, .discard))
        show("The unsaved text was deleted")
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
      open(EditorView(path: nil), recoveryID: found.recoveryID)
    } else {
      core.send(.recover(found.view, recoveryID: found.recoveryID, .restore))
    }
  }

  /// A replacement that takes its time says when it is done, or that it was ended before.
  private func follow(_ progress: Progress, in view: EditorView) {
    let (wasRunning, isRunning) = (view.progress != nil, progress.done < progress.total)
    let wasCancelled = view.isCancelling
    view.progress = isRunning ? progress : nil
    if !isRunning { view.isCancelling = false }
    guard progress.task == .replace, wasRunning != isRunning else { return }
    show(isRunning ? Self.replacingAll : wasCancelled ? "Nothing was replaced" : "Replaced all")
  }
}
