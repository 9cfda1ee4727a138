import Glibc
import Trestle

/// A conversation with a bridge.
struct Repl {
  private let terminal = ReplTerminal(hasColor: Terminal.outputHasColor)
  private let session: ReplSession

  init() {
    let terminal = terminal
    session = ReplSession(hasColor: terminal != nil && Terminal.outputHasColor) { stream, text in
      if let terminal { terminal.write(text) } else { stream.write(text) }
    } exit: { code in
      terminal?.restore()
      ExitStatus(code: code).exit()
    }
  }

  func run() async -> Never {
    if let terminal { await talk(on: terminal) }
    await readAll()
  }

  // MARK: On a terminal

  private func talk(on terminal: ReplTerminal) async -> Never {
    watchSignals(terminal)
    terminal.write("Trestle \(TrestleCommand.configuration.version). .help tells what there is, Ctrl-D leaves.\n")
    var reader = ReplReader(
      terminal: terminal, history: ReplHistory(path: ReplHistory.usualPath),
      isIncomplete: { [session] in await session.isIncomplete($0, atPrompt: true) },
      complete: { [session] in await session.complete($0) })
    var commands = ReplCommands(session: session, write: { terminal.write($0) })
    while true {
      session.pauseInput()
      let entry = await reader.next()
      session.resumeInput()
      switch entry {
      case .text(let text):
        if await !commands.run(text) { Self.leave(terminal) }
      case .end: Self.leave(terminal)
      }
    }
  }

  private static func leave(_ terminal: ReplTerminal) -> Never {
    terminal.restore()
    ExitStatus.success.exit()
  }

  /// Ctrl-C ends the entry that runs, or what keeps one from running; what nothing ends ends with the process, at a third one. Other signals end the process.
  private func watchSignals(_ terminal: ReplTerminal) {
    Interruptions.take()
    Watch.startThread { [session] in
      var vain = 0
      while let status = Interruptions.wait(until: nil) {
        if status.code == 128 + SIGINT {
          if session.interrupt() {
            vain = 0
            continue
          }
          vain += 1
          if vain < 2 { continue }
        }
        terminal.restore()
        status.exitAtOnce()
      }
    }
  }

  // MARK: From anything else

  /// Entry by entry, as they are complete.
  private func readAll() async -> Never {
    var commands = ReplCommands(session: session, write: { Terminal.write($0, to: .output) })
    var text = ""
    var isFine = true
    while let line = readLine(strippingNewline: true) {
      text += text.isEmpty ? line : "\n" + line
      if text.allSatisfy(\.isWhitespace) {
        text = ""
        continue
      }
      if await session.isIncomplete(text, atPrompt: false) == true, !text.hasPrefix(".") { continue }
      if await !commands.run(text) { (isFine && commands.isFine ? ExitStatus.success : .uncaughtError).exit() }
      isFine = isFine && commands.isFine
      text = ""
    }
    if !text.isEmpty {
      _ = await commands.run(text)
      isFine = isFine && commands.isFine
    }
    await session.waitUntilIdle()
    (isFine ? ExitStatus.success : .uncaughtError).exit()
  }
}
