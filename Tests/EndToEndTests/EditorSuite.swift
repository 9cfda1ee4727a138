import Glibc
import TestSupport
import Testing

/// Tests that drive the editor in a terminal, in a home of their own.
protocol EditorSuite {
  var home: TemporaryFolder { get }
}

extension EditorSuite {
  func edit(_ arguments: String..., columns: Int = 80, rows: Int = 12) throws -> TerminalSession {
    try TerminalSession([Products.xiedit] + arguments, in: home, columns: columns, rows: rows)
  }

  func quit(_ session: TerminalSession, answer: String = "") throws {
    try session.type("\u{11}" + answer)
    #expect(try session.waitForEnd() == 0)
    #expect(!session.screen.isAlternate)
    #expect(session.screen.isCursorVisible)
    #expect(session.screen.unknown == [])
  }

  /// Opens a file whose unsaved text is offered, and takes that.
  func restore(_ name: String) throws -> TerminalSession {
    let session = try edit(name)
    try session.wait(toSee: "Unsaved text of \(name)")
    try session.type("\u{12}")
    return session
  }

  func end(_ session: TerminalSession, by signal: CInt) throws {
    kill(session.process, signal)
    #expect(try session.waitForEnd() & 0x7F == signal)
  }

  /// What a command that writes `echo $! $$ >pids` runs.
  func startedPrograms() throws -> [pid_t] {
    let started = try (home.text(of: "pids") ?? "").split(whereSeparator: \.isWhitespace).map {
      try #require(pid_t($0))
    }
    #expect(started.count == 2)
    return started
  }

  func save(_ session: TerminalSession) throws {
    try session.type("\u{13}")
    try session.wait(toSee: "Saved ")
  }
}
