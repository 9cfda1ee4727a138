import Glibc
import TestSupport
import Testing

/// Everyday use, through the real binaries.
@Suite(.serialized, .offThePool) struct EditingTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func edit(_ arguments: String..., columns: Int = 80, rows: Int = 12) throws -> TerminalSession {
    try TerminalSession([Products.xiedit] + arguments, in: home, columns: columns, rows: rows)
  }

  private func quit(_ session: TerminalSession, answer: String = "") throws {
    try session.type("\u{11}" + answer)
    #expect(try session.waitForEnd() == 0)
    #expect(!session.screen.isAlternate)
    #expect(session.screen.isCursorVisible)
    #expect(session.screen.unknown == [])
  }

  private func save(_ session: TerminalSession) throws {
    try session.type("\u{13}")
    try session.wait(toSee: "Saved ")
  }

  @Test func openTypeSaveQuit() throws {
    try home.write("one\ntwo\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(for: "the text") { $0.line(0) == "  1 one" && $0.line(1) == "  2 two" }
    try session.type("new \u{1B}[B\u{1B}[F!")
    try session.wait(for: "what was typed") { $0.line(0) == "  1 new one" && $0.line(1) == "  2 two!" }
    try save(session)
    #expect(home.text(of: "a.txt") == "new one\ntwo!\n")
    try quit(session)
    #expect(home.names.filter { !["config", "state"].contains($0) } == ["a.txt"], "no litter beside the file")
  }

  @Test func undoAndRedo() throws {
    try home.write("x\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.type("abc")
    try session.wait(toSee: "1 abcx")
    try session.type("\u{1A}")
    try session.wait(for: "the undo") { $0.line(0) == "  1 x" }
    try session.type("\u{19}")
    try session.wait(toSee: "1 abcx")
    try quit(session, answer: "n")
    #expect(home.text(of: "a.txt") == "x\n")
  }

  @Test func cutAndPasteAndTheTerminalsClipboard() throws {
    try home.write("hello world\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "hello world")
    // Select a word, cut it, paste it twice at the end, all at once.
    try session.type("\u{1B}[1;6C\u{18}\u{1B}[F\u{16}\u{16}")
    try session.wait(toSee: " worldhellohello")
    #expect(session.screen.clipboards == ["aGVsbG8="])
    try quit(session, answer: "n")
  }

  @Test func findWithCountAndWayBack() throws {
    try home.write((1...300).map { "line \($0)\n" }.joined(), to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 line 1")
    try session.type("\u{06}e 20")
    try session.wait(for: "the match and the count") {
      $0.text.contains("line 20") && $0.line(11).hasSuffix("11 matches")
    }
    try session.type("\r\u{1B}OR\u{1B}OR")
    try session.wait(toSee: "Ln 201/")
    try session.type("\u{06}300")
    try session.wait(toSee: "line 300")
    try session.type("\u{1B}")
    try session.wait(toSee: "Ln 201/")
    try quit(session)
  }

  @Test func replaceOneAndAll() throws {
    try home.write("a b a b a\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "a b a b a")
    try session.type("\u{12}a\rX\r")
    try session.wait(toSee: "Replace by \"X\"?")
    try session.type("n\r")
    try session.wait(toSee: "a b X b a")
    try session.type("a")
    try session.wait(toSee: "X b X b X")
    try save(session)
    #expect(home.text(of: "a.txt") == "X b X b X\n")
    try quit(session)
  }

  @Test func positionsOnTheCommandLineAndByPrompt() throws {
    try home.write((1...100).map { "line \($0)\n" }.joined(), to: "a.txt")
    let session = try edit("+50:3", "a.txt")
    try session.wait(toSee: "Ln 50/101, Col 3")
    try session.type("\u{07}7:2\r")
    try session.wait(toSee: "Ln 7/101, Col 2")
    try session.type("\u{1B}[1;5F")
    try session.wait(toSee: "Ln 101/101, Col 1")
    try quit(session)
  }

  @Test(arguments: [
    ("crlf", Array("a\r\nb\r\n".utf8)), ("mixed", Array("a\r\nb\nc".utf8)), ("no final newline", Array("a".utf8)),
    ("mark", Array("\u{FEFF}a\n".utf8)),
    ("binary", Array([0...255, 0xC3...0xC3, 0x28...0x28].joined())),
  ])
  func bytesThatNobodyTouchedAreKept(_ name: String, _ bytes: [UInt8]) throws {
    try home.write(bytes, to: "f")
    let session = try edit("f")
    try session.wait(toSee: "Ln 1/")
    try session.type("x")
    try session.wait(toSee: " f *")
    try save(session)
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    #expect(home.bytes(of: "f") == Array(bytes[..<mark]) + [0x78] + bytes[mark...], "\(name)")
    try quit(session)
  }

  @Test func aFileThatAnotherProgramWritesIsLoadedAgain() throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    try home.write("two\n", to: "a.txt")
    try session.wait(toSee: "a.txt has changed on disk and was loaded again")
    try session.wait(for: "the new text") { $0.line(0) == "  1 two" }
    try session.type("x")
    try session.wait(toSee: "1 xtwo")
    try home.write("three\n", to: "a.txt")
    try session.wait(toSee: "a.txt has changed on disk: Alt-R loads it")
    try session.wait(toSee: "[changed on disk]")
    try session.type("\u{1B}r")
    try session.wait(for: "the third text") { $0.line(0) == "  1 three" }
    try session.type("\u{1A}")
    try session.wait(toSee: "1 xtwo")
    try quit(session, answer: "n")
    #expect(home.text(of: "a.txt") == "three\n")
  }

  @Test func aSaveThatWasCutShortIsOffered() throws {
    try home.write("torn by", to: "a.txt")
    let first = try edit("a.txt")
    try first.wait(toSee: "torn by")
    // A second name makes the save one in place, whose copy lies in the recovery folder while it runs.
    link(home.path + "/a.txt", home.path + "/b.txt")
    try first.type("x")
    try first.wait(toSee: "xtorn by")
    let journal = try #require(home.names(in: "state/xiedit/recovery").first { $0.hasPrefix("a.txt-") })
    try save(first)
    try quit(first)
    #expect(home.text(of: "b.txt") == "xtorn by")
    let copy = "state/xiedit/recovery/" + journal.prefix("a.txt-0123456789abcdef".count) + ".saving"
    try home.write("whole and well\n", to: copy)

    let second = try edit("a.txt")
    try second.wait(toSee: "An earlier save of a.txt was cut short. Restore what it was writing?")
    try second.type("y")
    try second.wait(for: "the copy") { $0.line(0) == "  1 whole and well" }
    try save(second)
    try quit(second)
    #expect(home.text(of: "a.txt") == "whole and well\n")
    #expect(home.text(of: copy) == nil)
  }

  /// Nothing is done that the screen does not say.
  @Test func aFirstUse() throws {
    let session = try edit(rows: 24)
    try session.wait(toSee: "^Q Quit")
    try session.type("\u{1B}OP")
    try session.wait(toSee: "any other key goes back")
    try session.type(" ")
    try session.wait(for: "the text again") { $0.text.contains("Unnamed") && $0.text.contains("^S Save") }
    try session.type("Dear diary,\rtoday it rained.\rIt rained all day.\r")
    try session.wait(toSee: "It rained all day.")
    try session.type("\u{13}")
    try session.wait(toSee: "Save as:")
    try session.type("diary.txt\r")
    try session.wait(toSee: "Saved diary.txt")
    #expect(home.text(of: "diary.txt") == "Dear diary,\ntoday it rained.\nIt rained all day.\n")
    try quit(session)

    let again = try edit("diary.txt", rows: 24)
    try again.wait(toSee: "Dear diary,")
    try again.type("\u{06}rained")
    try again.wait(toSee: "2 matches")
    try again.type("\r")
    try again.wait(toSee: "Ln 2/")
    try again.type("\u{12}rained\r")
    try again.wait(toSee: "Replace with:")
    try again.type("snowed\ra")
    try again.wait(for: "both replaced") {
      $0.text.contains("today it snowed.") && $0.text.contains("It snowed all day.")
    }
    try again.type("\u{1A}")
    try again.wait(for: "both back") {
      $0.text.contains("today it rained.") && $0.text.contains("It rained all day.")
    }
    try again.type("\u{19}")
    try again.wait(toSee: "It snowed all day.")
    try again.type("\u{11}")
    try again.wait(toSee: "Save diary.txt before quitting?")
    try again.type("y")
    #expect(try again.waitForEnd() == 0)
    #expect(home.text(of: "diary.txt") == "Dear diary,\ntoday it snowed.\nIt snowed all day.\n")
    #expect(!again.screen.isAlternate)
  }

  @Test func aNewFileInAMissingFolder() throws {
    let session = try edit("folder/new.txt")
    try session.wait(toSee: "New file")
    try session.type("text\u{13}")
    try session.wait(toSee: "The folder folder does not exist. Create it?")
    try session.type("y")
    try session.wait(toSee: "Saved new.txt")
    #expect(home.text(of: "folder/new.txt")?.hasPrefix("text") == true)
    try quit(session)
  }

  @Test func aBufferWithoutANameAsksBeforeItOverwrites() throws {
    try home.write("old\n", to: "there")
    let session = try edit()
    try session.wait(toSee: "Unnamed")
    try session.type("new\u{13}there\r")
    try session.wait(toSee: "there exists. Overwrite it?")
    try session.type("n")
    try session.wait(toSee: "Nothing was changed")
    #expect(home.text(of: "there") == "old\n")
    try session.type("\u{13}there\r")
    try session.wait(toSee: "there exists. Overwrite it?")
    try session.type("y")
    try session.wait(toSee: "Saved there")
    #expect(home.text(of: "there")?.hasPrefix("new") == true)
    try quit(session)
  }

  @Test func aFileThatChangedOnDiskIsAskedAbout() throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    try session.type("x")
    try session.wait(toSee: "1 xone")
    try home.write("someone else's\n", to: "a.txt")
    try session.type("\u{13}")
    try session.wait(toSee: "changed on disk. Overwrite it?")
    try session.type("\u{1B}")
    try session.wait(for: "the question to go") { !$0.text.contains("Overwrite it?") }
    #expect(home.text(of: "a.txt") == "someone else's\n")
    try session.type("\u{13}")
    try session.wait(toSee: "changed on disk. Overwrite it?")
    try session.type("y")
    try session.wait(toSee: "Saved")
    #expect(home.text(of: "a.txt") == "xone\n")
    try quit(session)
  }

  @Test func whatWasTypedInABurstIsAskedAbout() throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    try session.type("typed\u{11}y")
    #expect(try session.waitForEnd() == 0)
    #expect(home.text(of: "a.txt") == "typedone\n", "the y was the answer to the question")
  }

  @Test func severalFiles() throws {
    try home.write("first\n", to: "a")
    try home.write("second\n", to: "b")
    let session = try edit("a", "b")
    try session.wait(for: "the first file") { $0.line(0) == "  1 first" && $0.text.contains("[1/2]") }
    try session.type("\u{1B}[1;3C")
    try session.wait(for: "the second file") { $0.line(0) == "  1 second" && $0.text.contains("[2/2]") }
    try session.type("\u{17}")
    try session.wait(for: "the first file alone") { $0.line(0) == "  1 first" && !$0.text.contains("[") }
    try quit(session)
  }

  @Test func standardInput() throws {
    let session = try TerminalSession(
      ["/bin/sh", "-c", "printf 'from\\na pipe\\n' | \(Products.xiedit) -"], in: home)
    try session.wait(for: "the text") { $0.line(0) == "  1 from" && $0.line(1) == "  2 a pipe" }
    try session.type("x\u{13}out\r")
    try session.wait(toSee: "Saved out")
    #expect(home.text(of: "out") == "from\na pipe\nx\n")
    try quit(session)
  }

  @Test func readOnlyRefusesEdits() throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("--readonly", "a.txt")
    try session.wait(toSee: "[read-only]")
    try session.type("x\u{13}")
    try session.wait(toSee: "is read-only")
    try quit(session)
    #expect(home.text(of: "a.txt") == "one\n")
  }

  @Test func aPasteIsOneStep() throws {
    try home.write("end\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 end")
    try session.type("\u{1B}[200~one\rtwo\u{1B}[201~")
    try session.wait(for: "the paste") { $0.line(0) == "  1 one" && $0.line(1) == "  2 twoend" }
    try session.type("\u{1A}")
    try session.wait(for: "the undo") { $0.line(0) == "  1 end" }
    try session.type("\u{1B}[200~a\u{7}b\u{1B}[201~")
    try session.wait(toSee: "1 control or invisible character")
    try quit(session, answer: "n")
  }

  @Test func aPasteOfTenMegabytesArrivesWhole() throws {
    try home.write("", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "Ln 1/1")
    let line = "The quick brown fox jumps over the lazy dog, again and again, 0123456789.\n"
    let text = String(repeating: line, count: 10_000_000 / line.utf8.count)
    try session.send(Array("\u{1B}[200~\(text)\u{1B}[201~".utf8))
    let lines = text.utf8.count(where: { $0 == 0x0A })
    try session.wait(toSee: "Ln \(lines + 1)/\(lines + 1)")
    try save(session)
    #expect(home.text(of: "a.txt") == text)
    try quit(session)
  }

  @Test func wideAndInvisibleCharactersStandWhereTheyAreCounted() throws {
    try home.write("日本\u{200B}e\u{301}👩‍👩‍👧‍👦\tx\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "日本<200b>")
    // One step for each cluster; then the tab.
    for column in [6, 8, 14, 15, 17] {
      try session.type("\u{1B}[C")
      try session.wait(for: "the cursor at \(column)") { $0.row == 0 && $0.column == column }
    }
    try session.type("|")
    try session.wait(toSee: "👩‍👩‍👧‍👦|")
    try quit(session, answer: "n")
  }

  @Test func softWrap() throws {
    try home.write("start " + String(repeating: "word ", count: 40) + "end\nnext\n", to: "a.txt")
    let session = try edit("a.txt", columns: 40)
    try session.wait(for: "one row a line") { $0.line(1) == "  2 next" }
    try session.type("\u{1B}w")
    try session.wait(for: "wrapped rows") { $0.text.contains("end\n") && $0.line(1).hasPrefix("    word") }
    session.resize(columns: 70, rows: 12)
    try session.wait(for: "fewer rows") { $0.line(4).hasSuffix("2 next") || $0.line(3).hasSuffix("2 next") }
    try session.type("\u{1B}w")
    try session.wait(for: "one row a line again") { $0.line(1) == "  2 next" }
    try quit(session)
  }

  @Test func theMousePutsTheCaretAndSelects() throws {
    try home.write("hello world\nsecond\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "hello world")
    try session.type("\u{1B}[<0;7;2M\u{1B}[<0;7;2m|")
    try session.wait(toSee: "se|cond")
    try session.type("\u{1B}[<0;11;1M\u{1B}[<0;11;1m\u{1B}[<0;11;1M\u{1B}[<0;11;1mW")
    try session.wait(toSee: "hello W")
    try session.wait(for: "the word to be replaced") { $0.line(0) == "  1 hello W" }
    try session.type("\u{1B}[<0;5;1M\u{1B}[<32;10;1M\u{1B}[<0;10;1mX")
    try session.wait(for: "the dragged part to be replaced") { $0.line(0) == "  1 X W" }
    try quit(session, answer: "n")
  }

  @Test func severalCarets() throws {
    try home.write("a\nb\nc\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 a")
    try session.type("\u{1B}[1;3B\u{1B}[1;3Bx")
    try session.wait(for: "three insertions") {
      $0.line(0) == "  1 xa" && $0.line(1) == "  2 xb" && $0.line(2) == "  3 xc"
    }
    try session.type("\u{1B}")
    try session.wait(for: "one caret") { !$0.text.contains("carets") }
    try quit(session, answer: "n")
  }

  @Test func aKilledCoreIsReplaced() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    let core = try #require(session.children.first)
    kill(core, SIGKILL)
    try session.wait(toSee: "The core ended unexpectedly")
    try session.type("after ")
    try session.wait(toSee: "1 after text")
    try save(session)
    #expect(home.text(of: "a.txt") == "after text\n")
    try quit(session)
  }

  @Test func aCoreKilledWhileTypingLosesNothing() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    var typed = ""
    for round in 0..<3 {
      // The rest of the round is typed while there is no core, or a new one reads the journal.
      typed += "<\(round)abcdefghij>"
      try session.type("<\(round)abc")
      let core = try #require(session.children.first)
      kill(core, SIGKILL)
      try session.type("defghij>")
      try session.wait(toSee: "1 \(typed)text")
      try session.wait(for: "another core") { _ in session.children.contains { $0 != core } }
    }
    try save(session)
    #expect(home.text(of: "a.txt") == typed + "text\n")
    try quit(session)
  }

  @Test func whatWasTypedBeforeACrashIsOffered() throws {
    try home.write("text\n", to: "a.txt")
    do {
      let session = try edit("a.txt")
      try session.type("unsaved ")
      try session.wait(toSee: "1 unsaved text")
      for child in session.children { kill(child, SIGKILL) }
      kill(session.process, SIGKILL)
      _ = try session.waitForEnd()
    }
    #expect(home.text(of: "a.txt") == "text\n")
    let session = try edit("a.txt")
    try session.wait(toSee: "There is unsaved text for a.txt")
    try session.type("y")
    try session.wait(toSee: "1 unsaved text")
    try save(session)
    #expect(home.text(of: "a.txt") == "unsaved text\n")
    try quit(session)
  }

  @Test func aStoppedCoreIsAskedAbout() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    let core = try #require(session.children.first)
    kill(core, SIGSTOP)
    try session.type("x")
    try session.wait(toSee: "The core does not answer. Start another one")
    try session.type("y")
    try session.wait(toSee: "1 xtext")
    try quit(session, answer: "n")
  }

  @Test func aCoreByAShellCommand() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("--core", "exec \(Products.core)", "a.txt")
    try session.wait(toSee: "1 text")
    try quit(session)
  }
}
