import EventLoop
import JSEngine
import Trestle
import TrestleReactNative

extension Harness {
  /// The bridge's table: everything through the public call, `NativeModules.X.method(…)`, with 20 methods in rotation.
  mutating func measureBridge() throws {
    let shared = try HostedScript(wire: .shared)
    let reactNative = try HostedScript(wire: .reactNative)
    let hostCall = shared.measure(&self, "empty host call of the C API", "emptyHostCall", calls: 100_000)
    for row in bridgeRows {
      let arrays = reactNative.measure(
        &self, "\(row.workload), arrays", row.function, calls: row.calls, batch: row.batch,
        against: [("empty host call", hostCall)])
      shared.measure(
        &self, row.workload, row.function, calls: row.calls, batch: row.batch,
        against: [("empty host call", hostCall), ("arrays", arrays)])
    }
    try measureObserved()
    try measureFirstCalls(hostCall: hostCall)
    try measureWithoutJIT()
  }
}

extension Harness {
  private mutating func measureObserved() throws {
    var configuration = BridgeConfiguration()
    configuration.metrics = MetricsRecorder()
    try HostedScript(configuration: configuration).measure(
      &self, "std call, JS thread, N = 100, with metrics", "stdCalls", calls: 20_000, batch: 100)
    configuration.metrics = nil
    configuration.trace = try TraceFile(path: "/dev/null")
    try HostedScript(configuration: configuration).measure(
      &self, "std call, JS thread, N = 100, with a trace", "stdCalls", calls: 20_000, batch: 100)
    configuration.trace = nil
    for tracks in [false, true] {
      configuration.tracksOutstanding = tracks
      let script = try HostedScript(configuration: configuration)
      let state = tracks ? "on" : "off"
      script.measure(&self, "std call, N = 100, leak reports \(state)", "stdCalls", calls: 20_000, batch: 100)
      script.measure(&self, "promise, N = 100, leak reports \(state)", "promiseCalls", calls: 20_000, batch: 100)
      script.measure(&self, "shared object, leak reports \(state)", "objects", calls: 10_000)
    }
  }
}

/// A row of the table: a function of the driver, how many calls it makes, and how many of them before a flush. Each is timed
/// over both wires.
private struct BridgeRow {
  var workload: String
  var function: String
  var calls: Int
  var batch = 1
}

private let bridgeRows =
  [1, 10, 100, 1000].map { batch in
    BridgeRow(workload: "std call, JS thread, N = \(batch)", function: "stdCalls", calls: 100_000, batch: batch)
  }
  + [
    BridgeRow(workload: "sync call", function: "syncCalls", calls: 100_000),
    BridgeRow(workload: "property of a shared object", function: "propertyReads", calls: 100_000),
    BridgeRow(workload: "std call of a shared object, N = 100", function: "objectCalls", calls: 100_000, batch: 100),
    BridgeRow(workload: "shared object made and dropped", function: "objects", calls: 10_000),
  ]
  + [1, 100].flatMap { batch in
    [
      BridgeRow(workload: "call and callback, N = \(batch)", function: "callbackCalls", calls: 20_000, batch: batch),
      BridgeRow(workload: "promise, JS thread, N = \(batch)", function: "promiseCalls", calls: 20_000, batch: batch),
    ]
  }

extension HostedScript {
  /// The driver of the table, over one of the wires.
  init(wire: BridgeConfiguration.Wire) throws {
    var configuration = BridgeConfiguration()
    configuration.wire = wire
    try self.init(configuration: configuration)
  }

  fileprivate init(configuration: BridgeConfiguration) throws {
    try self.init(modules: .definitions([Bench.moduleDefinition]), script: "", configuration: configuration)
    try bridge.assumeIsolated { bridge in
      try bridge.withContext { context in
        try context.globalObject.set(
          "emptyHost", context.value(adopting: context.raw.function("e") { _, _, _, _, _, _ in nil }))
      }
      try bridge.evaluate(driver, sourceURL: "bench.js")
    }
  }

  /// Times `calls` calls of a function of the driver, in batches of `batch`.
  @discardableResult
  fileprivate func measure(
    _ harness: inout Harness, _ workload: String, _ function: String, calls: Int, batch: Int = 1,
    against references: [(name: String, nanoseconds: Double?)] = []
  ) -> Double? {
    harness.measure(workload, units: Double(calls), against: references, setUp: {}) { _ in
      call(function, calls / batch, batch)
    }
  }
}

private let driver = """
  const {Bench} = NativeModules;
  const strings = Array.from({length: 64}, (_, i) => 'user-name-' + (100 + i));
  const point = i => ({x: i, y: 0.5, name: 'abc'});
  const std = Array.from({length: 20}, (_, i) => `std${i}`);
  const stdRotation = new Function('strings', 'point', `return (batch) => { for (let i = 0; i < batch; i += 20) {
    const most = batch - i;
    ${std.map((name, i) => `if (most > ${i}) NativeModules.Bench.${name}(i, strings[i & 63], point(i), i);`).join('')} } }`)(strings, point);
  function emptyHostCall(rounds) { for (let i = 0; i < rounds; i++) emptyHost(); }
  function stdCalls(rounds, batch) { for (let k = 0; k < rounds; k++) { stdRotation(batch); trestle.flush(); } }
  function syncCalls(rounds) { let sum = 0; for (let i = 0; i < rounds; i++) sum += NativeModules.Bench.area(i, 2, 'abc'); return sum; }
  const object = Bench.object();
  function propertyReads(rounds) { let sum = 0; for (let i = 0; i < rounds; i++) sum += object.size; return sum; }
  function objectCalls(rounds, batch) {
    for (let k = 0; k < rounds; k++) { for (let i = 0; i < batch; i++) object.std(i, strings[i & 63], point(i), i); trestle.flush(); }
  }
  function objects(rounds) { for (let i = 0; i < rounds; i++) Bench.object(); }
  let pending = 0;
  const done = () => { pending--; };
  function callbackCalls(rounds, batch) {
    const next = (left) => {
      if (left === 0) return;
      for (let i = 1; i < batch; i++) NativeModules.Bench.answer(i, done);
      NativeModules.Bench.answer(0, () => next(left - 1));
    };
    next(rounds);
  }
  async function promiseCalls(rounds, batch) {
    for (let k = 0; k < rounds; k++) {
      for (let i = 1; i < batch; i++) NativeModules.Bench.add(i, 1).then(done);
      await NativeModules.Bench.add(0, 1);
    }
  }
  Object.assign(globalThis, {emptyHostCall, stdCalls, syncCalls, propertyReads, objectCalls, objects, callbackCalls, promiseCalls});
  """
