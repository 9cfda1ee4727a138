import Trestle
import TrestleReactNative

extension Harness {
  /// The first calls of a new bridge, before the engine has compiled anything that it runs.
  mutating func measureFirstCalls(hostCall: Double?) throws {
    let arrays = try measureFirstCalls("first 1000 std calls, N = 100, arrays", wire: .reactNative, hostCall: hostCall)
    try measureFirstCalls("first 1000 std calls, N = 100", wire: .shared, hostCall: hostCall, arrays: arrays)
  }

  @discardableResult
  private mutating func measureFirstCalls(
    _ workload: String, wire: BridgeConfiguration.Wire, hostCall: Double?, arrays: Double? = nil
  ) throws -> Double? {
    var last: HostedScript?
    func open() throws -> HostedScript {
      last?.close()
      let script = try HostedScript(wire: wire)
      last = script
      return script
    }
    defer { last?.close() }
    return try measure(
      workload, units: 1000, against: [("empty host call", hostCall), ("arrays", arrays)], setUp: open
    ) { script in script.call("stdCalls", 10, 100) }
  }

  /// The same calls in an engine that interprets.
  mutating func measureWithoutJIT() throws {
    let driver = try InterpretingDriver()
    func time(
      _ workload: String, _ wire: BridgeConfiguration.Wire, _ function: String, batch: Int = 1,
      against references: [(name: String, nanoseconds: Double?)] = []
    ) throws -> Double? {
      let calls = 20_000
      return try measure("\(workload), JIT off", units: Double(calls), against: references, setUp: {}) { _ in
        try driver.call(wire, function, calls / batch, batch)
      }
    }
    let hostCall = try time("empty host call of the C API", .shared, "emptyHostCall")
    for batch in [1, 100] {
      let reference = (name: "empty host call", nanoseconds: hostCall)
      let arrays = try time(
        "std call, N = \(batch), arrays", .reactNative, "stdCalls", batch: batch, against: [reference])
      _ = try time(
        "std call, N = \(batch)", .shared, "stdCalls", batch: batch, against: [reference, ("arrays", arrays)])
    }
  }
}
