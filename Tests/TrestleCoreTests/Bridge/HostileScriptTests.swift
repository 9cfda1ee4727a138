import Testing

@testable import TrestleCore

private let echo = ModuleDefinition("Echo", make: { _ in Nothing() }) {
  Member<Nothing>.promise("number", "value") { (_, value: Double) in value }
  Member<Nothing>.promise("text", "value") { (_, value: String) in value }
  Member<Nothing>.promise("point", "value") { (_, value: Point) in value.name }
  Member<Nothing>.promise("list", "value") { (_, value: [Point]) in value.map(\.name) }
}

/// Scripts that try to break the runtime break only themselves.
@Suite struct HostileScriptTests {
  @Test(
    arguments: Wire.allCases,
    [
      "Array.prototype.push = () => { throw 1 }",
      "JSON.stringify = JSON.parse = () => 'x'",
      "globalThis.Promise = class { constructor() { throw 2 } }",
      "Promise.prototype.then = () => 3; Promise.resolve = () => 4",
      "Object.defineProperty(Array.prototype, '0', {set() { throw 5 }, get() { return 6 }, configurable: true})",
      "Object.prototype.get = Object.prototype.set = () => { throw 7 }; Object.prototype.value = 8",
      "Object.keys = Object.defineProperty = Reflect.apply = () => { throw 9 }",
      "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw 10 }",
      "Map.prototype.get = Map.prototype.set = () => { throw 11 }",
      "Symbol.prototype[Symbol.toPrimitive] = String.prototype.toString = () => { throw 12 }",
      "Array.prototype[Symbol.iterator] = String.prototype[Symbol.iterator] = () => { throw 13 }",
      "RegExp.prototype.exec = RegExp.prototype.test = () => { throw 14 }",
      "globalThis.Error = globalThis.TypeError = globalThis.Date = globalThis.Proxy = undefined",
      "try { String.prototype.charCodeAt = () => ({valueOf() { throw 15 }}) } catch {}",
      "ArrayBuffer.isView = Array.isArray = () => true",
    ])
  func replacedBuiltInsDoNotReachTheRuntime(wire: Wire, attack: String) async throws {
    try await withBridge([echo], wire: wire) { bridge, log in
      try await bridge.evaluate("const {Echo} = NativeModules;")
      try await bridge.evaluate("(() => { \(attack) })()")
      #expect(try await bridge.evaluate("Echo.number(1.5)", as: Double.self) == 1.5)
      #expect(try await bridge.evaluate("Echo.text('ä')", as: String.self) == "ä")
      #expect(try await bridge.evaluate("Echo.point({x: 1, y: 2, name: 'p'})", as: String.self) == "p")
      #expect(try await bridge.evaluate("Echo.list([{x: 1, y: 2, name: 'q'}])", as: [String].self) == ["q"])
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func gettersThatCallNativesWhileArgumentsAreRead(wire: Wire) async throws {
    try await withBridge([echo], wire: wire) { bridge, log in
      let names = try await bridge.evaluate(
        """
        (async () => {
          const inner = [];
          const point = {get x() { inner.push(NativeModules.Echo.text('inner')); return 1 }, y: 2,
            get name() { inner.push(NativeModules.Echo.number(4)); return 'outer' }};
          const outer = await NativeModules.Echo.point(point);
          const listed = await NativeModules.Echo.list([point, point]);
          return [outer, ...listed, ...(await Promise.all(inner)).map(String)];
        })()
        """, as: [String].self)
      #expect(names == ["outer", "outer", "outer", "inner", "4", "inner", "4", "inner", "4"])
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func gettersThatThrowReachTheCaller(wire: Wire) async throws {
    try await withBridge([echo], wire: wire) { bridge, _ in
      let message = try await bridge.evaluate(
        "NativeModules.Echo.point({x: 1, get y() { throw new Error('mine') }, name: ''}).catch(error => error.message)",
        as: String.self)
      #expect(message == "mine")
      #expect(try await bridge.evaluate("NativeModules.Echo.number(1)", as: Int.self) == 1)
    }
  }

  @Test(arguments: Wire.allCases) func anExhaustedStackLeavesTheQueueWhole(wire: Wire) async throws {
    try await withBridge([echo], wire: wire) { bridge, log in
      try await bridge.evaluate(
        """
        const {Echo} = NativeModules;
        function deep(n) { Echo.point({x: n, y: n, name: 'deep'}); return deep(n + 1) + 1 }
        for (let i = 0; i < 20; i++) try { deep(0) } catch (error) { if (!(error instanceof RangeError)) throw error }
        """)
      #expect(try await bridge.evaluate("Echo.text('after')", as: String.self) == "after")
      #expect(log.texts.filter { $0.contains("ERR_MALFORMED") } == [])
    }
  }

  @Test(arguments: Wire.allCases) func theSharedBufferIsNotInReach(wire: Wire) async throws {
    try await withBridge([echo], wire: wire) { bridge, _ in
      let found = try await bridge.evaluate(
        """
        (() => {
          const seen = new Set();
          const queue = [globalThis, NativeModules, NativeModules.Echo, NativeModules.Echo.number, trestle];
          for (const object of queue) {
            if (seen.has(object) || (typeof object !== 'object' && typeof object !== 'function') || object === null) continue;
            seen.add(object);
            if (object instanceof ArrayBuffer || ArrayBuffer.isView(object)) return String(object);
            for (const key of Reflect.ownKeys(object)) {
              const {value, get, set} = Reflect.getOwnPropertyDescriptor(object, key);
              queue.push(value, get, set);
            }
            queue.push(Reflect.getPrototypeOf(object));
          }
          return 'nothing';
        })()
        """, as: String.self)
      #expect(found == "nothing")
    }
  }
}
