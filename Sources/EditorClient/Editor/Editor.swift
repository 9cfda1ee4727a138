import EditorProtocol

/// The editor without its terminal: takes input events and the core's messages, and says what the screen shall show.
///
/// Everything happens on one thread. After any call look at ``Screen/needsDisplay`` and ``Screen/takeEffects()``.
package final class Editor {
  package let screen: Screen
  package let notices: Notices
  package let files: Files
  package let memory = Memory()
  let core: CoreLink
  let views: Views
  let keys: Keys
  let gate: InputGate
  let clipboard: Clipboard
  let search: Search
  let folder: FolderTasks
  let macros: Macros
  private let pointer: Pointer
  let hover: Hover
  let changes: Changes
  /// What has the keys in place of the text, if anything.
  var mode: (any Mode)? { didSet { screen.needsDisplay = true } }

  package init(channel: any CoreChannel, columns: Int, rows: Int, keyMap: KeyMap = .standard) {
    core = CoreLink(channel)
    screen = Screen(columns: columns, rows: rows)
    notices = Notices(on: screen)
    views = Views(core, screen, notices)
    pointer = Pointer(in: views)
    hover = Hover(in: views)
    changes = Changes(in: views, hover)
    keys = Keys(keyMap, screen, notices)
    gate = InputGate(core, views, keys, screen, notices)
    clipboard = Clipboard(core, views, gate, notices, screen)
    search = Search(core, views, gate, screen, notices, memory)
    folder = FolderTasks(of: core)
    files = Files(core, views, gate, clipboard, notices, keys, memory)
    macros = Macros(core, views, gate, search, screen, notices, memory)
    gate.owner = self
    macros.player = self
    core.onAnswer = { [weak self] in
      self?.screen.needsDisplay = true
      self?.gate.advance()
    }
  }

  /// The view that has the keys, in its pane.
  package var view: EditorView? { views.current }

  /// What has come at once.
  package func handle(_ events: [InputEvent]) {
    var events = events[...]
    while true {
      if takesBursts, let text = events.popBurst(keys.map) {
        type(text)
      } else if let event = events.popFirst() {
        handle(event)
      } else {
        return
      }
    }
  }

  /// Whether text that is typed is for the view, and nothing else happens at a key.
  var takesBursts: Bool { showsTextOnly && hover.text == nil && !gate.holdsInput }

  package func handle(_ event: InputEvent) {
    if case .key(let key) = event, key.code != .escape, answerOffer(with: key) { return }
    if gate.holds(event) {
      // The offer that goes on is behind it.
      if core.loss != nil { clearMessage() }
      return
    }
    if !event.isResize {
      gate.inputCount += 1
      if hover.close(by: event) { return }
    }
    let showedText = showsTextOnly
    switch event {
    case .key(let key): handle(key)
    case .mouse(let mouse):
      keys.endChord()
      handle(mouse)
    case .paste(let bytes):
      keys.endChord()
      clearMessage()
      let text = String(decoding: bytes, as: UTF8.self).withUnixLineEnds
      macros.note(.paste(text))
      paste(text)
    case .openPaste(let isLeft):
      notices.show(isLeft ? "The paste was ended" : "The end of the paste has not come; Esc ends it")
    case .resize(let columns, let rows):
      (screen.columns, screen.rows) = (columns, rows)
      views.screenWasResized()
    case .unknown: break
    }
    // A key that edits changes nothing to see before the core's answer.
    if !showedText || !showsTextOnly { screen.needsDisplay = true }
  }

  /// Whether there is neither prompt nor message.
  var showsTextOnly: Bool {
    mode == nil && notices.message == nil && notices.offers.isEmpty && gate.waitNotice == nil && !keys.hasChord
  }

  /// What was told of the last key is not about the next.
  func clearMessage() {
    notices.hide()
    search.isPlaceAwaited = false
  }

  private func handle(_ mouse: MouseEvent) {
    if let mode { return mode.handle(mouse) }
    if mouse.action == .press, !pointer.isOnTabs(mouse) { clearMessage() }
    if mouse.action == .press { macros.noteClick() }
    guard pointer.leaves(mouse) else { return pointer.handle(mouse) }
    gate.whenCaretsAreKnown { [pointer] in pointer.handle(mouse) }
  }

  private func handle(_ key: Key) {
    if answerOffer(with: key) { return }
    clearMessage()
    defer { notices.showNext() }
    if let mode, !mode.takes(key), !keys.quits(key) { self.mode = nil }
    if let mode {
      keys.endChord()
      if keys.quits(key) {
        // The answers so far hold.
        if (mode as? Question)?.isOfQuitting == true { return }
        return leaveModes()
      }
      if macros.isRecording, keys.map[key] == .action(.recordMacro) { return run(.action(.recordMacro)) }
      if !mode.givesWay { macros.note(.key(key)) }
      return mode.handle(key)
    }
    if keys.isOfChord(key) { return keys.continueChord(with: key).map(run) ?? () }
    if let command = keys.map[key] { return run(command) }
    if let text = key.text { return type(text) }
    keys.tellThatNothingHappens(at: [key])
  }

  /// At a key.
  private func run(_ command: Command) {
    macros.note(.command(command))
    perform(command)
  }

  func paste(_ text: String) {
    if let mode { mode.paste(text) } else { clipboard.pasteFromTerminal(text) }
  }

  func type(_ text: String) {
    gate.inputCount += 1
    macros.note(.text(text))
    views.edit(.insert(text))
  }
}

extension Editor: InputGate.Owner {
  var hasMode: Bool { mode != nil }
  var hasPrompt: Bool { mode?.givesWay == false }

  func coreIsSilent(because reason: String) { offerRestart(because: reason) }
}
