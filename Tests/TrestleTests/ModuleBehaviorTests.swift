import EventLoop
import Glibc
import Testing
import Trestle
import TrestleReactNative

/// Modules written with the macros, called by scripts: where their methods run, in which order, and what comes back.
struct ModuleBehaviorTests {
  @Test func actorAnswersInEveryWay() async throws {
    try await withBridge(Accounts.self) { (bridge, errors) async throws in
      #expect(try await bridge.evaluate("NativeModules.Accounts.currency", as: String.self) == "EUR")
      #expect(try await bridge.evaluate("NativeModules.Accounts.pages", as: Int.self) == 3)
      #expect(try await bridge.evaluate("NativeModules.Accounts.limit", as: Int.self) == 10)
      #expect(try await bridge.evaluate("NativeModules.Accounts.quote('a')", as: String.self) == "'a'")
      let total = "NativeModules.Accounts.post({amount: 2}); NativeModules.Accounts.post({amount: 3, text: 'x'}, 2);"
      #expect(try await bridge.evaluate("\(total) NativeModules.Accounts.total()", as: Double.self) == 8)
      let entries = try await bridge.evaluate("NativeModules.Accounts.entries()", as: [Entry].self)
      #expect(entries == [Entry(amount: 2), Entry(amount: 3, text: "x"), Entry(amount: 3, text: "x")])
      #expect(try await bridge.evaluate("NativeModules.Accounts.later(20)", as: Int.self) == 21)
      #expect(try await bridge.evaluate("NativeModules.Accounts.double(20)", as: Int.self) == 40)
      #expect(errors.all == [])
    }
  }

  /// As a parameter and as a member, whatever the record is made of.
  @Test(arguments: [BridgeConfiguration.Wire.shared, .reactNative])
  func recordsWithADefaultMayBeLeftOut(wire: BridgeConfiguration.Wire) async throws {
    try await withBridge(.definitions([Accounts.moduleDefinition]), wire: wire) { (bridge, errors) async throws in
      let texts = try await bridge.evaluate(
        """
        const { describe, describePage } = NativeModules.Accounts;
        Promise.all([describe(), describe(undefined), describe({ amount: 2 }), describePage({}), describePage({ entry: { amount: 3 } })])
        """, as: [String].self)
      #expect(texts == ["1.0", "1.0", "2.0", "1.0", "3.0"])
      #expect(errors.all == [])
    }
  }

  @Test func callbacksGetTheAnswer() async throws {
    try await withBridge(Accounts.self) { (bridge, _) async throws in
      func find(_ index: Int) async throws -> String {
        try await bridge.evaluate(
          """
          new Promise(resolve => NativeModules.Accounts.find(
            \(index), error => resolve(`failure ${error.message}`), entry => resolve(`success ${entry.amount}`)))
          """, as: String.self)
      }
      try await bridge.evaluate("NativeModules.Accounts.post({amount: 7})")
      #expect(try await find(0) == "success 7")
      #expect(try await find(5).hasPrefix("failure"))
      #expect(try await find(-1).hasPrefix("failure"))
    }
  }

  /// Whoever calls a method that may fail hears whether it did.
  @Test(arguments: [BridgeConfiguration.Wire.shared, .reactNative])
  func methodThatThrowsGivesAPromise(wire: BridgeConfiguration.Wire) async throws {
    try await withBridge(.definitions([Accounts.moduleDefinition]), wire: wire) { (bridge, errors) async throws in
      for method in ["fail", "failNow", "failLater"] {
        let outcome = "NativeModules.Accounts.\(method)().then(() => 'none', error => error.code)"
        #expect(try await bridge.evaluate(outcome, as: String.self) == "ERR_TROUBLE")
      }
      #expect(
        try await bridge.evaluate("NativeModules.Accounts.succeed().then(String)", as: String.self) == "undefined")
      #expect(
        try await bridge.evaluate("String(NativeModules.Accounts.post({amount: 7}))", as: String.self) == "undefined")
      #expect(errors.all == [])
    }
  }

  @Test func errorOfVoidMethodGoesToTheHost() async throws {
    try await withBridge(Accounts.self) { (bridge, errors) async throws in
      try await bridge.evaluate("NativeModules.Accounts.failUnheard()")
      #expect(try await bridge.evaluate("NativeModules.Accounts.total()", as: Double.self) == 0)
      #expect(errors.all.map { $0.contains("Accounts.failUnheard") } == [true])
    }
  }

  @Test func classRunsOnTheJSThread() async throws {
    try await withBridge(Counter.self) { (bridge, _) async throws in
      let script = "const {Counter} = NativeModules; Counter.increment(); Counter.increment(4); Counter.current()"
      #expect(try await bridge.evaluate(script, as: Int.self) == 5)
      let threads = "Counter.thread().then(other => other === Counter.threadNow())"
      #expect(try await bridge.evaluate(threads, as: Bool.self))
      #expect(try await bridge.evaluate("Counter.reset().then(() => Counter.current())", as: Int.self) == 0)
    }
  }

  @Test func structRunsAsyncMethodsElsewhere() async throws {
    try await withBridge(Mathematics.self) { (bridge, _) async throws in
      #expect(try await bridge.evaluate("NativeModules.Mathematics.add(1, 2)", as: Int.self) == 3)
      let threads = "NativeModules.Mathematics.slow().then(other => other === NativeModules.Mathematics.threadNow())"
      #expect(try await bridge.evaluate(threads, as: Bool.self) == false)
    }
  }

  @Test func globalActorMakesTheInstanceAtTheFirstCall() async throws {
    await StageActor.shared.reset()
    try await withBridge(Stage.self) { (bridge, _) async throws in
      #expect(try await bridge.evaluate("NativeModules.Stage.kind", as: String.self) == "stage")
      #expect(await StageActor.shared.made == 0)
      let script = """
        const {Stage} = NativeModules;
        for (let i = 0; i < 1000; i++) i % 3 ? Stage.enter(i) : Stage.enterSlowly(i);
        Stage.entered()
        """
      #expect(try await bridge.evaluate(script, as: [Int].self) == Array(0..<1000))
      #expect(await StageActor.shared.made == 1)
      let asked = "new Promise(resolve => Stage.ask(resolve))"
      #expect(try await bridge.evaluate(asked, as: Int.self) == 1000)
    }
  }

  @Test func callsOfUrgentTasksOvertakeNoOthers() async throws {
    try await withBridge(Desk.self) { (bridge, _) async throws in
      func priority(for caller: TaskPriority, _ method: String) async throws -> Int {
        let task = Task.detached(priority: caller) {
          try await bridge.evaluate("NativeModules.Desk.\(method)()", as: Int.self)
        }
        return try await task.value
      }
      for method in ["priority", "priorityLater"] {
        #expect(try await priority(for: .low, method) == priority(for: .high, method))
      }
    }
  }

  @Test func initializerThatThrowsFailsEveryCall() async throws {
    try await withBridge(Broken.self) { (bridge, errors) async throws in
      let script = "NativeModules.Broken.read().then(() => 'none', error => 'rejected')"
      #expect(try await bridge.evaluate(script, as: String.self) == "rejected")
      #expect(try await bridge.evaluate(script, as: String.self) == "rejected")
      let asked = "new Promise(resolve => NativeModules.Broken.ask(() => resolve('failure'), () => resolve('none')))"
      #expect(try await bridge.evaluate(asked, as: String.self) == "failure")
      try await bridge.evaluate("NativeModules.Broken.write()")
      #expect(try await bridge.evaluate(script, as: String.self) == "rejected")
      #expect(errors.all.count == 1)
    }
  }

  @Test func mainActorIsAGlobalActorToo() async throws {
    try await withBridge(Window.self) { (bridge, _) async throws in
      #expect(try await bridge.evaluate("NativeModules.Window.title()", as: String.self) == "main")
    }
  }

  /// In modules of every kind, with values that convert in every way.
  @Test func eventsReachTheirListeners() async throws {
    let modules = [Radio.moduleDefinition, Mirror.moduleDefinition, Lamp.moduleDefinition]
    try await withBridge(.definitions(modules)) { (bridge, errors) async throws in
      let script = """
        (async () => {
          const { Radio, Mirror, Lamp } = NativeModules, seen = [];
          Radio.heard.addListener(({ amount }) => seen.push(amount));
          Radio.tuned.addListener(({ station }) => seen.push(station));
          Mirror.broken.addListener(() => seen.push('broken'));
          Lamp.lit.addListener(isLit => seen.push(isLit));
          await Radio.play(3);
          Mirror.drop();
          await Lamp.toggle();
          return seen.join();
        })()
        """
      #expect(try await bridge.evaluate(script, as: String.self) == "3,FM,broken,true")
      #expect(errors.all == [])
    }
  }

  @Test func unionsCross() async throws {
    try await withBridge(Mathematics.self) { (bridge, _) async throws in
      let script = "NativeModules.Mathematics.invert({type: 'moved', x: 1, y: 2})"
      #expect(try await bridge.evaluate(script, as: Motion.self) == .moved(x: -1, y: -2))
    }
  }
}

/// Runs `body` with a bridge that has one module, and with what its `onError` was told.
private func withBridge<Module: NativeModule>(
  _ module: Module.Type, _ body: (Bridge, ErrorTexts) async throws -> Void
) async throws {
  try await withBridge(.definitions([Module.moduleDefinition]), body)
}

private func withBridge(
  _ modules: ModuleSelection, wire: BridgeConfiguration.Wire = .shared,
  _ body: (Bridge, ErrorTexts) async throws -> Void
) async throws {
  let errors = ErrorTexts()
  var configuration = BridgeConfiguration()
  configuration.wire = wire
  configuration.onError = { error in errors.append(error) }
  let bridge = try await Bridge(modules: modules, configuration: configuration)
  let outcome: Result<Void, any Error>
  do { outcome = .success(try await body(bridge, errors)) } catch { outcome = .failure(error) }
  await bridge.close()
  try outcome.get()
}

private final class ErrorTexts: Sendable {
  private let texts = Lock<[String]>([])

  func append(_ error: any Error) { texts.withLock { $0.append("\(error)") } }
  var all: [String] { texts.withLock { $0 } }
}

private struct Trouble: Error {}

@Record private struct Entry: Equatable {
  var amount: Double
  var text: String? = nil
}

@Record private struct EntryPage {
  var entry = Entry(amount: 1)
}

@NativeModule(isLinked: false)
private actor Accounts {
  private var all: [Entry] = []
  @Exported let currency = "EUR"
  @Exported nonisolated var pages: Int { get throws { 3 } }
  @Exported static let limit = 10

  init(_ context: BridgeContext) throws {}

  @Exported func post(_ entry: Entry, times: Int = 1) {
    preconditionIsolated()
    precondition(moduleExecutor.isIsolatingCurrentContext() == true)
    all += Array(repeating: entry, count: times)
  }
  @Exported func describe(_ entry: Entry = Entry(amount: 1)) -> String { "\(entry.amount)" }
  @Exported func describePage(_ page: EntryPage) -> String { "\(page.entry.amount)" }
  @Exported func total() -> Double { all.reduce(0) { $0 + $1.amount } }
  @Exported private func entries() async -> [Entry] {
    precondition(moduleExecutor.isIsolatingCurrentContext() == true)
    await Task.yield()
    precondition(moduleExecutor.isIsolatingCurrentContext() == true)
    return all
  }
  @Exported(.sync) nonisolated func quote(_ text: String) -> String { "'\(text)'" }
  @Exported("later") nonisolated func increment(number: Int) async -> Int { number + 1 }
  @Exported static func double(_ number: Int) -> Int { number * 2 }
  @Exported func fail() throws { throw Trouble() }
  @Exported nonisolated func failNow() throws { throw Trouble() }
  @Exported(.void) func failUnheard() throws { throw Trouble() }
  @Exported func succeed() throws {}
  @Exported func failLater() async throws { throw Trouble() }
  @Exported func find(_ index: Int, failure: Callback<Trouble>, success: Callback<Entry>) throws {
    if index < 0 { throw Trouble() }
    if index < all.count { success(all[index]) } else { failure(Trouble()) }
  }
}

@NativeModule(isLinked: false)
private final class Counter {
  private var count = 0
  @Exported func increment(by step: Int = 1) { count += step }
  @Exported(.sync) func current() -> Int { count }
  @Exported(.promise) func reset() { count = 0 }
  @Exported func thread() -> Double { currentThread() }
  @Exported(.sync) func threadNow() -> Double { currentThread() }
}

@NativeModule(isLinked: false)
private struct Mathematics {
  @Exported func add(_ a: Int, _ b: Int) -> Int { a + b }
  @Exported func slow() async -> Double { currentThread() }
  @Exported(.sync) func threadNow() -> Double { currentThread() }
  @Exported func invert(_ motion: Motion) -> Motion {
    if case .moved(let x, let y) = motion { .moved(x: -x, y: -y) } else { motion }
  }
}

@Record private enum Motion: Equatable {
  case moved(x: Double, y: Double)
  case stopped
}

private struct Tuning: Codable {
  var station: String
}

@NativeModule(isLinked: false)
private actor Radio {
  @Exported let heard = EventSource<Entry>()
  @Exported let tuned: EventSource<Tuning>
  init() { tuned = EventSource() }
  @Exported func play(_ amount: Double) async {
    heard.emit(Entry(amount: amount))
    tuned.emit(Tuning(station: "FM"))
  }
}

@NativeModule(isLinked: false)
private struct Mirror {
  @Exported let broken = EventSource<Void>()
  @Exported func drop() { broken.emit() }
}

@NativeModule(isLinked: false) @MainActor
private final class Lamp {
  @Exported nonisolated static let lit = EventSource<Bool>()
  @Exported func toggle() async { Self.lit.emit(true) }
}

private func currentThread() -> Double { Double(pthread_self()) }

@globalActor private actor StageActor {
  static let shared = StageActor()
  var made = 0
  func reset() { made = 0 }
}

@NativeModule(isLinked: false) @StageActor
private final class Stage {
  private var order: [Int] = []
  @Exported nonisolated static let kind = "stage"

  init() throws { StageActor.shared.assumeIsolated { $0.made += 1 } }

  @Exported func enter(_ number: Int) { order.append(number) }
  @Exported func enterSlowly(_ number: Int) async {
    order.append(number)
    await Task.yield()
  }
  @Exported func entered() -> [Int] { order }
  @Exported func ask(success: Callback<Int>) { success(order.count) }
}

@NativeModule(isLinked: false) @StageActor
private final class Desk {
  @Exported func priority() -> Int { Int(Task.currentPriority.rawValue) }
  @Exported func priorityLater() async -> Int { Int(Task.currentPriority.rawValue) }
}

@NativeModule(isLinked: false) @StageActor
private final class Broken {
  init() throws { throw Trouble() }
  @Exported func read() -> Int { 1 }
  @Exported func ask(failure: Callback<Trouble>, success: Callback<Int>) { success(1) }
  @Exported func write() {}
}

@NativeModule(isLinked: false) @MainActor
private final class Window {
  @Exported func title() -> String {
    MainActor.preconditionIsolated()
    return "main"
  }
}
