import Glibc
import TestSupport
import Testing

/// What one types in a shell.
@Suite(.serialized, .offThePool) struct CommandLineTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(
    _ arguments: String..., of program: String = Products.xiedit
  ) throws -> (status: CInt, text: String) {
    let session = try TerminalSession([program] + arguments, in: home, columns: 100, rows: 40)
    let status = try session.waitForEnd()
    return (status >> 8, session.screen.text)
  }

  @Test func helpAndVersion() throws {
    let help = try run("--help")
    #expect(help.status == 0)
    #expect(help.text.contains("USAGE: xiedit"))
    let version = try run("--version")
    #expect(version.status == 0)
    #expect(version.text.hasPrefix("xiedit "))
  }

  @Test func whatCanBeNoTextIsToldBeforeTheScreenIsTaken() throws {
    mkfifo(home.path + "/fifo", 0o600)
    try home.write("text", to: "a.txt")
    try home.write("text", to: "secret")
    chmod(home.path + "/secret", 0)
    var expected = [
      "a.txt/": "a.txt/: Not a directory", "no\u{FFFD}name": "the name is not UTF-8", "/tmp": "/tmp: is a directory",
      "fifo": "fifo: is not a regular file", "/dev/null": "is not a regular file",
    ]
    // Root reads anything.
    if geteuid() != 0 { expected["secret"] = "secret: Permission denied" }
    for (path, message) in expected {
      let result = try run(path)
      #expect(result.status == 1)
      #expect(result.text.contains("xiedit: ") && result.text.contains(message))
    }
  }

  @Test func whatCanBeNoTextKeepsNoOtherFileShut() throws {
    try home.write("text", to: "a.txt")
    try home.write("more", to: "b.txt")
    let session = try TerminalSession([Products.xiedit, "/tmp", "a.txt", "no\u{FFFD}name", "b.txt"], in: home)
    try session.wait(toSee: "1 text")
    try session.wait(toSee: "/tmp: is a directory  (1 more)")
    try session.wait(for: "both tabs") { $0.line(0) == " a.txt  b.txt" }
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  /// Of a large file, too, and behind it whatever is typed before it is there.
  @Test(arguments: [2, 3_000_000]) func aPlusAloneIsTheEnd(lines: Int) throws {
    try home.write(String(repeating: "words\n", count: lines) + "end", to: "a.txt")
    let session = try TerminalSession([Products.xiedit, "+", "a.txt"], in: home)
    try session.type("QQ")
    try session.wait(for: "the end") { $0.text.contains(" \(lines + 1) endQQ") }
    try session.type("\u{13}")
    try session.wait(toSee: "Saved")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
    #expect(home.text(of: "a.txt")?.hasSuffix("\nendQQ") == true)
    #expect(home.text(of: "a.txt")?.hasPrefix("words\n") == true)
  }

  /// Its files are not those that lie here.
  @Test func anotherCoreIsAskedForItsOwnFiles() throws {
    let session = try TerminalSession([Products.xiedit, "--core", "exec \(Products.core)", "/tmp"], in: home)
    try session.wait(toSee: "/tmp")
    try session.wait(toSee: "it is a directory")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  /// One file by two names here is two there, and a folder that is missing there is made there.
  @Test func anotherCoreSaysWhatIsOneFileAndMakesFolders() throws {
    try home.write("here\n", to: "a")
    symlink("a", home.path + "/b")
    for folder in ["there", "new"] { mkdir(home.path + "/" + folder, 0o700) }
    try home.write("first\n", to: "there/a")
    try home.write("second\n", to: "there/b")
    let session = try TerminalSession(
      [Products.xiedit, "--core", "cd there && exec \(Products.core)", "a", "b"], in: home)
    try session.wait(toSee: "1 first")
    try session.wait(for: "both tabs") { $0.line(0) == " a  b" }
    try session.type("\u{1B}[1;3C")
    try session.wait(toSee: "1 second")
    try session.type("x\u{1B}s" + "\u{7F}new/deep/c\r")
    try session.wait(toSee: "The folder new/deep does not exist  ^B makes it")
    try session.type("\u{02}")
    try session.wait(toSee: "Saved c")
    #expect(home.text(of: "there/new/deep/c") == "xsecond\n")
    #expect(access(home.path + "/new/deep", F_OK) != 0)
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  /// Each option of the help, for each shell; and those of bash as bash has them.
  @Test func completionsHaveTheOptions() throws {
    let options = try run("--help").text.split(whereSeparator: { " ,\n[]".contains($0) }).filter { $0.hasPrefix("--") }
    #expect(Set(options) == ["--readonly", "--core", "--record", "--settings", "--version", "--help"])
    let folder = Products.package + "/Sources/xiedit/completions/"
    let complete = """
      . \(folder)xiedit.bash; for words in -- --re '' '--core printen'; do
      COMP_WORDS=(xiedit $words); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _xiedit; echo "[${COMPREPLY[*]}]"; done
      grep -c -e readonly -e core -e record -e version -e help \(folder)xiedit.zsh \(folder)xiedit.fish
      """
    let session = try TerminalSession(["/bin/bash", "-c", complete], in: home, columns: 100, rows: 12)
    #expect(try session.waitForEnd() == 0)
    #expect(
      session.screen.lines[..<3] == [
        "[--readonly --core --record --settings --version --help]", "[--readonly --record]", "[]",
      ])
    #expect(session.screen.line(3).contains("printenv"))
    #expect(session.screen.text.contains("xiedit.zsh:5") && session.screen.text.contains("xiedit.fish:5"))
  }

  /// What is opened first would get their numbers otherwise, and what is written to them.
  @Test(arguments: [
    ("trestle -e 'setInterval(() => {}, 1000)' <&- >&- 2>&-", [0, 1, 2]), ("xiedit-core >&- 2>&-", [1, 2]),
    ("xiedit 2>&-", [2]),
  ])
  func standardDescriptorsThatAreClosed(_ command: String, _ closed: [Int]) throws {
    let session = try TerminalSession(["/bin/sh", "-c", "exec \(Products.folder)\(command)"], in: home)
    let folder = "/proc/\(session.process)/"
    try session.wait(for: "/dev/null at \(closed)") { _ in
      Products.target(ofLink: folder + "exe").hasPrefix(Products.folder)
        && closed.allSatisfy { Products.target(ofLink: folder + "fd/\($0)") == "/dev/null" }
    }
  }

  /// Also when it has been replaced or removed since: a core that died is followed by one of the same program.
  @Test func itsOneFileIsAWholeEditor() throws {
    try home.write("text", to: "file")
    let session = try TerminalSession(["/bin/sh", "-c", "cp \(Products.xiedit) only && exec ./only file"], in: home)
    try session.wait(toSee: "1 text")
    #expect(unlink(home.path + "/only") == 0)
    for _ in 0..<2 {
      let core = try #require(session.children.first)
      // It gives itself the name.
      try session.wait(for: "its name") { _ in
        (try? run("-c", "cat /proc/\(core)/comm", of: "/bin/sh").text.hasPrefix("xiedit-core")) == true
      }
      kill(core, SIGKILL)
      try session.wait(for: "another core") { _ in session.children.first.map { $0 != core } == true }
    }
    try session.type("more \u{13}")
    try session.wait(for: "the save") { _ in home.text(of: "file") == "more text" }
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func tooFewDescriptorsAreTold() throws {
    let session = try TerminalSession(
      ["/bin/sh", "-c", "ulimit -n 10; exec \(Products.xiedit) file"], in: home, columns: 120)
    #expect(try session.waitForEnd() >> 8 == 1)
    #expect(session.screen.text.contains("xiedit: "))
    #expect(session.screen.text.contains("Too many open files"))
  }

  /// What writes it may go on for ever: Ctrl-Q ends the reading, and what has come is there.
  @Test func aStandardInputWithoutEndIsLeft() throws {
    let session = try TerminalSession(
      ["/bin/sh", "-c", "mkfifo input; (echo first; exec sleep 1000) >input & exec \(Products.xiedit) <input"],
      in: home,
      columns: 120)
    try session.wait(toSee: "reading the standard input; ^Q ends that")
    // What is typed before is for the text, too.
    try session.type("abc\u{11}def")
    try session.wait(toSee: "abcdeffirst")
    try session.type("\u{11}")
    try session.wait(toSee: "before quitting")
    try session.type("\u{04}")
    #expect(try session.waitForEnd() == 0)
  }

  /// Nor has it all the memory there is.
  @Test func aStandardInputWithoutEndIsCut() throws {
    let session = try TerminalSession(
      ["/bin/sh", "-c", "ulimit -v 1500000; yes | exec \(Products.xiedit)"], in: home, columns: 120)
    try session.wait(toSee: "MB of the standard input were read: the rest was left out")
    try session.wait(toSee: "1 y")
    try session.type("\u{11}")
    try session.wait(toSee: "before quitting")
    try session.type("\u{04}")
    _ = try session.waitForEnd()
    #expect(!session.screen.text.contains("Fatal error"))
  }

  /// What cannot be written, such as what was searched for, is lost; the editor and its text are not.
  @Test func filesThatMayHoldNothingEndNothing() throws {
    try home.write("some text\n", to: "file")
    let session = try TerminalSession(
      ["/bin/sh", "-c", "ulimit -f 0; exec \(Products.xiedit) file"], in: home, columns: 120)
    try session.wait(toSee: "some text")
    // The query is to be remembered; nothing is left to save.
    try session.type("\u{06}text\r\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func unknownOptionsAreTold() throws {
    let result = try run("--no-such-option")
    #expect(result.status == 2)
    #expect(result.text.contains("Unknown option '--no-such-option'"))
    #expect(result.text.contains("USAGE: xiedit"))
  }

  @Test func theSettingsOfAnotherCoreAreNotHere() throws {
    let result = try run("--settings", "--core", "true")
    #expect(result.status == 2)
    #expect(result.text.contains("--settings is for this machine"))
  }

  @Test(arguments: [["+5"], ["+x", "file"], ["+0", "file"]])
  func positionsStandBeforeFiles(_ arguments: [String]) throws {
    let session = try TerminalSession([Products.xiedit] + arguments, in: home, columns: 100, rows: 40)
    #expect(try session.waitForEnd() >> 8 != 0)
    #expect(session.screen.text.contains("stands before a FILE"))
  }

  @Test func theStandardInputIsABufferWithoutAName() throws {
    let session = try TerminalSession(
      ["/bin/sh", "-c", #"printf 'one\ntwo\n' | \#(Products.xiedit) +2:3 -"#], in: home, columns: 100, rows: 12)
    try session.wait(toSee: "Ln 2/3, Col 3")
    #expect(session.screen.line(1) == "  2 two" && session.screen.line(10).hasPrefix(" Unnamed *"))
    try session.type("!\u{13}out\r")
    try session.wait(toSee: "Saved out")
    #expect(home.text(of: "out") == "one\ntw!o\n")
  }

  @Test func theStandardInputMayBeTyped() throws {
    let session = try TerminalSession([Products.xiedit, "-"], in: home)
    try session.wait(toSee: "xiedit: reading what is typed here")
    try session.type("one\r\u{4}")
    try session.wait(toSee: "  1 one")
    try session.type("\u{11}\u{04}")
    #expect(try session.waitForEnd() == 0)
  }

  /// As those of a file: what comes out of a save is what went in, but for what was typed.
  @Test(
    arguments: [
      ("caf\\351\\n", "café", [0x78, 0x63, 0x61, 0x66, 0xE9, 0x0A]),
      ("\\377\\376h\\0i\\0", "hi", [0xFF, 0xFE, 0x78, 0, 0x68, 0, 0x69, 0, 0x0A, 0]),
      ("\\357\\273\\277hi\\n", "hi", [0xEF, 0xBB, 0xBF, 0x78, 0x68, 0x69, 0x0A]),
      ("hi\\r\\nthere\\n", "hi", Array("xhi\r\nthere\n".utf8)),
      ("hi\\0\\377\\001\\n", "hi", [0x78, 0x68, 0x69, 0x00, 0xFF, 0x01, 0x0A]),
    ] as [(String, String, [UInt8])])
  func theStandardInputKeepsItsBytes(_ escaped: String, _ shown: String, _ bytes: [UInt8]) throws {
    let session = try TerminalSession(
      ["/bin/sh", "-c", "printf '\(escaped)' | \(Products.xiedit) -"], in: home, columns: 100)
    try session.wait(toSee: "  1 \(shown)")
    try session.type("x\u{13}out\r")
    try session.wait(toSee: "Saved out")
    #expect(home.bytes(of: "out") == bytes)
  }

  @Test func aFileIsOpenedOnceWhateverItIsCalled() throws {
    try home.write("one\ntwo\n", to: "a")
    symlink("a", home.path + "/link")
    let session = try TerminalSession([Products.xiedit, "a", "./a", "+2", "link"], in: home)
    try session.wait(toSee: "Ln 2/3, Col 1")
    #expect(!session.screen.text.contains("[1/"))
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  /// As from a variable of a script that is not set.
  @Test func anEmptyNameIsNone() throws {
    let session = try TerminalSession([Products.xiedit, ""], in: home)
    try session.wait(toSee: " Unnamed ")
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func aRecordThatCannotBeMadeIsNamed() throws {
    let text = try run("--record", "no/where", "file").text
    #expect(text.hasPrefix("xiedit: --record: no/where: No such file or directory\n"))
  }

  @Test func withoutATerminalThereIsAMessage() throws {
    let session = try TerminalSession(
      ["/bin/sh", "-c", "\(Products.xiedit) file >/dev/null; echo status $?"], in: home, columns: 100)
    try session.wait(toSee: "status 1")
    #expect(session.screen.text.contains("not a terminal"))
  }

  @Test(arguments: ["exit 1", "/no/such/core", "echo garbage; exit 0"])
  func aCoreThatDoesNotStartIsToldBeforeTheScreenIsTaken(_ core: String) throws {
    let session = try TerminalSession([Products.xiedit, "--core", core, "file"], in: home, columns: 100)
    let status = try session.waitForEnd()
    #expect(status >> 8 == 1)
    #expect(session.screen.text.contains("xiedit: core: "))
  }

  @Test func noiseEndsWithAMessage() throws {
    let session = try TerminalSession(
      [Products.xiedit, "--core", "while echo noise; do sleep 0.01; done", "file"], in: home, columns: 100)
    let status = try session.waitForEnd()
    #expect(status >> 8 == 1)
    #expect(session.screen.text.contains("xiedit: core: "))
  }

  @Test func halfALineAndTheEndIsADeath() throws {
    let session = try TerminalSession(
      [Products.xiedit, "--core", #"printf '{"method":"xiedit_co'"#, "file"], in: home, columns: 100)
    #expect(try session.waitForEnd() >> 8 == 1)
  }

  @Test func anEchoIsNoCore() throws {
    let session = try TerminalSession([Products.xiedit, "--core", "cat", "file"], in: home, columns: 100)
    #expect(try session.waitForEnd() >> 8 == 1)
  }

  @Test func aSilentCoreIsWaitedForUntilCtrlC() throws {
    let session = try TerminalSession([Products.xiedit, "--core", "echo asleep >&2; exec sleep 100", "file"], in: home)
    try session.wait(toSee: "asleep")
    try session.type("\u{3}")
    #expect(try session.waitForEnd() & 0x7F == SIGINT)
    #expect(!session.screen.isAlternate)
  }
}
