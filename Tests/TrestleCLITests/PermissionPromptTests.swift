import CLinux
import Foundation
import Testing
import Trestle

@testable import TrestleCLI

/// What is asked on a terminal.
@Suite struct PermissionPromptTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let script = """
    const { Files } = NativeModules;
    Files.readText('/etc/hosts').then(() => 'read', ({ code }) => code)
      .then(async (first) => console.log(`${first} ${await Files.exists('/etc/hosts').catch(({ code }) => code)} ended`));
    """

  @Test(arguments: [
    ("y\n", "read true"), ("n\n", "ERR_PERMISSION ERR_PERMISSION"), ("\n", "ERR_PERMISSION ERR_PERMISSION"),
    ("yy\n", "ERR_PERMISSION ERR_PERMISSION"), ("\u{4}", "ERR_PERMISSION ERR_PERMISSION"),
  ])
  func answers(_ answer: String, _ outcome: String) async throws {
    folder.write(Self.script, to: "script.js")
    let terminal = try Terminal(["--sandbox", "script.js"], in: folder)
    try await terminal.wait(for: "[n] ")
    try await terminal.type(answer, until: "ended")
    #expect(terminal.text.contains("allow the script reading /etc/hosts, and all below it if it is a folder?"))
    #expect(terminal.text.contains("\(outcome) ended"), "\(terminal.text)")
  }

  /// Neither what waits in the terminal, nor half a line.
  @Test(arguments: ["y\ny\ny\ny\n", "y"]) func whatWasTypedBeforeIsNoAnswer(_ typed: String) async throws {
    folder.write(
      """
      const isTyped = async () => { while (!await NativeModules.Files.exists('typed')); };
      console.log('begun');
      isTyped().then(() => { \(Self.script) });
      """, to: "script.js")
    let terminal = try Terminal(["--allow-read=.", "script.js"], in: folder)
    try await terminal.wait(for: "begun")
    terminal.write(typed)
    folder.write("", to: "typed")
    try await terminal.wait(for: "[n] ")
    try await terminal.type("\n", until: "ended")
    #expect(terminal.text.contains("ERR_PERMISSION ERR_PERMISSION ended"), "\(terminal.text)")
  }

  /// Answers without end that come as fast as they are read are a program's.
  @Test func whatComesAtOnceIsNoAnswer() async throws {
    folder.write(Self.script, to: "script.js")
    let terminal = try Terminal(["--sandbox", "script.js"], in: folder)
    try await terminal.wait(for: "[n] ")
    let longestPause = try await terminal.type("y\n", until: "ended", every: .milliseconds(5))
    // A machine that is at work elsewhere may keep this test from typing as fast as a program.
    let isRefused = terminal.text.contains("ERR_PERMISSION ERR_PERMISSION ended")
    #expect(isRefused || longestPause > .milliseconds(250), "\(terminal.text)")
  }

  /// It could put other words in the place of the question.
  @Test func aScriptWritesNothingMeanwhile() async throws {
    folder.write(
      "const { Files } = NativeModules; setInterval(() => console.log('noise'), 1); Files.readText('/etc/hosts').then(() => { console.log('ended'); NativeModules.Process.exit(0); });",
      to: "script.js")
    let terminal = try Terminal(["--sandbox", "script.js"], in: folder)
    try await terminal.wait(for: "[n] ")
    try await terminal.type("y\n", until: "ended")
    let behind = try #require(terminal.text.split(separator: "[n] ", maxSplits: 1).last)
    #expect(behind.hasPrefix("y\r\n"), "\(terminal.text)")
  }

  @Test func aQuestionKeepsNoRunFromItsEnd() async throws {
    folder.write(Self.script, to: "script.js")
    let terminal = try Terminal(["--sandbox", "--timeout", "5", "script.js"], in: folder)
    try await terminal.wait(for: "[n] ")
    #expect(try await terminal.status() == 124)
  }

  @Test func nobodyIsAskedWhoDoesNotWantTo() async throws {
    folder.write(Self.script, to: "script.js")
    let terminal = try Terminal(["--sandbox", "--no-prompt", "script.js"], in: folder)
    try await terminal.wait(for: "ended")
    #expect(terminal.text.contains("ERR_PERMISSION ERR_PERMISSION ended") && !terminal.text.contains("[n]"))
  }

  @Test func whatIsShownIsNotObeyed() {
    var request = PermissionRequest(
      .read, "/a\u{1b}[2K\r\ny\u{202e}\u{9b}\u{200b}\u{2028}\u{e0041}\u{a0}\u{200f}\u{2800}ä€😀 b"
    )
    var question = PermissionPrompt(request: request).question
    #expect(
      question.contains(#"/a\u001B[2K\u000D\u000Ay\u202E\u009B\u200B\u2028\uE0041\u00A0\u200F\u2800ä€😀 b, and all"#),
      "\(question)")
    request = PermissionRequest(.run, "a\tb")
    question = PermissionPrompt(request: request).question
    #expect(question == #"trestle: allow the script running a\u0009b?"#)
  }

  /// `trestle` on a pseudo-terminal.
  private final class Terminal {
    private let master: CInt
    private let process: pid_t
    private(set) var text = ""

    init(_ arguments: [String], in folder: TemporaryFolder) throws {
      master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
      var name = [CChar](repeating: 0, count: 64)
      guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, ptsname_r(master, &name, name.count) == 0 else {
        throw POSIXError(.EIO)
      }
      _ = fcntl(master, F_SETFL, O_NONBLOCK)
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addchdir_np(&actions, folder.url.path)
      // The leader of a session gets the first terminal that it opens as its own.
      posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
      for descriptor: CInt in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, descriptor) }
      posix_spawn_file_actions_addclosefrom_np(&actions, 3)
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      posix_spawnattr_setflags(&attributes, 0x80)  // POSIX_SPAWN_SETSID
      let path = URL(fileURLWithPath: Program.trestle, relativeTo: Program.products).path
      var argv = ([path] + arguments).map { strdup($0) } + [nil]
      let variables: [String] = ["PATH=/usr/bin:/bin", "HOME=\(folder.url.path)"]
      var environment = variables.map { strdup($0) } + [nil]
      defer { for text in argv + environment { free(text) } }
      var child: pid_t = 0
      guard posix_spawn(&child, path, &actions, &attributes, &argv, &environment) == 0 else { throw POSIXError(.EIO) }
      process = child
    }

    deinit {
      if !hasEnded {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
      }
      close(master)
    }

    private var hasEnded = false

    /// What it exits with.
    func status() async throws -> Int32 {
      let deadline = Date(timeIntervalSinceNow: Program.patience)
      var status: Int32 = 0
      while waitpid(process, &status, WNOHANG) == 0 {
        take()
        guard Date() < deadline else { throw POSIXError(.ETIMEDOUT) }
        try await Task.sleep(for: .milliseconds(5))
      }
      hasEnded = true
      return (status >> 8) & 0xff
    }

    func write(_ text: String) {
      _ = Array(text.utf8).withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) }
    }

    private func take() {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let count = read(master, &buffer, buffer.count), count > 0 {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
    }

    func wait(for words: String) async throws { try await type("", until: words) }

    /// Again and again, as what comes too early is no answer.
    ///
    /// - Returns: the longest time in which nothing was typed.
    @discardableResult
    func type(_ answer: String, until words: String, every pause: Duration = .seconds(1)) async throws -> Duration {
      var (longest, last) = (Duration.zero, ContinuousClock.now)
      let deadline = Date(timeIntervalSinceNow: Program.patience)
      var next = ContinuousClock.now + (pause < .seconds(1) ? .zero : pause)
      while true {
        take()
        longest = max(longest, .now - last)
        if text.contains(words) { return longest }
        guard Date() < deadline else { throw POSIXError(.ETIMEDOUT) }
        if ContinuousClock.now >= next {
          write(answer)
          last = .now
          next = last + pause
        }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }
}
