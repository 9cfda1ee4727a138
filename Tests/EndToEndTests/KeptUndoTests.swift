import Glibc
import TestSupport
import Testing

/// Undo goes on in the next run, through the real binaries.
@Suite(.serialized, .offThePool) struct KeptUndoTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private let undo = "\u{1A}"
  private let redo = "\u{19}"
  /// Of the text: the caret is where it was in the run before.
  private let start = "\u{1B}[1;5H"

  @Test func whatWasTypedIsTakenBackInTheNextRun() throws {
    try home.write("old\n", to: "a.txt")
    var session = try edit("a.txt")
    try session.type("new\r")
    try session.wait(toSee: "1 new")
    try save(session)
    try quit(session)
    #expect(home.text(of: "a.txt") == "new\nold\n")

    session = try edit("a.txt")
    try session.wait(toSee: "1 new")
    try session.type(undo + undo)
    try session.wait(for: "the old text") { $0.line(0) == "  1 old" }
    // It differs from the file: that is asked about at the end, and saved if wanted.
    try session.type(redo + redo)
    try session.wait(toSee: "1 new")
    try session.type(undo)
    try session.wait(for: "one step back") { $0.line(0) == "  1 newold" }
    try save(session)
    try quit(session)
    #expect(home.text(of: "a.txt") == "newold\n")

    // Twice back over two runs, and to the saved text again, which is not modified: the end asks nothing.
    session = try edit("a.txt")
    try session.wait(toSee: "1 newold")
    try session.type(undo)
    try session.wait(for: "the old text") { $0.line(0) == "  1 old" }
    try session.type(redo)
    try session.wait(toSee: "1 newold")
    try quit(session)

    // Another program has written.
    try home.write("other\n", to: "a.txt")
    session = try edit("a.txt")
    try session.wait(toSee: "1 other")
    try session.type(undo + redo + start + "x")
    try session.wait(toSee: "1 xother")
    try quit(session, answer: "\u{04}")
  }

  @Test func whatIsKeptIsTheUsersAlone() throws {
    try home.write("old\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.type("new")
    try session.wait(toSee: "1 newold")
    try save(session)
    try quit(session)
    // The core may go on for a moment.
    let deadline = ContinuousClock.now + patience
    var names: [String] = []
    repeat {
      usleep(1000)
      names = home.names(in: "state/xiedit/undo")
    } while names.map({ $0.hasSuffix(".undo") }) != [true] && .now < deadline
    #expect(names.count == 1 && names.first?.hasPrefix("a.txt-") == true && names.first?.hasSuffix(".undo") == true)
    for (name, mode) in [("", mode_t(0o700)), (names.first ?? "", 0o600)] {
      var status = stat()
      #expect(stat(home.path + "/state/xiedit/undo/" + name, &status) == 0 && status.st_mode & 0o777 == mode)
    }
  }

  @Test func itCanBeTurnedOff() throws {
    try home.writeSettings("keep_undo = false\n")
    try home.write("old\n", to: "a.txt")
    var session = try edit("a.txt")
    try session.type("new")
    try session.wait(toSee: "1 newold")
    try save(session)
    try quit(session)
    #expect(home.names(in: "state/xiedit/undo") == [])
    session = try edit("a.txt")
    try session.wait(toSee: "1 newold")
    try session.type(undo + start + "x")
    try session.wait(toSee: "1 xnewold")
    try quit(session, answer: "\u{04}")
  }

  /// An editor that is killed behind its save, and one that is not, leave what fits the file or nothing.
  @Test func aKilledEditorLeavesNoWrongSteps() throws {
    try home.write("old\n", to: "a.txt")
    var session = try edit("a.txt")
    try session.type("1")
    try session.wait(toSee: "1 1old")
    try save(session)
    try session.type("2")
    try session.wait(toSee: "1 12old")
    try end(session, by: SIGKILL)
    // As if what another has saved were in it.
    try home.write("12old\n", to: "a.txt")
    session = try edit("a.txt")
    try session.wait(toSee: "12old")
    try session.type("\u{1B}")
    try session.type(undo + start + "x")
    try session.wait(toSee: "1 x12old")
    try quit(session, answer: "\u{04}")
  }
}
