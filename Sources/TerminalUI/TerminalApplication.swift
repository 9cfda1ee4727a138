import EditorClient
import EventLoop
import Glibc

/// The editor in a terminal: brings input to it and its frames to the screen.
package final class TerminalApplication {
  /// How long the first screen waits for the text.
  private static let firstFrameDelay = Duration.milliseconds(200)
  /// While input floods in a frame is drawn at least this often.
  private static let frameInterval = Duration.milliseconds(20)

  private let loop: Loop
  private let terminal: Terminal
  private let session: ClientSession
  private var editor: Editor { session.editor }
  private var decoder: InputDecoder
  private var grid: CellGrid
  private var writer: FrameWriter
  private var timer: LoopSource?
  private var inputSource: LoopSource?
  private var outputSource: LoopSource?
  private var suspendSource: LoopSource?
  private var hasText = false
  private var exitCode: CInt?
  private var fatalSignal: CInt?

  package init(_ session: ClientSession, terminal: Terminal, on loop: Loop) {
    self.loop = loop
    self.session = session
    self.terminal = terminal
    let description = terminal.description
    decoder = InputDecoder(described: description.keys, backspace: description.backspace)
    grid = CellGrid(columns: 0, rows: 0)
    writer = FrameWriter(palette: Palette(depth: description.depth), capabilities: description.capabilities)
  }

  /// Runs until the editor ends.
  /// - Returns: The exit code. A signal that ended it takes its usual course instead.
  /// - Throws: When the core has ended already, or signals cannot be watched.
  package func run() throws -> CInt {
    session.onChange = { [unowned self] in
      hasText = true
      changed()
    }
    session.onFailure = { [unowned self] in end(with: session.failure ?? "") }
    if let failure = session.failure { throw ClientError(.coreDoesNotAnswer, "core", failure) }
    try watchSignals()
    terminal.take()
    // The terminal may have changed its size before its signal was watched.
    resize()
    inputSource = loop.onReadable(terminal.descriptor) { [unowned self] in receive() }
    loop.after(Self.firstFrameDelay) { [unowned self] in
      hasText = true
      changed()
    }
    if let warning = terminal.description.warning { editor.notices.alarm(warning) }
    while exitCode == nil, fatalSignal == nil { loop.iterate(waiting: true) }
    inputSource?.cancel()
    terminal.giveBack()
    if exitCode == nil { editor.handle(decoder.flushPaste()) }
    if let loss = session.keepText() {
      complain(loss)
      exitCode = 1
    }
    session.close(isSudden: exitCode != 0)
    if let fatalSignal {
      signal(fatalSignal, SIG_DFL)
      raise(fatalSignal)
    }
    return exitCode ?? 1
  }

  private func watchSignals() throws(EventLoopError) {
    for fatal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
      let source = try loop.onSignal(fatal) { [unowned self] in fatalSignal = fatal }
      _ = source
    }
    try loop.onSignal(SIGWINCH) { [unowned self] in resize() }
    try loop.onSignal(SIGCONT) { [unowned self] in continued() }
    suspendSource = try loop.onSignal(SIGTSTP) { [unowned self] in suspend() }
  }

  // MARK: Input

  private func receive() {
    let end = MonotonicTime.now + Self.frameInterval
    var now: MonotonicTime
    repeat {
      now = .now
      switch terminal.receive() {
      case .bytes(let bytes): editor.handle(decoder.decode(bytes, at: now.nanoseconds))
      case .nothing: now = end
      case .end:
        // A terminal that vanished: as if it had hung up.
        fatalSignal = SIGHUP
        return
      }
    } while now < end
    waitForRest()
    changed()
  }

  private func waitForRest() {
    timer?.cancel()
    timer = nil
    guard let patience = decoder.patience else { return }
    timer = loop.after(patience) { [unowned self] in
      editor.handle(decoder.flush(at: MonotonicTime.now.nanoseconds))
      changed()
    }
  }

  private func resize() {
    let (columns, rows) = terminal.size
    guard columns != editor.screen.columns || rows != editor.screen.rows else { return }
    editor.handle(.resize(columns: columns, rows: rows))
    changed()
  }

  // MARK: Output

  /// All input at hand has been handled: does what the editor wants, and draws.
  private func changed() {
    for effect in editor.screen.takeEffects() { perform(effect) }
    if editor.screen.needsDisplay, hasText { paint() }
  }

  private func paint() {
    // A slow terminal misses frames, and gets the last one.
    guard !terminal.hasUnsent, terminal.isTaken, exitCode == nil else { return }
    let cursor = editor.compose(into: &grid)
    let title = editor.takeTitle().map(terminal.description.capabilities.title) ?? []
    send(writer.frame(grid, cursor: cursor) + title)
  }

  private func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    terminal.send(bytes)
    guard terminal.hasUnsent, outputSource == nil else { return }
    outputSource = loop.onWritable(terminal.descriptor) { [unowned self] in
      terminal.sendUnsent()
      guard !terminal.hasUnsent else { return }
      outputSource?.cancel()
      outputSource = nil
      changed()
    }
  }

  private func perform(_ effect: EditorEffect) {
    switch effect {
    case .copy(let text):
      let sequence = Clipboard.sequence(for: text)
      if sequence.isEmpty {
        editor.notices.show("Copied for this editor only: it is too much for the terminal's clipboard")
      }
      send(sequence)
    case .suspend: suspend()
    case .redraw: redraw()
    case .useColours(let foreground, let background):
      writer.setColours(foreground: foreground, background: background)
      editor.screen.forgetFrame()
    case .exit(let code, let reason):
      if let reason { end(with: reason) }
      exitCode = code
    case .restartCore: session.restartCore()
    case .giveUpCore: session.giveUpCore()
    }
  }

  private func redraw() {
    writer.forget()
    editor.screen.forgetFrame()
    resize()
    changed()
  }

  private func end(with message: String) {
    terminal.giveBack()
    complain(message)
    exitCode = 1
  }

  // MARK: Suspension

  /// Stops the whole job, as the terminal's own Ctrl-Z would.
  private func suspend() {
    terminal.giveBack()
    suspendSource?.cancel()
    kill(0, SIGTSTP)
    // Here again: continued, or nobody could have continued us and the signal was ignored.
    suspendSource = try? loop.onSignal(SIGTSTP) { [unowned self] in suspend() }
    continued()
  }

  private func continued() {
    editor.screen.forgetTitle()
    terminal.takeAgain()
    redraw()
  }
}
