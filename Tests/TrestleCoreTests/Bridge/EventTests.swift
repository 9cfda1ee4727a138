import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

private let clock = ModuleDefinition("Clock", make: { context in context }) {
  Member<BridgeContext>.event("tick", Int.self)
  Member<BridgeContext>.void("tickThrice") { (context) in
    for number in 1...3 { context.emit("tick", of: "Clock", number) }
  }
}

@Suite struct EventTests {
  private static let listen = """
    globalThis.seen = [];
    globalThis.subscription = NativeModules.Clock.addListener('tick', number => seen.push(number));
    """

  @Test func eventsOfAThreadArriveInTheirOrder() async throws {
    try await withBridge([clock]) { bridge, log in
      try await bridge.evaluate(Self.listen)
      let finished = Lock(0)
      for thread in 0..<4 {
        Thread.detach {
          for number in 0..<500 { bridge.emit("tick", of: "Clock", thread * 1000 + number) }
          finished.withLock { $0 += 1 }
        }
      }
      while finished.withLock({ $0 }) < 4 { try await Task.sleep(for: .milliseconds(1)) }
      await bridge.waitUntilIdle()
      let seen = try await bridge.evaluate("seen", as: [Int].self)
      for thread in 0..<4 {
        #expect(seen.filter { $0 / 1000 == thread } == (0..<500).map { thread * 1000 + $0 })
      }
      #expect(log.texts == [])
    }
  }

  @Test func aModuleEmitsFromWithinACall() async throws {
    try await withBridge([clock]) { bridge, log in
      try await bridge.evaluate(Self.listen)
      try await bridge.evaluate("NativeModules.Clock.tickThrice()")
      #expect(try await bridge.evaluate("seen", as: [Int].self) == [1, 2, 3])
      try await bridge.evaluate("subscription.remove(); NativeModules.Clock.tickThrice()")
      #expect(try await bridge.evaluate("seen", as: [Int].self) == [1, 2, 3])
      #expect(log.texts == [])
    }
  }

  @Test func aListenerThatThrowsStopsNoOther() async throws {
    try await withBridge([clock]) { bridge, log in
      try await bridge.evaluate("NativeModules.Clock.addListener('tick', () => { throw new Error('mine') })")
      try await bridge.evaluate(Self.listen)
      try await bridge.evaluate("NativeModules.Clock.tickThrice()")
      #expect(try await bridge.evaluate("seen", as: [Int].self) == [1, 2, 3])
      #expect(log.texts.count { $0.contains("mine") } == 3)
    }
  }

  @Test(arguments: Wire.allCases, hostileErrors)
  func oneThatThrowsWhatNobodyCanReadStopsNoOther(wire: Wire, error: String) async throws {
    let source = EventSource<Int>()
    let module = ModuleDefinition("Source", make: { _ in Nothing() }) { Member<Nothing>.event("tick") { _ in source } }
    try await withBridge([clock, module], wire: wire) { bridge, log in
      try await bridge.evaluate(
        """
        globalThis.heard = [];
        for (const add of [(listener) => NativeModules.Clock.addListener('tick', listener), (listener) => NativeModules.Source.tick.addListener(listener)]) {
          add(() => { throw \(error) });
          add((number) => heard.push(number));
        }
        """)
      try await bridge.evaluate("NativeModules.Clock.tickThrice()")
      source.emit(4)
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("heard", as: [Int].self) == [1, 2, 3, 4])
      // Each is told, by whatever text.
      #expect(log.all.count == 4, "\(log.texts)")
    }
  }

  /// To add and to remove one costs the same however many there are; and whoever comes while others are told waits for the next.
  @Test(arguments: Wire.allCases) func listenersThatComeAndGo(wire: Wire) async throws {
    try await withBridge([clock], wire: wire) { bridge, log in
      try await bridge.evaluate(
        """
        globalThis.seen = [];
        const { Clock } = NativeModules, all = [];
        const listen = (name) => all.push(Clock.addListener('tick', (number) => {
          seen.push(name * 10 + number);
          if (name !== 2 || number !== 1) return;
          for (const gone of [0, 2, 3, 4, 5]) all[gone].remove();
          listen(20_000);
        }));
        for (let name = 0; name < 20_000; name++) listen(name);
        for (const subscription of all.splice(10)) subscription.remove();
        Clock.tickThrice();
        """)
      #expect(
        try await bridge.evaluate("seen", as: [Int].self) == [
          1, 11, 21, 61, 71, 81, 91, 12, 62, 72, 82, 92, 200_002, 13, 63, 73, 83, 93, 200_003,
        ])
      #expect(log.texts == [])
    }
  }

  /// More names than are sent by number, and one whose first value does not convert.
  @Test func namesWithoutEndArrive() async throws {
    let names = (0..<3000).map { "event \($0 % 1500) über" }
    try await withBridge([clock, ModuleDefinition("Watch", make: { _ in Nothing() }) {}]) { bridge, log in
      try await bridge.evaluate(
        """
        globalThis.seen = [];
        for (let i = 0; i < 1500; i++) for (const name of ['Clock', 'Watch']) {
          NativeModules[name].addListener(`event ${i} über`, value => seen.push(`${name} event ${i} über ${value}`));
        }
        """)
      bridge.emit(names[0], of: "Clock", (0..<1000).reduce(JSONValue.null) { value, _ in .array([value]) })
      for name in names {
        bridge.emit(name, of: "Clock", 1)
        bridge.emit(name, of: "Watch", 2)
      }
      await bridge.waitUntilIdle()
      #expect(
        try await bridge.evaluate("seen", as: [String].self) == names.flatMap { ["Clock \($0) 1", "Watch \($0) 2"] })
      #expect(log.texts.count == 1)
    }
  }

  @Test func anEventOfNoModuleIsTold() async throws {
    try await withBridge([clock]) { bridge, log in
      bridge.emit("tick", of: "Watch", 1)
      await bridge.waitUntilIdle()
      #expect(log.texts.contains { $0.contains("no module 'Watch'") })
    }
  }

  @Test func eventsAfterTheEndGoNowhere() async throws {
    let bridge = try await Bridge(modules: .definitions([clock]))
    await bridge.close()
    bridge.emit("tick", of: "Clock", 1)
  }
}
