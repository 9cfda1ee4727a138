import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

@Suite struct ScriptObjectTests {
  private final class Holder: Sendable {
    let objects = Lock<[ScriptObject]>([])
  }

  private let holder = Holder()

  private var module: ModuleDefinition {
    ModuleDefinition("Holder", make: { [holder] _ in holder }) {
      Member<Holder>.promise("keep", "object") { (holder, object: ScriptObject) in
        holder.objects.withLock {
          $0.append(object)
          return $0.count
        }
      }
      Member<Holder>.sync("first") { holder in holder.objects.withLock { $0.first } }
      Member<Holder>.sync("same", "listener") { (_, listener: ScriptFunction<Int>?) in listener }
      Member<Holder>.void("drop") { holder in holder.objects.withLock { $0 = [] } }
    }
  }

  private static let counter = """
    class Counter {
      #count = 0;
      constructor(name) { this.name = name; }
      get count() { return this.#count; }
      set count(value) { if (value < 0) throw new RangeError('negative'); this.#count = value; }
      add(a, b) { this.#count += a + b; return this; }
      async later(value) { await null; return value * 2; }
      child() { return new Counter(this.name + '.child'); }
    }
    globalThis.makeCounter = name => new Counter(name);
    globalThis.makeLater = async name => new Counter(name);
    globalThis.counters = { main: new Counter('main'), number: 3 };
    """

  @Test(arguments: Wire.allCases) func membersAreReadSetAndCalled(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate(Self.counter)
      let counter = try await bridge.callForObject("makeCounter", "mine")
      _ = try await counter.call("add", 1, 2, as: Undefined.self)
      #expect(try await counter.get("count", as: Int.self) == 3)
      try await counter.set("count", to: 10)
      #expect(try await counter.get("count", as: Int.self) == 10)
      #expect(try await counter.call("later", 21, as: Int.self) == 42)
      #expect(try await counter.get("missing", as: Int?.self) == nil)
      let child = try await counter.callForObject("child")
      #expect(try await child.get("name", as: String.self) == "mine.child")
      #expect(try await bridge.callForObject("makeLater", "late").get("name", as: String.self) == "late")
      #expect(try await bridge.object("counters").object("main").get("name", as: String.self) == "main")
      #expect(try await bridge.object("counters.main").get("name", as: String.self) == "main")
      #expect(try await bridge.object("makeCounter").get("length", as: Int.self) == 1)
      #expect(log.texts == [])
    }
  }

  /// The trap is given an object of the realm that sets.
  @Test(arguments: Wire.allCases) func settingAMemberHandsAProxyNothingOfTheRuntimes(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.installForeignCheck()
      try await bridge.evaluate(
        """
        globalThis.found = [];
        globalThis.trapped = new Proxy({}, {
          defineProperty(target, key, descriptor) { found.push(key, isForeign(descriptor)); return Reflect.defineProperty(target, key, descriptor); },
        });
        """)
      try await bridge.object("trapped").set("member", to: 3)
      #expect(try await bridge.evaluate("[...found, trapped.member].join()", as: String.self) == "member,false,3")
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func isTheSameObjectAgain(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, log in
      let isSame = try await bridge.evaluate(
        """
        (async () => {
          const { Holder } = NativeModules, object = { f() {} };
          await Holder.keep(object);
          return Holder.first() === object;
        })()
        """, as: Bool.self)
      #expect(isSame)
      try await bridge.evaluate("globalThis.box = {}; globalThis.isIn = (object, name) => box[name] === object")
      let (box, other) = (try await bridge.object("box"), try await bridge.callForObject("Object"))
      try await box.set("other", to: other)
      #expect(try await bridge.call("isIn", other, "other", as: Bool.self))
      #expect(try await bridge.call("isIn", [box], "other", as: Bool.self) == false)
      #expect(log.texts == [])
    }
  }

  @Test func functionsComeBackToo() async throws {
    try await withBridge([module]) { bridge, _ in
      let isSame = try await bridge.evaluate(
        "(() => { const f = () => {}; return NativeModules.Holder.same(f) === f && NativeModules.Holder.same(null) == null })()",
        as: Bool.self)
      #expect(isSame)
    }
  }

  @Test(arguments: Wire.allCases) func whatGoesWrongIsSaid(wire: Wire) async throws {
    try await withBridge([module], wire: wire) { bridge, _ in
      try await bridge.evaluate(Self.counter)
      let counter = try await bridge.object("counters.main")
      func message(_ body: () async throws -> Void) async -> String {
        do { try await body() } catch let error as JavaScriptError {
          return "\(error.code ?? "") \(error.name): \(error.message)"
        } catch {
          return "\(error)"
        }
        return "no error"
      }
      #expect(
        await message { try await counter.set("count", to: -1) } == " RangeError: negative")
      #expect(
        await message { _ = try await counter.call("nothing", as: Int.self) }
          == "ERR_NOT_FOUND TypeError: 'nothing' is not a function: got undefined")
      #expect(
        await message { _ = try await bridge.object("counters.number") }
          == "ERR_ARGUMENT TypeError: 'counters.number': expected object, got number 3")
      #expect(
        await message { _ = try await bridge.object("nowhere") }
          == "ERR_ARGUMENT TypeError: 'nowhere': expected object, got undefined")
      #expect(
        await message { _ = try await bridge.callForObject("nowhere") }
          == "ERR_NOT_FOUND TypeError: 'nowhere' is not a function: got undefined")
      let text = await message { _ = try await counter.get("name", as: Int.self) }
      #expect(text.contains("got string \"main\""))
    }
  }

  @Test(arguments: ["1", "'text'", "null", "undefined"]) func whatIsNoObjectIsRefused(value: String) async throws {
    try await withBridge([module]) { bridge, _ in
      let message = try await bridge.evaluate(
        "NativeModules.Holder.keep(\(value)).catch(error => error.message)", as: String.self)
      #expect(message.hasPrefix("Holder.keep, argument 1 'object': expected object, got "))
    }
  }

  @Test func inAnotherBridgeItIsNothing() async throws {
    try await withBridge([]) { first, _ in
      try await first.evaluate("globalThis.object = { a: 1 }")
      let object = try await first.object("object")
      try await withBridge([]) { second, log in
        try await second.evaluate("globalThis.object = { b: 2 }; globalThis.type = value => typeof value")
        let own = try await second.object("object")
        #expect(try await second.call("type", object, as: String.self) == "undefined")
        #expect(try await second.call("type", own, as: String.self) == "object")
        #expect(log.texts == ["ERR_ARGUMENT: an object of another bridge's reaches JavaScript as undefined"])
      }
      #expect(try await object.get("a", as: Int.self) == 1)
    }
  }

  @Test func afterTheEndItThrows() async throws {
    let object = try await withBridge([]) { bridge, _ in try await bridge.callForObject("Object") }
    let error = await #expect(throws: BridgeError.self) { try await object.get("a", as: Int.self) }
    #expect(error?.code == .closed)
  }

  @Test func whatIsDroppedIsCollected() async throws {
    try await withBridge([module]) { bridge, log in
      try await bridge.evaluate(
        """
        globalThis.collected = 0;
        const registry = new FinalizationRegistry(() => { collected++ });
        globalThis.make = () => { const object = {}; registry.register(object); return object; };
        """)
      for _ in 0..<1000 { _ = try await bridge.callForObject("make") }
      try await bridge.evaluate(
        "for (let i = 0; i < 1000; i++) NativeModules.Holder.keep(make()); NativeModules.Holder.drop()")
      let collected = try await awaitCollection(of: 1900, in: bridge)
      #expect(collected >= 1900)
      #expect(log.texts == [])
    }
  }

  /// The answer is on its way when a limit ends the turn that gave it: nobody takes it.
  @Test(arguments: Wire.allCases) func whatALimitKeepsFromSwiftIsNotKept(wire: Wire) async throws {
    try await withBridge([], wire: wire) {
      $0.tracksOutstanding = true
    } _: { bridge, _ in
      try await bridge.evaluate(
        """
        globalThis.make = () => {
          let later = Promise.resolve();
          for (let i = 0; i < 20; i++) later = later.then();
          later.then(() => { if (isEndless) for (;;); });
          return {};
        };
        globalThis.isEndless = true;
        """)
      try await bridge.setLimits(.ofProcessor(.milliseconds(50)))
      let error = await #expect(throws: BridgeError.self) { try await bridge.callForObject("make") }
      #expect(error?.code == .limit)
      try await bridge.setLimits(nil)
      #expect(try await bridge.outstanding() == [])
      try await bridge.evaluate("isEndless = false")
      let object = try await bridge.callForObject("make")
      #expect(try await bridge.outstanding().map(\.kind) == [.scriptObject])
      withExtendedLifetime(object) {}
    }
  }

  /// Nothing in Swift stands for what it comes to.
  @Test func whatACancelledCallGivesIsNotKept() async throws {
    try await withBridge([], { $0.tracksOutstanding = true }) { bridge, log in
      try await bridge.evaluate(
        "globalThis.made = new Promise(resolve => { globalThis.finish = () => resolve({}) }); globalThis.make = () => { globalThis.asked = 1; return made; }"
      )
      let task = Task { try await bridge.callForObject("make") }
      _ = try await awaitGlobal("asked", of: bridge, as: Int.self)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await bridge.evaluate("finish()")
      let kept = try await bridge.outstanding().filter { $0.kind == .scriptObject }
      #expect(kept == [])
      let object = try await bridge.callForObject("make")
      let held = try await bridge.outstanding().filter { $0.kind == .scriptObject }
      #expect(held.count == 1)
      withExtendedLifetime(object) {}
      #expect(log.texts == [])
    }
  }
}
