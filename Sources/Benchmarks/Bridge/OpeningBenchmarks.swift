import EventLoop
import Glibc
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

/// The resident size of this process, beside what it maps from files.
func printMemoryOfIdleBridges() async throws {
  func report(_ what: String, since before: Int) -> Int {
    let now = residentBytes()
    print("\(what): +\((now - before) / 1024) KB")
    return now
  }
  let start = residentBytes()
  let thread = try LoopThread(name: "bare")
  await withCheckedContinuation { continuation in
    thread.loop.perform {
      let context = Unmanaged.passRetained(JSContext(on: thread.loop))
      consume(try? context.takeUnretainedValue().evaluate("1 + 1"))
      continuation.resume()
    }
  }
  let bare = report("a bare context", since: start)
  let modules = ModuleSelection.definitions([Bench.moduleDefinition, BenchData.moduleDefinition])
  let first = try await Bridge(modules: modules)
  try await first.evaluate("NativeModules.Bench.area(1, 2, 'abc')")
  let one = report("a bridge", since: bare)
  let second = try await Bridge(modules: modules)
  try await second.evaluate("NativeModules.Bench.area(1, 2, 'abc')")
  _ = report("a second bridge", since: one)
  await first.close()
  await second.close()
}

private func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var buffer = [CChar](repeating: 0, count: 128)
  let count = fread(&buffer, 1, buffer.count, file)
  let fields = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
  return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * sysconf(CInt(_SC_PAGESIZE))
}
