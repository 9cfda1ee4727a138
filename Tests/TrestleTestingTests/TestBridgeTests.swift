import EventLoop
import Testing
import Trestle
import TrestleTesting

/// A bridge with its spy, its errors and its config table.
struct TestBridgeTests {
  private let modules = ModuleSelection.definitions([Vault.moduleDefinition])

  @Test func theQueueIsReadable() async throws {
    try await withTestBridge(modules) { test in
      try await test.run(
        """
        const {Vault} = NativeModules;
        Vault.put('a', {amount: 1});
        Vault.quote('x');
        Vault.get('a').then(item => Vault.later(item.amount));
        Vault.find('b', () => {}, () => {});
        """)
      #expect(
        Set(test.queue.lines) == [
          #"Vault.put("a", {amount: 1})"#, #"Vault.quote("x")"#, #"Vault.quote → "'x'""#, #"Vault.get("a")"#,
          #"Vault.find("b", function, function)"#, "Vault.get → {amount: 1, note: null}",
          #"Vault.find ✗ VaultError: missing(item: "b") (ERR_MISSING)"#, "Vault.later(1)", "Vault.later → 2",
        ])
      #expect(test.queue.calls.map(\.method) == ["put", "quote", "get", "find", "later"])
      #expect(test.queue.calls.first == .init("Vault", "put", "a", ["amount": 1]))
      #expect(test.errorTexts == [])
    }
  }

  @Test func eventsAndCallsFromNativeCodeAreSeen() async throws {
    try await withTestBridge(modules) { test in
      try await test.bridge.evaluate("globalThis.square = n => n * n")
      #expect(try await test.bridge.evaluate("NativeModules.Vault.announce(4)", as: Int.self) == 16)
      #expect(test.queue.messages.contains(.event("announced", 4)))
      #expect(test.queue.messages.contains(.callOfJavaScript(path: "square", arguments: [4])))
      test.queue.clear()
      #expect(test.queue.messages == [])
    }
  }

  @Test func callsThatAreRefusedInJavaScriptAreNotOnTheQueue() async throws {
    try await withTestBridge(modules) { test in
      try await test.run("NativeModules.Vault.get(1).catch(() => {})")
      #expect(test.queue.messages == [])
    }
  }

  @Test func errorsAreKeptAndPassedOn() async throws {
    let passedOn = QuietCount()
    var configuration = BridgeConfiguration()
    configuration.onError = { _ in passedOn.add() }
    try await withTestBridge(modules, configuration: configuration) { test in
      try await test.run("NativeModules.Vault.fail(); NativeModules.Vault.provided()")
      #expect(test.errorTexts == [#"ERR_MISSING: Vault.fail: missing(item: "fail")"#])
    }
    #expect(passedOn.value == 1)
  }

  @Test func bytesAndDatesAreReadable() async throws {
    let echo = ModuleDefinition("Echo", make: { _ in () }) {
      Member<Void>.promise("bytes", "bytes") { (_, bytes: [UInt8]) in bytes }
      Member<Void>.promise("all", "values") { (_, values: [Place]) in values }
    }
    try await withTestBridge(.definitions([echo])) { test in
      try await test.run("NativeModules.Echo.bytes(new Uint8Array([1, 2])); NativeModules.Echo.all([{x: 1}])")
      #expect(
        test.queue.calls.map(\.description) == [
          "Echo.bytes(Uint8Array of 2 bytes [1, 2])", "Echo.all([{x: 1}])",
        ])
      #expect(test.queue.lines.contains("Echo.bytes → Uint8Array of 2 bytes [1, 2]"))
    }
  }

  @Test func eventsOfSourcesAreOnTheQueue() async throws {
    let changed = EventSource<Int>(replaysLast: true)
    let sensor = ModuleDefinition("Sensor", make: { _ in () }) { Member<Void>.event("changed") { _ in changed } }
    try await withTestBridge(.definitions([sensor])) { test in
      changed.emit(1)
      try await test.run("NativeModules.Sensor.changed.addListener(() => {})")
      changed.emit(2)
      await test.bridge.waitUntilIdle()
      #expect(test.queue.lines == ["event changed 2"] && test.errors.isEmpty)
    }
  }

  @Test func configTable() async throws {
    try await withTestBridge(modules + .definitions([ModuleDefinition("Empty", make: { _ in () }) {}])) { test in
      let table = try await test.configTable()
      #expect(table.map(\.name) == ["Vault"])
      let entry = try #require(try await test.entry(of: "Vault"))
      #expect(entry.id == 1 && entry.constants == ["version": "1.0", "limit": 10])
      #expect(
        entry.methods.prefix(5) == ["put: async", "get: promise", "later: promise", "quote: sync", "find: async"])
      #expect(try await test.entry(of: "Empty") == nil)
    }
  }

  @Test func theBridgeIsClosedHoweverTheTestEnds() async throws {
    struct Failed: Error {}
    var bridge: Bridge?
    await #expect(throws: Failed.self) {
      try await withTestBridge(modules) { test in
        bridge = test.bridge
        throw Failed()
      }
    }
    await #expect(throws: BridgeError.self) { try await bridge?.evaluate("1") }
  }
}

@Record struct Place {
  var x: Double
  var y: Double?
}

private final class QuietCount: Sendable {
  private let count = Lock(0)
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}
