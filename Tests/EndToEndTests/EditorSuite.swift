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

  func save(_ session: TerminalSession) throws {
    try session.type("\u{13}")
    try session.wait(toSee: "Saved ")
  }
}
