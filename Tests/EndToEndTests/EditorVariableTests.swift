import Glibc
import TestSupport
import Testing

/// As the editor that other programs start: `$EDITOR`.
@Suite(.serialized, .offThePool) struct EditorVariableTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func shell(_ script: String) throws -> TerminalSession {
    try TerminalSession(
      ["/bin/sh", "-c", script], in: home, columns: 80, rows: 14, environment: ["EDITOR": Products.xiedit])
  }

  private static let commit = """
    git init -q repository && cd repository && git -c user.name=A -c user.email=a@b commit -q --allow-empty; echo status $?
    git log --format=%B | head -5; ls -A; ls .git
    """

  @Test func gitCommits() throws {
    let session = try shell(Self.commit)
    try session.wait(toSee: "# Please enter the commit message")
    try session.type("Begin\r\rWith a reason.")
    try save(session)
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
    let text = session.screen.text
    #expect(text.contains("status 0\nBegin\n\nWith a reason.\n"))
    #expect(!session.screen.isAlternate)
    #expect(home.names(in: "repository") == [".git"], "no litter beside the file")
    #expect(home.names(in: "repository/.git").filter { $0.contains("COMMIT_EDITMSG") } == ["COMMIT_EDITMSG"])
    #expect(home.names(in: "state/xiedit/recovery") == [], "nothing to be offered to the next commit")
  }

  /// Nothing written is what git takes for a change of mind.
  @Test func gitIsLeftWithoutACommit() throws {
    let session = try shell(Self.commit)
    try session.wait(toSee: "# Please enter the commit message")
    try session.type("changed my mind\u{11}")
    try session.wait(toSee: "Save COMMIT_EDITMSG before quitting?")
    try session.type("\u{04}")
    _ = try session.waitForEnd()
    #expect(session.screen.text.contains("Aborting commit due to empty commit message"))
    #expect(session.screen.text.contains("status 1"))
  }

  /// As `crontab` and `visudo` do: a file that is opened again by its name, at a place.
  @Test func aFileIsReadAgainByItsName() throws {
    try home.write("one\ntwo\n", to: "tmp")
    let session = try shell("chmod 600 tmp; $EDITOR +2:3 tmp; echo status $?; cat tmp; stat -c %a tmp")
    try session.wait(toSee: "Ln 2/3, Col 3")
    try session.type("!")
    try save(session)
    try session.type("\u{11}")
    _ = try session.waitForEnd()
    #expect(session.screen.text.hasPrefix("status 0\none\ntw!o\n600"))
  }

  /// Who has the file open, or has it under another name, sees what was written.
  @Test func aHardLinkStaysOne() throws {
    try home.write("one\n", to: "tmp")
    let session = try shell("ln tmp other; $EDITOR tmp 3<tmp; cat other; stat -c %h other")
    try session.wait(toSee: "1 one")
    try session.type("number ")
    try save(session)
    try session.type("\u{11}")
    _ = try session.waitForEnd()
    #expect(session.screen.text.hasPrefix("number one\n2\n"))
    #expect(home.names.filter { !["config", "state"].contains($0) } == ["other", "tmp"])
  }

  @Test func severalFilesEndTogether() throws {
    try home.write("one\n", to: "a")
    try home.write("two\n", to: "b")
    let session = try shell("$EDITOR a b; echo status $?")
    try session.wait(for: "both tabs") { $0.line(0) == " a  b" }
    try session.type("x\u{11}")
    try session.wait(toSee: "Save a before quitting?")
    try session.type("\r")
    _ = try session.waitForEnd()
    #expect(session.screen.text.hasPrefix("status 0"))
    #expect(home.text(of: "a") == "xone\n")
  }
}
