import Testing
import Trestle
import TrestleTesting

@testable import TrestleCore

/// What macros register, and what a host chooses of it.
struct ModuleRegistrationSelectionTests {
  @Test func linkedModulesHaveRecords() {
    let names = ModuleDefinition.linked.map(\.name)
    #expect(names.contains("Registered"))
    #expect(!names.contains("Unlisted"))
  }

  @Test func originIsTheAttribute() {
    #expect(Registered.moduleDefinition.origin.hasPrefix("TrestleTests/ModuleRegistrationSelectionTests.swift:"))
  }

  @Test func ofTheLinkedModulesThoseThatAreNamed() async throws {
    #expect(try await moduleNames(.only(["Registered"])) == ["Registered"])
    #expect(
      try await moduleNames(.only(["Registered"]) + .definitions([Unlisted.moduleDefinition])) == [
        "Registered", "Unlisted",
      ])
    #expect(try await moduleNames(.none) == [])
  }

  @Test func aNameThatNoLinkedModuleHasIsAnError() async {
    for (name, words) in [
      ("Regstered", "named 'Regstered': is it 'Registered'?"),
      ("Unlisted", "no module that is linked is named 'Unlisted'"),
      ("Given", "give its instance, '.instance(Given(…))'"),
    ] {
      let error = await #expect(throws: BridgeError.self) { try await moduleNames(.only(["Registered", name])) }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test func allLinkedModules() async throws {
    let names = try await moduleNames(.linked)
    #expect(names == ModuleDefinition.linked.map(\.name).sorted())
    #expect(Set(names).isSuperset(of: ["Registered", "RegisteredStage"]))
  }

  /// Whichever way it came in twice.
  @Test func aLinkedModuleAndAnInstanceOfItAreTwo() async throws {
    let error = await #expect(throws: BridgeError.self) {
      try await moduleNames(.only(["Registered"]) + .instance(Registered()))
    }
    #expect(error?.message.contains("two modules are named 'Registered'") == true)
  }

  @Test func hostGivesTheInstance() async throws {
    let modules = ModuleSelection.instance(Given(name: "actor")) + .instance(await GivenStage(name: "global"))
    try await withTestBridge(modules) { (test) async throws in
      let bridge = test.bridge
      #expect(try await bridge.evaluate("NativeModules.Given.name()", as: String.self) == "actor")
      #expect(try await bridge.evaluate("NativeModules.GivenStage.name()", as: String.self) == "global")
    }
  }

  @Test func theHostsInstanceComesInPlaceOfTheLinkedModule() async throws {
    try await withTestBridge(.linked + .instance(Given(name: "actor"))) { (test) async throws in
      #expect(try await test.bridge.evaluate("NativeModules.Given.name()", as: String.self) == "actor")
    }
  }

  /// It is not left out without a word.
  @Test func moduleThatNobodyCanMakeFailsItsCalls() async throws {
    for name in ["Given", "GivenStage"] {
      try await withTestBridge(.linked) { (test) async throws in
        let script = "(async () => NativeModules.\(name).name())().then(() => 'none', error => error.message)"
        let message = try await test.bridge.evaluate(script, as: String.self)
        #expect(message.contains(".instance(\(name)(…))"), "\(message)")
      }
    }
  }

  private func moduleNames(_ modules: ModuleSelection) async throws -> [String] {
    try await withTestBridge(modules) { test in
      try await test.bridge.evaluate("trestle.moduleNames()", as: [String].self)
    }
  }
}

@NativeModule private actor Registered {
  init() {}
}

@NativeModule @MainActor private final class RegisteredStage {
  init() {}
}

/// Nobody but the host can make one.
@NativeModule private actor Given {
  private let text: String
  init(name: String) { text = name }
  @Exported func name() -> String { text }
}

@NativeModule @MainActor private final class GivenStage {
  private let text: String
  init(name: String) { text = name }
  @Exported func name() -> String { text }
}

@NativeModule(isLinked: false) private struct Unlisted {}
