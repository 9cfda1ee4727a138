import EventLoop
import JSEngine
import Trestle

extension Harness {
  /// From opening a bridge to its first call, and what it takes of memory.
  mutating func measureOpening() throws {
    let bare = measure("bare context and first evaluation", setUp: { Loop() }) { loop in
      let context = JSContext(on: loop)
      consume(try? context.evaluate("1 + 1"))
      context.close()
    }
    let few = try measureOpening(modules: 40, methods: 4, against: [("bare context", bare)])
    try measureOpening(modules: 10_000, methods: 20, against: [("40 modules", few)])
  }

  @discardableResult
  private mutating func measureOpening(
    modules: Int, methods: Int, against references: [(name: String, nanoseconds: Double?)]
  ) throws -> Double? {
    let definitions = (0..<modules).map { number in
      ModuleDefinition("Module\(number)", make: { _ in Empty() }) {
        for method in 0..<methods {
          Member<Empty>.sync("method\(method)", "number") { (_, number: Double) in number }
        }
      }
    }
    return try measure(
      "open and first call, \(modules) modules of \(methods) methods", against: references,
      setUp: { OpenedBridge() }
    ) { opened in
      let bridge = try Bridge.hosted(on: opened.loop, modules: .definitions(definitions))
      try bridge.assumeIsolated { bridge in try bridge.evaluate("NativeModules.Module7.method3(1)") }
      opened.bridge = bridge
    }
  }
}

private struct Empty: Sendable {}

/// Shuts its bridge down when it goes, which is after the time was taken.
private final class OpenedBridge {
  let loop = Loop()
  var bridge: Bridge?

  deinit { bridge?.assumeIsolated { bridge in bridge.shutDown() } }
}
