import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// Where the stack ends, or near it, a script either ends a thing of native code or can try again: never is the one half of it done
/// without the other.
@Suite struct StackEndTests {
  private let journal = Journal()
  private static let count = 300

  private var module: ModuleDefinition {
    ModuleDefinition("Things", make: { _ in EventSource<Int>() }) { [journal] in
      Member<EventSource<Int>>.event("changed") { source in
        source.onObservation {
        } stop: {
          journal.append("unobserved")
        }
        return source
      }
      Member<EventSource<Int>>.sync("object") { _ in TextDocument("object", journal: journal) }
      Member<EventSource<Int>>.sync("stream") { _ in
        BridgeStream(AsyncStream<Int> { $0.onTermination = { _ in journal.append("terminated") } })
      }
    }
  }

  @Test(
    arguments: [
      ("Things.changed.addListener(() => {})", "thing.remove()", "unobserved", 1),
      ("Things.object()", "thing.release()", "gone object", count),
      ("Things.stream()", "thing.return()", "terminated", count),
    ], Wire.allCases)
  func whatIsEndedThereIsEnded(thing: (make: String, end: String, told: String, count: Int), wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      let tried = try await bridge.evaluate(
        """
        const { Things } = NativeModules, things = Array.from({ length: \(Self.count) }, () => \(thing.make)), again = [], ended = [];
        const end = thing => \(thing.end);
        let next = 0;
        function deep() {
          try { deep(); } catch {}
          if (next === things.length) return;
          const thing = things[next++];
          try { ended.push([thing, end(thing)]); } catch { again.push(thing); }
        }
        (async () => {
          deep();
          for (const [thing, result] of ended) try { await result } catch { again.push(thing); }
          for (const thing of again) await end(thing);
          return again.length;
        })();
        """, as: Int.self)
      #expect(tried > 0)
      try await journal.waitFor(thing.told, count: thing.count)
      #expect(log.texts == [])
    }
  }
}
