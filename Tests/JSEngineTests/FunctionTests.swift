import EventLoop
import Testing

@testable import JSEngine

private struct NativeFailure: Error, Equatable, CustomStringConvertible {
  var number = 42
  var description: String { "native failure \(number)" }
}

@Suite struct FunctionTests {
  @Test(arguments: Collecting.allCases) func calls(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let function = try #require(
        JSFunction(try context.evaluate("(function (...a) { return [this?.tag, ...a].join() })")))
      let receiver = try context.makeObject()
      try receiver.set("tag", context.string("me"))
      #expect(try function.call([context.number(1), context.string("b")], this: receiver).string == "me,1,b")
      #expect(JSFunction(receiver) == nil)
      let type = try #require(JSFunction(try context.evaluate("(class { constructor(a) { this.a = a } })")))
      #expect(try type.construct([context.number(3)]).get("a").number == 3)
      #expect { try type.call() } throws: { ($0 as? JSException)?.name == "TypeError" }
    }
  }

  @Test(arguments: Collecting.allCases) func hostFunctions(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let add = try context.makeFunction("add") { call in
        call.context.number((0..<call.argumentCount).reduce(0) { $0 + (call.argument($1).number ?? .nan) })
      }
      try context.globalObject.set("add", add)
      #expect(try context.evaluate("add(1, 2, 3)").number == 6)
      #expect(try context.evaluate("typeof add").string == "function")
      #expect(try context.evaluate("add.name").string == "add")
      #expect(try context.evaluate("add instanceof Function").boolean == true)
      #expect(
        try context.evaluate("add.call(null, 1, 1) + add.apply(null, [2, 2]) + add.bind(null, 5)(1)").number == 12)
      #expect(throws: JSException.self) { try context.evaluate("new add") }
      let nothing = try context.makeFunction { call in
        #expect(call.argument(0).isUndefined && call.argument(-1).isUndefined)
        return nil
      }
      #expect(try nothing.call().isUndefined)
    }
  }

  @Test(arguments: Collecting.allCases) func theReceiver(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      try context.globalObject.set("self", context.makeFunction { $0.this })
      #expect(try context.evaluate("const o = { self }; o.self() === o").boolean == true)
    }
  }

  @Test(arguments: Collecting.allCases) func reenters(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let depth = collecting == .always ? 20 : 200
      let descend = try context.makeFunction { call in
        let level = call.argument(0).number ?? 0
        guard level > 0, let next = JSFunction(call.argument(1)) else { return call.context.string("bottom") }
        return try next.call([call.context.number(level - 1)])
      }
      try context.globalObject.set("descend", descend)
      let script = "function go(level) { return descend(level, go) } go(\(depth))"
      #expect(try context.evaluate(script).string == "bottom")
    }
  }

  @Test(arguments: Collecting.allCases) func aSwiftErrorRidesThroughTheScript(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      try context.globalObject.set("fail", context.makeFunction { _ in throw NativeFailure() })
      let seen = try context.evaluate("try { fail() } catch (e) { [e instanceof Error, e.message].join() }")
      #expect(seen.string == "true,native failure 42")
      #expect { try context.evaluate("fail()") } throws: {
        ($0 as? JSException)?.underlying as? NativeFailure == NativeFailure()
      }
      #expect { try context.evaluate("try { fail() } catch (e) { throw new Error('outer', { cause: e }) }") } throws: {
        ($0 as? JSException)?.causes.first?.underlying as? NativeFailure == NativeFailure()
      }
    }
  }

  @Test(arguments: Collecting.allCases) func aScriptErrorKeepsItsIdentity(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let relay = try context.makeFunction { call in
        guard let function = JSFunction(call.argument(0)) else { return nil }
        return try function.call()
      }
      try context.globalObject.set("relay", relay)
      let script = "const e = new Error('mine'); try { relay(() => { throw e }) } catch (x) { x === e }"
      #expect(try context.evaluate(script).boolean == true)
      #expect(try context.evaluate("try { relay(() => { throw 5 }) } catch (x) { x }").number == 5)
    }
  }

  @Test func anEngineErrorBecomesAnErrorOfItsName() async throws {
    try await withContext { context throws in
      let function = try context.makeFunction { _ in throw JSException(.wrongType, "not this", name: "TypeError") }
      try context.globalObject.set("f", function)
      let script = "try { f() } catch (e) { [e instanceof TypeError, e.name, e.message].join() }"
      #expect(try context.evaluate(script).string == "true,TypeError,not this")
      try context.globalObject.set(
        "g", context.makeFunction { _ in throw JSException(.thrown, "odd", name: "OddError") })
      #expect(try context.evaluate("try { g() } catch (e) { e.toString() }").string == "OddError: odd")
    }
  }

  @Test func resultsOfAnotherContextAreRefused() async throws {
    try await withContext { context throws in
      let other = JSContext(on: context.loop)
      defer { other.close() }
      try context.globalObject.set("f", context.makeFunction { _ in other.string("foreign") })
      #expect { try context.evaluate("f()") } throws: { ($0 as? JSException)?.message.contains("another") == true }
    }
  }

  @Test func theCollectorReleasesClosuresOnTheScriptsThread() async throws {
    final class Token {
      let loop: Loop
      let released: Lock<[Bool]>
      init(_ loop: Loop, _ released: Lock<[Bool]>) { (self.loop, self.released) = (loop, released) }
      deinit { released.withLock { $0.append(loop.isOnOwnThread) } }
    }
    let released = Lock<[Bool]>([])
    try await withContext { context throws in
      for _ in 0..<50 {
        let token = Token(context.loop, released)
        _ = try context.makeFunction { _ in
          _ = token
          return nil
        }
      }
      try run(context) {
        _ = try context.evaluate("{ const k = []; for (let i = 0; i < 10000; i++) k.push({ i }) } 1")
        context.collectGarbage()
        return released.withLock { $0.count } > 25
      }
    }
    // Closing releases the rest.
    #expect(released.withLock { $0.count } == 50)
    #expect(released.withLock { $0.allSatisfy { $0 } })
  }

  @Test func deepRecursionIsAnExceptionOnBothSides() async throws {
    try await withContext { context throws in
      #expect { try context.evaluate("(function f() { f() })()") } throws: {
        ($0 as? JSException)?.name == "RangeError"
      }
      let again = try context.makeFunction { call in
        guard let function = JSFunction(call.argument(0)) else { return nil }
        return try function.call()
      }
      try context.globalObject.set("again", again)
      #expect { try context.evaluate("(function f() { again(f) })()") } throws: {
        ($0 as? JSException)?.name == "RangeError"
      }
      #expect(try context.evaluate("1 + 1").number == 2)
    }
  }
}
