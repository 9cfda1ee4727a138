import Testing

/// Everyday use, through the real binaries.
@Suite(.serialized) struct EditingTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func edit(_ arguments: String..., columns: Int = 80, rows: Int = 24) throws -> TerminalSession {
    try TerminalSession([Products.xiedit] + arguments, in: home, columns: columns, rows: rows)
  }

  private func quit(_ session: TerminalSession) throws {
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
    #expect(!session.screen.isAlternate)
    #expect(session.screen.isCursorVisible)
  }

  @Test func openTypeSaveQuit() throws {
    let path = try home.write("one\ntwo\n", to: "a.txt")
    let session = try edit(path)
    try session.wait(for: "the text") { $0.line(0).hasSuffix("one") && $0.line(1).hasSuffix("two") }
    try session.type("new \u{1B}[B\u{1B}[F!")
    try session.wait(for: "what was typed") { $0.line(0).hasSuffix("new one") && $0.line(1).hasSuffix("two!") }
    try session.type("\u{13}")
    try session.wait(toSee: "Saved a.txt")
    #expect(home.text(of: "a.txt") == "new one\ntwo!\n")
    try quit(session)
    #expect(session.screen.unknown == [])
  }
}
