import EventLoop
import Testing

@testable import TrestleCore

/// A value that uses its bridge while it is encoded: what it leads to comes before or behind the record that it is part of, whole.
private struct Busy: Encodable, Sendable {
  let act: @Sendable () -> Void

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for number in 1...3 {
      try container.encode(number)
      try container.encode("é\(number)")
      act()
    }
  }

  static let text = #"[1,"é1",2,"é2",3,"é3"]"#
}

@Suite struct BusyEncodingTests {
  private static let script = """
    globalThis.seen = [];
    const { Busy } = NativeModules;
    Busy.addListener('tick', value => seen.push(JSON.stringify(value)));
    globalThis.told = value => { seen.push('told ' + JSON.stringify(value)); return Busy.now().length };
    globalThis.ask = async () => seen.push('answer ' + JSON.stringify(await Busy.answer()), 'also ' + await Busy.plain());
    """

  private static func use(_ bridge: Bridge) {
    bridge.emit("tick", of: "Busy", "a text that has the buffer grow: \(String(repeating: "x", count: 900))")
    bridge.emit("tick", of: "Busy", EncodedValue([BadValue()]))
    bridge.assumeIsolated { bridge in
      _ = try? bridge.withContext { _ = try $0.evaluate("seen.push('turn'); ask(); NativeModules.Busy.now()") }
    }
  }

  private struct BadValue: Encodable, Sendable {
    func encode(to encoder: any Encoder) throws { throw BridgeError(.argument, "not to be sent") }
  }

  /// What a value has sent while it was encoded comes before what is sent after it.
  @Test(arguments: Wire.allCases) func whatFollowsKeepsItsPlace(wire: Wire) async throws {
    let bridges = Lock<[Bridge]>([])
    let busy = Busy { bridges.withLock { $0.first }?.emit("tick", of: "Busy", "inner") }
    let module = ModuleDefinition("Busy", make: { context in context }) {
      Member<BridgeContext>.event("tick", String.self)
      Member<BridgeContext>.void("go") { context in
        context.emit("tick", of: "Busy", EncodedValue(busy))
        context.emit("tick", of: "Busy", "after")
      }
      Member<BridgeContext>.promise("answer") { _ in EncodedValue(busy) }
      Member<BridgeContext>.promise("plain") { _ in "plain" }
    }
    try await withBridge([module], wire: wire) { bridge, log in
      bridges.withLock { $0 = [bridge] }
      let seen = try await bridge.evaluate(
        """
        const seen = [], { Busy } = NativeModules;
        Busy.addListener('tick', (value) => seen.push(JSON.stringify(value)));
        (async () => {
          Busy.go();
          await Promise.all([Busy.answer().then(() => seen.push('answer')), Busy.plain().then(() => seen.push('plain'))]);
          return seen;
        })()
        """, as: [String].self)
      let inner = Array(repeating: "\"inner\"", count: 3)
      #expect(seen == [Busy.text] + inner + ["\"after\""] + inner + ["answer", "plain"])
      #expect(log.texts == [])
      bridges.withLock { $0 = [] }
    }
  }

  @Test(arguments: Wire.allCases) func recordsAreWhole(wire: Wire) async throws {
    // What it leads to leads to the same again: as often as there are bridges here.
    let bridges = Lock<[Bridge]>([])
    let busy = Busy {
      guard let bridge = bridges.withLock({ $0.popLast() }) else { return }
      Self.use(bridge)
    }
    let module = ModuleDefinition("Busy", make: { _ in busy }) {
      Member<Busy>.event("tick", String.self)
      Member<Busy>.promise("answer") { busy in EncodedValue(busy) }
      Member<Busy>.promise("plain") { _ in "plain" }
      Member<Busy>.sync("now") { busy in EncodedValue(busy) }
    }
    try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate(Self.script)
      let again = { bridges.withLock { $0 = Array(repeating: bridge, count: 20) } }
      again()
      try await bridge.evaluate("ask(); 0")
      await bridge.waitUntilIdle()
      again()
      bridge.emit("tick", of: "Busy", EncodedValue(busy))
      await bridge.waitUntilIdle()
      again()
      try await bridge.withContext { _ in bridge.emit("tick", of: "Busy", EncodedValue(busy)) }
      await bridge.waitUntilIdle()
      again()
      let answer = try await bridge.call("told", EncodedValue(busy), as: Int.self)
      #expect(answer == 6)
      await bridge.waitUntilIdle()
      let seen = try await bridge.evaluate("seen", as: [String].self)
      let turns = seen.count { $0 == "turn" }
      let wholes = seen.count { $0 == Busy.text }, answers = seen.count { $0 == "answer \(Busy.text)" }
      #expect(turns == 80 && wholes == 2 && answers == turns + 1 && seen.count { $0 == "also plain" } == answers)
      #expect(seen.count { $0 == "told \(Busy.text)" } == 1)
      #expect(seen.count { $0.hasPrefix("\"a text") && $0.hasSuffix("x\"") } == turns)
      #expect(seen.count == turns * 2 + wholes + answers * 2 + 1, "\(seen)")
      #expect(log.texts.allSatisfy { $0.contains("not to be sent") })
    }
  }
}
