import EventLoop
import JSON
import Testing
import TrestleReactNative

@testable import TrestleCore

/// How JavaScript learns of the modules: one by one through the proxy, or from a table.
@Suite struct ModuleTableTests {
  private let modules = [
    wireSample(), ModuleDefinition("Empty", make: { _ in Nothing() }) {},
    ModuleDefinition("OnlyConstants", make: { _ in Nothing() }) { Member<Nothing>.constant("length") { _ in 0 } },
    ModuleDefinition("OwnListener", make: { _ in Nothing() }) {
      Member<Nothing>.void("addListener", "event") { (_, _: String) in }
      Member<Nothing>.event("changed", Int.self)
    },
  ]

  @Test func theProxyGivesModulesOrNull() async throws {
    try await withBridge(modules, wire: .reactNative) { bridge, log in
      let shown = try await bridge.evaluate(
        """
        [nativeModuleProxy.name, nativeModuleProxy.Sample === nativeModuleProxy.Sample, nativeModuleProxy.Sample.version,
          nativeModuleProxy.None, nativeModuleProxy[Symbol.iterator], 'Sample' in nativeModuleProxy,
          'None' in nativeModuleProxy, '__fbBatchedBridgeConfig' in globalThis].map(String)
        """, as: [String].self)
      #expect(shown == ["NativeModules", "true", "3.45", "null", "undefined", "true", "false", "false"])
      #expect(log.texts == [])
    }
  }

  /// A generator of a script's own makes the modules of the proxy anew; ours stay as they are.
  @Test func theProxyAsksTheGeneratorThatIsThere() async throws {
    try await withBridge(modules, wire: .reactNative) { bridge, _ in
      let shown = try await bridge.evaluate(
        """
        const ours = nativeModuleProxy.Sample;
        globalThis.__fbGenNativeModule = (config, id) => config[0] === 'OnlyConstants' ? null : {name: config[0], module: {id, config}};
        [nativeModuleProxy.Sample === ours, NativeModules.Sample === ours, nativeModuleProxy.Sample.id,
          nativeModuleProxy.Sample === nativeModuleProxy.Sample, nativeModuleProxy.Empty, nativeModuleProxy.OnlyConstants].map(String)
        """, as: [String].self)
      #expect(shown == ["false", "true", "3", "true", "null", "null"])
    }
  }

  @Test func ourGeneratorMakesWhatConfigsSay() async throws {
    try await withBridge(modules, wire: .reactNative) { bridge, _ in
      let shown = try await bridge.evaluate(
        """
        [__fbGenNativeModule(null, 0), __fbGenNativeModule(['Lazy'], 0), __fbGenNativeModule(['Lazy', null, null], 0),
          __fbGenNativeModule(['Full', {a: 1}, ['b', 'c'], [1]], 9).module].map(it => JSON.stringify(it))
        """, as: [String].self)
      #expect(shown == ["null", #"{"name":"Lazy"}"#, #"{"name":"Lazy"}"#, #"{"a":1}"#])
    }
  }

  @Test func theTableHoldsNames() async throws {
    try await withBridge(modules, wire: .reactNative(moduleTable: .names)) { bridge, _ in
      try await bridge.register(ModuleDefinition("Late", make: { _ in Nothing() }) {})
      let table = try await bridge.evaluate("__fbBatchedBridgeConfig", as: JSONValue.self)
      #expect(table == ["remoteModuleConfig": [["Empty"], ["OnlyConstants"], ["OwnListener"], ["Sample"], ["Late"]]])
      let ours = try await bridge.configTable(namesOnly: true)
      #expect(table == ours)
      #expect(try await bridge.evaluate("'nativeModuleProxy' in globalThis", as: Bool.self) == false)
    }
  }

  /// JavaScript's table is that of native code.
  @Test func theTableHoldsAll() async throws {
    try await withBridge(modules, wire: .reactNative(moduleTable: .complete)) { bridge, _ in
      let table = try await bridge.evaluate("__fbBatchedBridgeConfig", as: JSONValue.self)
      let ours = try await bridge.configTable()
      #expect(table == ours)
      #expect(
        table["remoteModuleConfig"] == [
          .null, ["OnlyConstants", ["length": 0]], ["OwnListener", .null, ["addListener"]],
          [
            "Sample", ["version": "3.45"],
            ["log", "find", "later", "query", "fail", "quote", "never", "addListener", "removeListeners"], [3, 4, 6],
            [5],
          ],
        ])
      #expect(try await bridge.evaluate("__fbBatchedBridgeConfig === __fbBatchedBridgeConfig", as: Bool.self))
    }
  }

  @Test func aScriptMayPutATableOfItsOwn() async throws {
    let table = try await withBridge(modules, wire: .reactNative(moduleTable: .complete)) { bridge, _ in
      try await bridge.evaluate("__fbBatchedBridgeConfig = 5; __fbBatchedBridgeConfig", as: Int.self)
    }
    #expect(table == 5)
  }
}
