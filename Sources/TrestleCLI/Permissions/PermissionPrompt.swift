import EventLoop
import Glibc
import Trestle

/// Asks whoever sits at the terminal whether a script may do something. What was typed before it is asked is no answer.
struct PermissionPrompt {
  let request: PermissionRequest

  /// Somebody can read it, and answer.
  static var isPossible: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp()
  }

  /// In milliseconds. Nobody has read a question and answered it in so little time: such an answer was pasted, or a program's.
  private static let timeToRead = CInt(300)
  /// What a script has written may have made the terminal show nothing, or something else: all as usual, on a line of its own.
  private static let plain = [
    // Ends what was begun and takes all that follows for its own.
    "\u{18}\u{1b}\\",
    // Modes and margins, also for terminals that do not know the first of these.
    "\u{1b}[!p", "\u{1b}[?2026l\u{1b}[?5l\u{1b}[?6l\u{1b}[?7h\u{1b}[?69l\u{1b}[4l", "\u{1b}7\u{1b}[r\u{1b}8",
    // Letters and colours, those of the palette too.
    "\u{1b}(B\u{f}\u{1b}[0m", "\u{1b}]104\u{1b}\\\u{1b}]110\u{1b}\\\u{1b}]111\u{1b}\\", "\r\n",
  ].joined()
  private static let obeys = getenv("TERM").map { !["", "dumb"].contains(String(cString: $0)) } ?? false
  /// How often something may come at once until that is an answer: no.
  private static let mostHastyAnswers = 5

  /// What is asked, on lines of their own. Nothing in it is obeyed by the terminal.
  var question: String {
    var words = request.words
    if let destination = request.destination { words += " (it leads to \(destination))" }
    if request.kind == .read || request.kind == .write { words += ", and all below it if it is a folder" }
    return "trestle: allow the script \(Self.escaped(words))?"
  }

  /// Also the line's end, which would make two lines of a name, and what is not to be seen.
  static func escaped(_ text: String) -> String {
    // By scalars: with what stands before it a line's end may be one character.
    text.unicodeScalars.reduce(into: "") { text, scalar in
      if isVisible(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
      }
    }
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned: return false
    default: return !scalar.properties.isDefaultIgnorableCodePoint && !blanks.contains(scalar)
    }
  }

  /// What shows nothing and is no blank: a pattern without dots, a note without head, a filler.
  private static let blanks: Set<Unicode.Scalar> = ["\u{2800}", "\u{1D159}", "\u{16FE4}"]

  /// Waits for an answer; only a `y` with nothing else on its line is a yes.
  func isGranted() -> Bool {
    // A script that writes meanwhile could put other words in the place of these.
    StandardStream.output.whileSilent {
      StandardStream.error.whileSilent { ask() }
    }
  }

  private func ask() -> Bool {
    if Self.obeys { write(Self.plain) }
    write("\(question) y(es), n(o) [n] ")
    for _ in 0..<Self.mostHastyAnswers {
      tcflush(STDIN_FILENO, TCIFLUSH)
      guard !isReadable(within: Self.timeToRead) else { continue }
      // Half a line, too, that waits for its end.
      tcflush(STDIN_FILENO, TCIFLUSH)
      guard let line = readLine() else { return end(false) }
      return end(["y", "Y", "yes"].contains(line))
    }
    return end(false)
  }

  private func end(_ isGranted: Bool) -> Bool {
    if !isGranted { write("trestle: not allowed\n") }
    return isGranted
  }

  private func isReadable(within time: CInt) -> Bool {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, time) != 0
  }

  /// - Returns: nil at the end of the input.
  private func readLine() -> String? {
    while true {
      _ = isReadable(within: -1)
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return nil }
      let line = buffer[..<count]
      guard line.last == UInt8(ascii: "\n") else { return "" }
      return String(validating: line.dropLast(), as: UTF8.self) ?? ""
    }
  }

  private func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Writing.all(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }
}
