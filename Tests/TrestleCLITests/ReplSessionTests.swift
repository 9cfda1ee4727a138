import EventLoop
import Testing

@testable import TrestleCLI

/// What entries are run in.
@Suite struct ReplSessionTests {
  /// Nobody waits for an answer any longer, and the entry behind it is not to wait either.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: ["{ ownKeys() { for (;;); } }", "{ getPrototypeOf() { return new Proxy({}, this); } }"])
  func whatIsCompletedWithoutEndIsEnded(_ handler: String) async {
    let session = ReplSession(hasColor: false, write: { _, _ in }, exit: { _ in })
    #expect(await session.run("globalThis.endless = new Proxy({}, \(handler)); 1"))
    #expect(await session.complete("endless.a.b").names == [])
    #expect(await session.run("40 + 2"))
    #expect(await session.complete("Ma").names.contains("Math"))
    await session.clear()
  }

  @Test(.timeLimit(.minutes(5)))
  func whatIsAskedBehindALoopCanBeInterrupted() async throws {
    let session = ReplSession(hasColor: false, write: { _, _ in }, exit: { _ in })
    #expect(await session.run("setTimeout(() => { for (;;); }); 1"))
    try await Task.sleep(for: .milliseconds(100))
    async let isIncomplete = session.isIncomplete("2 + 3", atPrompt: true)
    try await Task.sleep(for: .milliseconds(100))
    #expect(session.interrupt())
    #expect(await isIncomplete == nil)
    #expect(await session.isIncomplete("f(", atPrompt: true) == true)
    #expect(await session.run("4 + 5"))
    await session.clear()
  }

  /// From the moment that it is typed Ctrl-C is a signal.
  @Test(.timeLimit(.minutes(5)))
  func anEntryThatIsInterruptedBeforeItBeginsEnds() async throws {
    let written = Lock("")
    let session = ReplSession(hasColor: false, write: { _, text in written.withLock { $0 += text } }, exit: { _ in })
    #expect(await session.isIncomplete("1", atPrompt: true) == false)
    _ = session.interrupt()
    #expect(await session.run("await new Promise(resolve => setTimeout(resolve, 1e9))") == false)
    #expect(written.withLock { $0 } == "interrupted\n")
    #expect(await session.run("2 + 3"))
    await session.clear()
  }

  /// Without a prompt nobody types: a text is whole when it is, however long it takes to tell.
  @Test(.timeLimit(.minutes(5)))
  func aThreadThatIsBusyMakesNoTextComplete() async {
    let session = ReplSession(hasColor: false, write: { _, _ in }, exit: { _ in })
    #expect(await session.run("setTimeout(() => { for (const end = Date.now() + 3000; Date.now() < end;); }); 1"))
    #expect(await session.isIncomplete("`a", atPrompt: false) == true)
    #expect(await session.isIncomplete("`a`", atPrompt: false) == false)
    await session.clear()
  }
}
