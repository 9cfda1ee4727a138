import TestSupport
import Testing

@testable import TrestleCore

/// Numbers at the ends of what a host may say.
@Suite struct EdgeTests {
  private static let lab = Lab()

  private static let durations: [Duration] = [
    .seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(1), .nanoseconds(-1), .seconds(1 << 40),
    .nanoseconds(Int64.max), .nanoseconds(Int64.min), Duration(secondsComponent: .max, attosecondsComponent: .max),
  ]
  private static let numbers = [Int.max, .min, 0, -1, 1, 1 << 31, (1 << 31) - 1, 1 << 32, 1 << 53, 1 << 62]

  @Test(arguments: Wire.allCases, durations) func times(wire: Wire, time: Duration) async throws {
    try await withBridge([Self.lab.module], wire: wire) {
      $0.blockedCallThreshold = time
    } _: { bridge, _ in
      for limits in [
        ExecutionLimits(time: time), ExecutionLimits(totalTime: time), ExecutionLimits(time: time, totalTime: time),
      ] {
        try await bridge.setLimits(limits)
        _ = try? await bridge.evaluate("NativeModules.Lab.add(1, 2)", as: Int.self)
      }
      try await bridge.setLimits(nil)
      #expect(try await bridge.evaluate("NativeModules.Lab.add(1, 2)", as: Int.self) == 3)
      if time > .seconds(1) { #expect(await bridge.close(within: time)) } else { _ = await bridge.close(within: time) }
    }
  }

  @Test(arguments: Wire.allCases, numbers) func elementsAhead(wire: Wire, number: Int) async throws {
    let module = ModuleDefinition("Streams", make: { _ in () }) {
      Member<Void>.promise("count") { _ in
        let numbers = AsyncStream<Int> { continuation in
          for i in 1...3 { continuation.yield(i) }
          continuation.finish()
        }
        return BridgeStream(numbers, ahead: number)
      }
    }
    try await withBridge([module], wire: wire) { bridge, _ in
      let script =
        "(async () => { let sum = 0; for await (const n of NativeModules.Streams.count()) sum += n; return sum })()"
      let sum = try await bridge.evaluate(script, as: Int.self)
      #expect(sum == 6)
    }
  }

  @Test(arguments: Wire.allCases, numbers) func counts(wire: Wire, number: Int) async throws {
    for key in [
      \BridgeConfiguration.messageLimit, \.stringLimit, \.nestingLimit, \.callLimit, \.sharedMemoryLimit,
    ] {
      if key == \.messageLimit || key == \.sharedMemoryLimit, number < 0 { continue }
      do {
        try await withBridge([Self.lab.module], wire: wire) {
          $0[keyPath: key] = number
          $0.limits = ExecutionLimits(residentMemory: number)
        } _: { bridge, _ in
          let script = """
            const { Lab } = NativeModules;
            (async () => { try { await Lab.echo({ x: 1, y: 2, name: 'p' }); Lab.sample().release(); await Lab.anything({ a: [['text']] }); } catch {} })();
            """
          _ = try? await bridge.evaluate(script)
          try await bridge.setLimits(nil)
          _ = try? await bridge.evaluate(script)
          #expect(try await bridge.evaluate("1 + 1", as: Int.self) == 2)
        }
      } catch let error as BridgeError { #expect(number <= 1, "\(key): \(error)") }
    }
  }
}
