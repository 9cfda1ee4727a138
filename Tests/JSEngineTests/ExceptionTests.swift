import Testing

@testable import JSEngine

/// The exception that `body` throws.
func exception<Result>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) throws -> JSException {
  try #require(throws: JSException.self, sourceLocation: sourceLocation) { _ = try body() }
}

@Suite struct ExceptionTests {
  @Test(arguments: Collecting.allCases) func carryWhereTheyCameFrom(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let script = "function inner() {\n  throw new TypeError('wrong')\n}\ninner()"
      let error = try exception { try context.evaluate(script, sourceURL: "file.js") }
      #expect(error.code == .thrown && error.name == "TypeError" && error.message == "wrong")
      #expect(error.sourceURL == "file.js" && error.line == 2)
      #expect(error.column != nil)
      #expect(error.stack?.hasPrefix("inner@file.js:2:") == true)
      #expect(error.stack?.contains("global code@file.js:4:") == true)
      #expect(error.description.hasPrefix("TypeError: wrong (file.js:2:"))
    }
  }

  /// The engine tells the line alone.
  @Test(arguments: [
    ("let a = 1;\nlet b = (2 + ;\n", 2, 14), ("let b = a +* 2", 1, 12), ("x = {\r\n  a: 1, b: 2\r\nconst c = 3;", 3, 1),
    ("let a = 1; let a = 2", 1, 16), ("f(1, 2", 1, 7), ("if (x) {\n", 2, 1), ("let s = 'abc\nnext", 1, 13),
    ("a b", 1, 3),
    ("const é = 1; é é", 1, 16), ("let x = 08n;", 1, 9),
    ("'" + String(repeating: "x", count: 5000) + "' +* 1", 1, 5005),
  ])
  func syntaxErrorsHaveAColumn(_ script: String, _ line: Int, _ column: Int) async throws {
    try await withContext { context throws in
      let errors = [
        try exception { try context.evaluate(script, sourceURL: "a.js") },
        try exception { try context.checkSyntax(script, sourceURL: "a.js") },
      ]
      for error in errors {
        #expect(error.line == line && error.column == column, "\(error)")
        #expect(error.stack?.hasPrefix("@a.js:\(line):\(column)") == true, "\(error.stack ?? "")")
      }
      // An error of that name that a script throws has the place where it was made.
      let thrown = try exception { try context.evaluate("JSON.parse('{a')", sourceURL: "b.js") }
      #expect(thrown.stack?.contains("b.js:1:0") != true && thrown.column != 0)
    }
  }

  @Test func startingLineCounts() async throws {
    try await withContext { context throws in
      let error = try exception { try context.evaluate("\nthrow new Error", sourceURL: "a.js", startingLine: 10) }
      #expect(error.line == 11)
    }
  }

  @Test(arguments: Collecting.allCases) func anythingCanBeThrown(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let thrown: [(String, String)] = [
        ("5", "5"), ("'text'", "text"), ("undefined", "undefined"), ("null", "null"), ("Symbol('s')", "a symbol"),
        ("({ message: 'like an error' })", "like an error"), ("Object.create(null)", "an object without text"),
        ("({ get message() { throw 1 }, toString() { throw 2 } })", "an object without text"),
        ("({ message: 7, toString: () => 'seven' })", "seven"),
      ]
      for (script, message) in thrown {
        #expect(try exception { try context.evaluate("throw \(script)") }.message == message, "\(script)")
      }
    }
  }

  /// What reading an error throws has members that throw, too, and so on.
  @Test(arguments: ["message", "name", "code", "stack", "sourceURL", "line", "column", "cause", "toString"])
  func errorsWhoseMembersThrowErrorsAreRead(_ member: String) async throws {
    try await withContext { context throws in
      for script in [
        "Object.defineProperty(Error.prototype, '\(member)', { get() { throw new Error }, configurable: true }); throw new Error('a')",
        "class E extends Error { get \(member)() { throw new E } } throw new E",
        "const P = new Proxy(new Error('a'), { get() { throw P }, has() { return true } }); throw P",
      ] {
        let error = try exception { try context.evaluate("{ \(script) }") }
        #expect(error.code == .thrown)
      }
    }
  }

  @Test(arguments: ["throw text", "throw new Error(text)", "throw { toString: () => text }"])
  func longTextsAreCut(_ end: String) async throws {
    try await withContext { context throws in
      let error = try exception { try context.evaluate("{ const text = '-é'.repeat(1e6); \(end) }") }
      #expect(error.message.hasPrefix("-é") && error.message.hasSuffix("…") && error.message.utf8.count <= 1 << 20 + 3)
    }
  }

  @Test(arguments: Collecting.allCases) func theThrownValueIsKept(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let error = try exception { try context.evaluate("globalThis.e = new Error('e'); throw e") }
      #expect(try error.thrownValue(in: context)?.isStrictlyEqual(to: context.evaluate("e")) == true)
      let other = JSContext(on: context.loop)
      #expect(error.thrownValue(in: other) == nil)
      other.close()
    }
  }

  @Test(arguments: Collecting.allCases) func causes(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let script = "throw new Error('a', { cause: new TypeError('b', { cause: 'c' }) })"
      let error = try exception { try context.evaluate(script) }
      #expect(error.causes.map(\.message) == ["b", "c"])
      #expect(error.causes.first?.name == "TypeError")
      let endless = try exception { try context.evaluate("const e = new Error('loop'); e.cause = e; throw e") }
      #expect(endless.causes.count == 8)
    }
  }

  @Test func syntaxErrors() async throws {
    try await withContext { context throws in
      let error = try exception { try context.evaluate("let x = ;", sourceURL: "bad.js") }
      #expect(error.name == "SyntaxError" && error.line == 1)
      let checked = try exception { try context.checkSyntax("\n}", sourceURL: "bad.js") }
      #expect(checked.name == "SyntaxError" && checked.line == 2)
      try context.checkSyntax("throw 1")
    }
  }

  @Test func aScriptCannotFakeATermination() async throws {
    try await withContext { context throws in
      context.limits = ExecutionLimits(time: .seconds(60))
      let error = try exception { try context.evaluate("throw 'JavaScript execution terminated.'") }
      #expect(error.code == .thrown)
    }
  }

  @Test func aScriptThatReplacesTheBuiltInsBreaksOnlyItself() async throws {
    try await withContext { context throws in
      try context.evaluate(
        """
        for (const type of [WeakMap, Promise, Map, Function]) for (const name of Object.getOwnPropertyNames(type.prototype))
          try { type.prototype[name] = () => { throw 'replaced' } } catch {}
        globalThis.Error = globalThis.TypeError = class { constructor() { throw 'replaced' } }
        Object.defineProperty = Object.getOwnPropertyDescriptor = () => { throw 'replaced' }
        """)
      try context.globalObject.set("f", context.makeFunction("f") { _ in throw JSException(.thrown, "kept") })
      #expect(try exception { try context.evaluate("f()") }.message == "kept")
    }
  }

  @Test func errorsAreMade() async throws {
    try await withContext { context throws in
      let error = try context.makeError("m", name: "RangeError")
      try context.globalObject.set("error", error)
      #expect(try context.evaluate("error instanceof RangeError && error.message === 'm'").boolean == true)
      #expect(throws: JSException.self) { try context.evaluate("throw error") }
    }
  }
}
