import EventLoop
import Testing

@testable import TrestleCore

/// Calls of JavaScript that nobody waits for.
@Suite struct InvocationTests {
  private static let scribe = """
    globalThis.seen = [];
    globalThis.scribe = {note(...values) { seen.push(values.join()) }, fail() { throw new Error('mine') }};
    trestle.registerCallableModule('Scribe', scribe);
    """

  @Test(arguments: Wire.allCases) func theyReachGlobalsAndCallableModulesInOrder(wire: Wire) async throws {
    try await withBridge([], wire: wire) { bridge, log in
      try await bridge.evaluate(Self.scribe)
      bridge.invoke("Scribe.note", 1, "a")
      bridge.invoke("scribe.note", [1.5, 2])
      bridge.invoke("Scribe.note")
      #expect(try await bridge.evaluate("seen", as: [String].self) == ["1,a", "1.5,2", ""])
      #expect(log.texts == [])
    }
  }

  @Test(arguments: Wire.allCases) func whatTheyThrowIsReported(wire: Wire) async throws {
    try await withBridge([], wire: wire) { bridge, log in
      try await bridge.evaluate(Self.scribe)
      bridge.invoke("Scribe.fail")
      bridge.invoke("Scribe.other")
      bridge.invoke("none")
      try await bridge.evaluate("")
      #expect(log.texts.count == 3, "\(log.texts)")
      #expect(log.texts[0].contains("mine") && log.texts[1].contains("'Scribe.other' is not a function"))
      #expect(log.texts[2].contains("'none' is not a function"))
    }
  }

  /// A module calls back from wherever it is.
  @Test(arguments: Wire.allCases) func modulesInvokeToo(wire: Wire) async throws {
    let echo = ModuleDefinition("Echo", make: { $0 }) {
      Member<BridgeContext>.promise("twice", "value") { (context, value: Int) in
        context.invoke("Scribe.note", value)
        context.report(BridgeError(.limit, "told"))
        return value * 2
      }
    }
    try await withBridge([echo], wire: wire) { bridge, log in
      try await bridge.evaluate(Self.scribe)
      #expect(try await bridge.evaluate("NativeModules.Echo.twice(4)", as: Int.self) == 8)
      #expect(try await bridge.evaluate("seen", as: [String].self) == ["4"])
      #expect(log.texts == ["ERR_LIMIT: told"])
    }
  }

  @Test func aClosedBridgeForgetsThem() async throws {
    let log = ErrorLog()
    var configuration = BridgeConfiguration()
    configuration.onError = { log.append($0) }
    let bridge = try await Bridge(modules: .none, configuration: configuration)
    await bridge.close()
    bridge.invoke("anything.at.all", 1)
    #expect(log.texts == [])
  }

  /// Those of the other half's modules go through its entry, with its guard.
  @Test func theOtherHalfTakesThoseOfItsModules() async throws {
    try await withBridge([], wire: .reactNative) { bridge, log in
      try await bridge.evaluate(
        Self.scribe + """
          const modules = {App: 1, Deep: 1};
          globalThis.__fbBatchedBridge = {
            callFunctionReturnFlushedQueue(...args) { seen.push(JSON.stringify(args)); return null },
            invokeCallbackAndReturnFlushedQueue: () => null, flushedQueue: () => null,
            getCallableModule(name) { if (name === 'Bad') throw new Error('bad name'); return modules[name] ?? null },
          };
          """)
      bridge.invoke("App.start", ["a": 1])
      bridge.invoke("Scribe.note", 2)
      bridge.invoke("Bad.one")
      try await bridge.evaluate("")
      #expect(try await bridge.evaluate("seen", as: [String].self) == [#"["App","start",[{"a":1}]]"#, "2"])
      #expect(log.texts == ["Error: bad name ([eval]:7:64)"])
    }
  }
}
