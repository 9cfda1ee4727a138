import Glibc
import TestSupport
import Testing

/// Finding files, and in files, through the real binaries.
@Suite(.serialized, .offThePool) struct FolderTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func aFileIsPickedByItsLetters() throws {
    for name in ["alpha.txt", "beta.txt", "gamma.txt", ".ignore"] { try home.write("\(name)\n", to: name) }
    try home.write("gamma.txt\n", to: ".ignore")
    let session = try edit("alpha.txt")
    try session.wait(toSee: "1 alpha.txt")
    try session.type("\u{1B}f")
    try session.wait(toSee: " beta.txt")
    #expect(!session.screen.text.contains("gamma"))
    try session.type("bt\r")
    try session.wait(toSee: "1 beta.txt")
    try quit(session)
    let next = try edit("alpha.txt")
    try next.wait(toSee: "1 alpha.txt")
    try next.type("\u{1B}R")
    try next.wait(toSee: "Recent file:")
    try next.type("\r")
    try next.wait(toSee: "1 beta.txt")
    try next.type("\u{17}")
    try next.wait(toSee: "1 alpha.txt")
    try next.type("\u{1B}T")
    try next.wait(toSee: "1 beta.txt")
    try quit(next)
  }

  @Test func aFileOpensWhereItWasClosed() throws {
    try home.write((1...40).map { "line \($0)\n" }.joined(), to: "long.txt")
    mkdir(home.path + "/.git", 0o700)
    try home.write("commit\nmessage\n", to: ".git/COMMIT_EDITMSG")
    var session = try edit("long.txt:30:3")
    try session.wait(toSee: "Ln 30/41, Col 3")
    try quit(session)
    session = try edit("long.txt")
    try session.wait(toSee: "Ln 30/41, Col 3")
    // Closed by itself, and where another place is named.
    try session.type("\u{1B}[A\u{17}")
    #expect(try session.waitForEnd() == 0)
    session = try edit("long.txt")
    try session.wait(toSee: "Ln 29/41, Col 3")
    try quit(session)
    session = try edit("long.txt:5")
    try session.wait(toSee: "Ln 5/41, Col 1")
    try quit(session)
    for (place, line) in [(":2", 2), ("", 1)] {
      session = try edit(".git/COMMIT_EDITMSG" + place)
      try session.wait(toSee: "Ln \(line)/3, Col 1")
      try quit(session)
    }
    // What is not to be remembered is forgotten.
    try home.writeSettings("restore_position = false\n")
    session = try edit("long.txt")
    try session.wait(toSee: "Ln 5/41, Col 1")
    try quit(session)
    session = try edit("long.txt")
    try session.wait(toSee: "1 line 1")
    try session.wait(toSee: "Ln 1/41, Col 1")
    try session.type("\u{1B}[B")
    try session.wait(toSee: "Ln 2/41, Col 1")
    try quit(session)
    session = try edit("long.txt")
    try session.wait(toSee: "Ln 1/41, Col 1")
    try quit(session)
  }

  @Test func filesAreSearchedAndReplaced() throws {
    try home.write("one\ntwo needle\n", to: "a.txt")
    try home.write("needle\n", to: "b.txt")
    // What the editor itself remembers of the search lies in this folder, too.
    try home.write("*\n!*.txt\n", to: ".ignore")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    try session.type("\u{1B}g")
    try session.wait(toSee: "Search in files")
    try session.type("needle\r")
    try session.wait(toSee: "a.txt:2: two needle")
    try session.wait(toSee: "2 lines")
    try session.type("\u{1B}[B\r")
    try session.wait(toSee: " b.txt  ")
    try session.wait(toSee: "2 of 2")
    try session.type("\u{1B},")
    try session.wait(toSee: "2 two needle")
    try session.type("\u{1B}G")
    try session.wait(toSee: "2 lines")
    try session.type("\u{12}pin\r")
    try session.wait(toSee: "in 2 files")
    try session.type("y")
    try session.wait(toSee: "2 two pin")
    #expect(home.text(of: "b.txt") == "needle\n", "not saved yet")
    try session.type("\u{1B}S")
    try session.wait(toSee: "Saved 2 files")
    #expect(home.text(of: "a.txt") == "one\ntwo pin\n" && home.text(of: "b.txt") == "pin\n")
    try session.type("\u{1A}")
    try session.wait(toSee: "2 two needle")
    // No letter answers before the question is there to be read.
    try session.type("\u{11}")
    try session.wait(toSee: "before quitting?")
    try session.type("\u{04}")
    #expect(try session.waitForEnd() == 0)
  }

  /// A file with two names, one that goes away, one that may not be written: each keeps nobody waiting.
  @Test func howMuchWasReplacedIsTold() throws {
    try home.write("needle needle\r\nneedle\r\n", to: "a.txt")
    try home.write("needle\n", to: "gone.txt")
    #expect(symlink("a.txt", home.path + "/link.txt") == 0)
    try home.write("*\n!*.txt\n", to: ".ignore")
    let session = try edit()
    try session.wait(toSee: "Unnamed")
    try session.type("\u{1B}gneedle\r")
    try session.wait(toSee: "5 lines, ^R replaces")
    try session.type("\u{12}pin\r")
    try session.wait(toSee: "in 3 files")
    #expect(unlink(home.path + "/gone.txt") == 0)
    try session.type("y")
    try session.wait(toSee: "Replaced 3 in 1 file (1 file had none any more), not saved yet")
    try session.type("\u{1B}S")
    try session.wait(toSee: "Saved 1 file")
    #expect(home.text(of: "a.txt") == "pin pin\r\npin\r\n")
    #expect(home.text(of: "gone.txt") == nil)
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  /// A replacement may open hundreds of files: the limit that programs begin with is none for it, and at the one that stands there is room
  /// to edit and save what is open.
  @Test(arguments: [("ulimit -Sn 64", 90), ("ulimit -n 128", 50)])
  func manyFilesAreReplaced(_ limit: String, _ least: Int) throws {
    for number in 1...90 { try home.write("needle\n", to: "a\(number).txt") }
    try home.write("*\n!*.txt\n", to: ".ignore")
    let session = try TerminalSession(
      ["/bin/sh", "-c", "\(limit); exec \"$0\"", Products.xiedit], in: home, columns: 120, rows: 12)
    try session.wait(toSee: "Unnamed")
    try session.type("\u{1B}gneedle\r")
    try session.wait(toSee: "90 lines, ^R replaces")
    try session.type("\u{12}pin\ry")
    try session.wait(toSee: "Replaced ")
    try session.type("\u{1B}S")
    try session.wait(for: "the end of the saves") { $0.text.contains(/Saved \d+ files/) }
    let saved = (1...90).count { home.text(of: "a\($0).txt") == "pin\n" }
    #expect(saved >= least, "\(saved) were saved")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }
}
