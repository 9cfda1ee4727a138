import JSON
import Testing

@testable import TrestleCore

/// The table has React Native's exact shape.
@Suite struct ModuleRegistrationConfigTableTests {
  private let modules = [
    ModuleDefinition("Empty", make: { _ in Nothing() }) {},
    ModuleDefinition("OnlyConstants", make: { _ in Nothing() }) {
      Member<Nothing>.constant("version") { _ in "3.45" }
      Member<Nothing>.constant("limits") { _ in [1, 2] }
    },
    ModuleDefinition("OnlyVoid", make: { _ in Nothing() }) {
      Member<Nothing>._method("log", .void) { _ in { (call) throws(ConversionError) in call.complete {} } }
    },
    ModuleDefinition("RCTQuery", make: { _ in Nothing() }) {
      Member<Nothing>._method("log", .void) { _ in { (call) throws(ConversionError) in call.complete {} } }
      Member<Nothing>.promise("query") { _ in 1 }
      Member<Nothing>._method("quote", .sync) { _ in { (call) throws(ConversionError) in call.complete {} } }
    },
  ]

  @Test func entriesAreTrimmed() async throws {
    let table = try await withBridge(modules) { bridge, _ in try await bridge.configTable() }
    let expected: JSONValue = [
      "remoteModuleConfig": [
        .null,
        ["OnlyConstants", ["version": "3.45", "limits": [1, 2]]],
        ["OnlyVoid", .null, ["log"]],
        ["Query", .null, ["log", "query", "quote"], [1], [2]],
      ]
    ]
    #expect(table == expected)
  }

  @Test func lazyEntriesAreNamesOnly() async throws {
    let table = try await withBridge(modules) { bridge, _ in try await bridge.configTable(namesOnly: true) }
    #expect(table == ["remoteModuleConfig": [["Empty"], ["OnlyConstants"], ["OnlyVoid"], ["Query"]]])
  }
}
