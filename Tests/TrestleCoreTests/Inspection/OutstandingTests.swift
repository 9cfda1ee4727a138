import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

private final class Chart: SharedObject {
  static let sharedClass = SharedClass("Chart", of: Chart.self) {
    Member<Chart>.promise("copy") { _ in Chart() }
    Member<Chart>._method("wait", .promise) { _ in
      { (call) throws(ConversionError) in Held.replies.hold(call.reply()) }
    }
  }
}

/// What nobody answers or lets go of, until it is told to.
private final class Held: Sendable {
  static let replies = Held()
  private let values = Lock<[any Sendable]>([])
  func hold(_ value: any Sendable) { values.withLock { $0.append(value) } }
  func release() { values.withLock { $0 = [] } }
}

@Suite struct OutstandingTests {
  private let held = Held()
  private let reported = Lock<[OutstandingItem]?>(nil)

  private var module: ModuleDefinition {
    ModuleDefinition("Work", make: { _ in Nothing() }) { [held] in
      Member<Nothing>._method("wait", .promise) { _ in
        { (call) throws(ConversionError) in held.hold(call.reply()) }
      }
      Member<Nothing>._method("later", .callbacks, [.callback("done", Int.self)]) { _ in
        { (call) throws(ConversionError) in held.hold(try call.callback(Int.self)) }
      }
      Member<Nothing>.promise("quick") { _ in 1 }
      Member<Nothing>.void("keep", "number", "function") { (_, _: Int, function: ScriptFunction<Int, Int>) in
        held.hold(function)
      }
      Member<Nothing>.sync("chart") { _ in Chart() }
      Member<Nothing>.promise("chartLater") { _ in Chart() }
      Member<Nothing>.sync("charts", "count") { (_, count: Int) in (0..<count).map { _ in Chart() } }
      Member<Nothing>.promise("numbers") { _ in BridgeStream(AsyncStream<Int> { _ in }) }
      Member<Nothing>.event("changed", Int.self)
    }
  }

  private func withWork<Result: Sendable>(
    wire: Wire = .shared, _ script: String, _ body: (Bridge) async throws -> Result
  ) async throws -> Result {
    try await withBridge([module], wire: wire) { [reported] configuration in
      configuration.tracksOutstanding = true
      configuration.onLeaks = { items in reported.withLock { $0 = items } }
    } _: { bridge, log in
      try await bridge.evaluate("const { Work } = NativeModules;\n" + script, sourceURL: "app.js")
      let result = try await body(bridge)
      await bridge.close(within: patience)
      #expect(log.texts == [])
      return result
    }
  }

  /// Without ages.
  private func texts(_ items: [OutstandingItem]) -> [String] {
    items.map { item in item.description.replacing(/, [\d.]+ s/, with: "") }
  }

  private func expect(_ expected: [String], outstandingOf bridge: Bridge) async throws {
    let found = texts(try await bridge.outstanding())
    #expect(found == expected)
  }

  @Test(arguments: Wire.allCases) func callsAreOutstandingUntilTheyAreAnswered(wire: Wire) async throws {
    try await withWork(
      wire: wire,
      """
      function first() { return Work.wait() }
      globalThis.results = [];
      first().then(() => results.push('wait'), error => results.push(error.code));
        Work.later(() => results.push('later'));
      Work.quick();
      """
    ) { bridge in
      let items = try await bridge.outstanding()
      #expect(texts(items) == ["promise of Work.wait, at app.js:2:36", "callback of Work.later, at app.js:5:13"])
      #expect(items.allSatisfy { $0.age >= .zero && $0.age < patience })
      held.release()
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("results[0]", as: String.self) == "ERR_DROPPED")
      try await expect([], outstandingOf: bridge)
    }
    #expect(reported.withLock { $0 } == [])
  }

  @Test func functionsAreOutstandingAsLongAsSwiftKeepsThem() async throws {
    try await withWork(
      """
      const same = x => x;
      Work.keep(1, same);
      Work.keep(2, same);
      """
    ) { bridge in
      try await expect(
        [
          "function given to Work.keep, at app.js:3:10", "function given to Work.keep, at app.js:4:10",
        ], outstandingOf: bridge)
      held.release()
      try await bridge.evaluate("0")
      try await expect([], outstandingOf: bridge)
    }
  }

  @Test(arguments: Wire.allCases) func objectsAndStreamsTellTheCallThatGaveThem(wire: Wire) async throws {
    try await withWork(
      wire: wire,
      """
      globalThis.all = {};
      all.chart = Work.chart();
      Work.chartLater().then(async chart => {
        all.other = chart;
        all.numbers = await Work.numbers();
        all.isThere = true;
      });
      """
    ) { bridge in
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("all.isThere", as: Bool.self))
      try await expect(
        [
          "Chart from Work.chart, at app.js:3:23", "Chart from Work.chartLater, at app.js:4:16",
          "stream from Work.numbers, at app.js:6:35",
        ], outstandingOf: bridge)
      try await bridge.evaluate("all.chart.release(); all.other.release(); all.numbers.return()")
      try await expect([], outstandingOf: bridge)
    }
  }

  /// What the collector has taken is no leak, whether or not its registry has been told.
  @Test func whatNoScriptReachesIsNotOutstanding() async throws {
    try await withWork("Work.charts(1000);\nglobalThis.one = Work.charts(1)[0];") { bridge in
      // The engine looks at the stack for what may be in use.
      let items = try await bridge.outstanding()
      #expect(items.count < 20 && items.contains { $0.callSite?.hasPrefix("app.js:3:") == true })
    }
  }

  @Test func methodsOfObjectsAreNamedByTheirClass() async throws {
    try await withWork("globalThis.chart = Work.chart();\nchart.copy();\nchart.wait().catch(() => {});") { bridge in
      _ = await bridge.close(within: patience)
    }
    let items = try #require(reported.withLock { $0 })
    #expect(texts(items).contains("promise of Chart.wait, at app.js:4:11"))
    Held.replies.release()
  }

  @Test func listenersAreOutstandingUntilTheyAreRemoved() async throws {
    try await withWork("globalThis.subscription = Work.addListener('changed', () => {});") { bridge in
      try await expect(["listener of Work.changed, at app.js:2:43"], outstandingOf: bridge)
      try await bridge.evaluate("subscription.remove()")
      try await expect([], outstandingOf: bridge)
    }
  }

  @Test func callsOfScriptsAreOutstandingUntilTheyAreAnswered() async throws {
    try await withWork("globalThis.forget = () => new Promise(answer => { globalThis.answer = answer });") { bridge in
      async let result = bridge.call("forget", as: Int.self)
      while try await bridge.outstanding().isEmpty {}
      try await expect(["call of forget"], outstandingOf: bridge)
      try await bridge.evaluate("answer(1)")
      #expect(try await result == 1)
      try await expect([], outstandingOf: bridge)
    }
  }

  /// Nobody waits for them any more, whenever they end.
  @Test(arguments: Wire.allCases) func callsThatALimitEndsAreNotOutstanding(wire: Wire) async throws {
    try await withBridge([], wire: wire) {
      $0.tracksOutstanding = true
    } _: { bridge, _ in
      try await bridge.evaluate(
        "globalThis.forget = () => { globalThis.isCalled = true; return new Promise(() => {}) }")
      let call = Task { try await bridge.call("forget", as: Int.self) }
      #expect(try await awaitGlobal("isCalled", of: bridge, as: Bool.self))
      try await bridge.setLimits(.ofProcessor(.milliseconds(50)))
      await #expect(throws: BridgeError.self) { try await bridge.evaluate("for (;;);") }
      try await bridge.setLimits(nil)
      await #expect(throws: BridgeError.self) { try await call.value }
      #expect(try await bridge.outstanding() == [])
    }
  }

  /// On the JS thread, before anything is rejected; and hostile scripts change nothing about it.
  @Test(arguments: Wire.allCases) func theReportAtTheEnd(wire: Wire) async throws {
    try await withWork(
      wire: wire,
      """
      Error.stackTraceLimit = 1;
      Array.prototype.toJSON = Object.prototype.toJSON = () => 'mine';
      Set.prototype.forEach = Set.prototype.add = () => { throw 1 };
      Work.wait().catch(() => {});
      """
    ) { _ in }
    let items = try #require(reported.withLock { $0 })
    #expect(items.map(\.kind) == [.promise] && items.first?.member == "wait")
  }

  @Test func isAnErrorWhereNothingIsTracked() async throws {
    try await withBridge([module]) { bridge, _ in
      let error = await #expect(throws: BridgeError.self) { try await bridge.outstanding() }
      #expect(error?.code == .notFound)
    }
  }
}
