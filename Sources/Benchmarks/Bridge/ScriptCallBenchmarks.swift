import Trestle

@JSInterface private protocol BenchPlugin {
  func move(_ point: BenchPoint) async throws -> BenchPoint
  func note(_ number: Double)
}

@NativeModule(isLinked: false) private struct BenchCalls {
  @Exported(.sync) func sum(_ count: Int, _ add: ScriptFunction<Double, Double, Double>) throws -> Double {
    var sum = 0.0
    for number in 0..<count { sum = try add.callNow(sum, Double(number)) }
    return sum
  }

  @Exported(.sync) func move(_ count: Int, _ move: ScriptFunction<BenchPoint, BenchPoint>) throws -> BenchPoint {
    var point = BenchPoint(x: 1, y: 2, name: "abc")
    for _ in 0..<count { point = try move.callNow(point) }
    return point
  }
}

extension Harness {
  /// Calls that a method waits for, on the script's own thread.
  mutating func measureCallsAtOnce() throws {
    let script = try HostedScript(
      modules: .definitions([BenchCalls.moduleDefinition]),
      script: """
        const { BenchCalls } = NativeModules;
        function sum(count) { BenchCalls.sum(count, (a, b) => a + b); }
        function move(count) { BenchCalls.move(count, ({ x, y, name }) => ({ x: x + 1, y, name })); }
        """)
    for (function, what) in [("sum", "two numbers to one"), ("move", "a small @Record to another")] {
      measure("call of a script's function at once, \(what)", units: 10_000, setUp: {}) { _ in
        script.call(function, 10_000)
      }
    }
    script.close()
  }

  /// Calls of a script's functions from another thread than its own.
  mutating func measureScriptCalls() throws {
    let script = try HostedScript(
      modules: .none,
      script: """
        let sum = 0;
        trestle.registerCallableModule('benchPlugin', {
          move: ({ x, y, name }) => ({ x: x + 1, y, name }), note(number) { sum += number; },
        });
        """)
    let bridge = script.bridge
    let plugin = BenchPluginProxy(bridge)
    let byPath = measure("call of a script's function by its path, awaited", units: 2000, setUp: {}) { _ in
      script.run {
        for _ in 0..<2000 {
          _ = try await bridge.call("benchPlugin.move", BenchPoint(x: 1, y: 2, name: "abc"), as: BenchPoint.self)
        }
      }
    }
    measure("the same of a @JSInterface", units: 2000, against: [("by path", byPath)], setUp: {}) { _ in
      script.run { for _ in 0..<2000 { _ = try await plugin.move(BenchPoint(x: 1, y: 2, name: "abc")) } }
    }
    measure("call of a @JSInterface that nobody awaits", units: 20_000, setUp: {}) { _ in
      script.run {
        for number in 0..<20_000 { plugin.note(Double(number)) }
        _ = try await plugin.move(BenchPoint(x: 1, y: 2, name: "abc"))
      }
    }
    script.close()
  }
}
