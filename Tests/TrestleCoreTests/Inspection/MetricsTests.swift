import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

@Suite struct MetricsTests {
  @Test func aHistogramKnowsItsValuesToAFactorOfTwo() {
    var histogram = Histogram()
    #expect(histogram.percentile(50) == 0 && histogram.mean == 0)
    for value in [0, 1, 2, 3, 900, -7, .max] { histogram.add(value) }
    #expect(histogram.count == 7 && histogram.maximum == .max)
    #expect(histogram.buckets[0] == 2 && histogram.buckets[1] == 1 && histogram.buckets[2] == 2)
    #expect(histogram.percentile(50) == 3)
    #expect(histogram.percentile(80) == 1023)
    #expect(histogram.percentile(100) == .max)
    #expect(histogram.percentile(0) == 0)
  }

  @Test func theHeapIsLookedAtWhenABridgeCloses() async throws {
    let recorder = MetricsRecorder()
    try await withBridge([]) {
      $0.metrics = recorder
    } _: { bridge, _ in
      try await bridge.evaluate("globalThis.all = Array.from({ length: 50_000 }, (_, i) => ({ i }))")
      try await bridge.withContext { $0.collectGarbage() }
    }
    let heap = try #require(recorder.metrics.heap)
    #expect(heap.objectCount > 50_000 && heap.heapSize > 1_000_000 && heap.heapCapacity >= heap.heapSize)
  }

  /// Each counts by itself, also where scripts that one runs make others, and where one is refused.
  @Test(arguments: Wire.allCases) func nestedCallsCountOnceEach(wire: Wire) async throws {
    let recorder = MetricsRecorder()
    let module = ModuleDefinition("Counted", make: { _ in Nothing() }) {
      Member<Nothing>.sync("ask", "function", "number") { (_, function: ScriptFunction<Int, Int>, number: Int) throws in
        try function.callNow(number)
      }
      Member<Nothing>.void("tell", "function", "number") {
        (_, function: ScriptFunction<Int, Int>, number: Int) throws in
        _ = try function.callNow(number)
      }
      Member<Nothing>.sync("narrow", "number") { (_, number: Refusing) in number.value }
    }
    try await withBridge([module], wire: wire) {
      $0.metrics = recorder
    } _: { bridge, _ throws in
      let script = """
        const { Counted } = NativeModules;
        const down = (number) => number === 0 ? 0 : Counted.ask(down, number - 1) + 1;
        Counted.tell(down, 3);
        let refused = 0;
        for (let i = 0; i < 2; i++) try { Counted.narrow(1) } catch { refused++ }
        [Counted.ask(down, 4), refused]
        """
      #expect(try await bridge.evaluate(script, as: [Int].self) == [4, 2])
      let metrics = recorder.metrics
      let methods = Dictionary(uniqueKeysWithValues: metrics.methods.map { ($0.name, $0) })
      #expect(metrics.waitingCalls == 0)
      #expect(methods.mapValues(\.calls) == ["ask": 8, "tell": 1, "narrow": 2])
      #expect(methods.mapValues(\.latency.count) == ["ask": 8, "tell": 1, "narrow": 2])
      #expect(methods.mapValues(\.failures) == ["ask": 0, "tell": 0, "narrow": 2])
    }
  }

  @Test(arguments: Wire.allCases) func countsWhatCrosses(wire: Wire) async throws {
    let replies = Lock<[Reply]>([])
    let recorder = MetricsRecorder()
    let module = ModuleDefinition("Counted", make: { _ in Nothing() }) {
      Member<Nothing>.sync("double", "number") { (_, number: Int) in number * 2 }
      Member<Nothing>.void("note", "text") { (_, _: String) in }
      Member<Nothing>.sync("ask", "function", "number") { (_, function: ScriptFunction<Int, Int>, number: Int) throws in
        try function.callNow(number)
      }
      Member<Nothing>._method("wait", .promise) { _ in
        { (call) throws(ConversionError) in
          let reply = call.reply()
          replies.withLock { $0.append(reply) }
        }
      }
    }
    try await withBridge([module], wire: wire) {
      $0.metrics = recorder
    } _: { bridge, _ in
      try await bridge.evaluate(
        """
        const { Counted } = NativeModules;
        for (let i = 0; i < 3; i++) { Counted.double(i); Counted.note('a'); Counted.wait().catch(() => {}) }
        globalThis.half = number => number / 2;
        """)
      let waiting = recorder.metrics
      #expect(waiting.waitingCalls == 3 && waiting.mostWaitingCalls >= 3)
      let methods = Dictionary(uniqueKeysWithValues: waiting.methods.map { ($0.name, $0) })
      #expect(methods.mapValues(\.calls) == ["double": 3, "note": 3, "wait": 3])
      #expect(methods.mapValues(\.latency.count) == ["double": 3, "note": 3, "wait": 0])
      replies.withLock { replies in
        replies[0].resolve(1)
        replies[1].reject(BridgeError(.notFound, "none"))
      }
      let half = try await bridge.call("half", 4, as: Int.self)
      #expect(half == 2)
      bridge.emit("changed", of: "Counted", 1)
      // What came before it crosses with it.
      _ = try await bridge.evaluate("NativeModules.Counted.ask(half, 4)", as: Int.self)
      let metrics = recorder.metrics
      #expect(metrics.events == 1 && metrics.waitingCalls == 1)
      #expect(metrics.methods.first { $0.name == "wait" }?.failures == 1)
      #expect(metrics.scriptCalls == 2 && metrics.waitingScriptCalls == 0)
      #expect(metrics.turns.count > 2 && metrics.turns.maximum > 0)
      #expect(metrics.batches.sum == 10)
    }
    #expect(recorder.metrics.waitingCalls == 0)
  }
}

/// A number to JavaScript, which no number satisfies.
private struct Refusing: BridgeDecodable {
  let value: Int
  static var bridgeSchema: BridgeSchema { Int.bridgeSchema }

  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Refusing {
    let start = reader.byteOffset
    _ = try Int.decode(from: &reader)
    throw ConversionError(.mismatch, byteOffset: start)
  }
}
