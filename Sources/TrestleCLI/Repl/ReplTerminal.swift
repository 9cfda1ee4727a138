import Dispatch
import EventLoop
import Glibc
import TerminalInput
import Trestle

/// The terminal of a REPL: takes keys while an entry is typed, and leaves it to scripts while one runs. What is written meanwhile stands above
/// the entry. From any thread.
final class ReplTerminal: Sendable {
  private struct State {
    var display: LineDisplay
    var editor: LineEditor?
    var usual = termios()
    var isRaw = false
    /// How many bytes were typed while a script had the terminal.
    var typedAhead = 0
  }

  private let state: Lock<State>
  private let keys = DispatchQueue(label: "repl keys")
  private let decoder = Lock(InputDecoder())

  /// - Returns: nil where standard input or output is no terminal.
  init?(hasColor: Bool) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    state = Lock(State(display: LineDisplay(hasColor: hasColor)))
  }

  // MARK: Writing

  func write(_ text: String) {
    state.withLock { state in
      guard let editor = state.editor else { return StandardStream.output.write(text) }
      let text = text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
      let end = text.utf8.last == 0x0A ? "" : "\r\n"
      StandardStream.output.write(state.display.erasure() + text + end + Self.drawing(editor, &state))
    }
  }

  private static func drawing(_ editor: LineEditor, _ state: inout State) -> String {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return state.display.drawing(
      editor, columns: isKnown ? Int(size.ws_col) : 80, rows: isKnown ? max(Int(size.ws_row), 1) : 24)
  }

  /// Shows what is typed.
  func show(_ editor: LineEditor, prompt: String = "> ") {
    state.withLock { state in
      state.display.prompt = prompt
      state.editor = editor
      StandardStream.output.write(Self.drawing(editor, &state))
    }
  }

  func clearScreen() { state.withLock { _ in StandardStream.output.write("\u{1B}[H\u{1B}[2J") } }

  // MARK: Modes

  /// An entry is typed from now on: each key is ours, and pastes are told as such.
  func beginEditing() {
    state.withLock { state in
      guard !state.isRaw else { return }
      tcgetattr(STDIN_FILENO, &state.usual)
      var raw = state.usual
      cfmakeraw(&raw)
      // What scripts write goes on as it did.
      raw.c_oflag |= tcflag_t(OPOST)
      tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
      state.isRaw = true
      var waiting: CInt = 0
      state.typedAhead = ioctl(STDIN_FILENO, UInt(FIONREAD), &waiting) == 0 ? Int(waiting) : 0
      StandardStream.output.write("\u{1B}[?2004h")
    }
  }

  /// Does what a script may hold up: Ctrl-C is a signal meanwhile, since nobody reads keys.
  func interruptibly<Result>(_ body: () async -> Result) async -> Result {
    setSignals(true)
    defer { setSignals(false) }
    return await body()
  }

  private func setSignals(_ areSent: Bool) {
    state.withLock { state in
      var mode = termios()
      guard state.isRaw, tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
      if areSent { mode.c_lflag |= tcflag_t(ISIG) } else { mode.c_lflag &= ~tcflag_t(ISIG) }
      // The process is to be suspended in the usual modes only.
      withUnsafeMutableBytes(of: &mode.c_cc) { keys in
        for key in [VSUSP, VQUIT] { keys[Int(key)] = 0 }
      }
      tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
  }

  /// What was typed stays to be read, and what follows begins a line.
  func breakOff() { state.withLock { Self.breakOff(&$0) } }

  private static func breakOff(_ state: inout State) {
    if var editor = state.editor {
      editor.move(to: editor.text.count)
      StandardStream.output.write(drawing(editor, &state) + "\r\n")
    }
    _ = state.display.erasure()
    state.editor = nil
  }

  /// The same, and scripts have the terminal.
  func endEditing() {
    state.withLock { state in
      Self.breakOff(&state)
      Self.leave(&state)
    }
  }

  private static func leave(_ state: inout State) {
    guard state.isRaw else { return }
    StandardStream.output.write("\u{1B}[?2004l")
    tcsetattr(STDIN_FILENO, TCSADRAIN, &state.usual)
    state.isRaw = false
  }

  /// Whatever the modes are, those that were there before are there again: the process ends.
  func restore() { state.withLock { Self.leave(&$0) } }

  /// Ctrl-Z: the shell has the terminal, until it hands it back.
  func suspend() {
    endEditing()
    kill(getpid(), SIGSTOP)
    beginEditing()
  }

  // MARK: Keys

  /// - Returns: nil at the end of the input.
  func next() async -> [InputEvent]? {
    await withCheckedContinuation { continuation in
      keys.async { [self] in continuation.resume(returning: decoder.withLock { read(&$0) }) }
    }
  }

  private func read(_ decoder: inout InputDecoder) -> [InputEvent]? {
    while true {
      let patience = decoder.patience.map { CInt($0 / .milliseconds(1)) } ?? -1
      var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let found = poll(&request, 1, patience)
      if found < 0, errno == EINTR { continue }
      var events: [InputEvent] = []
      if found == 0 {
        events = decoder.flush()
      } else {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else { return nil }
        restoreEnds(in: &buffer[..<count])
        events = decoder.decode(buffer[..<count])
      }
      if !events.isEmpty { return events }
    }
  }

  /// Of a Ctrl-D that was typed in a shell's mode the system makes a NUL when the mode ends.
  private func restoreEnds(in bytes: inout ArraySlice<UInt8>) {
    let count = state.withLock { state in
      defer { state.typedAhead -= min(state.typedAhead, bytes.count) }
      return min(state.typedAhead, bytes.count)
    }
    for index in bytes.indices.prefix(count) where bytes[index] == 0 { bytes[index] = 0x04 }
  }
}
