import Glibc
import JSON
import TestSupport
import Testing

@testable import TrestleCore

/// What hosts are told of what scripts throw, and what people read of it.
@Suite struct ErrorReportTests {
  private static let module = ModuleDefinition("Slow", make: { _ in Nothing() }) {
    Member<Nothing>.promiseConcurrently("wait", "number") { (_, _: Int) async -> Int in
      try? await Task.sleep(for: .seconds(1000))
      return 0
    }
    Member<Nothing>.void("fail", "text") { (_, text: String) in throw BridgeError(.limit, text) }
    Member<Nothing>.sync("size", "value") { (_, value: Int?) in value ?? 0 }
  }

  private func thrown(
    by script: String, wire: Wire = .shared, isDevelopment: Bool = false
  ) async throws -> JavaScriptError {
    try await withBridge([Self.module], wire: wire, { $0.isDevelopment = isDevelopment }) { bridge, _ in
      try await #require(throws: JavaScriptError.self) { try await bridge.evaluate(script, sourceURL: "a.js") }
    }
  }

  @Test func causesThatAreLeftOutAreToldOf() async throws {
    let script = "let error; for (let i = 0; i < %; i++) error = new Error(`${i}`, { cause: error }); throw error;"
    let long = Bridge.report(of: try await thrown(by: script.replacing("%", with: "14")))
    #expect(long.hasSuffix("… with causes of its own\n"), "\(long)")
    #expect(!Bridge.report(of: try await thrown(by: script.replacing("%", with: "9"))).contains("…"))
  }

  /// Whichever way it comes: out of a turn, of a call, of a promise, of a rejection that nobody handles.
  @Test(arguments: Wire.allCases, [true, false]) func oneTypeForAll(wire: Wire, isDevelopment: Bool) async throws {
    let made = """
      globalThis.make = () => Object.assign(new RangeError('no', { cause: new Error('why') }),
        { code: 'E_NO', size: 3, nested: { list: [1, 'a'] }, big: 2n });
      """
    try await withBridge([Self.module], wire: wire, { $0.isDevelopment = isDevelopment }) { bridge, log in
      try await bridge.evaluate(made, sourceURL: "a.js")
      var errors: [any Error] = []
      for body: (Bridge) async throws -> Void in [
        { try await $0.evaluate("throw make()", sourceURL: "b.js") },
        { _ = try await $0.evaluate("throw make()", sourceURL: "b.js", as: Int.self) },
        { _ = try await $0.evaluate("Promise.reject(make())", sourceURL: "b.js", as: Int.self) },
        { _ = try await $0.evaluate("globalThis.f = () => { throw make() }; f()", sourceURL: "b.js") },
        { _ = try await $0.call("f", as: Int.self) },
        { try await $0.withContext { context in _ = try context.evaluate("f()") } },
      ] {
        errors.append(try await #require(throws: (any Error).self) { try await body(bridge) })
      }
      try await bridge.evaluate("Promise.reject(make()); undefined")
      errors += log.all
      #expect(errors.count == 7)
      for error in errors {
        let error = try #require(error as? JavaScriptError)
        #expect(error.name == "RangeError" && error.message == "no" && error.code == "E_NO")
        #expect(error.properties == ["size": 3, "nested": ["list": [1, "a"]], "big": "2n"])
        #expect(error.place == "a.js:1:53" && error.description == "RangeError: no (a.js:1:53)")
        #expect((error.cause as? JavaScriptError)?.message == "why")
        #expect(error.identity != nil)
      }
    }
  }

  @Test(arguments: [
    ("{ a: 1 }", "{ a: 1 }"), ("'text'", "text"), ("null", "null"), ("Symbol('s')", "Symbol(s)"),
    ("[1, [2]]", "[ 1, [ 2 ] ]"),
    ("{ get a() { throw 1 } }", "{ a: [Getter] }"),
    ("new Proxy({}, { ownKeys() { throw 1 } })", "[Object that cannot be read]"),
  ])
  func whatIsNoErrorIsShown(value: String, text: String) async throws {
    for wire in Wire.allCases {
      let error = try await thrown(by: "throw (\(value))", wire: wire)
      #expect(error.name == "" && error.message == text && "\(error)" == text)
      try await withBridge([], wire: wire) { bridge, _ in
        let rejected = try await #require(throws: JavaScriptError.self) {
          try await bridge.evaluate("Promise.reject(\(value))", as: Int.self)
        }
        #expect(rejected.message == text && rejected.name == "")
      }
    }
  }

  /// What the runtime throws begins where the script called it, also for the script itself.
  @Test(arguments: Wire.allCases) func theBridgesOwnFramesAreNotThere(wire: Wire) async throws {
    let script = """
      function outer() { NativeModules.Slow.size('x') }
      globalThis.stacks = [];
      for (const body of [outer, () => trestle.requireVersion('None', ''), () => structuredAccess()])
        try { body() } catch (error) { stacks.push(error.stack) }
      function structuredAccess() { NativeModules.Slow.size({ get a() { return 1 } }) }
      NativeModules.Slow.wait('x').catch((error) => stacks.push(error.stack));
      """
    try await withBridge([Self.module], wire: wire, { $0.isDevelopment = true }) { bridge, _ in
      try await bridge.evaluate(script, sourceURL: "a.js")
      let stacks = try await bridge.evaluate("stacks", as: [String].self)
      #expect(stacks.count == 4)
      for stack in stacks { #expect(!stack.contains("trestle:") && stack.contains("a.js:"), "\(stack)") }
      #expect(stacks[0].hasPrefix("outer@a.js:1:"), "\(stacks[0])")
    }
  }

  @Test func theReport() async throws {
    let script =
      "function f() {\n  throw Object.assign(new AggregateError([new Error('one'), 2], 'all'), { code: 'E', a: [1] })\n}\nf()"
    let error = try await thrown(by: script)
    #expect(
      Bridge.report(of: error) { _ in script } == """
        Uncaught AggregateError: all
          2 |   throw Object.assign(new AggregateError([new Error('one'), 2], 'all'), { code: 'E', a: [1] })
            |                                         ^
            at f (a.js:2:41)
            at a.js:4:2
            code: E
            a: [1]
          one of them: Error: one
              at f (a.js:2:52)
              at a.js:4:2
          one of them: 2

        """)
    #expect(Bridge.report(of: BridgeError(.limit, "no more", at: "A.b")) == "Uncaught ERR_LIMIT: A.b: no more\n")
    let module = BridgeError(.module, "it threw", at: "A", cause: JavaScriptError(message: "why", stack: "f@a.js:1:2"))
    #expect(
      Bridge.report(of: module) == "Uncaught ERR_MODULE: A: it threw\n  caused by: Error: why\n      at f (a.js:1:2)\n")
  }

  /// Where `onError` is left as it is, to standard error.
  @Test func theReportIsWrittenWhole() async throws {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let error = BridgeError(.limit, String(repeating: "x", count: 200_000))
    let writing = Task.detached { [end = ends[1]] in
      await withCheckedContinuation { continuation in
        Thread.detach {
          StandardStream(end).write(Bridge.report(of: error))
          close(end)
          continuation.resume()
        }
      }
    }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(ends[0], &buffer, buffer.count), count > 0 { text += buffer[..<count] }
    await writing.value
    #expect(String(decoding: text, as: UTF8.self) == Bridge.report(of: error))
    // Nobody to tell.
    let nobody = StandardStream(-1)
    nobody.write("x")
    #expect(nobody.failure == EBADF)
  }

  @Test func framesThatComeAgainAndAgain() async throws {
    let one = try await thrown(by: "function f() { f() + 1 }\nf()")
    let text = Bridge.report(of: one)
    #expect(text.contains("    at f (a.js:1:17)\n    at f (a.js:1:17)\n    … "), "\(text)")
    #expect(text.split(separator: "\n").count < 8, "\(text)")
    let two = try await thrown(by: "function f() { g() + 1 }\nfunction g() { f() + 1 }\nf()")
    #expect(Bridge.report(of: two).split(separator: "\n").count < 10, "\(Bridge.report(of: two))")
    let few = JavaScriptError(message: "", stack: (1...4).map { "f\($0)@a.js:1:\($0)" }.joined(separator: "\n"))
    #expect(Bridge.report(of: few).split(separator: "\n").count == 5)
  }

  @Test(arguments: Wire.allCases) func misspeltNames(wire: Wire) async throws {
    let scripts = [
      "NativeModules.Slw.wait(1)": "there is no module 'Slw'; did you mean 'Slow'?",
      "const { slow } = NativeModules; slow.wait(1)": "there is no module 'slow'; did you mean 'Slow'?",
      "NativeModules.Elsewhere.wait(1)": "there is no module 'Elsewhere'",
      "NativeModules.Slow.wiat(1)": "module 'Slow' has no member 'wiat'; did you mean 'wait'?",
      "const { Slow } = NativeModules; Slow.Size()": "module 'Slow' has no member 'Size'; did you mean 'size'?",
      "NativeModules.Slow.changed.addListener(print)": "module 'Slow' has no member 'changed'",
    ]
    for (script, hint) in scripts {
      let error = try await thrown(by: script, wire: wire)
      #expect(error.message.hasSuffix(": " + hint), "\(error.message)")
    }
    // Who asks is told by `undefined`, as before.
    try await withBridge([Self.module], wire: wire) { bridge, log in
      let answers = try await bridge.evaluate(
        """
        ['Slw' in NativeModules, NativeModules.Slw === undefined, NativeModules.Slw?.wait === undefined,
          typeof NativeModules.Slow.wiat === 'undefined', 'wiat' in NativeModules.Slow]
        """, as: [Bool].self)
      #expect(answers == [false, true, true, true, false])
      // Of something else of that name nothing is said.
      let other = try await #require(throws: JavaScriptError.self) { try await bridge.evaluate("({}).other.a") }
      #expect(!other.message.contains("module"))
      #expect(log.texts == [])
    }
  }

  /// Options that are misspelt would pass as if there were none; what holds data may have more members than are read.
  @Test(arguments: Wire.allCases) func misspeltOptions(wire: Wire) async throws {
    let options = RecordShape("Options") {
      [RecordShape.Member("encoding", String?.self), RecordShape.Member("mode", Int.self, hasDefault: true)]
    }
    let page = RecordShape("Page") { [RecordShape.Member("number", Int.self)] }
    let module = ModuleDefinition("Paper", make: { _ in Nothing() }) {
      for (name, shape) in [("open", options), ("put", page)] {
        Member<Nothing>._method(
          name, .promise,
          [
            Parameter(name: "path", schema: .string, hasDefault: false),
            Parameter(name: "with", schema: .optional(.record(shape)), hasDefault: true),
          ],
          result: Undefined.self
        ) { _ in { (call) throws(ConversionError) in call.complete {} } }
      }
    }
    try await withBridge([module], wire: wire) { (bridge, _) async throws in
      func outcome(_ call: String) async throws -> String {
        try await bridge.evaluate(
          "NativeModules.Paper.\(call).then(() => 'done', (error) => `${error.code} ${error.message}`)", as: String.self
        )
      }
      for call in [
        "open('a')", "open('a', {})", "open('a', null)", "open('a', { encoding: 'utf8', mode: 1 })",
        "put('a', { number: 1, more: 2 })",
      ] {
        #expect(try await outcome(call) == "done", "\(call)")
      }
      #expect(
        try await outcome("open('a', { encodng: 'utf8' })")
          == "ERR_ARGUMENT Paper.open, argument 2 'with.encodng': there is no such option; did you mean 'encoding'?")
      #expect(
        try await outcome("open('a', {}, { sginal: 1 })")
          == "ERR_ARGUMENT Paper.open, argument 3 'options.sginal': there is no such option; did you mean 'signal'?")
      // Where the options stand it would be options that say nothing.
      #expect(
        try await outcome("open('a', { __proto__: { addEventListener() {} } })")
          == "ERR_ARGUMENT Paper.open, argument 2 'with': an AbortSignal comes behind the options")
      #expect(
        try await outcome("open('a', { signal: 1 })")
          == "ERR_ARGUMENT Paper.open, argument 2 'with.signal': there is no such option; an AbortSignal comes behind the options"
      )
    }
  }

  /// What waits on either side learns what it was that did not answer.
  @Test(arguments: Wire.allCases, [true, false]) func closingNamesWhatWasCalled(wire: Wire, isDevelopment: Bool)
    async throws
  {
    var configuration = BridgeConfiguration()
    configuration.wire = wire
    configuration.isDevelopment = isDevelopment
    let told = Journal()
    let witness = ModuleDefinition("Witness", make: { _ in Nothing() }) {
      Member<Nothing>.void("tell", "text") { (_, text: String) in told.append(text) }
    }
    let bridge = try await Bridge(modules: .definitions([Self.module, witness]), configuration: configuration)
    try await bridge.evaluate(
      """
      globalThis.never = (name) => {
        NativeModules.Witness.tell(name);
        return new Promise(() => {});
      };
      for (const value of [1, 2])
        NativeModules.Slow.wait(value).catch((error) => NativeModules.Witness.tell(`${error.name} ${error.code} ${error.message}`));
      """)
    let waiting = Task { try await bridge.call("never", "one", as: Int.self) }
    let evaluated = Task { try await bridge.evaluate("never('two')", sourceURL: "a.js", as: Int.self) }
    for name in ["one", "two"] { try await told.waitFor(name) }
    await bridge.close(within: patience)
    let message = "the bridge was closed before it answered"
    for (task, name) in [(waiting, "never"), (evaluated, "a.js")] {
      let error = try await #require(throws: BridgeError.self) { try await task.value }
      #expect(error.code == .closed && error.message == message && error.place == name)
    }
    #expect(
      told.all.dropFirst(2) == ["Slow.wait", "Slow.wait"].map { "BridgeError ERR_CLOSED \($0): \(message)" }[...])
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}"])
  func linesEndAsJavaScriptHasThem(end: String) async throws {
    let script = ["let a = 1;", "// b", "nothing.there();", "let c"].joined(separator: end)
    let error = try await thrown(by: script)
    let lines = Bridge.report(of: error, text: { _ in script }).split(separator: "\n")
    #expect(lines.count > 2 && lines[1] == "  3 | nothing.there();", "\(lines)")
  }

  @Test func signsWithMarksBehindThemAreSigns() throws {
    let frame = try #require(StackFrame("f@\u{301}a:\u{301}b:3:4"))
    #expect(frame.function == "f" && frame.source == "\u{301}a:\u{301}b" && (frame.line, frame.column) == (3, 4))
  }

  @Test func theErrorOfAMethodThatNobodyWaitsForNamesIt() async throws {
    try await withBridge([Self.module]) { bridge, log in
      try await bridge.evaluate("NativeModules.Slow.fail('full')")
      let error = try #require(log.all.first as? BridgeError)
      #expect(
        error.code == .limit && error.message == "full" && error.place == "Slow.fail" && error.cause is BridgeError)
      #expect(Bridge.report(of: error) == "Uncaught ERR_LIMIT: Slow.fail: full\n")
    }
  }
}
