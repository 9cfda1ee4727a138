import EditorProtocol
import JSON
import JSONRPC
import TextMetrics

/// The editor without its terminal: takes input events and the core's messages, and says what the screen shall show.
///
/// Everything happens on one thread. After any call look at ``Screen/needsDisplay`` and ``Screen/takeEffects()``.
package final class Editor {
  let core: CoreLink
  /// The keys in force.
  package internal(set) var keyMap: KeyMap
  /// Those of a chord that has begun.
  var pendingKeys: [Key] = []
  package internal(set) var views: [EditorView] = []
  var panes = Panes()
  package let screen: Screen
  let notices: Notices

  /// What has the keys in place of the text, if anything.
  var mode: (any Mode)? { didSet { screen.needsDisplay = true } }
  var themes = Themes()
  var clipboard = ClipboardContents.text("")
  /// What `deleteToEndOfParagraph` has taken: the core alone has it.
  enum Killed { case nothing, held, lost }
  var killed = Killed.nothing
  /// The last edit was such a one.
  private var isKilling = false
  package var memory = Memory()
  var search = Search()
  var clicks = ClickCounter()
  /// The edge between panes that the pointer holds.
  var draggedEdge: PaneEdge?
  var hover = Hover()
  /// The number of the last one.
  var folderTask = 0
  /// What was looked for in files.
  var results: SearchResults?
  var jumps = Jumps()
  /// Files whose buffers were closed, the last one behind, and where the caret was.
  var closedFiles: [(path: String, position: FilePosition?)] = []
  /// Whether plain keys are drawn before the core has answered.
  var predictsKeys = true
  package internal(set) var predictions = PredictionCounts()
  var gate = InputGate()
  /// How much the user has done so far: keys, clicks and pastes.
  private(set) var inputCount = 0

  package init(channel: any CoreChannel, columns: Int, rows: Int, keyMap: KeyMap = .standard) {
    core = CoreLink(channel)
    self.keyMap = keyMap
    screen = Screen(columns: columns, rows: rows)
    notices = Notices(on: screen)
    core.onAnswer = { [weak self] in
      self?.screen.needsDisplay = true
      self?.advance()
    }
  }

  private var shownCount = 0

  /// The view that has the keys, in its pane.
  package var view: EditorView? { panes.focused.view }

  /// Its place among ``views``.
  package var currentIndex: Int { views.firstIndex { $0 === view } ?? 0 }

  /// Shows a view in the pane that has the keys.
  func show(_ view: EditorView?) {
    putBack(panes.show(view))
    noteShown()
    screen.needsDisplay = true
    announceViewport()
  }

  func noteShown() {
    shownCount += 1
    view?.shownCount = shownCount
  }

  /// What is told, until the next key.
  package var message: Message? { notices.message }

  /// Tells the user something, until the next key.
  package func show(_ text: String, isAlarm: Bool = false, namesOffer: Bool = false) {
    notices.show(text, isAlarm: isAlarm, namesOffer: namesOffer)
  }

  /// Tells the user what is not to be missed: after those that were not seen yet.
  package func alarm(_ text: String) { notices.alarm(text) }

  /// What has come at once.
  package func handle(_ events: [InputEvent]) {
    var events = events[...]
    while true {
      if takesBursts, let text = events.popBurst(keyMap) {
        type(text)
      } else if let event = events.popFirst() {
        handle(event)
      } else {
        return
      }
    }
  }

  /// Whether text that is typed is for the view, and nothing else happens at a key.
  var takesBursts: Bool { showsTextOnly && pendingKeys.isEmpty && hover.text == nil && !holdsInput }

  package func handle(_ event: InputEvent) {
    if case .key(let key) = event, key.code != .escape, answerOffer(with: key) { return }
    if holds(event) {
      // The offer that goes on is behind it.
      if core.loss != nil { clearMessage() }
      return
    }
    if !event.isResize {
      inputCount += 1
      if closeHover(by: event) { return }
    }
    let showedText = showsTextOnly
    switch event {
    case .key(let key): handle(key)
    case .mouse(let mouse):
      pendingKeys = []
      handle(mouse)
    case .paste(let bytes):
      pendingKeys = []
      paste(bytes)
    case .openPaste(let isLeft):
      show(isLeft ? "The paste was ended" : "The end of the paste has not come; Esc ends it")
    case .resize(let columns, let rows):
      (screen.columns, screen.rows) = (columns, rows)
      // What was in sight stays there; a tiny window has scrolled to its caret alone.
      for view in panes.all.compactMap(\.view) {
        view.viewport.leftColumn = 0
        if view.viewport.lines.contains(view.caret.line) { view.revealsCaret = true }
      }
      announceViewport()
      screen.needsDisplay = true
    case .unknown: break
    }
    // A key that edits changes nothing to see before the core's answer.
    if !showedText || !showsTextOnly { screen.needsDisplay = true }
  }

  /// Whether there is neither prompt nor message.
  var showsTextOnly: Bool {
    mode == nil && message == nil && notices.offers.isEmpty && waitNotice == nil && pendingKeys.isEmpty
  }

  /// What was told of the last key is not about the next.
  func clearMessage() {
    notices.hide()
    search.isPlaceAwaited = false
  }

  private func handle(_ key: Key) {
    if answerOffer(with: key) { return }
    clearMessage()
    defer { notices.showNext() }
    if let mode {
      pendingKeys = []
      return quits(key) ? leaveModes() : mode.handle(key)
    }
    if !pendingKeys.isEmpty || keyMap.beginsChord(key) { return continueChord(with: key) }
    if let command = keyMap[key] { return perform(command) }
    if let text = key.text { return type(text) }
    tellThatNothingHappens(at: [key])
  }

  func type(_ text: String) {
    inputCount += 1
    edit(.insert(text))
  }

  // MARK: Edits

  /// Sends an edit of the current view.
  func edit(_ command: EditCommand) {
    if let view { edit(view, command) }
  }

  func edit(_ view: EditorView, _ command: EditCommand) {
    // Otherwise input is held, and the size of the screen is told when the view is there.
    let isOrphaned = isOrphaned(view)
    guard view.takesEdits || isOrphaned else { return }
    if let id = view.id { core.send(.edit(id, command)) }
    let isAllowed = predictsKeys && (isOrphaned || core.supports(.editCount)) && view === self.view && !search.isVisible
    view.coreEditsCode = core.supports(.codeEditing)
    if view.predict(command, isAllowed: isAllowed) {
      predictions.made += 1
      screen.needsDisplay = true
    }
    view.log.append(command)
    note(command, in: view)
  }

  /// What is known of the core's state by what it was sent.
  func note(_ command: EditCommand, in view: EditorView) {
    switch command {
    case .plain(.replaceAll), .plain(.replaceNext): view.mayBeReplacing = true
    case .plain(.deleteToEndOfParagraph):
      // What is killed in a row is one text.
      if killed == .lost, isKilling { alarm("What ^K took before the core ended is not put back; undo brings it back") }
      killed = .held
    default: break
    }
    if command.changesDocument { isKilling = command == .plain(.deleteToEndOfParagraph) }
  }
}
