import EventLoop
import Testing

@testable import TrestleCore

/// Modules are told when the calls of a turn have been made.
@Suite struct BatchObserverTests {
  private struct Gatherer: BatchObserver, Sendable {
    let seen: Lock<[String]>

    func batchDidComplete() { seen.withLock { $0.append("end") } }

    static func definition(_ seen: Lock<[String]>) -> ModuleDefinition {
      ModuleDefinition("Gatherer", make: { _ in Gatherer(seen: seen) }) {
        Member<Gatherer>.void("add", "text") { (module, text: String) in module.seen.withLock { $0.append(text) } }
        Member<Gatherer>.promise("ask", "text") { (module, text: String) in
          module.seen.withLock { $0.append(text) }
          return text
        }
      }
    }
  }

  @Test(arguments: Wire.allCases) func theyAreToldAfterTheCalls(wire: Wire) async throws {
    let seen = Lock<[String]>([])
    try await withBridge([Gatherer.definition(seen), wireSample()], wire: wire) { bridge, log in
      // There is no instance yet, then one turn with calls, one without, and one with calls of another module.
      try await bridge.evaluate("NativeModules.Sample.log('before')")
      try await bridge.evaluate("NativeModules.Gatherer.add('a'); trestle.flush(); NativeModules.Gatherer.add('b')")
      try await bridge.evaluate("1 + 1")
      #expect(try await bridge.evaluate("3", as: Int.self) == 3)
      try await bridge.evaluate("NativeModules.Sample.log('after')")
      #expect(log.texts == [])
    }
    #expect(seen.withLock { $0 } == ["a", "b", "end", "end"])
  }

  /// What an answer leads to is a batch of its own.
  @Test(arguments: Wire.allCases) func eachEntryOfJavaScriptIsOne(wire: Wire) async throws {
    let seen = Lock<[String]>([])
    try await withBridge([Gatherer.definition(seen)], wire: wire) { bridge, _ in
      try await bridge.evaluate("NativeModules.Gatherer.ask('a').then(() => NativeModules.Gatherer.add('b'))")
    }
    #expect(seen.withLock { $0 } == ["a", "end", "b", "end"])
  }
}
