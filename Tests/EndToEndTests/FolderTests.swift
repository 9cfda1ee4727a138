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
    try session.type("n")
    #expect(try session.waitForEnd() == 0)
  }
}
