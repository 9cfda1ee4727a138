import EditorProtocol
import JSON
import JSONRPC
import Testing

@testable import EditorClient

/// The prompts for commands of the shell, and what is typed while one runs.
@Suite struct ShellCommandTests {
  private func bench(_ extensions: [Extension] = Extension.allCases) -> Bench {
    let bench = Bench()
    bench.editor.core.handshake?.extensions = extensions
    return bench
  }

  private func run(_ command: String, key: String = "|", in bench: Bench) {
    bench.press("{alt \(key)}\(command){enter}")
  }

  private func asked(_ bench: Bench) -> FrontEndRequest? { bench.core.requests.first?.request }

  @Test func thePromptSaysWhatIsFiltered() {
    let bench = bench()
    bench.press("{alt |}")
    #expect(bench.bottom.hasPrefix("Filter this line through:"))
    bench.press("{esc}")
    bench.show(["one"], handledEdits: 2, selecting: LineColumn(line: 0, column: 0)..<LineColumn(line: 0, column: 2))
    bench.press("{alt |}")
    #expect(bench.bottom.hasPrefix("Filter the selection through:"))
    bench.press("{esc}")
    for (counts, label) in [
      ((5, 3), "Filter 3 selections through:"), ((4, 0), "Filter the lines of 4 carets through:"),
    ] {
      bench.editor.view?.regionCounts = .init(all: counts.0, selections: counts.1)
      bench.press("{alt |}")
      #expect(bench.bottom.hasPrefix(label))
      bench.press("{esc}")
    }
    bench.press("{alt !}")
    #expect(bench.bottom.hasPrefix("Insert the output of:"))
    bench.press(" {enter}")
    #expect(bench.core.requests.isEmpty, "nothing is run")
  }

  @Test func whatIsTypedMeanwhileFollows() {
    let bench = bench()
    run("sort", in: bench)
    #expect(asked(bench) == .runCommand(Bench.view, "sort", .filter))
    bench.press("x{^S}")
    #expect(bench.core.takeSent().isEmpty && bench.core.requests.count == 1)
    for _ in 0..<CoreSilence.ticksToNotice { bench.editor.gate.tick() }
    #expect(bench.editor.gate.isWaitShown && bench.bottom.contains("Esc ends it"))
    #expect(bench.editor.gate.waitNotice?.text == "Waiting for the core to run sort")
    bench.core.answer(.success([:]))
    #expect(bench.core.takeEdits() == [.insert("x")])
    #expect(bench.editor.view?.shellCommand == nil)
    run("date", key: "!", in: bench)
    #expect(bench.core.requests.contains { $0.request == .runCommand(Bench.view, "date", .insert) })
  }

  @Test func itTellsWhatBecameOfIt() {
    let bench = bench()
    run("sort", in: bench)
    bench.core.answer(.success([:]))
    #expect(bench.told == "Filtered through sort")
    run("date", key: "!", in: bench)
    bench.core.answer(.success([:]))
    #expect(bench.told == "Inserted the output of date")
    run("nix", in: bench)
    bench.core.answer(.failure(ResponseError(code: ErrorCode.commandFailed, message: "nix: not found (exit code 127)")))
    #expect(bench.told == "nix: not found (exit code 127); nothing was replaced")
    bench.press("x")
    #expect(bench.core.takeEdits() == [.insert("x")], "nothing is held any more")
  }

  /// Of what was typed meanwhile no key has the message for its own.
  @Test func aFailureIsSeenBehindWhatWasTyped() {
    let bench = bench()
    run("false", in: bench)
    bench.press("xyz")
    bench.core.answer(.failure(ResponseError(code: ErrorCode.commandFailed, message: "exit code 1")))
    #expect(bench.core.takeEdits() == [.insert("x"), .insert("y"), .insert("z")])
    #expect(bench.told == "exit code 1; nothing was replaced")
    bench.press("x")
    #expect(bench.told == "")
  }

  @Test func escapeEndsIt() {
    let bench = bench()
    run("sleep 9", in: bench)
    bench.press("{esc}")
    #expect(bench.core.takeSent() == [.cancel(Bench.view)])
    bench.press("x")
    #expect(bench.core.takeEdits() == [.insert("x")])
    bench.core.answer(.failure(ResponseError(code: ErrorCode.cancelled, message: "ended")))
    #expect(bench.told == "sleep 9 was ended; nothing was replaced")
  }

  /// Whether the user was told of the wait yet or not.
  @Test(arguments: [0, CoreSilence.ticksToNotice]) func whatWasTypedBeforeEscapeFollows(_ ticks: Int) {
    let bench = bench()
    run("sleep 9", in: bench)
    bench.press("xy")
    for _ in 0..<ticks { bench.editor.gate.tick() }
    bench.press("{esc}")
    let sent = bench.core.takeSent()
    #expect(sent == [.cancel(Bench.view)] + ["x", "y"].map { .edit(Bench.view, .insert($0)) })
    bench.core.answer(.failure(ResponseError(code: ErrorCode.cancelled, message: "ended")))
    #expect(bench.told == "sleep 9 was ended; nothing was replaced")
  }

  /// Nothing of it is silent; a core that does not answer then is left by the next such key.
  @Test func quittingEndsItAndAsks() {
    let bench = bench()
    run("sleep 9", in: bench)
    for _ in 0..<CoreSilence.ticksToNotice { bench.editor.gate.tick() }
    #expect(bench.bottom.contains("^Q ends it to quit"))
    bench.press("x{^Q}")
    #expect(bench.bottom.hasPrefix("Quit? sleep 9 was ended"))
    let sent = bench.core.takeSent()
    #expect(sent.contains(.cancel(Bench.view)) && sent.contains(.edit(Bench.view, .insert("x"))))
    bench.press("{esc}")
    #expect(bench.editor.mode == nil && !bench.editor.screen.takeEffects().contains(.exit(code: 0)))
    bench.core.answer(.failure(ResponseError(code: ErrorCode.cancelled, message: "ended")))
    #expect(bench.told == "sleep 9 was ended; nothing was replaced")
    let other = self.bench()
    run("sleep 9", in: other)
    for _ in 0..<CoreSilence.ticksToNotice { other.editor.gate.tick() }
    other.press("{^Q}{enter}")
    #expect(other.editor.screen.takeEffects().contains(.exit(code: 0)))
  }

  @Test func oneThatHadEndedBeforeIsTold() {
    let bench = bench()
    run("sort", in: bench)
    bench.press("{esc}")
    bench.core.answer(.success([:]))
    #expect(bench.told == "sort had ended before; ^Z takes back what it wrote")
  }

  @Test func aCoreThatEndsMeanwhileIsTold() {
    let bench = bench()
    bench.editor.handle(.fileInformation(Bench.view, FileInformation(path: "/f.txt", recoveryID: "r")))
    run("sort", in: bench)
    bench.press("xy")
    bench.core.answer(.failure(.connectionClosed("gone")))
    bench.editor.coreWasReplaced()
    bench.editor.handle(.handshake(Handshake(unicode: "17.0.0")))
    bench.core.answer(.success("view-id-1"))
    bench.editor.handle(.recovered(Bench.view, handledEdits: 2, hasSelection: true))
    #expect(bench.core.takeEdits().contains(.insert("y")), "what was typed behind it is not lost")
    #expect(bench.told.contains("the core ended while sort ran"))
    #expect(!bench.core.requests.contains { $0.request == .runCommand(Bench.view, "sort", .filter) }, "not run twice")
  }

  @Test func aCoreThatRunsNoneIsNotAsked() {
    let bench = bench([.editCount])
    bench.press("{alt |}")
    #expect(bench.told == "This core runs no commands" && bench.editor.mode == nil)
    let other = Bench(isOurCore: false)
    other.press("{alt !}")
    #expect(other.told == "This core runs no commands")
  }

  @Test func commandsAreRemembered() {
    let bench = bench()
    run("sort -u", in: bench)
    bench.core.answer(.success([:]))
    bench.press("{alt !}{up}")
    #expect(bench.bottom.hasPrefix("Insert the output of: sort -u"))
  }
}
