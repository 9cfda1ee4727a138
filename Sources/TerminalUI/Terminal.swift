import CNcurses
import EditorClient
import Glibc

/// The terminal that this program runs in: its modes, its size, its bytes.
///
/// It is opened anew, so that it can be made non-blocking without changing what the shell sees.
package final class Terminal {
  package let descriptor: CInt
  package let description: TerminalDescription
  private let savedModes: termios
  package private(set) var isTaken = false
  /// What the terminal could not take yet.
  private var unsent: ArraySlice<UInt8> = []

  /// - Throws: ``ClientError`` when there is no terminal to draw on.
  static func check() throws(ClientError) {
    guard isatty(1) == 1 else {
      throw ClientError(.notATerminal, "standard output", "not a terminal; xiedit is an interactive program")
    }
  }

  /// - Throws: ``ClientError`` when there is no terminal to draw on.
  package init() throws(ClientError) {
    try Self.check()
    let flags = O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK
    let name = ttyname(1).map { String(cString: $0) } ?? "/dev/tty"
    var opened = open(name, flags)
    // Behind `su` the terminal belongs to somebody else; by this name it can be opened all the same.
    if opened < 0, errno == EACCES { opened = open("/dev/tty", flags) }
    guard opened >= 0 else { throw ClientError(.notATerminal, name, String(cString: strerror(errno))) }
    var modes = termios()
    guard tcgetattr(opened, &modes) == 0 else {
      close(opened)
      throw ClientError(.notATerminal, name, String(cString: strerror(errno)))
    }
    descriptor = opened
    savedModes = modes
    var description = try TerminalDescription { name in getenv(name).map { String(cString: $0) } }
    // VERASE: what the shell takes for the backspace key.
    if modes.c_cc.2 == 0x08 { description.backspace = 0x08 }
    self.description = description
  }

  deinit { close(descriptor) }

  /// More than any screen has: a terminal may say anything.
  private static let (mostColumns, mostRows) = (4096, 1024)

  /// Cells; what cannot be found out is taken for 80×24.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (min(Int(size.ws_col), Self.mostColumns), min(Int(size.ws_row), Self.mostRows))
  }

  // MARK: Modes

  /// Mouse reports with drags in SGR form, and bracketed paste.
  private static let reports = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h"
  private static let noReports = "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"

  private var leaveSequence: [UInt8] {
    let capabilities = description.capabilities
    return Array(
      (Self.noReports + capabilities.endTitle + capabilities.resetStyle + capabilities.showCursor + capabilities.leave)
        .utf8)
  }

  /// What ends a screen of our own; nothing while there is none.
  private var restoreSequence: [UInt8] = []

  private func armRestoring() {
    restoreSequence.withUnsafeBytes { bytes in
      var modes = savedModes
      cncurses_restore_at_end(
        descriptor, &modes, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }

  /// Raw input and a screen of its own. A signal that ends the program from here on gives the terminal back first.
  package func take() {
    guard !isTaken else { return }
    isTaken = true
    restoreSequence = leaveSequence
    armRestoring()
    setRawModes()
    send(Array((description.capabilities.enter + description.capabilities.beginTitle + Self.reports).utf8))
  }

  /// The program has been stopped by force and goes on: whoever had the terminal meanwhile has left it in other modes.
  package func takeAgain() {
    isTaken = false
    take()
  }

  /// Lines and signals as ever, but Ctrl-Q ends what runs, as Ctrl-\\ does elsewhere.
  func takeLineByLine() {
    guard !isTaken else { return }
    isTaken = true
    restoreSequence = []
    armRestoring()
    var modes = savedModes
    modes.c_iflag &= ~tcflag_t(IXON | IXOFF)
    modes.c_cc.1 = 0x11
    // What was typed before Ctrl-Q is for the text that comes up then.
    modes.c_lflag |= tcflag_t(NOFLSH)
    tcsetattr(descriptor, TCSANOW, &modes)
  }

  private func setRawModes() {
    var modes = savedModes
    cfmakeraw(&modes)
    // With flow control a stray Ctrl-S would freeze the screen, and Ctrl-S saves.
    modes.c_iflag &= ~tcflag_t(IXON | IXOFF)
    tcsetattr(descriptor, TCSANOW, &modes)
  }

  /// As it was before ``take()``. The rest of a frame that the terminal has not taken is dropped.
  package func giveBack() {
    guard isTaken else { return }
    isTaken = false
    unsent = []
    writeWaiting(restoreSequence)
    var modes = savedModes
    tcsetattr(descriptor, TCSADRAIN, &modes)
    cncurses_forget_restore()
  }

  /// Writes even if the terminal is slow, but not for ever: one that takes nothing for a second is gone.
  private func writeWaiting(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&request, 1, 1000) > 0 else { return }
      } else if errno != EINTR {
        return
      }
    }
  }

  // MARK: Bytes

  package var hasUnsent: Bool { !unsent.isEmpty }

  /// One `write`; what does not fit waits for ``sendUnsent()``.
  package func send(_ bytes: [UInt8]) {
    unsent.append(contentsOf: bytes)
    sendUnsent()
  }

  package func sendUnsent() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        unsent = unsent.dropFirst(count)
      } else if errno != EINTR {
        // Anything but a full terminal shows when it is read.
        if errno != EAGAIN { unsent = [] }
        break
      }
    }
    if unsent.isEmpty { unsent = [] }
  }

  package enum Input {
    case bytes(ArraySlice<UInt8>)
    case nothing
    /// The terminal is gone.
    case end
  }

  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// What has been typed, without waiting.
  package func receive() -> Input {
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 { return .bytes(buffer[..<count]) }
    if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    return .end
  }
}
