import CJavaScriptCore
import Testing

@testable import JSEngine

@Suite struct ValueTests {
  /// The engine aborts on one that is longer than it can be.
  @Test(arguments: ["abcdefghij", "abcdefghijk", "ääääää", "€€€€", "😀😀😀"]) func textsThatAreTooLongAreCut(
    _ text: String
  ) {
    let made = makeJSString(text, atMost: 10)
    defer { JSStringRelease(made) }
    let cut = String(made)
    #expect(cut == text || cut.hasSuffix("…") && text.hasPrefix(cut.dropLast()) && cut.utf16.count <= 10)
    #expect((cut == text) == (text.utf8.count <= 10))
  }

  @Test(arguments: Collecting.allCases) func kinds(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let kinds: [(String, JSValue.Kind)] = [
        ("undefined", .undefined), ("null", .null), ("true", .boolean), ("1.5", .number), ("'a'", .string),
        ("({})", .object), ("Symbol()", .symbol), ("10n", .bigInt), ("() => 1", .object),
      ]
      for (script, kind) in kinds { #expect(try context.evaluate(script).kind == kind, "\(script)") }
      #expect(context.undefined.isUndefined && context.null.isNull)
      #expect(context.boolean(true).boolean == true && context.number(-0.5).number == -0.5)
    }
  }

  @Test(arguments: Collecting.allCases) func readingDoesNotCoerce(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let text = context.string("12")
      #expect(text.number == nil && text.boolean == nil && text.string == "12")
      #expect(context.number(1).string == nil)
      #expect(try text.toNumber() == 12)
      #expect(try context.evaluate("({ valueOf() { return 7 } })").toNumber() == 7)
      #expect(try context.evaluate("[1, [2]]").toString() == "1,2")
      #expect(!context.string("").toBoolean() && context.string("0").toBoolean())
    }
  }

  @Test func coercionsThrowWhatTheScriptThrows() async throws {
    try await withContext { context throws in
      let value = try context.evaluate("({ toString() { throw new RangeError('no text') } })")
      #expect { try value.toString() } throws: { ($0 as? JSException)?.name == "RangeError" }
      #expect { try context.evaluate("Symbol('s')").toString() } throws: { ($0 as? JSException)?.name == "TypeError" }
      #expect(throws: JSException.self) { try context.evaluate("Object.create(null)").toNumber() }
    }
  }

  @Test(arguments: Collecting.allCases) func strings(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let texts = ["", "ascii", "Größe", "日本語", "👩‍👩‍👧‍👦 e\u{301}", "\u{0}nul\u{0}", "\u{ffff}\u{10000}\u{10ffff}"]
      for text in texts {
        let value = context.string(text)
        #expect(value.string == text)
        let length = try context.evaluate("(s => s.length)")
        #expect(try JSFunction(length)?.call([value]).number == Double(text.utf16.count))
        #expect(try context.evaluate("'\(text.replacing("\0", with: "\\0"))'").string == text)
      }
    }
  }

  @Test func unpairedSurrogatesBecomeReplacements() async throws {
    try await withContext { context throws in
      #expect(try context.evaluate(#"'a\ud800b'"#).string == "a\u{fffd}b")
      #expect(try context.evaluate(#"'\udc00\ud83d\ude00\ud83d'"#).string == "\u{fffd}😀\u{fffd}")
      #expect(try context.evaluate(#"'é\ud800'"#).string == "é\u{fffd}")
    }
  }

  @Test func longStrings() async throws {
    try await withContext { context throws in
      for unit in ["x", "é", "語", "😀"] {
        let text = String(repeating: unit, count: 100_000)
        #expect(context.string(text).string == text)
      }
    }
  }

  @Test(arguments: Collecting.allCases) func json(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let value = try context.parseJSON(#"{"a":[1,"two",null],"b":{"c":true}}"#)
      #expect(try value.toJSON() == #"{"a":[1,"two",null],"b":{"c":true}}"#)
      #expect(try context.evaluate("[1]").toJSON(indentation: 2) == "[\n  1\n]")
      #expect(try context.undefined.toJSON() == nil)
      #expect { try context.parseJSON("{") } throws: { ($0 as? JSException)?.name == "SyntaxError" }
      #expect(throws: JSException.self) { try context.evaluate("let a = {}; a.a = a; a").toJSON() }
      #expect(throws: JSException.self) { try context.evaluate("({ toJSON() { throw 1 } })").toJSON() }
    }
  }

  @Test(arguments: Collecting.allCases) func comparisons(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      #expect(context.string("a").isStrictlyEqual(to: context.string("a")))
      #expect(!context.number(.nan).isStrictlyEqual(to: context.number(.nan)))
      #expect(!context.string("1").isStrictlyEqual(to: context.number(1)))
      #expect(try context.string("1").isEqual(to: context.number(1)))
      let type = try #require(JSObject(try context.evaluate("Array")))
      #expect(try context.evaluate("[]").isInstance(of: type))
      #expect(try !context.evaluate("({})").isInstance(of: type))
    }
  }

  @Test func valuesDoNotCrossContexts() async throws {
    try await withContext { first in
      let second = JSContext(on: first.loop)
      defer { second.close() }
      let value = second.string("other")
      let object = try first.makeObject()
      #expect { try object.set("a", value) } throws: { ($0 as? JSException)?.code == .wrongContext }
      #expect { try first.makeArray([value]) } throws: { ($0 as? JSException)?.code == .wrongContext }
      #expect { try value.isEqual(to: object) } throws: { ($0 as? JSException)?.code == .wrongContext }
      #expect(!value.isStrictlyEqual(to: first.string("other")))
      let function = try #require(JSFunction(try first.evaluate("(a => a)")))
      #expect { try function.call([value]) } throws: { ($0 as? JSException)?.code == .wrongContext }
    }
  }

  @Test func valuesHeldBySwiftSurviveCollections() async throws {
    try await withContext { context throws in
      let values = (0..<1000).map { context.string("value \($0)") }
      _ = try context.evaluate("{ const k = []; for (let i = 0; i < 100000; i++) k.push('other ' + i) } 1")
      context.collectGarbage()
      for (index, value) in values.enumerated() { #expect(value.string == "value \(index)") }
    }
  }
}
