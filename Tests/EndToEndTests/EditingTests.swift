import TestSupport
import Testing

/// Everyday use, through the real binaries.
@Suite(.serialized, .offThePool) struct EditingTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// By Alt-Insert, and to them by Alt-PageUp.
  @Test func bookmarks() throws {
    try home.write((1...40).map { "line \($0)\n" }.joined(), to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: " 1 line 1")
    try session.type("\u{1B}[B\u{1B}[2;3~")
    try session.wait(for: "a number that stands out") {
      $0.isReversed(row: 1, column: 2) && !$0.isReversed(row: 0, column: 2)
    }
    try session.type("\u{1B}[1;5F")
    try session.wait(toSee: "Ln 41/41")
    try session.type("\u{1B}[5;3~")
    try session.wait(toSee: "Ln 2/41")
    try session.type("\u{1B}[2;3~")
    try session.wait(for: "a number as all others") { !$0.isReversed(row: 1, column: 2) }
    try quit(session)
  }

  @Test func aCopyThatTheTerminalWouldNotTakeIsTold() throws {
    try home.write(String(repeating: "0123456789\n", count: 7000), to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 0123456789")
    try session.type("\u{01}\u{03}")
    try session.wait(toSee: "Copied for this editor only")
    #expect(session.screen.clipboards == [])
    try session.type("\u{16}\u{16}")
    try session.wait(toSee: "Ln 14001/14001")
    try quit(session, answer: "\u{04}")
  }

  /// What waits in the terminal has been through its line discipline: Enter is a line feed there.
  @Test func whatIsTypedBeforeTheEditorIsThereIsNotLost() throws {
    try home.write("text\n", to: "a.txt")
    let session = try TerminalSession(
      ["/bin/sh", "-c", "echo ready; while [ ! -e go ]; do :; done; exec \(Products.xiedit) a.txt"], in: home)
    try session.wait(toSee: "ready")
    try session.type("one\rtwo")
    try session.wait(toSee: "two")
    try home.write("", to: "go")
    try session.wait(for: "both lines") { $0.line(0) == "  1 one" && $0.line(1) == "  2 twotext" }
    try quit(session, answer: "\u{04}")
  }

  @Test func ctrlUpAndDownGoOn() throws {
    try home.write("one\ntwo\n\nfour\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "4 four")
    for place in ["Ln 1/5, Col 4", "Ln 2/5, Col 4", "Ln 3/5, Col 1", "Ln 4/5, Col 5"] {
      try session.type("\u{1B}[1;5B")
      try session.wait(toSee: place)
    }
    for place in ["Ln 4/5, Col 1", "Ln 3/5, Col 1", "Ln 2/5, Col 1"] {
      try session.type("\u{1B}[1;5A")
      try session.wait(toSee: place)
    }
    try session.type("\u{1B}[1;6B\u{1B}[1;6B\u{1B}[1;6BX")
    try session.wait(for: "three lines to be replaced") { $0.line(1) == "  2 X" }
    try quit(session, answer: "\u{04}")
  }

  @Test func whatWasCopiedBeforeIsPutIn() throws {
    try home.write("alpha\nbeta\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "2 beta")
    // Two words, one after the other; then the first.
    try session.type("\u{1B}[1;2F\u{03}\u{1B}[B\u{1B}[H\u{1B}[1;2F\u{03}\u{1B}[F\u{1B}V")
    try session.wait(for: "the list") { $0.text.contains("Paste") && $0.text.contains(" alpha") }
    try session.type("al\r")
    try session.wait(for: "the text") { $0.line(1) == "  2 betaalpha" }
    try session.type("\u{16}")
    try session.wait(for: "the text again") { $0.line(1) == "  2 betaalphaalpha" }
    try quit(session, answer: "\u{04}")
  }

  @Test func aBlockOfColumns() throws {
    try home.write("alpha 1 x\nb\ngamma 2 y\ndelta 3 z\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "4 delta")
    // The mouse drags from one corner to the other, with Alt; the second line is too short to be in the block.
    try session.type("\u{1B}[<8;11;1M\u{1B}[<40;12;3M\u{1B}[<40;12;4M\u{1B}[<8;12;4m")
    try session.wait(toSee: "3 selections")
    try session.type("#")
    try session.wait(for: "the edit of three lines") {
      $0.line(0) == "  1 alpha # x" && $0.line(1) == "  2 b" && $0.line(3) == "  4 delta # z"
    }
    // By keys, on from there.
    try session.type("\u{1A}\u{1B}[1;5H\u{1B}[1;8B\u{1B}[1;8B\u{1B}[1;8B\u{1B}[1;8C>")
    try session.wait(for: "the edit of all lines") {
      $0.line(0) == "  1 >lpha 1 x" && $0.line(1) == "  2 >" && $0.line(3) == "  4 >elta 3 z"
    }
    try quit(session, answer: "\u{04}")
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
    try quit(session, answer: "\u{04}")
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
    try quit(session, answer: "\u{04}")
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
    try quit(session, answer: "\u{04}")
  }

  /// What is typed behind it is text, until a key comes alone.
  @Test(arguments: ["\u{11}", "\u{1B}"]) func aPasteWithoutEndIsSeenAndLeft(_ key: String) throws {
    try home.write("end\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 end")
    try session.type("\u{1B}[200~half")
    try session.wait(toSee: "1 halfend")
    try session.wait(toSee: "The end of the paste has not come; Esc ends it")
    try session.type("a\u{11}")
    try session.wait(toSee: "1 halfa^Qend")
    try session.type(key)
    if key == "\u{1B}" {
      try session.wait(toSee: "The paste was ended")
      try session.type("x\u{1B}[201~y")
      try session.wait(toSee: "1 halfa^Qxyend")
      try session.type("\u{11}")
    }
    try session.wait(toSee: "Save a.txt before quitting?")
    try session.type("\u{04}")
    #expect(try session.waitForEnd() == 0)
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
    try quit(session, answer: "\u{04}")
  }

  @Test func whatWasTypedInABurstIsAskedAbout() throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    try session.type("typed\u{11}\r")
    #expect(try session.waitForEnd() == 0)
    #expect(home.text(of: "a.txt") == "typedone\n", "Enter was the answer to the question")
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
    try again.wait(toSee: "1 of 2")
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
    try again.type("\r")
    #expect(try again.waitForEnd() == 0)
    #expect(home.text(of: "diary.txt") == "Dear diary,\ntoday it snowed.\nIt snowed all day.\n")
    #expect(!again.screen.isAlternate)
  }

  /// More than goes to and fro at once.
  @Test func aLongCopyStaysWithTheCore() throws {
    let text = String(repeating: "a line of some length\n", count: 100_000)
    try home.write(text, to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "a line of some length")
    try session.wait(toSee: "/100001")
    try session.type("\u{01}\u{03}")
    try session.wait(toSee: "Copied 2200000 bytes for this editor only")
    try session.type("\u{1B}[1;5F\u{16}")
    try session.wait(toSee: "Ln 200001/200001")
    try session.type("\u{18}")
    try session.wait(toSee: "Nothing is selected")
    try save(session)
    #expect(home.text(of: "a.txt") == text + text)
    try quit(session)
  }

  @Test func aWordIsChangedAtEachPlaceWhereItStands() throws {
    try home.write("let count = 1\nlet counter = 2\nprint(count)\nprint(count, 0)\n", to: "a.swift")
    let session = try edit("a.swift")
    try session.wait(toSee: "let count = 1")
    // Alt-D: the word, the next place; Alt-K: the one behind instead; Alt-Y: that one no more.
    try session.type("\u{1B}[1;5C\u{1B}[1;5C\u{1B}d\u{1B}d")
    try session.wait(toSee: "2 selections")
    try session.type("\u{1B}k\u{1B}d")
    try session.wait(toSee: "3 selections")
    try session.type("\u{1B}y")
    try session.wait(toSee: "2 selections")
    try session.type("n")
    try session.wait(toSee: "let n = 1")
    try session.wait(toSee: "print(n, 0)")
    try session.wait(toSee: "print(count)")
    try session.type("\u{1B}")
    try session.wait(for: "one caret") { !$0.text.contains("carets") }
    // Alt-Shift-Right and back: the word, the line, the word again.
    try session.type("\u{1B}[1;5H\u{1B}[B\u{1B}[B\u{1B}[C\u{1B}[1;4C\u{1B}[1;4C\u{1B}[1;4Dp")
    try session.wait(toSee: "p(count)")
    try save(session)
    try quit(session)
    #expect(home.text(of: "a.swift") == "let n = 1\nlet counter = 2\np(count)\nprint(n, 0)\n")
  }
}
