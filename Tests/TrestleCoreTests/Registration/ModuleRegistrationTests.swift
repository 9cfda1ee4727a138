import EventLoop
import Testing

@testable import TrestleCore

/// What `Bridge` makes of the module definitions that it is given.
@Suite struct ModuleRegistrationTests {
  private func module(
    _ name: String, dependencies: [String] = [], capabilities: Set<Capability> = [], line: Int = #line
  ) -> ModuleDefinition {
    ModuleDefinition(
      name, dependencies: dependencies, capabilities: capabilities, fileID: "Tests", line: line,
      make: { _ in Nothing() }
    ) {
      Member<Nothing>.promise("name") { _ in name }
    }
  }

  private func openingError(_ definitions: [ModuleDefinition]) async -> String {
    do {
      return try await withBridge(definitions) { _, _ in "opened" }
    } catch { return "\(error)" }
  }

  @Test func namesLoseReactNativesPrefixes() {
    #expect(module("RCTFiles").name == "Files")
    #expect(module("RKFiles").name == "Files")
    #expect(module("RCT").name == "RCT")
    #expect(module("Files").name == "Files")
  }

  @Test(arguments: [["A", "B", "C"], ["C", "A", "B"], ["B", "C", "A"]])
  func numbersDoNotDependOnTheOrderOfLinking(names: [String]) async throws {
    let order = try await withBridge(names.map { module($0) }) { bridge, _ in
      try await bridge.evaluate("trestle.moduleNames()", as: [String].self)
    }
    #expect(order == ["A", "B", "C"])
  }

  @Test func twoModulesOfOneNameAreAnErrorThatNamesBothPlaces() async {
    let error = await openingError([module("Twin", line: 10), module("RCTTwin", line: 20)])
    #expect(error.contains("ERR_MODULE") && error.contains("'Twin'"))
    #expect(error.contains("Tests:10") && error.contains("Tests:20"))
  }

  /// A member that makes the module's object something else to JavaScript.
  @Test(arguments: ["then", "constructor", "__proto__"]) func membersWithAReservedName(name: String) async throws {
    let odd = ModuleDefinition("Odd", make: { _ in Nothing() }) {
      Member<Nothing>.void(name) { (_, _: JSONValue?, _: JSONValue?) in }
    }
    try await withBridge([odd]) { bridge, _ in
      let script = "try { String(NativeModules.Odd) } catch (error) { error.message }"
      let message = try await bridge.evaluate(script, as: String.self)
      #expect(message.contains("exports a member named '\(name)'"))
    }
  }

  @Test func missingDependencyIsAnErrorAtOpen() async {
    let error = await openingError([module("Needy", dependencies: ["Absent"], line: 7)])
    #expect(error.contains("'Needy'") && error.contains("'Absent'") && error.contains("Tests:7"))
  }

  @Test func aModuleIsOffUnlessItsCapabilitiesAreGranted() async throws {
    let files = module("Files", capabilities: [.files])
    let without = try await withBridge([files]) { bridge, _ in
      try await bridge.evaluate("String(NativeModules.Files)", as: String.self)
    }
    #expect(without == "undefined")
    let with = try await withBridge([files], { $0.capabilities = [.files] }) { bridge, _ in
      try await bridge.evaluate("NativeModules.Files.name()", as: String.self)
    }
    #expect(with == "Files")
    let error = await openingError([files, module("Reader", dependencies: ["Files"])])
    #expect(error.contains("'Reader'") && error.contains("not granted"))
  }

  @Test func modulesCanBeRegisteredWhileTheBridgeRuns() async throws {
    try await withBridge([module("Early")]) { bridge, _ in
      try await bridge.register(module("Late"))
      #expect(try await bridge.evaluate("NativeModules.Late.name()", as: String.self) == "Late")
      #expect(try await bridge.evaluate("trestle.moduleNames()", as: [String].self) == ["Early", "Late"])
      await #expect(throws: BridgeError.self) { try await bridge.register(module("Early")) }
    }
  }

  @Test func aNameThatJavaScriptAskedForInVainCannotBeRegisteredAnyMore() async throws {
    try await withBridge([]) { bridge, _ in
      #expect(try await bridge.evaluate("NativeModules.Ghost === undefined", as: Bool.self))
      let error = try await #require(throws: BridgeError.self) {
        try await bridge.register(module("Ghost", line: 3))
      }
      #expect(error.code == .module)
      #expect("\(error)".contains("'Ghost'") && "\(error)".contains("Tests:3"))
    }
  }

  @Test func anInitializerThatThrowsRejectsEachCallAndNamesTheModule() async throws {
    struct Refusal: Error {}
    let attempts = Lock(0)
    let broken = ModuleDefinition(
      "Broken",
      make: { (_) throws -> Nothing in
        attempts.withLock { $0 += 1 }
        throw Refusal()
      }
    ) {
      Member<Nothing>.promise("first") { _ in 1 }
      Member<Nothing>.promise("second") { _ in 2 }
    }
    try await withBridge([broken]) { bridge, _ in
      for method in ["first", "second"] {
        let message = try await bridge.evaluate(
          "NativeModules.Broken.\(method)().catch(error => error.code + ' ' + error.message)", as: String.self)
        #expect(message.contains("ERR_MODULE") && message.contains("'Broken'"))
      }
    }
    #expect(attempts.withLock { $0 } == 1)
  }

  @Test func aConstantThatDoesNotConvertIsAnErrorAtFirstTouch() async throws {
    struct Unreadable: Error {}
    let broken = ModuleDefinition("Broken", make: { _ in Nothing() }) {
      Member<Nothing>.constant("fine") { _ in 1 }
      Member<Nothing>.constant("broken") { (_) throws -> Int in throw Unreadable() }
    }
    try await withBridge([broken]) { bridge, _ in
      let message = try await bridge.evaluate(
        "try { NativeModules.Broken; '' } catch (error) { error.message }", as: String.self)
      #expect(message.contains("'broken'") && message.contains("'Broken'"))
    }
  }

  @Test func modulesAreLazy() async throws {
    let touches = Lock<[String]>([])
    let lazy = ModuleDefinition(
      "Lazy",
      make: { _ in
        touches.withLock { $0.append("instance") }
        return Nothing()
      }
    ) {
      touches.withLock { $0.append("details") }
      return [Member<Nothing>.promise("call") { _ in 1 }]
    }
    try await withBridge([lazy]) { bridge, _ in
      #expect(touches.withLock { $0 } == [])
      try await bridge.evaluate("const {Lazy} = NativeModules; Lazy.call")
      #expect(touches.withLock { $0 } == ["details"])
      #expect(try await bridge.evaluate("Lazy.call().then(() => Lazy.call())", as: Int.self) == 1)
      #expect(touches.withLock { $0 } == ["details", "instance"])
    }
  }

  @Test func tenThousandModulesOfTwentyMethods() async throws {
    let definitions = (0..<10_000).map { number in
      ModuleDefinition("Module\(number)", make: { _ in Nothing() }) {
        for method in 0..<20 { Member<Nothing>.promise("method\(method)") { _ in number * 100 + method } }
      }
    }
    try await withBridge(definitions) { bridge, log in
      let sum = try await bridge.evaluate(
        """
        (async () => {
          let sum = 0;
          for (let i = 0; i < 10000; i += 97) sum += await NativeModules['Module' + i]['method' + i % 20]();
          return sum;
        })()
        """, as: Int.self)
      #expect(sum == stride(from: 0, to: 10_000, by: 97).reduce(0) { $0 + $1 * 100 + $1 % 20 })
      #expect(try await bridge.evaluate("trestle.moduleNames().length", as: Int.self) == 10_000)
      #expect(log.texts == [])
    }
  }

  @Test func membersOfOneNameAreAnError() async {
    let twin = ModuleDefinition("Twin", make: { _ in Nothing() }) {
      Member<Nothing>.promise("same") { _ in 1 }
      Member<Nothing>.promise("same") { _ in 2 }
    }
    let message = try? await withBridge([twin]) { bridge, _ in
      try await bridge.evaluate("try { NativeModules.Twin; '' } catch (error) { error.message }", as: String.self)
    }
    #expect(message?.contains("'same'") == true && message?.contains("'Twin'") == true)
  }
}
