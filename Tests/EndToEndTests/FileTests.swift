import Glibc
import TestSupport
import Testing

/// Opening and saving, through the real binaries.
@Suite(.serialized, .offThePool) struct FileTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

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

  @Test func aLetterIsWrittenInTheEncodingOfTheFile() throws {
    try home.write([0x63, 0x61, 0x66, 0xE9, 0x0A], to: "latin.txt")
    let session = try edit("latin.txt")
    try session.wait(toSee: "1 café")
    try session.wait(toSee: "ISO-8859-1 LF")
    try session.type("é")
    try session.wait(toSee: "1 écafé")
    try save(session)
    #expect(home.bytes(of: "latin.txt") == [0xE9, 0x63, 0x61, 0x66, 0xE9, 0x0A])
    try quit(session)
  }

  @Test func aFileThatAnotherProgramWritesIsLoadedAgain() throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    try home.write("two\n", to: "a.txt")
    try session.wait(toSee: "a.txt has changed on disk and was loaded again")
    try session.wait(for: "the new text") { $0.line(0) == "  1 two" }
    try session.paste("x")
    try session.wait(toSee: "1 xtwo")
    try home.write("three\n", to: "a.txt")
    try session.wait(toSee: "a.txt has changed on disk: Alt-R loads it")
    try session.wait(toSee: "[changed on disk]")
    try session.type("\u{1B}r")
    try session.wait(for: "the third text") { $0.line(0) == "  1 three" }
    try session.type("\u{1A}")
    try session.wait(toSee: "1 xtwo")
    try quit(session, answer: "\u{04}")
    #expect(home.text(of: "a.txt") == "three\n")
  }

  @Test func aNewFileInAMissingFolder() throws {
    let session = try edit("folder/new.txt")
    try session.wait(toSee: "New file")
    try session.type("text\u{13}")
    try session.wait(toSee: "The folder folder does not exist  ^B makes it")
    try session.type("\u{02}")
    try session.wait(toSee: "Saved new.txt")
    #expect(home.text(of: "folder/new.txt")?.hasPrefix("text") == true)
    try quit(session)
  }

  @Test func aBufferWithoutANameAsksBeforeItOverwrites() throws {
    try home.write("old\n", to: "there")
    let session = try edit()
    try session.wait(toSee: "Unnamed")
    try session.type("new\u{13}there\r")
    try session.wait(toSee: "there exists  ^B overwrites it")
    try session.type("\u{1B}")
    try session.wait(toSee: "Nothing was saved")
    #expect(home.text(of: "there") == "old\n")
    try session.type("\u{13}there\r")
    try session.wait(toSee: "there exists  ^B overwrites it")
    try session.type("\u{02}")
    try session.wait(toSee: "Saved there")
    #expect(home.text(of: "there")?.hasPrefix("new") == true)
    try quit(session)
  }

  @Test func aFileThatChangedOnDiskIsAskedAbout() throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    try session.paste("x")
    try session.wait(toSee: "1 xone")
    try home.write("someone else's\n", to: "a.txt")
    try session.type("\u{13}")
    try session.wait(toSee: "changed on disk  ^B overwrites it")
    // Its news would come later, in the place of what is looked for.
    try session.wait(toSee: "[changed on disk]")
    try session.type("\u{1B}")
    try session.wait(toSee: "Nothing was saved")
    #expect(home.text(of: "a.txt") == "someone else's\n")
    try session.type("\u{13}")
    try session.wait(toSee: "changed on disk  ^B overwrites it")
    try session.type("\u{02}")
    try session.wait(toSee: "Saved")
    #expect(home.text(of: "a.txt") == "xone\n")
    try quit(session)
  }

  @Test func aFileThatWasRemovedIsAskedAbout() throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    try session.paste("x")
    try session.wait(toSee: "1 xone")
    unlink(home.path + "/a.txt")
    try session.wait(toSee: "a.txt is gone from disk: ^S writes it anew")
    try session.type("\u{13}")
    try session.wait(toSee: "Saved")
    #expect(home.text(of: "a.txt") == "xone\n")
    try session.wait(for: "the end of the sign") { !$0.text.contains("[gone from disk]") }
    try quit(session)
  }

  /// Its text is nowhere else any more: it is not given up unasked.
  @Test(arguments: ["\u{11}", "\u{17}"]) func whatWasSavedAndRemovedSinceIsAskedAbout(key: String) throws {
    let session = try edit("a.txt")
    try session.wait(toSee: "New file")
    try session.type("typed")
    try save(session)
    unlink(home.path + "/a.txt")
    try session.wait(toSee: "a.txt * [gone from disk]")
    // It stays behind the next key.
    try session.type("\u{1B}[C")
    try session.wait(for: "the end of the message") { !$0.text.contains("writes it anew") }
    try session.wait(toSee: "a.txt * [gone from disk]")
    try session.type(key)
    try session.wait(toSee: "Save a.txt before")
    try session.type("\r")
    #expect(try session.waitForEnd() == 0)
    #expect(home.text(of: "a.txt") == "typed\n")
  }

  @Test func aFileThatComesBackIsAsIfItHadNeverGone() throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 one")
    rename(home.path + "/a.txt", home.path + "/b.txt")
    try session.wait(toSee: "a.txt * [gone from disk]")
    rename(home.path + "/b.txt", home.path + "/a.txt")
    try session.wait(for: "the end of the sign") { !$0.text.contains("[gone from disk]") }
    try quit(session)
  }

  @Test func aPathThroughAFileIsNoNewFile() throws {
    try home.write("text", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "1 text")
    try session.type("\u{0F}a.txt/b\r")
    try session.wait(toSee: "b: cannot open a.txt/b: Not a directory")
    try quit(session)
  }

  @Test func whatIsNoFileIsNotAskedAbout() throws {
    mkdir(home.path + "/folder", 0o700)
    symlink("folder", home.path + "/link")
    let session = try edit()
    try session.wait(toSee: "Unnamed")
    try session.type("x\u{13}l\t")
    try session.wait(toSee: "Save as: link/")
    try session.type("\u{7F}\r")
    try session.wait(toSee: "/folder (it is not a regular file)")
    try quit(session, answer: "\u{04}")
  }

  @Test(.enabled(if: geteuid() == 0)) func aFileThatCannotBeWrittenIsToldBefore() throws {
    try home.write("one\n", to: "a.txt")
    chmod(home.path, 0o777)
    chmod(home.path + "/a.txt", 0o644)
    mkdir(home.path + "/state", 0o700)
    chown(home.path + "/state", 65534, 65534)
    let session = try TerminalSession(
      ["/usr/bin/setpriv", "--reuid", "65534", "--clear-groups", Products.xiedit, "a.txt"], in: home)
    try session.wait(toSee: "a.txt can be read, but not written")
    try quit(session)
  }

  @Test func severalFiles() throws {
    try home.write("first\n", to: "a")
    try home.write("second\n", to: "b")
    let session = try edit("a", "b")
    try session.wait(for: "the first file") {
      $0.line(0) == " a  b" && $0.line(1) == "  1 first" && $0.isReversed(row: 0, column: 1)
    }
    try session.type("\u{1B}[1;3C")
    try session.wait(for: "the second file") { $0.line(1) == "  1 second" && $0.isReversed(row: 0, column: 4) }
    #expect(session.screen.titles.last == "b (~) - xiedit")
    try session.type("\u{1B}[<0;2;1M\u{1B}[<0;2;1m")
    try session.wait(for: "a click on the first") { $0.line(1) == "  1 first" && $0.titles.last == "a (~) - xiedit" }
    try session.type("\u{1B}b")
    try session.wait(toSee: "Buffer:")
    try session.type("\r")
    try session.wait(for: "the second file again") { $0.line(1) == "  1 second" }
    try session.type("\u{17}")
    try session.wait(for: "the first file alone") { $0.line(0) == "  1 first" && !$0.text.contains("[") }
    try quit(session)
    #expect(session.screen.isTitleRestored)
  }

  @Test func aLinuxConsoleGetsNoTitle() throws {
    let session = try TerminalSession([Products.xiedit], in: home, environment: ["TERM": "linux"])
    try session.wait(toSee: "^S Save")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
    #expect(session.screen.titles == [] && session.screen.isTitleRestored)
  }

  @Test func aNewBufferAndAllAreSaved() throws {
    try home.write("first\n", to: "a")
    try home.write("second\n", to: "b")
    let session = try edit("a", "b")
    try session.wait(toSee: "1 first")
    try session.type("x\u{1B}[1;3Cy\u{1B}N")
    try session.wait(for: "an empty buffer") { $0.line(0) == " a*  b*  Unnamed" && $0.line(1) == "  1" }
    try session.type("z\u{1B}S")
    try session.wait(toSee: "Saved 2 files; 1 without a file is not")
    #expect(home.text(of: "a") == "xfirst\n" && home.text(of: "b") == "ysecond\n")
    try quit(session, answer: "\u{04}")
  }

  @Test func placesInNamesOfFiles() throws {
    try home.write((1...30).map { "line \($0)\n" }.joined(), to: "a.txt")
    try home.write("odd\n", to: "b:3")
    let session = try edit("a.txt:20:3", "b:3", "a.txt:7:", "new.txt:5")
    try session.wait(for: "all of them, each once") { $0.line(0) == " a.txt  b:3  new.txt:5" }
    try session.wait(toSee: "Ln 7/31, Col 1")
    try session.type("\u{1B}[1;3C")
    try session.wait(toSee: "1 odd")
    try quit(session)
    let other = try edit("a.txt:20:3")
    try other.wait(toSee: "Ln 20/31, Col 3")
    try quit(other)
  }

  @Test func whatIsPipedInIsRead() throws {
    let session = try TerminalSession(["/bin/sh", "-c", "printf 'one\\n' | \(Products.xiedit)"], in: home)
    try session.wait(for: "the text") {
      $0.line(0) == "  1 one" && $0.text.contains("Unnamed*") || $0.text.contains("Unnamed *")
    }
    try quit(session, answer: "\u{04}")
    let nothing = try TerminalSession(["/bin/sh", "-c", "\(Products.xiedit) < /dev/null"], in: home)
    try nothing.wait(toSee: "^S Save")
    try quit(nothing)
  }

  @Test func standardInput() throws {
    let session = try TerminalSession(
      ["/bin/sh", "-c", "printf 'from\\na pipe\\n' | \(Products.xiedit) -"], in: home)
    try session.wait(for: "the text") { $0.line(0) == "  1 from" && $0.line(1) == "  2 a pipe" }
    try session.type("x\u{13}out\r")
    try session.wait(toSee: "Saved out")
    #expect(home.text(of: "out") == "xfrom\na pipe\n")
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

  /// Also by the prompt.
  @Test func readOnlyHoldsForWhatIsOpenedLater() throws {
    try home.write("one\n", to: "a.txt")
    let session = try edit("--readonly")
    try session.wait(toSee: "^S Save")
    try session.type("\u{F}a.txt\r")
    try session.wait(toSee: "[read-only]")
    try session.type("x")
    try session.wait(toSee: "read-only")
    try quit(session)
    #expect(home.text(of: "a.txt") == "one\n")
  }

  @Test func standardInputKeepsItsLineEnds() throws {
    let session = try TerminalSession(
      ["/bin/sh", "-c", "printf 'a\\r\\nb\\r\\n' | \(Products.xiedit) -"], in: home, columns: 80, rows: 12)
    try session.wait(toSee: "CRLF")
    try session.type("\u{1B}[F\rx\u{13}out\r")
    try session.wait(toSee: "Saved out")
    #expect(home.text(of: "out") == "a\r\nx\r\nb\r\n")
    try quit(session)
  }

  /// The folder that is made is that which the link leads to.
  @Test func aLinkIntoNoFolderNamesTheFolder() throws {
    #expect(symlink("nope/there", home.path + "/link") == 0)
    let session = try edit("link")
    try session.wait(toSee: "New file")
    try session.type("x\u{13}")
    try session.wait(toSee: "nope does not exist")
    try session.type("\u{2}")
    try session.wait(toSee: "Saved ")
    #expect(home.text(of: "nope/there") == "x\n")
    try quit(session)
  }
}
