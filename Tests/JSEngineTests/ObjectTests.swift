import Testing

@testable import JSEngine

@Suite struct ObjectTests {
  @Test(arguments: Collecting.allCases) func members(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let object = try context.makeObject()
      #expect(try object.get("a").isUndefined)
      #expect(try !object.has("a"))
      try object.set("a", context.number(1))
      try object.set("größe", context.string("x"))
      #expect(try object.get("a").number == 1)
      #expect(try object.has("a"))
      #expect(try object.memberNames() == ["a", "größe"])
      #expect(try object.delete("a"))
      #expect(try object.memberNames() == ["größe"])
    }
  }

  /// What they throw is thrown there, and not by whoever comes next.
  @Test func trapsOfProxies() async throws {
    try await withContext { context throws in
      let script = """
        new Proxy({}, {
          has() { throw new Error('has') }, ownKeys() { throw new Error('ownKeys') }, getPrototypeOf() { throw new Error('prototype') },
        })
        """
      let proxy = try #require(JSObject(try context.evaluate(script)))
      #expect { try proxy.has("a") } throws: { ($0 as? JSException)?.message == "has" }
      #expect(try context.evaluate("1").number == 1)
      #expect { try proxy.memberNames() } throws: { ($0 as? JSException)?.message == "ownKeys" }
      #expect(try context.evaluate("2").number == 2)
      #expect(JSPromise(proxy) == nil)
      #expect(try context.evaluate("3").number == 3)
      #expect(throws: JSException.self) {
        try context.evaluate("throw new Proxy({}, { has() { throw new Error('cause') } })")
      }
      #expect(try context.evaluate("4").number == 4)
    }
  }

  /// A promise is asked for its prototype, which may be a script's to tell.
  @Test func aTrapThatClosesTheContext() async throws {
    try await withContext { context throws in
      let close = try context.makeFunction("close") { call in
        call.context.close()
        return nil
      }
      try context.globalObject.set("close", close)
      let script = "new Proxy({}, { getPrototypeOf() { close(); return null } })"
      #expect(JSPromise(try context.evaluate(script)) == nil)
      #expect(context.isClosed)
    }
  }

  @Test func objectsOfOtherContextsAreRefusedAsThis() async throws {
    try await withContext { context throws in
      let other = JSContext(on: context.loop)
      let object = try other.makeObject()
      #expect(throws: JSException.self) { try context.evaluate("this", this: object) }
      other.close()
      #expect(throws: JSException.self) { try context.evaluate("this", this: object) }
    }
  }

  @Test(arguments: Collecting.allCases) func attributes(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let object = try context.makeObject()
      try object.set("fixed", context.number(1), [.readOnly, .permanent, .hidden])
      try context.globalObject.set("object", object)
      #expect(try object.memberNames() == [])
      #expect(try !object.delete("fixed"))
      #expect(throws: JSException.self) { try context.evaluate("'use strict'; object.fixed = 2") }
      #expect(try object.get("fixed").number == 1)
    }
  }

  @Test(arguments: Collecting.allCases) func keysOfEveryKind(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let object = try context.makeObject()
      let symbol = context.symbol("key")
      try object.set(key: symbol, context.string("by symbol"))
      try object.set(key: context.number(3), context.string("by number"))
      #expect(try object.get(key: symbol).string == "by symbol")
      #expect(try object.get("3").string == "by number")
      #expect(try object.get(at: 3).string == "by number")
      try object.set(at: 1 << 33, context.number(5))
      #expect(try object.get(at: 1 << 33).number == 5)
    }
  }

  @Test func accessorsThrow() async throws {
    try await withContext { context throws in
      let script = "({ get a() { throw new Error('get') }, set a(v) { throw new Error('set') } })"
      let object = try #require(JSObject(try context.evaluate(script)))
      #expect { try object.get("a") } throws: { ($0 as? JSException)?.message == "get" }
      #expect { try object.set("a", context.null) } throws: { ($0 as? JSException)?.message == "set" }
    }
  }

  @Test(arguments: Collecting.allCases) func arrays(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let array = try context.makeArray((0..<5).map { context.number(Double($0)) })
      try array.append(context.string("last"))
      #expect(try array.count() == 6)
      #expect(try array.elements().map { try $0.toString() } == ["0", "1", "2", "3", "4", "last"])
      try array.set(at: 0, context.null)
      #expect(try array.toJSON() == #"[null,1,2,3,4,"last"]"#)
      #expect(JSArray(try context.makeObject()) == nil)
      #expect(try context.makeArray().count() == 0)
    }
  }

  @Test(arguments: Collecting.allCases) func prototypes(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let parent = try context.makeObject()
      try parent.set("inherited", context.number(1))
      let child = try context.makeObject()
      try child.setPrototype(parent)
      #expect(try child.get("inherited").number == 1)
      #expect(try child.prototype().isStrictlyEqual(to: parent))
      #expect { try child.invoke("inherited") } throws: { ($0 as? JSException)?.code == .wrongType }
    }
  }

  @Test(arguments: Collecting.allCases) func proxies(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let proxy = try #require(JSObject(try context.evaluate("new Proxy({ a: 1 }, { get: () => 2 })")))
      #expect(try proxy.get("a").number == 2)
      // An array to scripts, which may have a length that is none.
      #expect(JSArray(try context.evaluate("new Proxy([1], { get: () => -1 })")) == nil)
    }
  }

  @Test(arguments: Collecting.allCases) func symbols(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let symbol = context.symbol("name")
      #expect(symbol.kind == .symbol)
      #expect(!symbol.isStrictlyEqual(to: context.symbol("name")))
      let describe = try #require(JSFunction(try context.evaluate("(s => s.description)")))
      #expect(try describe.call([symbol]).string == "name")
    }
  }

  @Test(arguments: Collecting.allCases) func bigIntegers(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      #expect(try context.bigInt(Int64.min).toString() == "-9223372036854775808")
      #expect(try context.bigInt(UInt64.max).toString() == "18446744073709551615")
      let huge = "123456789012345678901234567890"
      #expect(try context.bigInt(decimal: huge).toString() == huge)
      #expect(throws: JSException.self) { try context.bigInt(decimal: "12x") }
      #expect(try context.evaluate("-5n").int64() == -5)
      #expect(try context.evaluate("2n ** 63n").int64() == nil)
      #expect(try context.evaluate("2n ** 63n").uint64() == 1 << 63)
      #expect(try context.evaluate("2n ** 64n").uint64() == nil)
      #expect(try context.evaluate("-1n").uint64() == nil)
      #expect(try context.evaluate("-(2n ** 63n)").int64() == .min)
      #expect(try context.number(5).int64() == nil)
    }
  }

  @Test func weakReferencesDoNotKeep() async throws {
    try await withContext { context throws in
      let kept = try context.makeObject()
      let keptReference = JSWeakReference(kept)
      let references = try makeWeakReferences(context)
      scrubStack(context)
      context.collectGarbage()
      // The collector scans the stack conservatively: a few may look alive.
      #expect(references.count { $0.object == nil } > 90)
      #expect(keptReference.object?.isStrictlyEqual(to: kept) == true)
    }
  }

  @inline(never) private func makeWeakReferences(_ context: JSContext) throws -> [JSWeakReference] {
    try (0..<100).map { _ in JSWeakReference(try context.makeObject()) }
  }

  @inline(never) private func scrubStack(_ context: JSContext) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { buffer in
      for index in buffer.indices { buffer.initializeElement(at: index, to: 0) }
    }
    _ = try? context.evaluate("{ const k = []; for (let i = 0; i < 10000; i++) k.push({ i }) } 1")
  }
}
