import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

@Suite struct EventSourceTests {
  private let sensor = Sensor()

  private func seen(in bridge: Bridge) async throws -> [String] {
    await bridge.waitUntilIdle()
    return try await bridge.evaluate("seen.map(String)", as: [String].self)
  }

  @Test(arguments: Wire.allCases) func listenersGetValuesUntilTheyAreRemoved(wire: Wire) async throws {
    try await sensor.withBridge(wire: wire) { bridge, log in
      try await bridge.evaluate(
        """
        const one = Sensor.changed.addListener(value => seen.push(`one ${value}`));
        const other = Sensor.addListener('changed', value => seen.push(`other ${value}`));
        Sensor.ended.addListener((...values) => seen.push(`ended ${values.length} ${values[0]}`));
        Sensor.change(1);
        """)
      try await bridge.evaluate("one.remove(); one.remove(); Sensor.change(2)")
      sensor.ended.emit()
      #expect(try await seen(in: bridge) == ["one 1", "other 1", "other 2", "ended 1 undefined"])
      #expect(sensor.journal.all == ["start"] && sensor.changed.isObserved)
      try await bridge.evaluate("other.remove(); Sensor.change(3)")
      #expect(try await seen(in: bridge).count == 4)
      #expect(sensor.journal.all == ["start", "stop"] && !sensor.changed.isObserved)
      #expect(log.texts == [])
    }
  }

  /// A run ends where nothing but listeners is left, except those that it is for.
  @Test(arguments: Wire.allCases) func aListenerKeepsTheBridgeAtWork(wire: Wire) async throws {
    let requests = EventSource<Int>(keepsAlive: true)
    let module = ModuleDefinition("Server", make: { _ in () }) {
      Member<Void>.event("request") { _ in requests }
      Member<Void>.event("other") { _ in EventSource<Int>() }
    }
    try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate("const { Server } = NativeModules; Server.other.addListener(() => {});")
      await bridge.waitUntilIdle()
      try await bridge.evaluate(
        """
        globalThis.seen = [];
        const first = Server.request.addListener(value => { if (value === 3) first.remove(); });
        (async () => { for await (const value of Server.request) { seen.push(value); if (value === 5) break; } })();
        """)
      #expect(requests.isObserved)
      let isIdle = Lock(false)
      let waiting = Task {
        await bridge.waitUntilIdle()
        isIdle.withLock { $0 = true }
      }
      for value in 1...5 {
        #expect(!isIdle.withLock { $0 })
        requests.emit(value)
        while try await bridge.evaluate("seen.length", as: Int.self) < value { await Task.yield() }
      }
      await waiting.value
      #expect(!requests.isObserved)
      // Closing does not wait for listeners.
      try await bridge.evaluate("Server.request.addListener(() => {})")
      #expect(await bridge.close(within: patience))
      await bridge.waitUntilIdle()
      #expect(log.texts == [])
    }
  }

  /// What scripts of modules have begun by then ends as with any other bridge.
  @Test(arguments: Wire.allCases) func aBridgeThatDoesNotOpenListensNoMore(wire: Wire) async throws {
    let listening = sensor.module.with(
      script: ModuleScript(sourceURL: "sensor.js") {
        "(module) => { module.changed.addListener(() => {}); return module; }"
      })
    let failing = ModuleDefinition(
      "Throwing", script: ModuleScript(sourceURL: "throwing.js") { "() => { throw new Error('no'); }" })
    await #expect(throws: BridgeError.self) {
      try await TrestleCoreTests.withBridge([listening, failing], wire: wire) { _, _ in }
    }
    #expect(!sensor.changed.isObserved)
    #expect(sensor.journal.all == ["start", "stop"])
  }

  @Test(arguments: Wire.allCases) func whatIsEmittedByTheStartIsHeard(wire: Wire) async throws {
    try await withBridge([Sensor(emitsAtStart: true).module], wire: wire) { bridge, log in
      try await bridge.evaluate(
        "globalThis.seen = []; NativeModules.Sensor.changed.addListener(value => seen.push(value));")
      #expect(try await seen(in: bridge) == ["0"])
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func theLastValueIsReplayedToEachNewListener(wire: Wire) async throws {
    sensor.state.emit(Point(x: 1, y: 0, name: ""))
    try await sensor.withBridge(wire: wire) { bridge, log in
      try await bridge.evaluate("Sensor.state.addListener(({ x }) => seen.push(`a ${x}`))")
      try await bridge.evaluate(
        "Sensor.move(2); Sensor.state.addListener(({ x }) => seen.push(`b ${x}`)); Sensor.move(3);")
      #expect(try await seen(in: bridge) == ["a 1", "a 2", "b 2", "a 3", "b 3"])
      #expect(log.texts == [])
    }
  }

  /// Whatever happens on other threads meanwhile, a listener ends with the last value, and no value comes twice.
  @Test func replayedValuesKeepTheirOrder() async throws {
    try await sensor.withBridge { bridge, log in
      let finished = Lock(0)
      for thread in 0..<3 {
        Thread.detach { [sensor] in
          for number in 0..<2000 { sensor.state.emit(Point(x: Double(thread * 10_000 + number), y: 0, name: "")) }
          finished.withLock { $0 += 1 }
        }
      }
      try await bridge.evaluate("globalThis.all = [];")
      while finished.withLock({ $0 }) < 3 {
        try await bridge.evaluate(
          "{ const mine = []; all.push(mine); Sensor.state.addListener(({ x }) => mine.push(x)); }")
        try await Task.sleep(for: .milliseconds(1))
      }
      await bridge.waitUntilIdle()
      try await bridge.evaluate(
        "{ const mine = []; all.push(mine); Sensor.state.addListener(({ x }) => mine.push(x)); }")
      await bridge.waitUntilIdle()
      let lists = try await bridge.evaluate("all", as: [[Double]].self)
      let last = try #require(lists.last?.last)
      for list in lists {
        #expect(list.last == last && Set(list).count == list.count)
        for thread in 0..<3 {
          let own = list.filter { Int($0) / 10_000 == thread }
          #expect(own == own.sorted())
        }
      }
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func aLoopTakesEveryValueAndStopsTheSource(wire: Wire) async throws {
    try await sensor.withBridge(wire: wire) { bridge, log in
      let sum = try await bridge.evaluate(
        """
        (async () => {
          let sum = 0;
          Promise.resolve().then(() => { for (let i = 1; i <= 50; i++) Sensor.change(i); });
          for await (const value of Sensor.changed) if ((sum += value) > 100) return sum;
        })();
        """, as: Int.self)
      #expect(sum == 105)
      try await bridge.evaluate("0")
      #expect(sensor.journal.all == ["start", "stop"])
      #expect(log.texts == [])
    }
  }

  @Test func severalBridgesShareASource() async throws {
    try await sensor.withBridge { one, _ in
      try await sensor.withBridge { other, _ in
        for bridge in [one, other] {
          try await bridge.evaluate("const mine = Sensor.changed.addListener(value => seen.push(value))")
        }
        sensor.changed.emit(1)
        #expect(try await seen(in: one) == ["1"])
        #expect(try await seen(in: other) == ["1"])
        try await one.evaluate("mine.remove()")
        sensor.changed.emit(2)
        #expect(try await seen(in: one) == ["1"])
        #expect(try await seen(in: other) == ["1", "2"])
        #expect(sensor.journal.all == ["start"])
      }
    }
    #expect(sensor.journal.all == ["start", "stop"])
    sensor.changed.emit(3)
  }

  @Test func closingTheBridgeEndsListening() async throws {
    try await sensor.withBridge { bridge, log in
      try await bridge.evaluate("for (let i = 0; i < 3; i++) Sensor.changed.addListener(() => {})")
      #expect(sensor.journal.all == ["start"])
      await bridge.close()
      #expect(sensor.journal.all == ["start", "stop"])
      for number in 0..<100 { sensor.changed.emit(number) }
      sensor.state.emit(Point(x: 1, y: 1, name: ""))
      #expect(log.texts == [])
    }
  }

  @Test func aTaskRunsWhileAnyoneListens() async throws {
    let ticks = EventSource<Int>()
    let journal = Journal()
    ticks.whileObserved {
      journal.append("begun")
      var number = 0
      while !Task.isCancelled {
        ticks.emit(number)
        number += 1
        await Task.yield()
      }
      journal.append("over")
    }
    let module = ModuleDefinition("Ticks", make: { _ in Nothing() }) {
      Member<Nothing>.event("tick") { _ in ticks }
    }
    try await withBridge([module]) { bridge, log in
      for round in 1...3 {
        let sum = try await bridge.evaluate(
          "(async () => { for await (const number of NativeModules.Ticks.tick) if (number > 2) return number; })()",
          as: Int.self)
        #expect(sum > 2)
        while journal.all.count < round * 2 { try await Task.sleep(for: .milliseconds(1)) }
      }
      #expect(journal.all == Array(repeating: ["begun", "over"], count: 3).flatMap { $0 })
      #expect(log.texts == [])
    }
  }

  /// Bridges come and go while other threads emit.
  @Test func emittingWhileBridgesCloseIsHarmless() async throws {
    let isOver = Lock(false)
    let sensor = sensor
    for _ in 0..<2 {
      Task {
        while !isOver.withLock({ $0 }) {
          for number in 0..<20 { sensor.changed.emit(number) }
          sensor.state.emit(Point(x: 1, y: 1, name: ""))
          try await Task.sleep(for: .microseconds(100))
        }
      }
    }
    defer { isOver.withLock { $0 = true } }
    for _ in 0..<20 {
      try await sensor.withBridge { bridge, log in
        try await bridge.evaluate(
          "for (const event of ['changed', 'state', 'ended']) Sensor[event].addListener(() => seen.push(event))")
        _ = try await bridge.evaluate("Sensor.move(1)", as: Double.self)
        #expect(log.texts == [])
      }
    }
    // A bridge that takes long to close may listen beside the next one.
    let deadline = ContinuousClock.now + patience
    while sensor.changed.isObserved || sensor.journal.all.last != "stop", ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(1))
    }
    let told = sensor.journal.all
    #expect(!told.isEmpty && told == Array(repeating: ["start", "stop"], count: told.count / 2).flatMap { $0 })
  }

  @Test func anInitializerThatThrowsIsTold() async throws {
    let module = ModuleDefinition("Broken", make: { (_) throws -> Nothing in throw WireTrouble(path: "") }) {
      Member<Nothing>.event("changed") { _ in EventSource<Int>() }
    }
    try await withBridge([module]) { bridge, log in
      try await bridge.evaluate("NativeModules.Broken.changed.addListener(() => {}).remove()")
      #expect(log.texts.count == 1 && log.texts[0].contains("the initializer of module 'Broken' threw"))
    }
  }

  @Test(arguments: Wire.allCases) func mistakesOfScripts(wire: Wire) async throws {
    try await sensor.withBridge(wire: wire) { bridge, log in
      let texts = try await bridge.evaluate(
        """
        const messages = [];
        for (const attempt of [
          () => Sensor.changed.addListener(), () => Sensor.changed.addListener.call({}, () => {}),
          () => new Sensor.changed.constructor(), () => { new Sensor.changed.constructor({}, 0, 'changed') },
          () => Sensor.addListener('changed', 3), () => Sensor.state.addListener(() => { throw new Error('mine') }),
        ]) try { attempt(); messages.push('') } catch (error) { messages.push(error.message) }
        messages
        """, as: [String].self)
      #expect(texts[0] == "addListener, argument 1 'listener': expected function, got undefined")
      #expect(texts[1] != "")
      #expect(texts[2] == "an event is made by native code" && texts[3] == texts[2])
      #expect(texts[4] == "addListener, argument 2 'listener': expected function, got number 3")
      _ = try await bridge.evaluate("Sensor.move(1)", as: Double.self)
      try await bridge.evaluate("0")
      #expect(log.texts.count == 1 && log.texts[0].contains("mine"))
    }
  }

  /// A listener that removes others, adds some, and breaks built-ins.
  @Test func listenersMayDoAnything() async throws {
    try await sensor.withBridge { bridge, log in
      try await bridge.evaluate(
        """
        const subscriptions = [];
        Sensor.changed.addListener(function (value) {
          'use strict';
          if (this !== undefined) seen.push('this');
          seen.push(value);
          for (const subscription of subscriptions) subscription.remove();
          if (value < 5) Sensor.change(value + 1);
          subscriptions.push(Sensor.changed.addListener(inner => seen.push(`inner ${inner}`)));
        });
        Map.prototype.get = Map.prototype.set = Array.prototype.push = () => { throw new Error('replaced') };
        Object.prototype.next = 1;
        Object.defineProperty(seen, 'push', { value(it) { this[this.length] = it; } });
        Object.defineProperty(subscriptions, 'push', { value(it) { this[this.length] = it; } });
        Sensor.change(1);
        """)
      let texts = try await seen(in: bridge)
      #expect(texts.filter { !$0.contains("inner") } == ["1", "2", "3", "4", "5"])
      #expect(log.texts == [])
    }
  }

  /// Whoever is told before it may remove it, also in the middle of what is being told.
  @Test(arguments: Wire.allCases) func whoIsRemovedIsToldNothingMore(wire: Wire) async throws {
    try await sensor.withBridge(wire: wire) { bridge, log in
      let all = ["Sensor.changed.addListener(", "Sensor.addListener('changed', ", "Sensor.addListener('named', "]
      // React Native's modules have an `addListener` of its own.
      for add in wire == .shared ? all : [all[0]] {
        try await bridge.evaluate(
          """
          {
            let second;
            const first = \(add)(value) => { seen.push(value); second.remove(); first.remove(); });
            second = \(add)() => seen.push('removed'));
          }
          """)
      }
      sensor.changed.emit(1)
      bridge.emit("named", of: "Sensor", "x")
      sensor.changed.emit(2)
      await bridge.waitUntilIdle()
      #expect(try await seen(in: bridge).sorted() == (wire == .shared ? ["1", "1", "x"] : ["1"]))
      #expect(log.texts == [] && !sensor.changed.isObserved)
    }
  }

  @Test func declarationsNameTheEvents() async throws {
    try await sensor.withBridge { bridge, _ in
      let text = try await bridge.typeDeclarations()
      #expect(
        text.contains(
          """
            readonly changed: ModuleEvent<number>;
            addListener(event: "changed", listener: (value: number) => void): Subscription;
            /** How it is. */
            readonly state: ModuleEvent<Point>;
          """), "\(text)")
      #expect(text.contains("readonly ended: ModuleEvent<void>;") && text.contains("interface Point {"))
      let schema = try await bridge.moduleSchemas()["modules"]?.array?.first?["events"]?.array
      #expect(schema?.first == ["name": "changed", "type": "number", "isMember": true])
      #expect(schema?.last == ["name": "named", "type": "string", "isMember": false])
    }
  }

  @Test func aNameMayNotBeGivenTwice() async throws {
    let module = ModuleDefinition("Twice", make: { _ in Nothing() }) {
      Member<Nothing>.event("changed") { _ in EventSource<Int>() }
      Member<Nothing>.void("changed") { _ in }
    }
    try await withBridge([module]) { bridge, _ in
      let error = try await #require(throws: BridgeError.self) { try await bridge.moduleSchemas() }
      #expect(error.message.contains("two members named 'changed'"))
    }
  }

  /// One that waits for a value, and one that comes to wait while the bridge closes.
  @Test(arguments: Wire.allCases) func loopsFailWhenTheBridgeCloses(wire: Wire) async throws {
    let replies = Lock<[Reply]>([])
    let slow = ModuleDefinition("Slow", make: { _ in Nothing() }) {
      Member<Nothing>._method("wait", .promise) { _ in
        { (call) throws(ConversionError) in
          let reply = call.reply()
          replies.withLock { $0.append(reply) }
        }
      }
    }
    // On a machine that is busy a script may run out of the time that closing leaves it.
    for attempt in 1...50 {
      let texts = try await withBridge([sensor.module, slow], wire: wire) { bridge, log in
        try await bridge.evaluate(
          """
          const { Sensor, Slow } = NativeModules;
          async function watch(body) { for await (const value of Sensor.changed) await body(value) }
          watch(() => {});
          watch(() => Slow.wait().catch(() => {}));
          """)
        sensor.changed.emit(1)
        while replies.withLock({ $0.isEmpty }) { try await bridge.evaluate("0") }
        await bridge.close(within: patience)
        return log.texts
      }
      replies.withLock { $0 = [] }
      if texts == Array(repeating: "BridgeError: the bridge is closed", count: 2) { return }
      #expect(attempt < 50, "\(texts)")
    }
  }
}
