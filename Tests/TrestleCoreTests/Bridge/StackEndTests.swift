import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// Where the stack ends, or near it, a script either ends a thing of native code or can try again: never is the one half of it done
/// without the other.
@Suite struct StackEndTests {
  private let journal = Journal()
  private static let count = 1000

  private var module: ModuleDefinition {
    ModuleDefinition("Things", make: { _ in EventSource<Int>() }) { [journal] in
      Member<EventSource<Int>>.event("changed") { source in
        source.onObservation {
        } stop: {
          journal.append("unobserved")
        }
        return source
      }
      Member<EventSource<Int>>.sync("object") { _ in
        journal.append("made")
        return TextDocument("object", journal: journal)
      }
      Member<EventSource<Int>>.sync("stream") { _ in
        journal.append("made")
        return BridgeStream(AsyncStream<Int> { $0.onTermination = { _ in journal.append("terminated") } })
      }
      Member<EventSource<Int>>.promise("touch") { _ in
        journal.append("touched")
        return true
      }
      Member<EventSource<Int>>.void("mark") { _ in
        journal.append("touched")
      }
      Member<EventSource<Int>>.sync("markNow") { _ in
        journal.append("touched")
      }
      Member<EventSource<Int>>.promise("begin") { _ in
        journal.append("touched")
        return BridgeStream(AsyncStream<Int> { $0.finish() })
      }
      Member<EventSource<Int>>.void("emit") { source in
        source.emit(1)
      }
      Member<EventSource<Int>>.sync("numbers") { _ in
        BridgeStream(
          AsyncStream<Int> { continuation in
            for number in 0..<1000 { continuation.yield(number) }
            continuation.finish()
          })
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

  /// What native code has made for a script there comes to it, or goes again.
  @Test(
    arguments: [
      ("Things.object()", "thing.release()", "gone object"), ("Things.stream()", "thing.return()", "terminated"),
    ],
    Wire.allCases)
  func whatIsHandedOverThereArrivesOrGoes(thing: (make: String, end: String, told: String), wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      let failed = try await bridge.evaluate(
        """
        const { Things } = NativeModules, things = [];
        let left = \(Self.count), failed = 0;
        function deep() {
          try { deep(); } catch {}
          if (left-- > 0) try { things.push(\(thing.make)); } catch { failed++; }
        }
        (async () => {
          deep();
          for (const thing of things) await \(thing.end);
          return failed;
        })();
        """, as: Int.self)
      #expect(failed > 0)
      try await journal.waitFor(thing.told, count: journal.all.count { $0 == "made" })
      #expect(log.texts == [])
    }
  }

  /// A call with a signal is made, or is not, and the script is told which; also where the signal is the script's own and throws.
  @Test(
    arguments: [
      "{ aborted: false, addEventListener() {}, removeEventListener() {} }",
      "{ aborted: false, addEventListener() { throw new Error('mine'); } }",
    ],
    Wire.allCases)
  func callsWithSignalsThere(signal: String, wire: Wire) async throws {
    try await withBridge([module], wire: wire, { $0.isDevelopment = true }) { bridge, log in
      let outcomes = try await bridge.evaluate(
        """
        const { Things } = NativeModules, calls = [];
        let left = \(Self.count), done = 0, failed = 0;
        function deep() {
          try { deep(); } catch {}
          if (left-- > 0) try { calls.push(Things.touch(\(signal))); } catch { failed++; }
        }
        (async () => {
          deep();
          for (const call of calls) try { await call; done++; } catch { failed++; }
          return [done, failed];
        })();
        """, as: [Int].self)
      #expect(outcomes[0] > 0 && outcomes[1] > 0 && outcomes[0] + outcomes[1] == Self.count)
      #expect(journal.all.count { $0 == "touched" } == outcomes[0])
      #expect(log.texts.allSatisfy { $0.contains("mine") || $0.contains("stack") }, "\(log.texts.prefix(3))")
    }
  }

  /// A call is made, or tells that it is not.
  @Test(arguments: ["Things.touch()", "Things.mark()", "Things.markNow()", "Things.begin()"], Wire.allCases)
  func callsThere(call: String, wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      let outcomes = try await bridge.evaluate(
        """
        const { Things } = NativeModules, calls = [];
        let left = \(Self.count), done = 0, failed = 0;
        function deep() {
          try { deep(); } catch {}
          if (left-- > 0) try { calls.push(\(call)); } catch { failed++; }
        }
        (async () => {
          deep();
          for (const call of calls) try { await call; done++; } catch { failed++; }
          return [done, failed];
        })();
        """, as: [Int].self)
      #expect(outcomes[0] > 0 && outcomes[1] > 0 && outcomes[0] + outcomes[1] == Self.count)
      try await journal.waitFor("touched", count: outcomes[0])
      _ = try await bridge.evaluate("NativeModules.Things.touch()", as: Bool.self)
      #expect(journal.all.count { $0 == "touched" } == outcomes[0] + 1)
      #expect(log.texts == [])
    }
  }

  /// What throws there leaves no promise behind that is rejected and that nobody has: in whichever of the engine's tiers.
  @Test(arguments: Wire.allCases) func promisesThatNobodyHas(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      let outcomes = try await bridge.evaluate(
        """
        const { Things } = NativeModules, calls = [];
        const at = (depth, body) => depth === 0 ? body() : at(depth - 1, body);
        const deepest = () => {
          let low = 100, high = 1e6;
          while (high - low > 1) {
            const depth = low + high >> 1;
            try { at(depth, () => 1); low = depth; } catch { high = depth; }
          }
          return low;
        };
        let done = 0, failed = 0;
        (async () => {
          for (let round = 0; round < 8; round++) {
            const last = deepest();
            for (let depth = last - 400; depth < last + 2; depth++) try { calls.push(at(depth, () => Things.touch())); } catch { failed++; }
          }
          for (const call of calls) try { await call; done++; } catch { failed++; }
          return [done, failed];
        })();
        """, as: [Int].self)
      #expect(outcomes[0] > 0 && outcomes[1] > 0)
      #expect(journal.all.count { $0 == "touched" } == outcomes[0])
      #expect(log.texts == [])
    }
  }

  /// Who listens there is told once of what follows, and can be removed.
  @Test(arguments: Wire.allCases) func listenersThatAreAddedThere(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      let outcomes = try await bridge.evaluate(
        """
        const { Things } = NativeModules, added = [];
        let left = \(Self.count), told = 0, failed = 0;
        function deep() {
          try { deep(); } catch {}
          if (left-- > 0) try { added.push(Things.changed.addListener(() => told++)); } catch { failed++; }
        }
        (async () => {
          deep();
          await Things.touch();
          Things.emit();
          await Things.touch();
          for (const one of added) one.remove();
          return [added.length, told, failed];
        })();
        """, as: [Int].self)
      #expect(outcomes[0] > 0 && outcomes[0] == outcomes[1] && outcomes[2] > 0)
      try await journal.waitFor("unobserved", count: 1)
      #expect(log.texts == [])
    }
  }

  /// Each element is for one who asked for it.
  @Test(arguments: Wire.allCases) func elementsThatAreAskedForThere(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      let outcomes = try await bridge.evaluate(
        """
        const stream = NativeModules.Things.numbers(), asked = [], all = [];
        let left = \(Self.count), failed = 0;
        function deep() {
          try { deep(); } catch {}
          if (left-- > 0) try { asked.push(stream.next()); } catch { failed++; }
        }
        (async () => {
          all.push((await stream.next()).value);
          deep();
          for (const item of asked) try { all.push((await item).value); } catch { failed++; }
          for await (const number of stream) all.push(number);
          return [failed, all.every((number, i) => number === i) ? all.length : 0];
        })();
        """, as: [Int].self)
      #expect(outcomes[0] > 0 && outcomes[1] == 1000)
      #expect(log.texts == [])
    }
  }
}
