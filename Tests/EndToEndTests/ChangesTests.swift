import EventLoop
import Glibc
import TestSupport
import Testing

/// The signs of changed lines, with a real git.
@Suite(.serialized, .offThePool) struct ChangesTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// In the home, with nobody's settings.
  private func git(_ arguments: String...) throws {
    var filter = TextFilter(program: "/usr/bin/git")
    filter.environment = [
      "PATH=/usr/bin:/bin", "HOME=\(home.path)", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_COMMITTER_NAME=A",
      "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_EMAIL=a@example.org",
    ]
    let outcome = filter.run([.init(arguments: ["-C", home.path] + arguments, input: [])])[0]
    guard case .ended(status: 0, _, _) = outcome else {
      throw TerminalSession.Failure(description: "git \(arguments): \(outcome)")
    }
  }

  private func commit(_ text: String) throws {
    try home.write(text, to: "a.txt")
    try git("init", "-q")
    try git("add", "a.txt")
    try git("commit", "-q", "-m", "x")
  }

  private func processes(startedBy process: pid_t) -> [String] {
    TemporaryFolder.names(inFolder: "/proc/\(process)/task").flatMap { thread -> [String] in
      let file = "/proc/\(process)/task/\(thread)/children"
      guard let descriptor = fopen(file, "r") else { return [] }
      defer { fclose(descriptor) }
      var buffer = [UInt8](repeating: 0, count: 1024)
      let count = fread(&buffer, 1, buffer.count, descriptor)
      return String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ").map(String.init)
    }
  }

  /// However the core ends.
  @Test func aGitThatHangsEndsWithItsCore() throws {
    try commit("one\n")
    mkdir(home.path + "/bin", 0o700)
    let program = try home.write("#!/bin/sh\nexec sleep 1000\n", to: "bin/git")
    chmod(program, 0o700)
    let session = try TerminalSession(
      [Products.xiedit, "a.txt"], in: home, rows: 12, environment: ["PATH": home.path + "/bin:/usr/bin:/bin"])
    try session.wait(toSee: "1 one")
    let core = try #require(session.children.first)
    // It, and what sees to its end.
    try session.wait(for: "git") { _ in processes(startedBy: core).count == 2 }
    let started = processes(startedBy: core).compactMap { pid_t($0) }
    kill(core, SIGKILL)
    try session.wait(for: "its end") { _ in started.allSatisfy(hasEnded) }
  }

  @Test(arguments: [["COLORTERM": "truecolor"], ["NO_COLOR": "1"], ["TERM": "xterm-16color"]])
  func changesSinceTheCommit(_ terminal: [String: String]) throws {
    try commit("one\ntwo\nthree\nfour\n")
    try home.write("one\nTWO\nthree\nfour\n", to: "a.txt")
    let session = try TerminalSession([Products.xiedit, "a.txt"], in: home, rows: 12, environment: terminal)
    try session.wait(for: "line 2") { $0.markedLine(1) == "~ 2 TWO" }
    try session.wait(toSee: "~1 ")
    try session.type("new\r")
    try session.wait(for: "a sign for the new line") { $0.markedLine(0) == "+ 1 new" && $0.markedLine(2) == "~ 3 TWO" }
    try session.wait(toSee: "+1 ~1 ")
    // From change to change, and what was there.
    try session.type("\u{1B}[15~")
    try session.wait(toSee: "Ln 3/6")
    try session.type("\u{1B}H")
    try session.wait(toSee: "1 line in the last commit, other here:")
    try session.wait(toSee: " two")
    try session.type("\u{1B}U")
    try session.wait(for: "the line as it was") { $0.markedLine(2) == "  3 two" }
    try session.type("\u{1A}")
    try session.wait(for: "line 3") { $0.markedLine(2) == "~ 3 TWO" }
    try session.wait(toSee: "Ln 4/6")
    try session.type("\u{1B}[15;2~")
    try session.wait(toSee: "Ln 3/6")
    // The line below is gone: the one above shows it.
    try session.type("\u{1B}[1;5F\u{1B}[A\u{0B}\u{0B}")
    try session.wait(for: "a sign for the line that is gone") { $0.markedLine(3) == "- 4 three" }
    try session.type("\u{13}")
    try session.wait(toSee: "Saved ")
    #expect(home.text(of: "a.txt") == "new\none\nTWO\nthree\n")
    try git("commit", "-q", "-a", "-m", "y")
    try session.wait(for: "no sign any more") { $0.markedLine(0) == "  1 new" && $0.markedLine(3) == "  4 three" }
    try quit(session)
    #expect(session.screen.hasColour == (terminal["NO_COLOR"] == nil))
  }

  @Test func whereThereIsNoRepositoryTheFileCounts() throws {
    try home.write("one\ntwo\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(for: "line 1") { $0.markedLine(0) == "  1 one" }
    try session.type("x")
    try session.wait(for: "line 1") { $0.markedLine(0) == "~ 1 xone" }
    try session.type("\u{13}")
    try session.wait(for: "no sign any more") { $0.markedLine(0) == "  1 xone" }
    try session.type("\u{1B}[15~")
    try session.wait(toSee: "No line has changed")
    try quit(session)
  }

  @Test func theyCanBeSwitchedOff() throws {
    try commit("one\n")
    try home.write("two\n", to: "a.txt")
    try home.writeSettings("change_marks = \"none\"\n")
    let session = try edit("a.txt")
    try session.wait(for: "line 1") { $0.markedLine(0) == "  1 two" }
    try session.type("x\u{1B}H")
    try session.wait(toSee: "There is nothing to compare the text with")
    #expect(session.screen.markedLine(0) == "  1 xtwo")
    // It holds at once.
    try home.writeSettings("change_marks = \"head\"\n")
    try session.wait(for: "line 1") { $0.markedLine(0) == "~ 1 xtwo" }
    try quit(session, answer: "\u{04}")
  }

  @Test func theDiskAndTheTextDiffer() throws {
    try home.write("one\ntwo\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(for: "line 1") { $0.markedLine(0) == "  1 one" }
    try session.type("mine ")
    try session.wait(for: "line 1") { $0.markedLine(0) == "~ 1 mine one" }
    try home.write("theirs\ntwo\nmore\n", to: "a.txt")
    try session.wait(toSee: "Alt-Shift-C compares")
    try session.type("\u{1B}C")
    try session.wait(toSee: "from the disk ~1 -1 ")
    #expect(session.screen.markedLine(1) == "- 2 two")
    try session.type("\u{1B}B")
    try session.wait(for: "both") { $0.markedLine(0) == "  1 theirs" && $0.markedLine(1) == "+ 2 mine one" }
    try session.type("\u{1B}[B\u{1B}[B\u{1B}U")
    try session.wait(toSee: "from the disk +1 ")
    try session.type("\u{1B}C")
    try session.wait(for: "the file as it was") { !$0.text.contains("from the disk") }
    try quit(session, answer: "\u{04}")
  }

  /// More digits, and still a cell for the sign.
  @Test func manyLines() throws {
    try home.write((1...1000).map { "line \($0)\n" }.joined(), to: "a.txt")
    let session = try edit("a.txt:1000")
    try session.wait(toSee: " 1000 line 1000")
    try session.type("x")
    try session.wait(for: "the sign") { screen in
      screen.lines.indices.contains { screen.markedLine($0) == "~1000 xline 1000" }
    }
    try quit(session, answer: "\u{04}")
  }
}
