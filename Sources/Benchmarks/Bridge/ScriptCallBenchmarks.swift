import Trestle

@JSInterface private protocol BenchPlugin {
  func move(_ point: BenchPoint) async throws -> BenchPoint
  func note(_ number: Double)
}

extension Harness {
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
