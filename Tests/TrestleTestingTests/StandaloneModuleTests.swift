import EventLoop
import Testing
import Trestle
import TrestleTesting

/// Modules of every kind without an engine: what comes back is what a bridge gives.
struct StandaloneModuleTests {
  private let vault = StandaloneModule(Vault.self, provisions: ["secret"], functions: answer)

  @Test func methodsOfEveryKindAnswer() async throws {
    #expect(try await vault.call("put", "a", ["amount": 3]) == .undefined)
    #expect(try await vault.call("get", "a") == ["amount": 3, "note": nil])
    #expect(try await vault.call("get", "a", as: Item.self) == Item(amount: 3))
    #expect(try await vault.call("later", 2) == 4)
    #expect(try await vault.call("quote", "x") == "'x'")
    #expect(try await vault.call("find", "a") == ["amount": 3, "note": nil])
    #expect(vault.errors.isEmpty)
  }

  @Test func constantsAndProvisions() async throws {
    #expect(try await vault.constants == ["version": "1.0", "limit": 10])
    #expect(try await vault.call("provided") == "secret")
  }

  @Test func errorsAreThoseOfScripts() async throws {
    let error = await #expect(throws: JavaScriptError.self) { try await vault.call("get", "none") }
    #expect(error?.code == "ERR_MISSING" && error?.name == "VaultError")
    #expect(error?.properties == ["item": "none"])
    await #expect(throws: JavaScriptError.self) { try await vault.call("find", "none") }
    #expect(vault.errors.isEmpty)
  }

  private static let mistakes: [(String, [JavaScriptValue], String)] = [
    ("get", [3], "Vault.get, argument 1 'name': expected string, got number 3"),
    ("get", [], "Vault.get: expected 1 argument, got 0"),
    ("later", [1, 2], "Vault.later: expected 1 argument, got 2"),
    ("put", ["a", ["amount": "x"]], "Vault.put, argument 2 'item.amount': expected number, got string \"x\""),
    ("quote", [.undefined], "Vault.quote, argument 1 'text': expected string, got undefined"),
    ("find", [nil], "Vault.find, argument 1 'name': expected string, got null"),
    (
      "sum", [.bytes([1], .int8)],
      "Vault.sum, argument 1 'bytes': expected Uint8Array or array of numbers, got Int8Array"
    ),
  ]

  @Test(arguments: mistakes)
  func mistakesHaveTheWordsOfABridge(_ method: String, _ arguments: [JavaScriptValue], _ words: String) async throws {
    let error = await #expect(throws: JavaScriptError.self) { try await vault.call(method, arguments: arguments) }
    #expect(error?.message == words && error?.code == "ERR_ARGUMENT" && error?.name == "TypeError")
    // The same in a bridge, through JavaScript's own checks.
    let list = arguments.map(\.script).joined(separator: ", ")
    let script =
      "(async () => NativeModules.Vault.\(method)(\(list)\(method == "find" ? ", () => {}, () => {}" : "")))()"
    let inBridge = try await withTestBridge(.definitions([Vault.moduleDefinition])) { test in
      try await test.bridge.evaluate(script + ".then(() => 'none', error => error.message)", as: String.self)
    }
    #expect(inBridge == words)
  }

  @Test func streamsGiveTheirElements() async throws {
    let numbers = StandaloneModule(Numbers.self)
    for method in ["few", "many"] {
      let stream = try #require(try await numbers.call(method).stream)
      var seen: [JavaScriptValue] = []
      for try await number in stream { seen.append(number) }
      #expect(seen == [1, 2, 3])
    }
    let failing = try #require(try await numbers.call("failing").stream?.makeAsyncIterator())
    var iterator = failing
    #expect(try await iterator.next() == 1)
    let error = await #expect(throws: JavaScriptError.self) { try await iterator.next() }
    #expect(error?.code == "ERR_MISSING")
    #expect(try await numbers.call("few").description == "stream")
  }

  @Test func errorsThatNobodyWaitsForAreKept() async throws {
    try await vault.call("fail")
    try await vault.call("failLater")
    #expect(
      vault.errors.map { "\($0)" } == [
        "ERR_MISSING: Vault.fail: missing(item: \"fail\")", "ERR_MISSING: Vault.failLater: missing(item: \"later\")",
      ])
  }

  @Test func eventsAndCallsOfJavaScript() async throws {
    #expect(try await vault.call("announce", 3) == 9)
    #expect(vault.events == [.init("announced", 3)])
  }

  @Test func eventsThatAreMembers() async throws {
    let observed = Lock<[Bool]>([])
    let (changed, state) = (EventSource<Int>(), EventSource<String>(replaysLast: true))
    changed.onObservation {
      observed.withLock { $0.append(true) }
    } stop: {
      observed.withLock { $0.append(false) }
    }
    let definition = ModuleDefinition("Sensor", make: { _ in () }) {
      Member<Void>.event("changed") { _ in changed }
      Member<Void>.event("state") { _ in state }
      Member<Void>.void("change", "value") { (_, value: Int) in
        changed.emit(value)
        state.emit("at \(value)")
      }
    }
    let module = StandaloneModule(definition)
    try await module.call("change", 1)
    #expect(!changed.isObserved && observed.withLock { $0 } == [])
    for _ in 0..<2 { try await module.startListening(to: "changed") }
    try await module.call("change", 2)
    for _ in 0..<2 { try await module.stopListening(to: "changed") }
    #expect(observed.withLock { $0 } == [true, false])
    #expect(module.events.map(\.description) == ["changed 1", #"state "at 1""#, "changed 2", #"state "at 2""#])
    await #expect(throws: BridgeError.self) { try await module.startListening(to: "bogus") }
    #expect(module.errors.isEmpty)
  }

  @Test func unknownMethodsAreNamed() async {
    let error = await #expect(throws: BridgeError.self) { try await vault.call("bogus") }
    #expect(error?.message.hasPrefix("module 'Vault' has no method 'bogus', but [\"put\"") == true)
  }

  @Test func callsThatAreNeverAnsweredEnd() async throws {
    let replies = Lock<[Reply]>([])
    let mute = ModuleDefinition("Mute", make: { _ in () }) {
      Member<Void>._method("wait", .promise) { _ in
        { (call) throws(ConversionError) in
          let reply = call.reply()
          replies.withLock { $0.append(reply) }
        }
      }
    }
    let module = StandaloneModule(mute, deadline: .milliseconds(20))
    let error = await #expect(throws: BridgeError.self) { try await module.call("wait") }
    #expect(error?.code == .dropped && error?.message.contains("Mute.wait") == true)
  }

  @Test func droppedRepliesAreRejectedAsInABridge() async throws {
    let careless = ModuleDefinition("Careless", make: { _ in () }) {
      Member<Void>._method("wait", .promise) { _ in { (call) throws(ConversionError) in _ = call.reply() } }
    }
    let error = await #expect(throws: JavaScriptError.self) { try await StandaloneModule(careless).call("wait") }
    #expect(error?.code == "ERR_DROPPED" && error?.message.contains("Careless.wait") == true)
  }

  @Test func initializersThatThrowFailEveryCall() async throws {
    let broken = ModuleDefinition("Broken", make: { (_) throws -> Int in throw VaultError.missing(item: "key") }) {
      Member<Int>.promise("read") { $0 }
      Member<Int>.constant("size") { $0 }
    }
    let module = StandaloneModule(broken)
    for _ in 0..<2 {
      let error = await #expect(throws: JavaScriptError.self) { try await module.call("read") }
      #expect(error?.code == "ERR_MODULE" && error?.message.contains("'Broken'") == true)
    }
    await #expect(throws: JavaScriptError.self) { try await module.constants }
  }

  @Test func definitionsWrittenByHandAndClasses() async throws {
    let counter = StandaloneModule(Counter.self)
    try await counter.call("add", 2)
    try await counter.call("add")
    #expect(try await counter.call("count") == 3)
    let panel = StandaloneModule(Panel.self)
    #expect(try await panel.call("title") == "panel")
    let sum = StandaloneModule(
      ModuleDefinition("Sum", make: { _ in () }) {
        Member<Void>.promise("of", "numbers") { (_, numbers: [Double]) in numbers.reduce(0, +) }
      })
    #expect(try await sum.call("of", [1, 2.5]) == 3.5)
  }

  @Test func failureCallbacksMayBeGivenValues() async throws {
    let error = await #expect(throws: FailureCallback.self) { try await vault.call("refuse") }
    #expect(error?.value == "no")
  }
}

private let answer: StandaloneModule.Functions = { path, arguments in
  guard path == "square", case .number(let number)? = arguments.first else { return .undefined }
  return .number(number * number)
}

extension JavaScriptValue {
  /// As a script writes it.
  fileprivate var script: String {
    if case .bytes(let bytes, let kind) = self { return "new \(kind?.constructorName ?? "Uint8Array")(\(bytes))" }
    return description
  }
}

@Record struct Item: Equatable {
  var amount: Double
  var note: String?
}

enum VaultError: Error { case missing(item: String) }

@NativeModule(isLinked: false)
actor Vault {
  private var items: [String: Item] = [:]
  private let context: BridgeContext
  @Exported let version = "1.0"
  @Exported static let limit = 10

  init(_ context: BridgeContext) { self.context = context }

  @Exported func put(_ name: String, _ item: Item) { items[name] = item }
  @Exported func get(_ name: String) throws -> Item {
    guard let item = items[name] else { throw VaultError.missing(item: name) }
    return item
  }
  @Exported func later(_ number: Int) async -> Int {
    await Task.yield()
    return number * 2
  }
  @Exported(.sync) nonisolated func quote(_ text: String) -> String { "'\(text)'" }
  @Exported func find(_ name: String, failure: Callback<VaultError>, success: Callback<Item>) {
    if let item = items[name] { success(item) } else { failure(.missing(item: name)) }
  }
  @Exported func refuse(failure: Callback<String>, success: Callback<Int>) { failure("no") }
  @Exported func sum(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 + Int($1) } }
  @Exported func provided() -> String? { context.provided(String.self) }
  @Exported(.void) func fail() throws { throw VaultError.missing(item: "fail") }
  @Exported(.void) func failLater() async throws {
    await Task.yield()
    throw VaultError.missing(item: "later")
  }
  @Exported func announce(_ number: Int) async throws -> Int {
    context.emit("announced", of: "Vault", number)
    return try await context.call("square", number, as: Int.self)
  }
}

@NativeModule(isLinked: false)
private final class Counter {
  private var total = 0
  @Exported func add(_ step: Int = 1) { total += step }
  @Exported(.sync) func count() -> Int { total }
}

@NativeModule(isLinked: false) @MainActor
private final class Panel {
  @Exported func title() -> String { "panel" }
}

@NativeModule(isLinked: false) private struct Numbers {
  init() {}
  @Exported(.sync) func few() -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
  }
  @Exported(.sync) func many() -> BridgeStream<UInt8> {
    BridgeStream(
      AsyncStream { continuation in
        for number in 1...3 { continuation.yield(UInt8(number)) }
        continuation.finish()
      }, ahead: 10)
  }
  @Exported(.sync) func failing() -> AsyncThrowingStream<Int, any Error> {
    AsyncThrowingStream { continuation in
      continuation.yield(1)
      continuation.finish(throwing: VaultError.missing(item: "more"))
    }
  }
}
