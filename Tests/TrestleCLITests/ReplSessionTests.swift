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
}
