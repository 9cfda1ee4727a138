import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// How long Swift keeps what scripts hold.
@Suite struct SharedObjectLifetimeTests {
  private let library = Library()

  @Test func releaseLetsGoAndTheSameObjectComesAgain() async throws {
    try await library.withLibrary { bridge, _ in
      try await bridge.evaluate("globalThis.made = Library.make('a'); made.release();")
      try await library.journal.waitFor("gone a")
      let isNew = try await bridge.evaluate(
        """
        const first = Library.kept();
        first.release();
        const second = Library.kept();
        first !== second && Library.isKept(second) && second.title === 'kept'
        """, as: Bool.self)
      #expect(isNew)
      #expect(try await bridge.sharedObjectCounts() == ["Document": 1])
    }
  }

  @Test(arguments: Wire.allCases) func whatIsForgottenIsLetGo(wire: Wire) async throws {
    try await library.withLibrary(wire: wire) { bridge, _ in
      try await bridge.evaluate("globalThis.held = Library.make('held');")
      for _ in 0..<100 { try await bridge.evaluate("for (let i = 0; i < 10; i++) Library.make('lost').title;") }
      let deadline = ContinuousClock.now + patience
      while try await bridge.sharedObjectCounts()["Document", default: 0] > 50, ContinuousClock.now < deadline {
        try await bridge.withContext { $0.collectGarbage() }
        try await Task.sleep(for: .milliseconds(2))
      }
      #expect(try await bridge.sharedObjectCounts()["Document", default: 0] <= 50)
      #expect(library.journal.all.count { $0 == "gone lost" } >= 950 && !library.journal.all.contains("gone held"))
      #expect(try await bridge.evaluate("held.title", as: String.self) == "held")
    }
  }

  /// Objects are collected while others, and the same again, are on their way.
  @Test func collectingAtAnyMomentLosesNone() async throws {
    try await library.withLibrary { bridge, _ in
      for round in 0..<200 {
        let isThere = try await bridge.evaluate(
          """
          (async () => {
            for (const document of Library.kept().copies(20)) document.title;
            const [one, other] = await Promise.all([Library.keptElsewhere(), Library.keptLater()]);
            return one === other && Library.isKept(one) && one.title === 'kept';
          })()
          """, as: Bool.self)
        #expect(isThere)
        if round % 5 == 0 { try await bridge.withContext { $0.collectGarbage() } }
      }
    }
  }

  @Test func aCallKeepsItsObject() async throws {
    let gate = AsyncStream<Void>.makeStream()
    let journal = library.journal
    let slow = ModuleDefinition("Slow", make: { _ in Nothing() }) {
      Member<Nothing>.sync("make") { _ in TextDocument("slow", journal: journal) }
      Member<Nothing>.method("wait", .promise, [Parameter("document", TextDocument.self)], result: String.self) { _ in
        { (call) throws(ConversionError) in
          let document = try call.next(TextDocument.self)
          let reply = call.uncheckedReply()
          reply.startConcurrently {
            for await _ in gate.stream {}
            journal.append("over")
            reply.answer { withExtendedLifetime(document) { "done" } }
          }
        }
      }
    }
    try await withBridge([slow]) { bridge, log in
      try await bridge.evaluate(
        "const document = NativeModules.Slow.make(); globalThis.end = NativeModules.Slow.wait(document); document.release();"
      )
      #expect(try await bridge.sharedObjectCounts() == [:])
      gate.continuation.finish()
      #expect(try await bridge.evaluate("end", as: String.self) == "done")
      try await library.journal.waitFor("gone slow")
      #expect(library.journal.all == ["over", "gone slow"])
      #expect(log.texts == [])
    }
  }

  @Test func closingTheBridgeLetsGoOfAll() async throws {
    try await library.withLibrary { bridge, _ in
      try await bridge.evaluate("globalThis.all = []; for (let i = 0; i < 100; i++) all.push(Library.make('a'));")
      // And the constant.
      #expect(try await bridge.sharedObjectCounts() == ["Document": 101])
      await bridge.close()
      #expect(library.journal.all.count { $0 == "gone a" } == 100)
    }
  }

  @Test func severalBridgesHoldOneObject() async throws {
    let document = TextDocument("both")
    let module = ModuleDefinition("Library", make: { _ in Nothing() }) {
      Member<Nothing>.sync("kept") { _ in document }
    }
    try await withBridge([module]) { one, _ in
      try await withBridge([module]) { other, _ in
        for bridge in [one, other] { try await bridge.evaluate("const document = NativeModules.Library.kept()") }
        try await one.evaluate("document.title = 'new'; document.release()")
        #expect(try await other.evaluate("document.title", as: String.self) == "new")
        #expect(try await one.sharedObjectCounts() == [:])
      }
    }
  }
}
