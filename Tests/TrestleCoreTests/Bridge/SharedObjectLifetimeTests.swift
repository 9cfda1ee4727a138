import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// How long Swift keeps what scripts hold.
@Suite struct SharedObjectLifetimeTests {
  /// What is sent of the release may make calls that wait, and those run a script that releases it, too.
  @Test(arguments: Wire.allCases) func aReleaseWithinAReleaseTakesNoOtherObject(wire: Wire) async throws {
    let module = ModuleDefinition("Maker", make: { _ in Nothing() }) {
      Member<Nothing>.sync("make", "title") { (_, title: String) in TextDocument(title) }
      Member<Nothing>.void("call", "function", "name") { (_, function: ScriptFunction<Undefined>, _: String?) in
        _ = try? function.callNow()
      }
    }
    try await withBridge([module], wire: wire) { bridge, log in
      let text = try await bridge.evaluate(
        """
        const { Maker } = NativeModules, a = Maker.make('a');
        let b;
        Maker.call(() => { a.release(); b = Maker.make('b'); }, '');
        // By then the calls that wait are to go over with the next one.
        const end = Date.now() + 100;
        while (Date.now() < end);
        a.release();
        b ??= Maker.make('b');
        const c = Maker.make('c');
        [b.title, c.title].join();
        """, as: String.self)
      #expect(text == "b,c")
      #expect(log.texts == [])
    }
  }

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

  @Test(arguments: Wire.allCases) func usingLetsGoAtItsEnd(wire: Wire) async throws {
    try await library.withLibrary(wire: wire) { bridge, _ in
      // What compilers make of `using`.
      let seen = try await bridge.evaluate(
        """
        const { dispose, asyncDispose } = Symbol;
        const made = Library.make('a'), subscription = NativeModules.Library.addListener('gone', () => {});
        made[dispose](); made[dispose](); subscription[dispose]();
        let failure;
        try { made.title } catch (error) { failure = error.code }
        const descriptor = Object.getOwnPropertyDescriptor(Symbol, 'dispose');
        [failure, String(dispose), String(asyncDispose), descriptor.writable, descriptor.enumerable].join()
        """, as: String.self)
      #expect(seen == "ERR_RELEASED,Symbol(Symbol.dispose),Symbol(Symbol.asyncDispose),false,false")
      try await library.journal.waitFor("gone a")
    }
  }

  /// What has an asynchronous `close` is closed before it is let go of; what is let go of by then is not.
  @Test(arguments: Wire.allCases) func awaitUsingCloses(wire: Wire) async throws {
    let journal = Journal()
    let module = ModuleDefinition("Maker", make: { _ in Nothing() }) {
      Member<Nothing>.sync("make", "name") { (_, name: String) in Door(name, journal) }
    }
    try await withBridge([module], wire: wire) { bridge, log in
      let seen = try await bridge.evaluate(
        """
        (async () => {
          const { Maker } = NativeModules, { asyncDispose } = Symbol, seen = [], code = error => error.code ?? error.message;
          const a = Maker.make('a'), b = Maker.make('b'), broken = Maker.make('');
          await a[asyncDispose](); await a[asyncDispose]();
          b.release(); await b[asyncDispose]();
          seen.push(await broken[asyncDispose]().catch(code), await broken.close().catch(code));
          for (const it of [undefined, {}]) seen.push(await a[asyncDispose].call(it).catch(error => error instanceof TypeError));
          return seen.join();
        })()
        """, as: String.self)
      #expect(seen == "ERR_STUCK,ERR_RELEASED,true,true")
      #expect(journal.all == ["closed a"])
      let types = try await bridge.typeDeclarations()
      #expect(types.contains("  [Symbol.asyncDispose](): Promise<void>;\n}"), "\(types)")
      #expect(log.texts == [])
    }
  }

  /// What the objects keep is told to the collector: it comes by itself, though they are small in JavaScript.
  @Test(arguments: Wire.allCases) func whatObjectsKeepBringsTheCollector(wire: Wire) async throws {
    let alive = Lock(0)
    try await withBridge([Heavy.module(alive)], wire: wire) { bridge, log in
      var most = 0
      for _ in 0..<400 {
        try await bridge.evaluate("NativeModules.Heavy.make(1 << 20)")
        most = max(most, alive.withLock { $0 })
      }
      #expect(most < 400)
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func objectsHaveALimitOfMemory(wire: Wire) async throws {
    let alive = Lock(0)
    try await withBridge([Heavy.module(alive)], wire: wire) {
      $0.sharedMemoryLimit = 1000
    } _: { bridge, log in
      let seen = try await bridge.evaluate(
        """
        (async () => {
          const { Heavy } = NativeModules, seen = [], code = error => error.code;
          const attempt = (body) => { try { return body(); } catch (error) { return error.code; } };
          const first = Heavy.make(600);
          seen.push(attempt(() => Heavy.make(401)), await Heavy.makeLater(401).catch(code), await Heavy.makeLater(Number.MAX_SAFE_INTEGER).catch(code));
          const second = await Heavy.makeLater(400);
          seen.push(attempt(() => Heavy.make(1)), Heavy.make(0).size, second.size);
          first.release(); second.release();
          // The last does not fit; those that were on their way with it are let go of.
          for (let i = 0; i < 5; i++) seen.push(attempt(() => Heavy.several([10, 980, 20, 5])), await Heavy.severalLater([20, 990, 5]).catch(code));
          return seen.join();
        })()
        """, as: String.self)
      #expect(
        seen == "ERR_LIMIT,ERR_LIMIT,ERR_LIMIT,ERR_LIMIT,0,400" + String(repeating: ",ERR_LIMIT,ERR_LIMIT", count: 5))
      let deadline = ContinuousClock.now + patience
      while alive.withLock({ $0 }) > 0, ContinuousClock.now < deadline {
        try await bridge.withContext { $0.collectGarbage() }
        try await Task.sleep(for: .milliseconds(2))
      }
      #expect(alive.withLock { $0 } == 0)
      #expect(try await bridge.evaluate("NativeModules.Heavy.make(1000).size", as: Int.self) == 1000)
      #expect(log.texts == [])
    }
  }

  /// Of a bridge and of those that have their limits of it; what one has is free again once it is closed.
  @Test func objectsOfSeveralBridgesAreCountedTogether() async throws {
    let alive = Lock(0)
    let module = Heavy.module(alive)
    @Sendable func makes(_ cost: Int, on bridge: Bridge) async throws -> Bool {
      try await bridge.evaluate(
        """
        globalThis.kept ??= [];
        try { kept.push(NativeModules.Heavy.make(\(cost))); true; } catch (error) { if (error.code !== 'ERR_LIMIT') throw error; false; }
        """, as: Bool.self)
    }
    try await withBridge([module]) {
      $0.sharedMemoryLimit = 1000
    } _: { bridge, _ in
      #expect(try await makes(400, on: bridge))
      var configuration = BridgeConfiguration()
      try await bridge.scriptLimits.narrow(&configuration)
      let worker = try await Bridge(modules: .definitions([module]), configuration: configuration)
      var ofItsOwn = BridgeConfiguration()
      ofItsOwn.sharedMemoryLimit = 200
      try await worker.scriptLimits.narrow(&ofItsOwn)
      let narrower = try await Bridge(modules: .definitions([module]), configuration: ofItsOwn)
      let narrow = try await narrower.scriptLimits
      #expect(try await !makes(201, on: narrower))
      #expect(try await makes(150, on: narrower))
      #expect(try await !makes(451, on: worker))
      #expect(try await makes(450, on: worker))
      for bridge in [bridge, worker, narrower] { #expect(try await !makes(1, on: bridge)) }
      for bridge in [worker, narrower] { #expect(await bridge.close(within: patience)) }
      // A narrower limit is that of all that its own workers have, too.
      var inner = BridgeConfiguration()
      narrow.narrow(&inner)
      let third = try await Bridge(modules: .definitions([module]), configuration: inner)
      #expect(try await !makes(201, on: third))
      #expect(try await makes(200, on: third))
      #expect(await third.close(within: patience))
      #expect(try await !makes(601, on: bridge))
      #expect(try await makes(600, on: bridge))
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
      Member<Nothing>._method("wait", .promise, [Parameter("document", TextDocument.self)], result: String.self) { _ in
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
      await bridge.close(within: patience)
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

/// One without a name cannot be closed.
private final class Door: SharedObject {
  private let name: String
  private let journal: Journal

  init(_ name: String, _ journal: Journal) { (self.name, self.journal) = (name, journal) }

  static let sharedClass = SharedClass("Door", of: Door.self) {
    Member<Door>.promise("close") { door in
      if door.name.isEmpty { throw BridgeError(.init(rawValue: "ERR_STUCK"), "it is stuck") }
      door.journal.append("closed \(door.name)")
      return true
    }
  }
}

/// Says that it keeps as many bytes as it is asked to.
private final class Heavy: SharedObject {
  let memoryCost: Int
  private let alive: Lock<Int>

  init(_ memoryCost: Int, _ alive: Lock<Int>) {
    self.memoryCost = memoryCost
    self.alive = alive
    alive.withLock { $0 += 1 }
  }

  deinit { alive.withLock { $0 -= 1 } }

  static let sharedClass = SharedClass("Heavy", of: Heavy.self) {
    Member<Heavy>.sync("get size") { $0.memoryCost }
  }

  static func module(_ alive: Lock<Int>) -> ModuleDefinition {
    ModuleDefinition("Heavy", make: { _ in () }) {
      Member<Void>.sync("make", "size") { (_, size: Int) in Heavy(size, alive) }
      Member<Void>.promise("makeLater", "size") { (_, size: Int) in Heavy(size, alive) }
      Member<Void>.sync("several", "sizes") { (_, sizes: [Int]) in sizes.map { Heavy($0, alive) } }
      Member<Void>.promise("severalLater", "sizes") { (_, sizes: [Int]) in sizes.map { Heavy($0, alive) } }
    }
  }
}
